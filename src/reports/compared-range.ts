import { dayMs, dayOf, plusDays } from '../core/time.ts';
import { startOfUtcDay, type DayRange } from './day-range.ts';

export const comparisons = ['previous_period', 'previous_year'] as const;
export type Comparison = (typeof comparisons)[number];

/** The first day of the month of `to`, up to `to`. */
export const monthToDate = (to: string): DayRange => ({ from: `${to.slice(0, 8)}01`, to });

/**
 * The range to compare with. A range that begins a month and stays in it is compared with the same days of the month before, because the
 * days directly before it would be the end of that month. Any other range is compared with as many days directly before it.
 */
export function comparedRange(range: DayRange, comparison: Comparison): DayRange {
  if (comparison === 'previous_year') return { from: monthsBefore(range.from, 12), to: monthsBefore(range.to, 12) };
  if (isStartOfMonth(range)) return { from: monthsBefore(range.from, 1), to: endOfComparedMonth(range.to) };
  const days = daysIn(range);
  return { from: addDays(range.from, -days), to: addDays(range.from, -1) };
}

const isStartOfMonth = ({ from, to }: DayRange): boolean => from.endsWith('-01') && from.slice(0, 7) === to.slice(0, 7);
const addDays = (day: string, days: number): string => dayOf(plusDays(startOfUtcDay(day), days));
const daysIn = ({ from, to }: DayRange): number => (startOfUtcDay(to).getTime() - startOfUtcDay(from).getTime()) / dayMs + 1;

/** The last day of a month is compared with the last day of the month before, so that whole months are compared. */
function endOfComparedMonth(to: string): string {
  const isLastDay = addDays(to, 1).endsWith('-01');
  return isLastDay ? addDays(`${to.slice(0, 8)}01`, -1) : monthsBefore(to, 1);
}

/** The same day of an earlier month, or its last day if it is shorter. */
function monthsBefore(day: string, months: number): string {
  const first = startOfUtcDay(`${day.slice(0, 8)}01`);
  const [year, month] = [first.getUTCFullYear(), first.getUTCMonth() - months];
  const lastDay = new Date(Date.UTC(year, month + 1, 0)).getUTCDate();
  return dayOf(new Date(Date.UTC(year, month, Math.min(Number(day.slice(8)), lastDay))));
}
