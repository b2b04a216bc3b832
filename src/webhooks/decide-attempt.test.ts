import { expect, test } from 'vitest';
import { dayMs, hourMs } from '../core/time.ts';
import { decideAttempt, failingDaysMax, pausesMs, type Attempted } from './decide-attempt.ts';

const now = new Date('2026-03-10T12:00:00.000Z');
const ago = (ms: number) => new Date(now.getTime() - ms);
const last = pausesMs.length + 1;
/** Each row also breaks the rules below it: the last attempt, after the longest failure period, with its own status. */
const worst: Attempted = { status: 500, tries: last, failingSince: ago(failingDaysMax * dayMs), now };

test.each([
  ['keeps a delivery that gets a 2xx response', { ...worst, status: 204 }, { do: 'keep' }],
  ['disables an endpoint that answers 410', { ...worst, status: 410 }, { do: 'disable', why: 'gone' }],
  ['disables an endpoint that fails for days', worst, { do: 'disable', why: 'failing' }],
  ['disables an endpoint that does not respond for days', { ...worst, status: null, tries: 1 }, { do: 'disable', why: 'failing' }],
  ['gives up after the last attempt', { ...worst, failingSince: ago(failingDaysMax * dayMs - 1) }, { do: 'give up' }],
  ['a redirect is a failure', { ...worst, status: 302, failingSince: null }, { do: 'give up' }],
  ['retries before the last attempt', { ...worst, tries: 1, failingSince: null }, { do: 'try again', at: new Date(now.getTime() + 5_000) }],
  [
    'waits longer before each attempt',
    { ...worst, tries: 4, failingSince: null },
    { do: 'try again', at: new Date(now.getTime() + 2 * hourMs) },
  ],
] as const)('%s', (_title, attempted, expected) => {
  expect(decideAttempt(attempted)).toEqual(expected);
});

test('attempts continue for three days, each pause longer than the previous one', () => {
  const wholeMs = pausesMs.reduce((sum, pause) => sum + pause, 0);
  expect(wholeMs).toBeGreaterThanOrEqual(3 * dayMs);
  expect(wholeMs).toBeLessThan(failingDaysMax * dayMs);
  expect([...pausesMs].sort((one, other) => one - other)).toEqual(pausesMs);
});
