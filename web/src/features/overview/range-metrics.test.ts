import { expect, test } from 'vitest';
import { conversionRate, owedByDay } from './range-metrics.ts';

test('the conversion rate is orders per click, and none without clicks', () => {
  expect(conversionRate({ clicks: 3, orders: 1 })).toBe(3_333);
  expect(conversionRate({ clicks: 0, orders: 1 })).toBeNull();
});

test('what is owed grows by what is earned, shrinks by what is paid, and ends at what is owed now', () => {
  const days = [
    { earned_cents: 500, paid_cents: 0 },
    { earned_cents: 0, paid_cents: 300 },
    { earned_cents: 100n, paid_cents: 0 },
  ];
  expect(owedByDay(1_000, days)).toEqual([1_200, 900, 1_000]);
});
