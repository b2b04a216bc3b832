import { dayMs, hourMs, minuteMs } from './time.ts';

/** When a job is due, in UTC. Minutes after the full hour keep jobs of one hour in a fixed order. */
export type Rhythm =
  | { readonly every: 'hour'; readonly minute: number }
  /** Every so many hours, counted from midnight. */
  | { readonly every: 'hours'; readonly hours: 2 | 3 | 4 | 6 | 8 | 12; readonly minute: number }
  | { readonly every: 'day'; readonly hour: number; readonly minute: number }
  | { readonly every: 'month'; readonly days: readonly number[]; readonly hour: number; readonly minute: number };

/** The first due moment after the given one. */
export function nextDue(rhythm: Rhythm, after: Date): Date {
  if (rhythm.every === 'hour') return firstAfter(after, hourMs, rhythm.minute * minuteMs);
  if (rhythm.every === 'hours') return firstAfter(after, rhythm.hours * hourMs, rhythm.minute * minuteMs);
  const timeOfDayMs = rhythm.hour * hourMs + rhythm.minute * minuteMs;
  let due = firstAfter(after, dayMs, timeOfDayMs);
  if (rhythm.every === 'day') return due;
  // A month has at most 31 days, so this ends.
  while (!rhythm.days.includes(due.getUTCDate())) due = new Date(due.getTime() + dayMs);
  return due;
}

function firstAfter(after: Date, periodMs: number, offsetMs: number): Date {
  const periods = Math.floor((after.getTime() - offsetMs) / periodMs) + 1;
  return new Date(periods * periodMs + offsetMs);
}
