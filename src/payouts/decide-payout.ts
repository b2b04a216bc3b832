import type { Cents } from '../platform/money.ts';
import { cents, smaller } from '../platform/money.ts';

/** What has to be reached, from the lowest word to the highest: who asks for a run may say it; else the calendar, then the settings. */
export type MinimumFacts = {
  readonly now: Date;
  /** What whoever asked for the run said. */
  readonly asked: Cents | null;
  readonly operators: Cents;
  /** What the creator wants at least. */
  readonly creators: Cents | null;
};

/** Once a year everything goes out that is worth a transfer. */
const clearingMonth = 11;
const clearingDay = 15;
const aboveOneDollar = cents(101);
const oneCent = cents(1);

export function payoutMinimum({ now, asked, operators, creators }: MinimumFacts): Cents {
  if (asked !== null) return larger(asked, oneCent);
  const usual = larger(larger(operators, creators ?? oneCent), oneCent);
  const isClearing = now.getUTCMonth() === clearingMonth && now.getUTCDate() === clearingDay;
  return isClearing ? smaller(usual, aboveOneDollar) : usual;
}

const larger = (one: Cents, other: Cents): Cents => (one > other ? one : other);

export type PayoutFacts = {
  readonly now: Date;
  readonly isSuspended: boolean;
  /** An operator has to release the creator's payouts first. */
  readonly isUnderReview: boolean;
  /** Another payout of the creator that is not at its end. */
  readonly isAnotherUnfinished: boolean;
  readonly amount: Cents;
  readonly minimum: Cents;
  /** Null: the creator has not said where to. */
  readonly method: { readonly usableFrom: Date; readonly cameBackAt: Date | null } | null;
  /** Null: no amount needs a second person. */
  readonly secondPersonAbove: Cents | null;
};

export const waitReasons = [
  'suspended',
  'under_review',
  'unfinished_payout',
  'nothing_available',
  'no_method',
  'came_back',
  'cool_down',
  'under_minimum',
] as const;
export type WaitReason = (typeof waitReasons)[number];

export type PayoutDecision =
  | { readonly do: 'pay'; readonly as: 'ready' | 'awaiting_second' }
  | { readonly do: 'wait'; readonly because: WaitReason };

/** The whole law of who may be paid. Asked before anything is gathered, and again of what was gathered. */
export function decidePayout(facts: PayoutFacts): PayoutDecision {
  const { now, amount, method, secondPersonAbove } = facts;
  if (facts.isSuspended) return wait('suspended');
  if (facts.isUnderReview) return wait('under_review');
  if (facts.isAnotherUnfinished) return wait('unfinished_payout');
  if (amount === 0n) return wait('nothing_available');
  if (method === null) return wait('no_method');
  if (method.cameBackAt !== null) return wait('came_back');
  if (now < method.usableFrom) return wait('cool_down');
  if (amount < facts.minimum) return wait('under_minimum');
  if (secondPersonAbove !== null && amount > secondPersonAbove) return { do: 'pay', as: 'awaiting_second' };
  return { do: 'pay', as: 'ready' };
}

const wait = (because: WaitReason): PayoutDecision => ({ do: 'wait', because });
