import { expect, test } from 'vitest';
import { dayMs, hourMs } from '../platform/time.ts';
import { decideAttempt, failingDaysMax, pausesMs, type Attempted } from './decide-attempt.ts';

const now = new Date('2026-03-10T12:00:00.000Z');
const ago = (ms: number) => new Date(now.getTime() - ms);
const last = pausesMs.length + 1;
/** Each row also breaks what stands below it: its last try, for longer than an endpoint may fail, with a status of its own. */
const worst: Attempted = { status: 500, tries: last, failingSince: ago(failingDaysMax * dayMs), now };

test.each([
  ['what is answered with 2xx is kept', { ...worst, status: 204 }, { do: 'keep' }],
  ['410 means that the receiver is gone', { ...worst, status: 410 }, { do: 'disable', why: 'gone' }],
  ['an endpoint that fails for days is disabled', worst, { do: 'disable', why: 'failing' }],
  ['… also where it answers nothing', { ...worst, status: null, tries: 1 }, { do: 'disable', why: 'failing' }],
  ['the last attempt is the last', { ...worst, failingSince: ago(failingDaysMax * dayMs - 1) }, { do: 'give up' }],
  ['a redirect is a failure', { ...worst, status: 302, failingSince: null }, { do: 'give up' }],
  ['before that it is tried again', { ...worst, tries: 1, failingSince: null }, { do: 'try again', at: new Date(now.getTime() + 5_000) }],
  ['… later each time', { ...worst, tries: 4, failingSince: null }, { do: 'try again', at: new Date(now.getTime() + 2 * hourMs) }],
] as const)('%s', (_title, attempted, expected) => {
  expect(decideAttempt(attempted)).toEqual(expected);
});

test('attempts go on for three days, each pause longer than the one before', () => {
  const wholeMs = pausesMs.reduce((sum, pause) => sum + pause, 0);
  expect(wholeMs).toBeGreaterThanOrEqual(3 * dayMs);
  expect(wholeMs).toBeLessThan(failingDaysMax * dayMs);
  expect([...pausesMs].sort((one, other) => one - other)).toEqual(pausesMs);
});
