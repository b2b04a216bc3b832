import { expect, test } from 'vitest';
import type { Comparison, ContestantResult } from '../../bench/comparisons.ts';
import { rowOfMeasured, rowOfWeighed, rowsOfComparison } from '../../bench/speed-rows.ts';

const resultOf = (name: string, perSecond: readonly number[], p99Ms: readonly number[], rows: number | null = 10): ContestantResult => ({
  name,
  perSecond,
  p99Ms,
  rows,
  good: 10,
  bad: 0,
  early: 0,
  cpuUsPerAnswer: 1,
});
const comparison: Comparison = {
  what: 'redirects',
  rowsBefore: 2_000,
  results: [
    resultOf('ours', [250, 260, 300], [10, 12, 9]),
    resultOf('an INSERT per request', [100, 100, 100], [20, 10, 20]),
    resultOf('no recording', [400, 400, 400], [5, 5, 5], null),
  ],
  aims: [
    { than: 'an INSERT per request', least: 2.6 },
    { than: 'no recording', least: 0.7 },
  ],
  isHonest: true,
};

test('each aim is a row: round against round, the median against the aim, and the p99 against the way that writes the same', () => {
  expect(rowsOfComparison(comparison)).toEqual([
    expect.objectContaining({ ratio: 'ours / an INSERT per request', median: 2.6, min: 2.5, max: 3, rounds: 3, isReached: true }),
    expect.objectContaining({ ratio: 'ours / no recording', median: 0.65, min: 0.63, max: 0.75, isReached: false }),
    expect.objectContaining({ ratio: 'p99 of ours / of an INSERT per request', median: 0.5, max: 1.2, aim: { most: 1 }, isReached: true }),
  ]);
});

test('of an even number of rounds the median is the mean of the two in the middle: neither aim is nearer for it', () => {
  const weighed = (values: readonly number[]) => rowOfWeighed({ what: 'a page', unit: 'ms', values, most: 20 }).median;
  expect([weighed([30, 10, 20, 40]), weighed([1, 2]), weighed([7])]).toEqual([25, 1.5, 7]);
  expect(weighed([0.69, 0.7])).toBe(0.695);
});

test('where rows and answers do not match no aim is reached, however large the ratio', () => {
  const rows = rowsOfComparison({ ...comparison, isHonest: false });
  expect(rows.map(({ isReached, isHonest }) => [isReached, isHonest])).toEqual(rows.map(() => [false, false]));
});

test('compares a ratio in the direction of its target, and a single value with its maximum', () => {
  const ours = { name: 'deep', ms: [4, 6, 5] };
  const other = { name: 'first', ms: [2, 2, 2] };
  const measured = { what: 'a page', sizes: '', ours, other, isHonest: true } as const;
  expect(rowOfMeasured({ ...measured, ratio: 'ours / other', aim: { most: 2 } })).toMatchObject({
    ratio: 'deep / first',
    median: 2.5,
    isReached: false,
  });
  expect(rowOfMeasured({ ...measured, ratio: 'other / ours', aim: { least: 0.4 } })).toMatchObject({
    ratio: 'first / deep',
    median: 0.4,
    isReached: true,
  });
  expect(rowOfWeighed({ what: 'a script', unit: 'bytes', values: [1_025], most: 1_024 })).toMatchObject({ ratio: null, isReached: false });
  expect(rowOfWeighed({ what: 'a script', unit: 'bytes', values: [1_024], most: 1_024 })).toMatchObject({ median: 1_024, isReached: true });
});
