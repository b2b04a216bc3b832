import type { ReviewAction, ReviewCounts } from './commissions-api.ts';

const done = { approve: 'Approved', reject: 'Rejected', hold: 'Held', release: 'Released', reopen: 'Reopened' } as const;
const left = [
  ['held', 'held, so that nothing is decided before the release'],
  ['not_held', 'not held'],
  ['rejected', 'rejected already'],
  ['reversed', 'reversed already'],
  ['billed', 'billed already'],
  ['conflict', 'in a payout just now'],
  ['not_found', 'not found'],
] as const;

/** `Approved: 47. Left as they were: 3 held, so that …` */
export function endOf(action: ReviewAction, counts: ReviewCounts): string {
  const kept = left.flatMap(([word, why]) => (counts[word] === 0 ? [] : [`${told(counts[word])} ${why}`]));
  return `${done[action.do]}: ${told(counts.ok)}.${kept.length === 0 ? '' : ` Left as they were: ${kept.join(', ')}.`}`;
}

const told = (count: number): string => count.toLocaleString('en-GB');
