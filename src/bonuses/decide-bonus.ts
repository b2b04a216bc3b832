import { apiMessage } from '../messages/api-message.ts';
import { cents, dollars, type Cents } from '../core/money.ts';
import type { MemberStatus } from '../creators/membership-states.ts';
import type { ApiReason } from '../http/responses.ts';

/** One bonus, and all bonuses of a store on a UTC day: the limits of what an employee or a stolen session can give away. */
export const bonusAmountMax = cents(500_000);
export const bonusDayMax = cents(1_000_000);
export const bonusesPerDayMax = 100;

export type BonusFacts = {
  /** Neither past due nor archived. */
  readonly isStoreActive: boolean;
  /** Null: the creator is not a member of the program. */
  readonly memberStatus: MemberStatus | null;
  readonly hasTerms: boolean;
  /** The creator is the person who adds the bonus, or is on the store's team. */
  readonly isOwnCreator: boolean;
  /** The store's bonuses of this UTC day, read under the store's lock. */
  readonly day: { readonly count: number; readonly amount: Cents };
};

export type BonusDecision =
  | { readonly do: 'add' }
  | { readonly do: 'refuse'; readonly reason: ApiReason; readonly message: string; readonly field: string | null };

/** The rules for a bonus, in their order; the first match wins. */
export function decideBonus(amount: Cents, { isStoreActive, memberStatus, hasTerms, isOwnCreator, day }: BonusFacts): BonusDecision {
  if (amount > bonusAmountMax) return invalid('amount_cents', apiMessage('bonus.at_most_each', { most: dollars(bonusAmountMax) }));
  if (!isStoreActive) return refuse('conflict', apiMessage('bonus.store_not_active'));
  if (memberStatus !== 'approved') return invalid('creator_id', apiMessage('bonus.no_approved_member'));
  if (isOwnCreator) return refuse('conflict', apiMessage('bonus.own_creator'));
  if (!hasTerms) return refuse('terms_missing', apiMessage('bonus.no_terms'));
  if (day.count >= bonusesPerDayMax) return refuse('limit_reached', apiMessage('bonus.at_most_a_day', { most: bonusesPerDayMax }));
  const left = bonusDayMax > day.amount ? bonusDayMax - day.amount : 0n;
  if (amount > left)
    return refuse('limit_reached', apiMessage('bonus.day_limit', { most: dollars(bonusDayMax), left: dollars(cents(left)) }));
  return { do: 'add' };
}

const refuse = (reason: ApiReason, message: string): BonusDecision => ({ do: 'refuse', reason, message, field: null });
const invalid = (field: string, message: string): BonusDecision => ({ do: 'refuse', reason: 'unprocessable', message, field });
