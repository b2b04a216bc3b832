import { dayMs, minuteMs } from '../core/time.ts';

/** An invalid time leads to 422, not 400, so it survives parsing as a value. */
export type Timestamp = Date | 'unreadable';

const shape = /^(\d{4})-(\d\d)-(\d\d)T(\d\d):(\d\d):(\d\d)(?:\.(\d{1,9}))?(?:Z|([+-])(\d\d):(\d\d))$/;

const fourHundredYearsMs = 146_097 * dayMs;

/**
 * Parses `2026-03-01T12:00:00`, a fraction of up to nine digits, and `Z` or an offset. Date.parse is not used, because it accepts
 * 30 February, 24:00, and a time without an offset, and rounds fractions that the contract truncates.
 */
export function readTimestamp(text: string): Timestamp {
  const match = shape.exec(text);
  if (!match) return 'unreadable';
  const [year, month, day] = [Number(match[1]), Number(match[2]), Number(match[3])];
  const [hour, minute, second] = [Number(match[4]), Number(match[5]), Number(match[6])];
  const { 7: fraction = '', 8: sign = '+', 9: offsetHours = '00', 10: offsetMinutes = '00' } = match;
  if (month < 1 || month > 12 || day < 1 || day > daysIn(year, month)) return 'unreadable';
  if (hour > 23 || minute > 59 || second > 59 || Number(offsetHours) > 23 || Number(offsetMinutes) > 59) return 'unreadable';

  // Date.UTC reads the years 0 to 99 as 1900 to 1999. The calendar repeats every 400 years.
  const laterMs = Date.UTC(year + 400, month - 1, day, hour, minute, second, Number(fraction.slice(0, 3).padEnd(3, '0')));
  const offsetMs = (Number(offsetHours) * 60 + Number(offsetMinutes)) * minuteMs;
  return new Date(laterMs - fourHundredYearsMs - (sign === '-' ? -offsetMs : offsetMs));
}

/**
 * Parses a query parameter such as `from`; null if it is absent. An offset may lead to a year that has more than four digits, or to year 0,
 * which PostgreSQL does not have; such a time counts as unreadable.
 */
export function parseTime(text: string | undefined): Timestamp | null {
  const time = text === undefined ? null : readTimestamp(text);
  return time instanceof Date && (time < firstTime || time > lastTime) ? 'unreadable' : time;
}

const firstTime = new Date('0001-01-01T00:00:00.000Z');
const lastTime = new Date('9999-12-31T23:59:59.999Z');

function daysIn(year: number, month: number): number {
  const isLeap = (year % 4 === 0 && year % 100 !== 0) || year % 400 === 0;
  if (month === 2) return isLeap ? 29 : 28;
  return month === 4 || month === 6 || month === 9 || month === 11 ? 30 : 31;
}

/** The clocks of merchants' servers are not exact. */
const aheadMinutesMax = 5;
/** For refunds and subscription events: a year and a week. */
export const eventAgeDaysMax = 372;

// Limits are inclusive: exactly five minutes ahead and exactly N days old are accepted.
export const isTooFarAhead = (at: Date, now: Date): boolean => at.getTime() - now.getTime() > aheadMinutesMax * minuteMs;
export const isOlderThanDays = (at: Date, { now, daysMax }: { readonly now: Date; readonly daysMax: number }): boolean =>
  now.getTime() - at.getTime() > daysMax * dayMs;

/** An order may precede its click by this much, because clocks differ. */
const precedesMinutesMax = 5;
export const precedesClick = (at: Date, clickedAt: Date): boolean => clickedAt.getTime() - at.getTime() > precedesMinutesMax * minuteMs;
