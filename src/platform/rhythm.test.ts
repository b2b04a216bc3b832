import { expect, test } from 'vitest';
import { nextDue, type Rhythm } from './rhythm.ts';

const hourly: Rhythm = { every: 'hour', minute: 5 };
const fourTimesADay: Rhythm = { every: 'hours', hours: 6, minute: 20 };
const nightly: Rhythm = { every: 'day', hour: 2, minute: 30 };
const twiceAMonth: Rhythm = { every: 'month', days: [1, 15], hour: 6, minute: 0 };

test.each<[Rhythm, string, string]>([
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
])('%o is due next after %s at %s', (rhythm, after, due) => {
  expect(nextDue(rhythm, new Date(after)).toISOString()).toBe(due);
});
