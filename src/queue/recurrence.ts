import { dayMs, hourMs, minuteMs } from '../core/time.ts';

/** When a job is due, in UTC. Minutes after the full hour keep jobs of one hour in a fixed order. */
export type Recurrence =
  | { readonly every: 'hour'; readonly minute: number }
  /** Every so many hours, counted from midnight. */
  | { readonly every: 'hours'; readonly hours: 2 | 3 | 4 | 6 | 8 | 12; readonly minute: number }
  | { readonly every: 'day'; readonly hour: number; readonly minute: number }
  | { readonly every: 'month'; readonly days: readonly number[]; readonly hour: number; readonly minute: number };

/** The first due moment after the given one. */
export function nextDue(recurrence: Recurrence, after: Date): Date {
  if (recurrence.every === 'hour') return firstAfter(after, hourMs, recurrence.minute * minuteMs);
  if (recurrence.every === 'hours') return firstAfter(after, recurrence.hours * hourMs, recurrence.minute * minuteMs);
  const timeOfDayMs = recurrence.hour * hourMs + recurrence.minute * minuteMs;
  let due = firstAfter(after, dayMs, timeOfDayMs);
  if (recurrence.every === 'day') return due;
  // A month has at most 31 days, so this ends.
  while (!recurrence.days.includes(due.getUTCDate())) due = new Date(due.getTime() + dayMs);
  return due;
}

/** The last due moment up to and including the given one. */
export function lastDue(recurrence: Recurrence, upTo: Date): Date {
  // No two due moments are further apart than this.
  let due = nextDue(recurrence, new Date(upTo.getTime() - gapMaxMs[recurrence.every]));
  for (let next = nextDue(recurrence, due); next <= upTo; next = nextDue(recurrence, next)) due = next;
  return due;
}

const gapMaxMs = { hour: hourMs, hours: 12 * hourMs, day: dayMs, month: 31 * dayMs } as const;

function firstAfter(after: Date, periodMs: number, offsetMs: number): Date {
  const periods = Math.floor((after.getTime() - offsetMs) / periodMs) + 1;
  return new Date(periods * periodMs + offsetMs);
}
