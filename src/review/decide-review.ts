import { type HoldReason } from '../commissions/commission.ts';
import { canTransition, commissionTransitions, isInvoiced, type CommissionState } from '../commissions/commission-states.ts';
import { accrual, accrualReversal, type CommissionMoney, type Posting, type Source } from '../ledger/store-postings.ts';
import type { Id } from '../core/ids.ts';
import { invariant, never } from '../core/invariant.ts';

/** The reasons that a person can give for a hold. Only the platform sets the other ones. */
export const reviewHoldReasons = ['dispute', 'fraud_review', 'merchant_request'] as const satisfies readonly HoldReason[];

export type ReviewAction =
  | { readonly do: 'approve' | 'release' | 'reopen'; readonly note: string | null }
  | { readonly do: 'reject'; readonly reason: string; readonly note: string | null }
  | { readonly do: 'hold'; readonly reason: (typeof reviewHoldReasons)[number]; readonly note: string | null };

/** The API's result for one commission. `ok` also if nothing had to change. */
export const reviewResults = ['ok', 'not_found', 'held', 'not_held', 'rejected', 'reversed', 'billed', 'conflict'] as const;
export type ReviewResult = (typeof reviewResults)[number];

export type ReviewFacts = {
  readonly now: Date;
  /** The platform decides, not a user. */
  readonly isByPlatform: boolean;
  /** Read under the row lock. */
  readonly commission: {
    readonly state: CommissionState;
    readonly heldReason: HoldReason | null;
    /** Only an operator can release it, in its risk case. */
    readonly isHeldByPlatform: boolean;
    readonly isInPayout: boolean;
    readonly money: CommissionMoney;
  };
  /** The source of this decision's transfers: each decision has its own ID, so that approving and rejecting repeatedly posts each time. */
  readonly decisionId: Id<'dec'>;
};

export type ReviewDecision =
  | { readonly do: 'change'; readonly postings: readonly Posting[] }
  | { readonly do: 'leave'; readonly result: ReviewResult };

/**
 * The rules of a merchant's decision on a commission. Approving and rejecting undo each other, and reopening undoes both, until the
 * commission is billed or reversed. A commission on hold must be released first.
 */
export function decideReview(action: ReviewAction, facts: ReviewFacts): ReviewDecision {
  switch (action.do) {
    case 'approve':
      return decideTransition('approve', facts);
    case 'reject':
      return decideTransition('reject', facts);
    case 'reopen':
      return decideTransition('reopen', facts);
    case 'hold':
      return decideHold(action.reason, facts);
    case 'release':
      return decideRelease(facts);
    default:
      return never(action);
  }
}

function decideTransition(event: 'approve' | 'reject' | 'reopen', facts: ReviewFacts): ReviewDecision {
  const goal = commissionTransitions[event].to;
  const { state, heldReason } = facts.commission;
  if (state === 'reversed') return leave('reversed');
  if (isInvoiced(state)) return leave('billed');
  if (state === goal) return leave('ok');
  if (heldReason !== null) return leave('held');
  invariant(canTransition(state, event), 'the rules above leave only the transitions of the table');
  if (goal === 'rejected') return { do: 'change', postings: postAccrual(accrualReversal, facts) };
  if (state === 'rejected') return { do: 'change', postings: postAccrual(accrual, facts) };
  return { do: 'change', postings: [] };
}

/** A hold keeps a commission out of the next invoice, or out of payouts if it is billed. */
function decideHold(reason: HoldReason, { commission }: ReviewFacts): ReviewDecision {
  const { state, heldReason, isInPayout } = commission;
  if (state === 'reversed') return leave('reversed');
  if (state === 'rejected') return leave('rejected');
  if (state === 'paid') return leave('billed');
  if (heldReason === reason) return leave('ok');
  if (heldReason !== null) return leave('held');
  if (isInPayout) return leave('conflict');
  return { do: 'change', postings: [] };
}

/**
 * A merchant can release any hold except the platform's: that one may withhold money that the merchant pays to themselves.
 */
function decideRelease({ commission, isByPlatform }: ReviewFacts): ReviewDecision {
  const { state, heldReason, isHeldByPlatform } = commission;
  if (state === 'reversed') return leave('reversed');
  if (heldReason === null) return leave('not_held');
  if (isHeldByPlatform && !isByPlatform) return leave('held');
  return { do: 'change', postings: [] };
}

const leave = (result: ReviewResult): ReviewDecision => ({ do: 'leave', result });

function postAccrual(move: typeof accrual, { commission, decisionId, now }: ReviewFacts): readonly Posting[] {
  const source: Source = { kind: 'decision', id: decisionId };
  return move(commission.money, source, now);
}
