import { expect, test } from 'vitest';
import { compareValues } from './compare-values.ts';
import { pointsOf } from './sparkline.tsx';

test.each([
  [150, 100, 50n, 5_000],
  [50, 100, -50n, -5_000],
  [1, 3, -2n, -6_667],
  [100, 100, 0n, 0],
  [100, 0, 100n, null],
  [0, 0, 0n, null],
  [100, -50, 150n, null],
])('%i after %i is a change of %i, and of %s basis points', (now, before, difference, share) => {
  expect(compareValues(now, before)).toEqual({ difference, share });
});

test('sums that exceed a number are compared exactly', () => {
  expect(compareValues(20_000_000_000_000_000_001n, 10_000_000_000_000_000_000n)).toEqual({
    difference: 10_000_000_000_000_000_001n,
    share: 10_000,
  });
});

test('a sparkline begins at zero, and shows negative values below it', () => {
  expect(pointsOf([0, 10])).toBe('0,26 120,2');
  expect(pointsOf([5, 5])).toBe('0,2 120,2');
  expect(pointsOf([-10, 10])).toBe('0,26 120,2');
  expect(pointsOf([0, 0])).toBe('0,26 120,26');
});
