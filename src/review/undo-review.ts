import { Type as T } from 'typebox';
import { idField } from '../http/fields.ts';
import { listCommissionsInRange, listDecisionsToUndo } from '../commissions/decisions-sql.ts';
import { lockForReview } from '../commissions/review-sql.ts';
import { endpoint } from '../people/endpoint.ts';
import { isTransaction, type Transaction } from '../db/database.ts';
import { refuse } from '../http/responses.ts';
import { readPublicId, type Id } from '../core/ids.ts';
import { invariant } from '../core/invariant.ts';
import { applyReview, reviewedPerTransactionMax, type Review } from './apply-review.ts';
import type { ReviewAction } from './decide-review.ts';
import { decideUndo } from './decide-undo.ts';
import { addCounts, countResults, reviewCountsJson, type DecisionRange, type ReviewCounts } from './review-counts.ts';
import { apiMessage } from '../messages/api-message.ts';

const decisionId = idField();

export const undoDecisionsEndpoint = endpoint({
  summary: 'Undo decisions: returns each commission to its previous state, unless it was decided again or invoiced since',
  access: { allow: 'store', permission: 'commissions:review' },
  body: T.Object(
    { first: decisionId, last: decisionId },
    {
      additionalProperties: false,
      description: 'An element of `decided` in the response to a decision',
    },
  ),
  reply: T.Object({ counts: reviewCountsJson }),
  audit: 'commissions.undo',
  async handle({ platform, db, ids, body, identity }) {
    invariant(isTransaction(db), 'what changes something runs in a transaction');
    const [first, last] = [readPublicId('dec', body.first), readPublicId('dec', body.last)];
    if (first === null || last === null)
      return refuse('invalid_request', apiMessage('shared.body_invalid'), [
        { field: first === null ? 'first' : 'last', message: apiMessage('undo_review.no_id_decision_take_from') },
      ]);
    const by = { actor: identity.actor, name: identity.name };
    const counts = await undoDecisions(db, { storeId: ids.store, by, now: platform.clock.now }, { first, last });
    if (counts === 'too_many')
      return refuse('limit_reached', apiMessage('undo_review.at_most_decisions_taken_back', { reviewedPerTransactionMax }));
    return { counts };
  },
});

/**
 * Undoes what one transaction decided: each commission gets one more decision, back to the state before. A commission that was decided on
 * since is skipped, so undoing twice changes nothing. The history is read after the rows are locked.
 */
export async function undoDecisions(
  tx: Transaction,
  undo: Omit<Review, 'action'>,
  range: DecisionRange,
): Promise<ReviewCounts | 'too_many'> {
  const query = { ...range, limit: reviewedPerTransactionMax + 1 };
  const commissionIds = await listCommissionsInRange(tx, undo.storeId, query);
  if (commissionIds.length > reviewedPerTransactionMax) return 'too_many';
  const lockedCount = (await lockForReview(tx, undo.storeId, commissionIds)).length;
  const groups = new Map<string, UndoGroup>();
  for (const { commissionId, ...facts } of await listDecisionsToUndo(tx, undo.storeId, query)) {
    const action = decideUndo(facts);
    if (action === null) continue;
    const key = JSON.stringify(action);
    const group: UndoGroup = groups.get(key) ?? { action, commissionIds: new Set() };
    group.commissionIds.add(commissionId);
    groups.set(key, group);
  }
  let counts = countResults([]);
  const reviewed = new Set<Id<'com'>>();
  for (const group of [...groups.values()].toSorted(byActionOrder)) {
    // Read again: an earlier group may have changed the same commission, for example released it before it is approved.
    const locked = await lockForReview(tx, undo.storeId, [...group.commissionIds]);
    const { results } = await applyReview(tx, { ...undo, action: group.action }, locked);
    for (const commissionId of results.keys()) reviewed.add(commissionId);
    counts = addCounts(counts, countResults(results.values()));
  }
  return { ...counts, conflict: counts.conflict + lockedCount - reviewed.size };
}

type UndoGroup = { readonly action: ReviewAction; readonly commissionIds: Set<Id<'com'>> };

/** A commission on hold cannot be decided on, so releases come first and holds last. */
const actionOrder = { release: 0, approve: 1, reject: 1, reopen: 1, hold: 2 } as const satisfies Readonly<
  Record<ReviewAction['do'], number>
>;
const byActionOrder = (one: UndoGroup, other: UndoGroup): number => actionOrder[one.action.do] - actionOrder[other.action.do];
