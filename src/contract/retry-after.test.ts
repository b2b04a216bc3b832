import { expect, test } from 'vitest';
import { createRetryAfter } from './retry-after.ts';

test('rejected requests are spread over the following seconds, no more in each than the limit', () => {
  const retryAfterSeconds = createRetryAfter(2_000);
  const waits = Array.from({ length: 9_000 }, () => retryAfterSeconds(1_000));
  const inEach = Map.groupBy(waits, (seconds) => seconds);
  expect([...inEach.keys()]).toEqual([2, 3, 4, 5, 6, 7]);
  expect(Math.max(...[...inEach.values()].map((same) => same.length))).toBeLessThanOrEqual(2_000);
});

test('no request waits longer than 30 seconds, however many there are', () => {
  const retryAfterSeconds = createRetryAfter(2_000);
  expect(Array.from({ length: 200_000 }, () => retryAfterSeconds(0)).at(-1)).toBe(30);
});

test('the wait is 2 seconds again once the overload is over', () => {
  const retryAfterSeconds = createRetryAfter(2_000);
  for (let rejected = 0; rejected < 9_000; rejected++) retryAfterSeconds(0);
  expect(retryAfterSeconds(1_000)).toBe(6);
  expect(retryAfterSeconds(60_000)).toBe(2);
});
