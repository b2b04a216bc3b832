import { expect, test } from 'vitest';
import { attemptsPerMinute, hasTooManyFailures, networkDelayMs, ownDelayMs, unknownDeviceDelayMs } from './decide-delays.ts';

const minutes = (ms: number) => ms / 60_000;

test('allows five attempts a minute in live mode and sixty in the sandbox', () => {
  expect([attemptsPerMinute('live'), attemptsPerMinute('sandbox')]).toEqual([5, 60]);
});

test('delays a network from its fifth failure on an account: one minute, doubled to an hour', () => {
  expect([1, 4, 5, 6, 7, 10, 11, 500].map((failures) => minutes(networkDelayMs(failures, 'live')))).toEqual([0, 0, 1, 2, 4, 32, 60, 60]);
  expect(networkDelayMs(59, 'sandbox')).toBe(0);
});

test('delays strangers longer the more of them failed, for five minutes at most', () => {
  const seconds = [19, 20, 29, 30, 50, 70, 80, 999, 1_000, 1_000_000].map((failures) => unknownDeviceDelayMs(failures, 'live') / 1_000);
  expect(seconds).toEqual([0, 1, 1, 2, 8, 32, 60, 60, 300, 300]);
});

test('delays a session, a code or a known device from its twentieth failure', () => {
  expect([19, 20, 22, 100].map((failures) => minutes(ownDelayMs(failures, 'live')))).toEqual([0, 1, 4, 60]);
  expect([hasTooManyFailures(19, 'live'), hasTooManyFailures(20, 'live'), hasTooManyFailures(20, 'sandbox')]).toEqual([false, true, false]);
});
