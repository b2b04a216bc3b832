import { dayMs, minuteMs } from '../platform/time.ts';

/** What the sender wrote is not a time that ever was: that is 422, not 400, so it survives parsing as a value. */
export type Timestamp = Date | 'unreadable';

const shape = /^(\d{4})-(\d\d)-(\d\d)T(\d\d):(\d\d):(\d\d)(?:\.(\d{1,9}))?(?:Z|([+-])(\d\d):(\d\d))$/;

/**
 * `2026-03-01T12:00:00`, a fraction of up to nine digits, then `Z` or an offset. By hand, because Date.parse also takes
 * 30 February, 24:00 and a time without an offset, and rounds what must be cut off after the millisecond.
 */
export function readTimestamp(text: string): Timestamp {
  const match = shape.exec(text);
  if (!match) return 'unreadable';
  const [year = 0, month = 0, day = 0, hour = 0, minute = 0, second = 0] = match.slice(1, 7).map(Number);
  const [, , , , , , , fraction = '', sign = '+', offsetHours = '00', offsetMinutes = '00'] = match;
  if (month < 1 || month > 12 || day < 1 || day > daysIn(year, month)) return 'unreadable';
  if (hour > 23 || minute > 59 || second > 59 || Number(offsetHours) > 23 || Number(offsetMinutes) > 59) return 'unreadable';

  const time = new Date(0);
  // Not Date.UTC: it takes the years 0 to 99 for 1900 to 1999.
  time.setUTCFullYear(year, month - 1, day);
  time.setUTCHours(hour, minute, second, Number(fraction.slice(0, 3).padEnd(3, '0')));
  const offsetMs = (Number(offsetHours) * 60 + Number(offsetMinutes)) * minuteMs;
  return new Date(time.getTime() - (sign === '-' ? -offsetMs : offsetMs));
}

/**
 * A time in a question, such as `from`; null where it is not given. An offset may lead out of the years that are written with
 * four digits, and PostgreSQL has no year 0: what it cannot read is told to who asks.
 */
export function readAskedTime(text: string | undefined): Timestamp | null {
  const time = text === undefined ? null : readTimestamp(text);
  return time instanceof Date && (time < firstAsked || time > lastAsked) ? 'unreadable' : time;
}

const firstAsked = new Date('0001-01-01T00:00:00.000Z');
const lastAsked = new Date('9999-12-31T23:59:59.999Z');

function daysIn(year: number, month: number): number {
  const isLeap = (year % 4 === 0 && year % 100 !== 0) || year % 400 === 0;
  if (month === 2) return isLeap ? 29 : 28;
  return month === 4 || month === 6 || month === 9 || month === 11 ? 30 : 31;
}

/** Clocks of merchants' servers differ from ours, and from each other. */
const aheadMinutesMax = 5;
/** Of refunds and subscription events: a year and a week. */
export const eventAgeDaysMax = 372;

// Limits are inclusive: exactly five minutes ahead is in time, and so is exactly N days old.
export const isTooFarAhead = (at: Date, now: Date): boolean => at.getTime() - now.getTime() > aheadMinutesMax * minuteMs;
export const isOlderThanDays = (at: Date, { now, daysMax }: { readonly now: Date; readonly daysMax: number }): boolean =>
  now.getTime() - at.getTime() > daysMax * dayMs;

/** What is reported as older than the click that led to it: by more than two clocks differ, nothing that it led to. */
const precedesMinutesMax = 5;
export const precedesClick = (at: Date, clickedAt: Date): boolean => clickedAt.getTime() - at.getTime() > precedesMinutesMax * minuteMs;
