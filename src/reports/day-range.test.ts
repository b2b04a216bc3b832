import { expect, test } from 'vitest';
import { isRefusal } from '../http/responses.ts';
import { parseDayRange } from './day-range.ts';

const now = new Date('2026-03-15T23:59:00.000Z');
const limits = { defaultDays: 30, daysMax: 92 };

test.each([
  ['up to today', {}, '2026-02-14', '2026-03-15'],
  ['up to a day', { to: '2026-01-30' }, '2026-01-01', '2026-01-30'],
  ['from a day on', { from: '2026-03-15' }, '2026-03-15', '2026-03-15'],
  ['as many as there may be', { from: '2025-12-14' }, '2025-12-14', '2026-03-15'],
])('%s', (_title, query, from, to) => {
  expect(parseDayRange(query, now, limits)).toEqual({ from, to });
});

test.each([
  ['from', 'is not a valid date', { from: '2026-02-31' }],
  ['to', 'is not a valid date', { to: '2026-02-31' }],
  ['from', 'must not be after to', { from: '2026-03-02', to: '2026-03-01' }],
  ['from', 'must be at most 92 days before to', { from: '2025-12-13' }],
])('%s %s', (field, message, query) => {
  const range = parseDayRange(query, now, limits);
  expect(isRefusal(range) && range.errors).toEqual([{ field, message }]);
});
