import type { CommissionTotals, ReviewCounts } from '../../api/api-schema.ts';
import { totalText } from '../../ui/list-totals.tsx';
import type { ConversionFilter } from '../stores/store-search-params.ts';
import type { ReviewAction, ReviewResult } from './commissions-api.ts';

export type ReviewActionName = ReviewAction['do'];

export const actionLabels: Readonly<Record<ReviewActionName, string>> = {
  approve: 'Approve',
  reject: 'Reject',
  hold: 'Hold',
  release: 'Release',
  reopen: 'Reopen',
};

export const progressLabels = {
  approve: 'Approving',
  reject: 'Rejecting',
  hold: 'Holding',
  release: 'Releasing',
  reopen: 'Reopening',
} as const;
const doneLabels = { approve: 'Approved', reject: 'Rejected', hold: 'Held', release: 'Released', reopen: 'Reopened' } as const;
const skippedReasons = [
  ['held', 'held, so that nothing is decided before the release'],
  ['not_held', 'not held'],
  ['rejected', 'rejected already'],
  ['reversed', 'reversed already'],
  ['billed', 'billed already'],
  ['conflict', 'in a payout just now'],
  ['not_found', 'not found'],
] as const;

export const conversionCountText = (totals: CommissionTotals): string => totalText(totals, 'conversion', 'conversions');

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
const undoSkippedReasons = skippedReasons.map(([word, why]) => [word, word === 'conflict' ? 'decided on otherwise since' : why] as const);

export const undoResultText = (counts: ReviewCounts): string => resultText('Taken back', counts, undoSkippedReasons);

function resultText(what: string, counts: ReviewCounts, words: ReadonlyArray<readonly [ReviewResult, string]>): string {
  const skipped = words.flatMap(([word, why]) => (counts[word] === 0 ? [] : [`${formatNumber(counts[word])} ${why}`]));
  return `${what}: ${formatNumber(counts.ok)}.${skipped.length === 0 ? '' : ` Left as they were: ${skipped.join(', ')}.`}`;
}

const formatNumber = (count: number): string => count.toLocaleString('en-GB');
