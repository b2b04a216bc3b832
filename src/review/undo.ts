import { decidedInStretch, decisionsToUndo } from '../commissions/decisions-sql.ts';
import { lockForReview } from '../commissions/review-sql.ts';
import type { Transaction } from '../platform/database/database.ts';
import type { Id } from '../platform/ids.ts';
import type { ReviewAction } from './decide-review.ts';
import { decideUndo } from './decide-undo.ts';
import {
  countsOf,
  countsTogether,
  reviewedPerTransactionMax,
  reviewLocked,
  type DecidedStretch,
  type Review,
  type WordCounts,
} from './review.ts';

/**
 * Takes back what one transaction decided: each commission is decided on once more, to how its history says it stood before. What
 * somebody decided on since is left alone, so that asking twice takes nothing back twice. The history is read under the locks.
 */
export async function undoStretch(
  tx: Transaction,
  undo: Omit<Review, 'action'>,
  stretch: DecidedStretch,
): Promise<WordCounts | 'too_many'> {
  const asked = { ...stretch, limit: reviewedPerTransactionMax + 1 };
  const commissionIds = await decidedInStretch(tx, undo.storeId, asked);
  if (commissionIds.length > reviewedPerTransactionMax) return 'too_many';
  const lockedCount = (await lockForReview(tx, undo.storeId, commissionIds)).length;
  const actions = new Map<string, Group>();
  for (const { commissionId, ...facts } of await decisionsToUndo(tx, undo.storeId, asked)) {
    const action = decideUndo(facts);
    if (action === null) continue;
    const name = JSON.stringify(action);
    const group: Group = actions.get(name) ?? { action, commissionIds: new Set() };
    group.commissionIds.add(commissionId);
    actions.set(name, group);
  }
  let counts = countsOf([]);
  const judged = new Set<Id<'com'>>();
  for (const { action, commissionIds: ids } of [...actions.values()].toSorted(inTurn)) {
    // As they stand by then: what was done before may have been the other half of the same commission.
    const together = await lockForReview(tx, undo.storeId, [...ids]);
    const { words } = await reviewLocked(tx, { ...undo, action }, together);
    for (const commissionId of words.keys()) judged.add(commissionId);
    counts = countsTogether(counts, countsOf(words.values()));
  }
  return { ...counts, conflict: counts.conflict + lockedCount - judged.size };
}

type Group = { readonly action: ReviewAction; readonly commissionIds: Set<Id<'com'>> };

/** Nothing is decided on what is held: a hold ends before its commission is decided on, and begins after. */
const turns = { release: 0, approve: 1, reject: 1, reopen: 1, hold: 2 } as const satisfies Readonly<Record<ReviewAction['do'], number>>;
const inTurn = (one: Group, other: Group): number => turns[one.action.do] - turns[other.action.do];
