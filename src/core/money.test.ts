import fc from 'fast-check';
import { expect, test } from 'vitest';
import { basisPoints, cents, dollars, shareHalfUp, minCents, sum, times } from './money.ts';

const shares: ReadonlyArray<[amount: number, points: number, share: number]> = [
  [10_000, 1_000, 1_000],
  [10_005, 1_000, 1_001], // 1000.5 rounds up
  [10_004, 1_000, 1_000], // 1000.4 rounds down
  [1, 4_999, 0],
  [1, 5_000, 1], // exactly half a cent rounds up
  [0, 10_000, 0],
  [Number.MAX_SAFE_INTEGER, 10_000, Number.MAX_SAFE_INTEGER],
];

test.each(shares)('%i cents at %i basis points are %i cents, rounded half up', (amount, points, share) => {
  expect(shareHalfUp(cents(amount), basisPoints(points))).toBe(BigInt(share));
});

test('a share never exceeds its amount, and differs from the exact value by at most half a cent', () => {
  fc.assert(
    fc.property(fc.bigInt({ min: 0n, max: 2n ** 60n }), fc.integer({ min: 0, max: 10_000 }), (amount, points) => {
      const share = shareHalfUp(cents(amount), basisPoints(points));
      const missedBy = share * 10_000n - amount * BigInt(points);
      expect(share <= amount && missedBy <= 5_000n && missedBy > -5_000n).toBe(true);
    }),
  );
});

test('money is never negative', () => {
  expect(() => cents(-1)).toThrow('never negative');
  expect(() => basisPoints(10_001)).toThrow('between 0 and 10,000');
});

test('sums and products do not overflow', () => {
  const most = cents(Number.MAX_SAFE_INTEGER);
  expect(sum([most, most, most])).toBe(27_021_597_764_222_973n);
  expect(times(most, 1_000)).toBe(9_007_199_254_740_991_000n);
  expect(minCents(cents(3), cents(2))).toBe(2n);
});

test('dollars have two decimals and a thousands separator', () => {
  expect([0, 5, 1_234, 123_456_789].map((amount) => dollars(cents(amount)))).toEqual([
    '0.00 USD',
    '0.05 USD',
    '12.34 USD',
    '1,234,567.89 USD',
  ]);
});
