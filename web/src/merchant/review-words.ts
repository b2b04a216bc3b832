import type { ReviewAction, ReviewCounts, ReviewWord } from './commissions-api.ts';

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
export const endOf = (action: ReviewAction, counts: ReviewCounts): string => ended(done[action.do], counts, left);

/** A conflict then is a decision that somebody made since. */
const leftByUndo = left.map(([word, why]) => [word, word === 'conflict' ? 'decided on otherwise since' : why] as const);

export const endOfUndo = (counts: ReviewCounts): string => ended('Taken back', counts, leftByUndo);

function ended(what: string, counts: ReviewCounts, words: ReadonlyArray<readonly [ReviewWord, string]>): string {
  const kept = words.flatMap(([word, why]) => (counts[word] === 0 ? [] : [`${told(counts[word])} ${why}`]));
  return `${what}: ${told(counts.ok)}.${kept.length === 0 ? '' : ` Left as they were: ${kept.join(', ')}.`}`;
}

const told = (count: number): string => count.toLocaleString('en-GB');
