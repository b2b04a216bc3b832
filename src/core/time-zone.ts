import { dayMs } from './time.ts';

/** A day of the calendar, with months from 1. */
export type CalendarDay = { readonly year: number; readonly month: number; readonly day: number };

const zoneNameLengthMax = 64;

/** Names of the IANA database, such as Europe/Berlin. Offsets such as +02:00 have no daylight saving time, and are not accepted. */
export function isTimeZone(name: string): boolean {
  if (name.length > zoneNameLengthMax || !/^[A-Za-z]/.test(name)) return false;
  try {
    formatOf(name);
    return true;
  } catch {
    return false;
  }
}

const formatsMax = 1_000;
const formats = new Map<string, Intl.DateTimeFormat>();

/** Creating a format takes longer than using it, and an order of a program with tiers uses a few. */
function formatOf(timeZone: string): Intl.DateTimeFormat {
  const known = formats.get(timeZone);
  if (known !== undefined) return known;
  const numeric = { year: 'numeric', month: 'numeric', day: 'numeric', hour: 'numeric', minute: 'numeric', second: 'numeric' } as const;
  const format = new Intl.DateTimeFormat('en-US', { timeZone, calendar: 'gregory', hourCycle: 'h23', era: 'short', ...numeric });
  if (formats.size >= formatsMax) formats.clear();
  formats.set(timeZone, format);
  return format;
}

/** The time on the wall, as if it were UTC. */
function wallMs(at: Date, timeZone: string): number {
  const parts = new Map(
    formatOf(timeZone)
      .formatToParts(at)
      .map(({ type, value }) => [type, value]),
  );
  const number = (type: Intl.DateTimeFormatPartTypes): number => Number(parts.get(type) ?? 0);
  const year = parts.get('era') === 'BC' ? 1 - number('year') : number('year');
  const wall = new Date(0);
  wall.setUTCFullYear(year, number('month') - 1, number('day'));
  wall.setUTCHours(number('hour'), number('minute'), number('second'));
  return wall.getTime();
}

export function dayIn(timeZone: string, at: Date): CalendarDay {
  const wall = new Date(wallMs(at, timeZone));
  return { year: wall.getUTCFullYear(), month: wall.getUTCMonth() + 1, day: wall.getUTCDate() };
}

/**
 * The first moment of a day. Where clocks change at midnight, this may be 1:00, or the second midnight. A day outside the month counts
 * from its end: day 0 is the last one of the month before.
 */
export function startOfDay(timeZone: string, { year, month, day }: CalendarDay): Date {
  const midnight = new Date(0);
  midnight.setUTCFullYear(year, month - 1, day);
  const midnightMs = midnight.getTime();
  const offsetAt = (ms: number): number => wallMs(new Date(ms), timeZone) - ms;
  const candidates = [midnightMs - offsetAt(midnightMs - dayMs), midnightMs - offsetAt(midnightMs + dayMs)].toSorted((a, b) => a - b);
  const [first = midnightMs, last = midnightMs] = candidates;
  return new Date(wallMs(new Date(first), timeZone) >= midnightMs ? first : last);
}
