import { expect, test } from 'vitest';
import { comparedRange, monthToDate } from './compared-range.ts';

test.each([
  ['as many days directly before', '2026-05-10', '2026-05-16', '2026-05-03', '2026-05-09'],
  ['the same first days of the month before', '2026-03-01', '2026-03-02', '2026-02-01', '2026-02-02'],
  ['the month to date of the month before', '2026-11-01', '2026-11-24', '2026-10-01', '2026-10-24'],
  ['a whole month with the whole month before', '2026-02-01', '2026-02-28', '2026-01-01', '2026-01-31'],
  ['days that the month before lacks', '2026-03-01', '2026-03-30', '2026-02-01', '2026-02-28'],
  ['a range over two months', '2026-03-01', '2026-04-02', '2026-01-27', '2026-02-28'],
])('the previous period is %s', (_case, from, to, comparedFrom, comparedTo) => {
  expect(comparedRange({ from, to }, 'previous_period')).toEqual({ from: comparedFrom, to: comparedTo });
});

test.each([
  ['2026-05-10', '2026-05-16', '2025-05-10', '2025-05-16'],
  ['2028-02-20', '2028-02-29', '2027-02-20', '2027-02-28'],
])('the previous year of %s to %s has the same days', (from, to, comparedFrom, comparedTo) => {
  expect(comparedRange({ from, to }, 'previous_year')).toEqual({ from: comparedFrom, to: comparedTo });
});

test('the month to date begins on the first day of the month', () => {
  expect(monthToDate('2026-11-24')).toEqual({ from: '2026-11-01', to: '2026-11-24' });
});
