import { expect, test } from 'vitest';
import { active, before, burned, conflict, ended, held, id, now, replay, testOne, wordOf } from '../../test/support/relationships.ts';
import { dayMs, minuteMs } from '../core/time.ts';
import { decideEnd, type EndFacts } from './decide-end.ts';
import type { EndReport } from './report.ts';

const good: EndReport = { eventId: 'e', relationshipId: 'sub-1', environment: 'live', content: {}, occurredAt: null, reason: 'cancelled' };
const facts: EndFacts = { now, earlier: null, relationship: active, fresh: { eventId: id<'evt'>('e1') } };

type Row = readonly [expected: string, guarantee: string, report: Partial<EndReport>, facts: Partial<EndFacts>];

// Each row also violates a later rule.
const rules: readonly Row[] = [
  ['repeat', 'a replay comes before every other rule', { occurredAt: 'unreadable' }, { earlier: replay, relationship: null }],
  ['duplicate_event_conflict', 'other content is a conflict', { occurredAt: 'unreadable' }, { earlier: conflict, relationship: null }],
  ['duplicate_event', 'what was refused with 422 is burned', {}, { earlier: burned, relationship: null }],
  ['invalid_occurred_at', 'an unreadable time', { occurredAt: 'unreadable' }, { relationship: null }],
  ['invalid_occurred_at', 'over 5 minutes ahead', { occurredAt: before(-5 * minuteMs - 1) }, { relationship: null }],
  ['invalid_occurred_at', 'older than 372 days, by a millisecond', { occurredAt: before(372 * dayMs + 1) }, { relationship: null }],
  ['unknown_relationship', 'never bound', { environment: 'test' }, { relationship: null }],
  ['environment_mismatch', 'live against test', {}, { relationship: { ...testOne, lifecycle: ended.lifecycle } }],
  ['environment_mismatch', 'test against live', { environment: 'test' }, { relationship: ended }],
  ['ended before', 'ended before', { occurredAt: before(3 * dayMs) }, { relationship: ended }],
  ['end', 'no rule applies', {}, {}],
  ['end', 'limits are inclusive: exactly 372 days old', { occurredAt: before(372 * dayMs) }, {}],
  ['end', 'limits are inclusive: exactly 5 minutes ahead', { occurredAt: before(-5 * minuteMs) }, {}],
];

test.each(rules)('%s: %s', (expected, _guarantee, report, given) => {
  expect(wordOf(decideEnd({ ...good, ...report }, { ...facts, ...given }))).toBe(expected);
});

test('an end has its own time only if the report carried one', () => {
  const lifeAfter = (occurredAt: Date | null) => {
    const decision = decideEnd({ ...good, occurredAt }, facts);
    return decision.do === 'end' ? decision.relationship.lifecycle : null;
  };
  expect(lifeAfter(null)).toEqual({ state: 'ended', recordedAt: now, occurredAt: null, reason: 'cancelled' });
  expect(lifeAfter(before(dayMs))).toEqual({ state: 'ended', recordedAt: now, occurredAt: before(dayMs), reason: 'cancelled' });
});

test('keeps an open review open', () => {
  expect(decideEnd(good, { ...facts, relationship: held })).toMatchObject({ do: 'end', relationship: { hold: held.hold } });
});
