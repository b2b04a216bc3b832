import { expect, test } from 'vitest';
import { minuteMs } from '../core/time.ts';
import { decideHealth, healthChecks, type HealthFacts } from './decide-health.ts';

const now = new Date('2026-03-01T12:00:00.000Z');
const minutesAgo = (minutes: number): Date => new Date(now.getTime() - minutes * minuteMs);
const good: HealthFacts = {
  now,
  hasApiKey: true,
  lastEventAt: minutesAgo(1),
  rejected: null,
  oldestWaitingAt: null,
  readFailure: null,
  failed: 0,
};
const failing = (facts: Partial<HealthFacts>): readonly string[] =>
  decideHealth({ ...good, ...facts }).flatMap(({ check, isOk }) => (isOk ? [] : [check]));

test.each<[what: string, facts: Partial<HealthFacts>, checks: readonly string[]]>([
  ['a good connection', {}, []],
  ['a connection without an API key', { hasApiKey: false }, []],
  ['a new connection', { lastEventAt: null }, ['events_arrive']],
  ['a wrong signature before any event', { lastEventAt: null, rejected: { at: now, why: 'Wrong.' } }, ['events_arrive', 'signatures']],
  ['a wrong signature after the last event', { rejected: { at: now, why: 'Wrong.' } }, ['signatures']],
  ['a wrong signature before the last event', { rejected: { at: minutesAgo(2), why: 'Wrong.' } }, []],
  ['a rejected key', { readFailure: 'Replace it.' }, ['stripe_data']],
  ['an event in the queue', { oldestWaitingAt: minutesAgo(15) }, []],
  ['an event that waits', { oldestWaitingAt: minutesAgo(16) }, ['processing']],
  ['a failed event', { failed: 1 }, ['results']],
])('%s fails its own checks and no other', (_what, facts, checks) => expect(failing(facts)).toEqual(checks));

test('every check says what was found', () => {
  for (const facts of [good, { ...good, lastEventAt: null, failed: 2, readFailure: 'Replace it.', rejected: { at: now, why: 'Wrong.' } }]) {
    const checks = decideHealth(facts);
    expect(checks.map(({ check }) => check)).toEqual(healthChecks);
    expect(checks.filter(({ message }) => message === '')).toEqual([]);
  }
});
