import { approvedRollups, lostRollups, unapprovedRollups } from '../commissions/rollups.ts';
import { platformHold } from '../commissions/commission.ts';
import { insertDecisions } from '../commissions/decisions-sql.ts';
import {
  approveCommissions,
  holdCommissions,
  rejectCommissions,
  releaseCommissions,
  reopenCommissions,
  type ReviewedCommission,
} from '../commissions/review-sql.ts';
import { addLinkRollups, addStoreRollups } from '../rollups/rollups-sql.ts';
import { postStoreTransfers } from '../ledger/store-ledger-sql.ts';
import type { Transaction } from '../db/database.ts';
import { consecutiveIds, type Id } from '../core/ids.ts';
import { never } from '../core/invariant.ts';
import type { DecisionRange } from './review-counts.ts';
import { decideReview, type ReviewAction, type ReviewResult } from './decide-review.ts';

/** One action on any number of commissions of a store, by a user, an API key, or the platform. */
export type Review = {
  readonly storeId: Id<'store'>;
  readonly action: ReviewAction;
  readonly by: { readonly actor: string; readonly name: string };
  /** Read after the rows are locked, so that of two decisions on one commission the one that waited has the later time. */
  readonly now: () => Date;
};

/** Limits how long other transactions wait for the row locks. */
export const reviewedPerTransactionMax = 1_000;

export type ReviewResults = ReadonlyMap<Id<'com'>, ReviewResult>;

export type Reviewed = { readonly results: ReviewResults; readonly decided: DecisionRange | null };

/**
 * Decides on each locked commission in memory, then writes all changes in a few statements: states, decisions, transfers, rollups.
 * The caller must have locked the commissions in this transaction.
 */
export async function applyReview(tx: Transaction, review: Review, locked: readonly ReviewedCommission[]): Promise<Reviewed> {
  const { storeId, action, by } = review;
  const now = review.now();
  const idAt = consecutiveIds<'dec'>(now);
  const decided = locked.map((reviewed, index) => {
    const { commissionId, creatorId, amountCents, state, heldReason, isInPayout } = reviewed;
    const isHeldByPlatform = heldReason === platformHold.reason && reviewed.heldBy === platformHold.by;
    const decisionId = idAt(index);
    const commission = { state, heldReason, isHeldByPlatform, isInPayout, money: { storeId, creatorId, amount: amountCents } };
    return {
      commissionId,
      reviewed,
      decisionId,
      decision: decideReview(action, { now, isByPlatform: by.actor === platformHold.by, commission, decisionId }),
    };
  });
  const changed = decided.filter(({ decision }) => decision.do === 'change');
  if (changed.length > 0) {
    await updateStates(tx, review, { commissionIds: changed.map(({ commissionId }) => commissionId), now });
    const reason = 'reason' in action ? action.reason : null;
    const { do: name, note } = action;
    await insertDecisions(tx, { storeId, decided: changed, action: name, reason, note, by: by.actor, byName: by.name, at: now });
    await postStoreTransfers(
      tx,
      changed.flatMap(({ decision }) => (decision.do === 'change' ? decision.postings : [])),
    );
    await addReviewRollups(
      tx,
      action,
      changed.map(({ reviewed }) => reviewed),
      now,
    );
  }
  const results = new Map(decided.map(({ commissionId, decision }) => [commissionId, decision.do === 'change' ? 'ok' : decision.result]));
  const [first, last] = [changed[0], changed.at(-1)];
  return { results, decided: first && last ? { first: first.decisionId, last: last.decisionId } : null };
}

/** Depends on the previous state: a rejection takes back an approval, and leaving `rejected` makes the commission earned again. */
async function addReviewRollups(tx: Transaction, action: ReviewAction, changed: readonly ReviewedCommission[], now: Date): Promise<void> {
  const wereRejected = changed.filter(({ state }) => state === 'rejected');
  switch (action.do) {
    case 'approve':
      await addStoreRollups(tx, approvedRollups(changed, now));
      return addLinkRollups(tx, lostRollups(wereRejected, -1n));
    case 'reject':
      await addStoreRollups(tx, unapprovedRollups(changed));
      return addLinkRollups(tx, lostRollups(changed, 1n));
    case 'reopen':
      await addStoreRollups(tx, unapprovedRollups(changed));
      return addLinkRollups(tx, lostRollups(wereRejected, -1n));
    case 'hold':
    case 'release':
      return;
    default:
      return never(action);
  }
}

type ChangedCommissions = { readonly commissionIds: ReadonlyArray<Id<'com'>>; readonly now: Date };

function updateStates(tx: Transaction, { storeId, action, by }: Review, { commissionIds, now }: ChangedCommissions): Promise<void> {
  const rows = { storeId, commissionIds };
  switch (action.do) {
    case 'approve':
      return approveCommissions(tx, rows, now);
    case 'reject':
      return rejectCommissions(tx, rows, { at: now, reason: action.reason, note: action.note });
    case 'hold':
      return holdCommissions(tx, rows, { reason: action.reason, by: by.actor, since: now });
    case 'release':
      return releaseCommissions(tx, rows);
    case 'reopen':
      return reopenCommissions(tx, rows);
    default:
      return never(action);
  }
}
