import { expect, test } from 'vitest';
import { createRequestRate } from './request-rate.ts';

function requestRateAt() {
  const at = { ms: 5_000_000 };
  return { at, requestRate: createRequestRate(() => at.ms) };
}

test('reports no latency when nothing was answered', () => {
  expect(requestRateAt().requestRate.lastMinute()).toEqual({ count: 0, perSecond: 0, p50Ms: null, p99Ms: null });
});

test('the reported p50 and p99 are upper bounds that are at most 20 percent too high', () => {
  const { at, requestRate } = requestRateAt();
  for (let place = 0; place < 100; place++) requestRate.record(place < 98 ? 2 : 100);
  at.ms += 9_000;
  const { count, perSecond, p50Ms, p99Ms } = requestRate.lastMinute();
  expect([count, perSecond]).toEqual([100, 10]);
  expect(p50Ms).toBeGreaterThanOrEqual(2);
  expect(p50Ms).toBeLessThanOrEqual(2.4);
  expect(p99Ms).toBeGreaterThanOrEqual(100);
  expect(p99Ms).toBeLessThanOrEqual(120);
});

test('drops requests that are older than a minute, also after a long idle period', () => {
  const { at, requestRate } = requestRateAt();
  requestRate.record(1);
  at.ms += 30_000;
  requestRate.record(1);
  at.ms += 29_000;
  expect(requestRate.lastMinute().count).toBe(2);
  at.ms += 2_000;
  expect(requestRate.lastMinute().count).toBe(1);
  at.ms += 3_600_000;
  expect(requestRate.lastMinute().count).toBe(0);
  requestRate.record(1);
  expect(requestRate.lastMinute()).toMatchObject({ count: 1, perSecond: 1 / 60 });
});

test.each([0, -1, 1e9, Number.NaN])('counts a duration of %s like any other', (ms) => {
  const { requestRate } = requestRateAt();
  requestRate.record(ms);
  requestRate.record(5);
  expect(requestRate.lastMinute().count).toBe(2);
});
