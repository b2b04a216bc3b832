import { expect, test } from 'vitest';
import { attemptsAMinute, isSpent, networkDelayMs, ownDelayMs, strangersDelayMs } from './decide-delays.ts';

const minutes = (ms: number) => ms / 60_000;

test('allows five attempts a minute in live mode and sixty in the sandbox', () => {
  expect([attemptsAMinute('live'), attemptsAMinute('sandbox')]).toEqual([5, 60]);
});

test('a network waits from its fifth failure on an account on: one minute, doubled to an hour', () => {
  expect([1, 4, 5, 6, 7, 10, 11, 500].map((failures) => minutes(networkDelayMs(failures, 'live')))).toEqual([0, 0, 1, 2, 4, 32, 60, 60]);
  expect(networkDelayMs(59, 'sandbox')).toBe(0);
});

test('strangers wait longer the more of them failed, and never longer than five minutes', () => {
  const seconds = [19, 20, 29, 30, 50, 70, 80, 999, 1_000, 1_000_000].map((failures) => strangersDelayMs(failures, 'live') / 1_000);
  expect(seconds).toEqual([0, 1, 1, 2, 8, 32, 60, 60, 300, 300]);
});

test('a session, a code or a known device waits from its twentieth failure on', () => {
  expect([19, 20, 22, 100].map((failures) => minutes(ownDelayMs(failures, 'live')))).toEqual([0, 1, 4, 60]);
  expect([isSpent(19, 'live'), isSpent(20, 'live'), isSpent(20, 'sandbox')]).toEqual([false, true, false]);
});
