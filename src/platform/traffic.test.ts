import { expect, test } from 'vitest';
import { createTraffic } from './traffic.ts';

/** At a moment that the test moves. */
function trafficAt() {
  const at = { ms: 5_000_000 };
  return { at, traffic: createTraffic(() => at.ms) };
}

test('nothing was answered: there is no time to tell', () => {
  expect(trafficAt().traffic.lastMinute()).toEqual({ count: 0, perSecond: 0, p50Ms: null, p99Ms: null });
});

test('half and 99 of 100 are told by an upper bound that is at most a fifth too high', () => {
  const { at, traffic } = trafficAt();
  for (let place = 0; place < 100; place++) traffic.answered(place < 98 ? 2 : 100);
  at.ms += 9_000;
  const { count, perSecond, p50Ms, p99Ms } = traffic.lastMinute();
  expect([count, perSecond]).toEqual([100, 10]);
  expect(p50Ms).toBeGreaterThanOrEqual(2);
  expect(p50Ms).toBeLessThanOrEqual(2.4);
  expect(p99Ms).toBeGreaterThanOrEqual(100);
  expect(p99Ms).toBeLessThanOrEqual(120);
});

test('what is older than a minute counts no more, also after a long silence', () => {
  const { at, traffic } = trafficAt();
  traffic.answered(1);
  at.ms += 30_000;
  traffic.answered(1);
  at.ms += 29_000;
  expect(traffic.lastMinute().count).toBe(2);
  at.ms += 2_000;
  expect(traffic.lastMinute().count).toBe(1);
  at.ms += 3_600_000;
  expect(traffic.lastMinute().count).toBe(0);
  traffic.answered(1);
  expect(traffic.lastMinute()).toMatchObject({ count: 1, perSecond: 1 / 60 });
});

test.each([0, -1, 1e9, Number.NaN])('a time of %s is counted like any other, and breaks nothing', (ms) => {
  const { traffic } = trafficAt();
  traffic.answered(ms);
  traffic.answered(5);
  expect(traffic.lastMinute().count).toBe(2);
});
