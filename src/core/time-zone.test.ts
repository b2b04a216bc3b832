import { expect, test } from 'vitest';
import { dayIn, isTimeZone, startOfDay } from './time-zone.ts';

test.each([
  ['UTC', '2026-05-01T00:00:00.000Z', [2026, 5, 1]],
  ['Europe/Berlin', '2026-04-30T22:00:00.000Z', [2026, 5, 1]],
  ['America/Los_Angeles', '2026-05-01T06:59:59.999Z', [2026, 4, 30]],
  ['Pacific/Kiritimati', '2026-12-31T10:00:00.000Z', [2027, 1, 1]],
] as const)('in %s, %s is on its own day', (zone, at, [year, month, day]) => {
  expect(dayIn(zone, new Date(at))).toEqual({ year, month, day });
});

test.each([
  ['UTC', [2026, 5, 1], '2026-05-01T00:00:00.000Z'],
  ['Europe/Berlin', [2026, 5, 1], '2026-04-30T22:00:00.000Z'],
  ['Europe/Berlin', [2026, 3, 29], '2026-03-28T23:00:00.000Z'],
  ['Europe/Berlin', [2026, 3, 30], '2026-03-29T22:00:00.000Z'],
  ['Asia/Kathmandu', [2026, 5, 1], '2026-04-30T18:15:00.000Z'],
  // The clocks go from 0:00 to 1:00, so the day begins at 1:00.
  ['Africa/Cairo', [2026, 4, 24], '2026-04-23T22:00:00.000Z'],
  // They go from 0:00 back to 23:00, so the day begins with the second midnight.
  ['America/Havana', [2026, 11, 1], '2026-11-01T04:00:00.000Z'],
  // Day 0 and below count from the end of the month before.
  ['UTC', [2026, 3, 0], '2026-02-28T00:00:00.000Z'],
  ['UTC', [2026, 1, -88], '2025-10-04T00:00:00.000Z'],
] as const)('in %s, the day %j begins at %s', (zone, [year, month, day], at) => {
  expect(startOfDay(zone, { year, month, day }).toISOString()).toBe(at);
});

test.each(['UTC', 'Europe/Berlin', 'America/Argentina/Buenos_Aires', 'Etc/GMT+5'])('accepts the zone %s', (zone) => {
  expect(isTimeZone(zone)).toBe(true);
});
test.each(['', '+02:00', 'Europe/Nowhere', '../etc/passwd', 'x'.repeat(100)])('rejects the zone %j', (zone) => {
  expect(isTimeZone(zone)).toBe(false);
});
