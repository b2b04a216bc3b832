import { expect, test } from 'vitest';
import { everyDay, noFigures, utcDay } from './overview-days.ts';

const day = (name: string, orders: number) => ({ ...noFigures, day: name, orders });

test('a range has all of its days, also those on which nothing happened, across a month and a leap day', () => {
  const days = everyDay({ from: '2028-02-27', to: '2028-03-02', days: [day('2028-02-28', 3), day('2028-03-01', 1)] });
  expect(days.map(({ day: name, orders }) => [name, orders])).toEqual([
    ['2028-02-27', 0],
    ['2028-02-28', 3],
    ['2028-02-29', 0],
    ['2028-03-01', 1],
    ['2028-03-02', 0],
  ]);
});

test('one day is a range, and a day is named as it is in UTC', () => {
  expect(everyDay({ from: '2026-11-21', to: '2026-11-21', days: [] })).toHaveLength(1);
  expect(utcDay('2026-11-21')).toBe('21 Nov 2026');
});
