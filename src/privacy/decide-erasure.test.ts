import { expect, test } from 'vitest';
import { decideErasure, type ErasureFacts } from './decide-erasure.ts';

const good: ErasureFacts = {
  isLastOperator: false,
  ownedAlone: 0,
  hasUnfinishedPayout: false,
  owedCents: 0n,
  onTheWayCents: 0n,
  isEvenIfOwed: false,
};
/** Each breaks one thing, and what the rows below it break too. */
const broken: ReadonlyArray<readonly [string, Partial<ErasureFacts>]> = [
  ['at least one operator', { isLastOperator: true }],
  ['no other owner', { ownedAlone: 2 }],
  ['payout is in progress', { hasUnfinishedPayout: true }],
  ['still has a balance', { owedCents: 1n }],
  ['still open', { onTheWayCents: 1n }],
];

test.each(broken.map(([words], place) => [words, place] as const))('"%s" comes before all that is below it', (words, place) => {
  const facts = broken.slice(place).reduceRight<ErasureFacts>((all, [, part]) => ({ ...all, ...part }), good);
  expect(decideErasure(facts)).toEqual({ do: 'refuse', message: expect.stringContaining(words) });
});

test.each<[string, Partial<ErasureFacts>, 'erase' | 'refuse']>([
  ['a creator without an open balance is erased', {}, 'erase'],
  ['an operator may erase a creator with an open balance', { owedCents: 5n, onTheWayCents: 5n, isEvenIfOwed: true }, 'erase'],
  ['an advance by the operator counts as a balance', { owedCents: -5n }, 'refuse'],
  ['no operator erases while a payout is in progress', { hasUnfinishedPayout: true, isEvenIfOwed: true }, 'refuse'],
])('%s', (_title, part, does) => {
  expect(decideErasure({ ...good, ...part }).do).toBe(does);
});
