import type { ReviewAction, ReviewCounts, ReviewResult } from './commissions-api.ts';

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
