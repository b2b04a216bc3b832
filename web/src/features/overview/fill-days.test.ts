import { expect, test } from 'vitest';
import { formatUtcDay } from '../../ui/time.tsx';
import { fillDays, zeroTotals } from './fill-days.ts';

const day = (name: string, orders: number) => ({ ...zeroTotals, day: name, orders });

test('a range has all of its days, including those without events, across a month and a leap day', () => {
  const days = fillDays({ from: '2028-02-27', to: '2028-03-02', days: [day('2028-02-28', 3), day('2028-03-01', 1)] });
  expect(days.map(({ day: name, orders }) => [name, orders])).toEqual([
    ['2028-02-27', 0],
    ['2028-02-28', 3],
    ['2028-02-29', 0],
    ['2028-03-01', 1],
    ['2028-03-02', 0],
  ]);
});

test('a single day is a range, and its name is the UTC day', () => {
  expect(fillDays({ from: '2026-11-21', to: '2026-11-21', days: [] })).toHaveLength(1);
  expect(formatUtcDay('2026-11-21')).toBe('Nov 21, 2026');
});
