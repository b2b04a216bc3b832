import { nextDue, type Schedule } from '../queue/due-times.ts';
import { cents, type Cents, minCents } from '../core/money.ts';
import type { MoneyOutcome } from '../payments/provider.ts';
import { never } from '../core/invariant.ts';
import type { Contradiction } from './payout.ts';
import type { PayoutState } from './payout-states.ts';
import { apiMessage } from '../messages/api-message.ts';

/** When creators are paid. The schedule and the creators' pages both read it. */
export const payoutSchedule = { every: 'month', days: [1, 15], hour: 6, minute: 0 } as const satisfies Schedule;

export const nextPayoutAt = (after: Date): Date => nextDue(payoutSchedule, after);

/** The amount that a payout must reach: the minimum of the run, else the one of the schedule, else the one of the settings. */
export type MinimumFacts = {
  readonly now: Date;
  /** Given by the person who started the run. */
  readonly requested: Cents | null;
  readonly operators: Cents;
  /** What the creator wants at least. */
  readonly creators: Cents | null;
};

/** Once a year, every amount that is worth a transfer is paid. */
const clearingMonth = 11;

const clearingDay = 15;

const aboveOneDollar = cents(101);

const oneCent = cents(1);

export function payoutMinimum({ now, requested, operators, creators }: MinimumFacts): Cents {
  if (requested !== null) return larger(requested, oneCent);
  const usual = larger(larger(operators, creators ?? oneCent), oneCent);
  const isClearing = now.getUTCMonth() === clearingMonth && now.getUTCDate() === clearingDay;
  return isClearing ? minCents(usual, aboveOneDollar) : usual;
}

const larger = (one: Cents, other: Cents): Cents => (one > other ? one : other);

export type PayoutFacts = {
  readonly now: Date;
  readonly isSuspended: boolean;
  /** An operator has to release the creator's payouts first. */
  readonly isUnderReview: boolean;
  /** Another payout of the creator is unfinished. */
  readonly isAnotherUnfinished: boolean;
  readonly amount: Cents;
  readonly minimum: Cents;
  /** Null: the creator has no payout method. */
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

/** Decides who may be paid. Called before commissions are claimed, and again with the claimed amount. */
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

export type SendFacts = {
  readonly isSuspended: boolean;
  /** The creator or a commission in the payout is under review or in a reserve period now. */
  readonly isKeptBack: boolean;
  /** An earlier payout failed and was later reported as paid, and no operator has decided yet: this one may pay the same money twice. */
  readonly isEarlierContradicted: boolean;
  /** The payout method at the time of the draft. */
  readonly payoutMethodId: string | null;
  /** The creator's current payout method. Null: none. */
  readonly method: { readonly payoutMethodId: string; readonly cameBackAt: Date | null } | null;
};

/** Checks what may have changed since the draft. Nothing was sent, so failing costs nothing. The creator sees the message. */
export function failureBeforeSending({
  isSuspended,
  isKeptBack,
  isEarlierContradicted,
  payoutMethodId,
  method,
}: SendFacts): Failure | null {
  if (isSuspended) return { code: 'creator_suspended', message: apiMessage('decide_payout.creator_suspended_before_payout_sent') };
  if (isKeptBack) return { code: 'under_review', message: apiMessage('decide_payout.part_under_review_by_platform') };
  if (isEarlierContradicted)
    return { code: 'earlier_contradicted', message: apiMessage('decide_payout.earlier_payout_being_investigated_so') };
  if (method === null || method.payoutMethodId !== payoutMethodId)
    return { code: 'method_changed', message: apiMessage('decide_payout.payout_method_changed_before_payout') };
  if (method.cameBackAt !== null) return { code: 'came_back', message: apiMessage('decide_payout.earlier_payout_account_returned_before') };
  return null;
}

/** The outcome of a payout, from a call, a look-up, a webhook event, or a person. */
export type PayoutOutcome = MoneyOutcome | { readonly is: 'returned'; readonly why: string };

export type Failure = { readonly code: string; readonly message: string };

export type PayoutEnd =
  /** It arrived, with the provider's ID. */
  | { readonly do: 'pay'; readonly providerId: string }
  | { readonly do: 'fail'; readonly failure: Failure }
  /** It arrived and was returned, also if the arrival was never reported. */
  | { readonly do: 'return'; readonly hadArrived: boolean; readonly failure: Failure }
  /** Sent, with or without a provider ID, or unknown. */
  | { readonly do: 'wait'; readonly as: 'sending' | 'unknown'; readonly providerId: string | null }
  /** The payout has this state already. */
  | { readonly do: 'nothing' }
  /** The ledger may be wrong about the money, and a person has to act. The payout stays as it is. */
  | { readonly do: 'contradict'; readonly why: string }
  /** The money of a contradicted payout was returned, so it blocks nothing any more. */
  | { readonly do: 'decide_contradiction'; readonly why: string }
  /** The outcome is impossible in this state and is ignored. */
  | { readonly do: 'wonder'; readonly why: string };

type EndFacts = { readonly state: PayoutState; readonly contradiction: Contradiction };

/** Decides what an outcome means for a payout. Only evidence ends one: `unknown` never times out. */
export function decidePayoutEnd({ state, contradiction }: EndFacts, outcome: PayoutOutcome): PayoutEnd {
  switch (state) {
    case 'gathering':
    case 'given_up':
    case 'awaiting_second':
    case 'ready':
      return { do: 'wonder', why: 'it was never sent' };
    case 'sending':
    case 'unknown':
      return endOfOpen(outcome);
    case 'paid':
      if (outcome.is === 'returned') return returned(outcome.why, true);
      if (outcome.is !== 'declined' || contradiction !== 'none') return { do: 'nothing' };
      return { do: 'contradict', why: 'it was paid, and the provider reports it as declined' };
    case 'failed':
      return endOfFailed(contradiction, outcome);
    case 'returned':
      return { do: 'nothing' };
    default:
      return never(state);
  }
}

function endOfOpen(outcome: PayoutOutcome): PayoutEnd {
  switch (outcome.is) {
    case 'succeeded':
      return { do: 'pay', providerId: outcome.providerId };
    case 'declined':
      return { do: 'fail', failure: { code: outcome.code, message: outcome.message } };
    case 'returned':
      return returned(outcome.why, false);
    case 'pending':
      return { do: 'wait', as: 'sending', providerId: outcome.providerId };
    case 'unknown':
      return { do: 'wait', as: 'unknown', providerId: null };
    default:
      return never(outcome);
  }
}

/** Outcomes repeat and arrive late. Only one that contradicts the end, or resolves such a contradiction, has an effect. */
function endOfFailed(contradiction: Contradiction, outcome: PayoutOutcome): PayoutEnd {
  if (outcome.is !== 'succeeded' && outcome.is !== 'returned') return { do: 'nothing' };
  if (contradiction === 'decided') return { do: 'nothing' };
  if (outcome.is === 'succeeded')
    return contradiction === 'open' ? { do: 'nothing' } : { do: 'contradict', why: 'it failed, and the provider reports it as paid' };
  return contradiction === 'open'
    ? { do: 'decide_contradiction', why: outcome.why }
    : { do: 'wonder', why: 'it failed, and the provider reports it as returned' };
}

const returned = (why: string, hadArrived: boolean): PayoutEnd => ({
  do: 'return',
  hadArrived,
  failure: { code: 'returned', message: why },
});
