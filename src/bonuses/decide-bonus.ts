import { apiMessage } from '../messages/api-message.ts';
import { cents, dollars, type Cents } from '../core/money.ts';
import type { MemberStatus } from '../creators/membership-states.ts';
import type { ApiReason } from '../http/responses.ts';
import type { StoreStatus } from '../merchants/stores-sql.ts';

/** One bonus; all bonuses of a store in a UTC day together; and their number. They limit what a stolen session or an employee can give away. */
export const bonusAmountMax = cents(500_000);
export const bonusDayMax = cents(1_000_000);
export const bonusesPerDayMax = 100;

export type BonusFacts = {
  readonly storeStatus: StoreStatus;
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
export function decideBonus(amount: Cents, { storeStatus, memberStatus, hasTerms, isOwnCreator, day }: BonusFacts): BonusDecision {
  if (amount > bonusAmountMax) return invalid('amount_cents', apiMessage('bonus.at_most_each', { most: dollars(bonusAmountMax) }));
  if (storeStatus !== 'active') return refuse('conflict', apiMessage('bonus.store_not_active'));
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
