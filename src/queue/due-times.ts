import { dayMs, hourMs, minuteMs } from '../core/time.ts';

/** When a job is due, in UTC. Minutes after the full hour keep jobs of one hour in a fixed order. */
export type Schedule =
  | { readonly every: 'hour'; readonly minute: number }
  /** Every so many hours, counted from midnight. */
  | { readonly every: 'hours'; readonly hours: 2 | 3 | 4 | 6 | 8 | 12; readonly minute: number }
  | { readonly every: 'day'; readonly hour: number; readonly minute: number }
  | { readonly every: 'month'; readonly days: readonly number[]; readonly hour: number; readonly minute: number };

/** The first due moment after the given one. */
export function nextDue(schedule: Schedule, after: Date): Date {
  if (schedule.every === 'hour') return firstAfter(after, hourMs, schedule.minute * minuteMs);
  if (schedule.every === 'hours') return firstAfter(after, schedule.hours * hourMs, schedule.minute * minuteMs);
  const timeOfDayMs = schedule.hour * hourMs + schedule.minute * minuteMs;
  let due = firstAfter(after, dayMs, timeOfDayMs);
  if (schedule.every === 'day') return due;
  // A month has at most 31 days, so this ends.
  while (!schedule.days.includes(due.getUTCDate())) due = new Date(due.getTime() + dayMs);
  return due;
}

/** The last due moment up to and including the given one. */
export function lastDue(schedule: Schedule, upTo: Date): Date {
  // No two due moments are further apart than this.
  let due = nextDue(schedule, new Date(upTo.getTime() - gapMaxMs[schedule.every]));
  for (let next = nextDue(schedule, due); next <= upTo; next = nextDue(schedule, next)) due = next;
  return due;
}

const gapMaxMs = { hour: hourMs, hours: 12 * hourMs, day: dayMs, month: 31 * dayMs } as const;

function firstAfter(after: Date, periodMs: number, offsetMs: number): Date {
  const periods = Math.floor((after.getTime() - offsetMs) / periodMs) + 1;
  return new Date(periods * periodMs + offsetMs);
}
