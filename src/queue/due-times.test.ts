import { expect, test } from 'vitest';
import { lastDue, nextDue, type Schedule } from './due-times.ts';

const hourly: Schedule = { every: 'hour', minute: 5 };
const fourTimesADay: Schedule = { every: 'hours', hours: 6, minute: 20 };
const nightly: Schedule = { every: 'day', hour: 2, minute: 30 };
const twiceAMonth: Schedule = { every: 'month', days: [1, 15], hour: 6, minute: 0 };

test.each<[Schedule, string, string]>([
  [hourly, '2026-03-01T12:04:59.999Z', '2026-03-01T12:05:00.000Z'],
  [hourly, '2026-03-01T12:05:00.000Z', '2026-03-01T13:05:00.000Z'],
  [fourTimesADay, '2026-03-01T00:19:59.999Z', '2026-03-01T00:20:00.000Z'],
  [fourTimesADay, '2026-03-01T00:20:00.000Z', '2026-03-01T06:20:00.000Z'],
  [fourTimesADay, '2026-02-28T18:20:00.000Z', '2026-03-01T00:20:00.000Z'],
  [nightly, '2026-03-01T02:29:59.999Z', '2026-03-01T02:30:00.000Z'],
  [nightly, '2026-12-31T02:30:00.000Z', '2027-01-01T02:30:00.000Z'],
  [twiceAMonth, '2026-02-15T06:00:00.000Z', '2026-03-01T06:00:00.000Z'],
  [twiceAMonth, '2026-03-01T05:59:59.999Z', '2026-03-01T06:00:00.000Z'],
  [twiceAMonth, '2026-03-02T00:00:00.000Z', '2026-03-15T06:00:00.000Z'],
])('%o is due next after %s at %s', (schedule, after, due) => {
  expect(nextDue(schedule, new Date(after)).toISOString()).toBe(due);
});

test.each<[Schedule, string, string]>([
  [hourly, '2026-03-01T12:05:00.000Z', '2026-03-01T12:05:00.000Z'],
  [hourly, '2026-03-01T12:04:59.999Z', '2026-03-01T11:05:00.000Z'],
  [fourTimesADay, '2026-03-01T00:19:59.999Z', '2026-02-28T18:20:00.000Z'],
  [nightly, '2027-01-01T02:29:59.999Z', '2026-12-31T02:30:00.000Z'],
  [nightly, '2026-03-01T02:30:00.000Z', '2026-03-01T02:30:00.000Z'],
  [twiceAMonth, '2026-03-01T05:59:59.999Z', '2026-02-15T06:00:00.000Z'],
  [twiceAMonth, '2026-03-31T23:59:59.999Z', '2026-03-15T06:00:00.000Z'],
  [{ every: 'month', days: [1], hour: 3, minute: 0 }, '2026-02-01T02:59:59.999Z', '2026-01-01T03:00:00.000Z'],
])('%o was due last before %s at %s', (schedule, upTo, due) => {
  expect(lastDue(schedule, new Date(upTo)).toISOString()).toBe(due);
});
