import { isBilled, type CommissionState, type HoldReason } from '../commissions/commission.ts';
import { accrual, accrualUndone, type CommissionMoney, type Posting, type Source } from '../ledger/posting.ts';
import type { Id } from '../platform/ids.ts';
import { never } from '../platform/must.ts';

/** For what a person holds a commission. The other reasons are those of the house itself. */
export const reviewHoldReasons = ['dispute', 'fraud_review', 'merchant_request'] as const satisfies readonly HoldReason[];

export type ReviewAction =
  | { readonly do: 'approve' | 'release' | 'reopen'; readonly note: string | null }
  | { readonly do: 'reject'; readonly reason: string; readonly note: string | null }
  | { readonly do: 'hold'; readonly reason: (typeof reviewHoldReasons)[number]; readonly note: string | null };

/** What is answered for one commission. `ok` also where it is so already. */
export const reviewWords = ['ok', 'not_found', 'held', 'not_held', 'rejected', 'reversed', 'billed', 'conflict'] as const;
export type ReviewWord = (typeof reviewWords)[number];

export type ReviewFacts = {
  readonly now: Date;
  /** The platform itself decides, not one of its users. */
  readonly isByPlatform: boolean;
  /** As it stands under its row's lock. */
  readonly commission: {
    readonly state: CommissionState;
    readonly heldReason: HoldReason | null;
    /** An operator has to release it, by its risk case. */
    readonly isHeldByPlatform: boolean;
    readonly isInPayout: boolean;
    readonly money: CommissionMoney;
  };
  /** The fact that this decision will be: each one has an id of its own, so that deciding back and forth moves the money each time. */
  readonly decisionId: Id<'dec'>;
};

export type ReviewDecision =
  | { readonly do: 'change'; readonly postings: readonly Posting[] }
  | { readonly do: 'leave'; readonly word: ReviewWord };

/**
 * The whole law of a merchant's decision on a commission. Approving and rejecting undo each other, and reopening undoes both,
 * until it is billed or reversed. Held means that nothing is decided before the release.
 */
export function decideReview(action: ReviewAction, facts: ReviewFacts): ReviewDecision {
  switch (action.do) {
    case 'approve':
      return decideState('approved', facts);
    case 'reject':
      return decideState('rejected', facts);
    case 'reopen':
      return decideState('pending', facts);
    case 'hold':
      return decideHold(action.reason, facts);
    case 'release':
      return decideRelease(facts);
    default:
      return never(action);
  }
}

function decideState(goal: 'approved' | 'rejected' | 'pending', facts: ReviewFacts): ReviewDecision {
  const { state, heldReason } = facts.commission;
  if (state === 'reversed') return leave('reversed');
  if (isBilled(state)) return leave('billed');
  if (state === goal) return leave('ok');
  if (heldReason !== null) return leave('held');
  if (goal === 'rejected') return { do: 'change', postings: moved(accrualUndone, facts) };
  if (state === 'rejected') return { do: 'change', postings: moved(accrual, facts) };
  return { do: 'change', postings: [] };
}

/** It keeps what is not billed yet out of bills, and what is billed out of payouts. */
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
 * A merchant releases a hold whoever set it, except the platform's own: what that keeps back may be money that the merchant pays to
 * themselves.
 */
function decideRelease({ commission, isByPlatform }: ReviewFacts): ReviewDecision {
  const { state, heldReason, isHeldByPlatform } = commission;
  if (state === 'reversed') return leave('reversed');
  if (heldReason === null) return leave('not_held');
  if (isHeldByPlatform && !isByPlatform) return leave('held');
  return { do: 'change', postings: [] };
}

const leave = (word: ReviewWord): ReviewDecision => ({ do: 'leave', word });

function moved(move: typeof accrual, { commission, decisionId, now }: ReviewFacts): readonly Posting[] {
  const source: Source = { kind: 'decision', id: decisionId };
  return move(commission.money, source, now);
}
