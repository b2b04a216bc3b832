import type { CommissionTotals, ReviewCounts } from '../../../../sdk/src/api-schema.ts';
import { totalText } from '../../ui/list-totals.tsx';
import type { ConversionFilter } from '../stores/store-search-params.ts';
import type { ReviewAction, ReviewResult } from './commissions-api.ts';
import { formats } from '../../messages/messages.ts';
import { t } from './messages.ts';

export type ReviewActionName = ReviewAction['do'];

export const actionLabels: Readonly<Record<ReviewActionName, string>> = {
  approve: t.review_actions.approve,
  reject: t.review_actions.reject,
  hold: t.review_actions.put_on_hold,
  release: t.review_actions.release,
  reopen: t.review_actions.reopen,
};

export const progressLabels = {
  approve: t.review_actions.approving,
  reject: t.review_actions.rejecting,
  hold: t.review_actions.putting_on_hold,
  release: t.review_actions.releasing,
  reopen: t.review_actions.reopening,
} as const;
const doneLabels = {
  approve: t.review_actions.approved,
  reject: t.review_actions.rejected,
  hold: t.review_actions.put_on_hold_2,
  release: t.review_actions.released,
  reopen: t.review_actions.reopened,
} as const;
const skippedReasons = [
  ['held', t.review_actions.on_hold_and_must_be],
  ['not_held', t.review_actions.not_on_hold],
  ['rejected', t.review_actions.already_rejected],
  ['reversed', t.review_actions.already_reversed],
  ['billed', t.review_actions.already_invoiced],
  ['conflict', t.review_actions.currently_in_a_payout],
  ['not_found', t.review_actions.not_found],
] as const;

export const conversionCountText = (totals: CommissionTotals): string => totalText(totals, t.review_queue.conversions_2);

/**
 * Reopening means different things for approved and rejected commissions, so "all" needs one of these two states. Pending ones cannot
 * be reopened.
 */
export const canDecideAll = (action: ReviewActionName, { state }: ConversionFilter): boolean =>
  action !== 'reopen' || state === 'approved' || state === 'rejected';

/**
 * Limits "all" to what people expect: without a state filter, approving and rejecting apply to pending commissions, holding to those
 * not on hold and releasing to those on hold.
 */
export function effectiveFilter(action: ReviewActionName, filter: ConversionFilter): ConversionFilter {
  if (action === 'reopen') return filter;
  if (action === 'hold') return { held: 'false', ...filter };
  return action === 'release' ? { held: 'true', ...filter } : { state: 'pending', ...filter };
}

/** `Approved: 47. Left as they were: 3 held, so that …` */
export const reviewResultText = (action: ReviewAction, counts: ReviewCounts): string =>
  resultText(doneLabels[action.do], counts, skippedReasons);

/** A conflict during undo is a later decision by someone else. */
const undoSkippedReasons = skippedReasons.map(
  ([word, why]) => [word, word === 'conflict' ? t.review_actions.changed_by_someone_else_since : why] as const,
);

export const undoResultText = (counts: ReviewCounts): string => resultText(t.review_actions.undone, counts, undoSkippedReasons);

function resultText(what: string, counts: ReviewCounts, words: ReadonlyArray<readonly [ReviewResult, string]>): string {
  const skipped = words.flatMap(([word, why]) => (counts[word] === 0 ? [] : [`${formats.number(counts[word])} ${why}`]));
  const done = t.review_actions.done({ what, count: counts.ok });
  return skipped.length === 0 ? done : `${done} ${t.review_actions.not_changed({ skipped: skipped.join(', ') })}`;
}
