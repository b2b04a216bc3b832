/**
 * Business time: windows, holds, terms, billing, payouts. The sandbox can move it forward, never back; in live mode it is real
 * time. Sessions, limits, provider signatures and leases use `realNow`. SQL never calls now().
 */
export type Clock = {
  readonly now: () => Date;
  /** Reads how far this process or another one moved the sandbox's clock. */
  readonly refresh: () => Promise<void>;
};

export const secondMs = 1_000;
export const minuteMs = 60 * secondMs;
export const hourMs = 60 * minuteMs;
export const dayMs = 24 * hourMs;

export const realNow = (): Date => new Date();

export const realClock: Clock = { now: realNow, refresh: async () => {} };

/** A clock that may be behind another process's, read as at least a time that is known to be over. */
export const nowOrLater = ({ now }: Clock, over: Date | null): Date => new Date(Math.max(now().getTime(), over?.getTime() ?? 0));

const dayTexts = new Map<number, string>();
const dayTextsMax = 1_000;

function dayText(day: number): string {
  const known = dayTexts.get(day);
  if (known !== undefined) return known;
  if (dayTexts.size === dayTextsMax) dayTexts.clear();
  const text = new Date(day * dayMs).toISOString().slice(0, -timeOfDayLength);
  dayTexts.set(day, text);
  return text;
}

/** The day in UTC, as `2026-03-31`. */
export const dayOf = (time: Date): string => dayText(Math.floor(time.getTime() / dayMs));

/** The start of the day in UTC. */
export const startOfDay = (time: Date): Date => new Date(Math.floor(time.getTime() / dayMs) * dayMs);

/** The same text as `toISOString`, in a third of the time: most times of a process are of few days, whose texts are kept. */
export function isoTime(time: Date): string {
  const ms = time.getTime();
  const day = Math.floor(ms / dayMs);
  const rest = ms - day * dayMs;
  const hours = twoDigits[Math.floor(rest / hourMs)];
  const minutes = twoDigits[Math.floor(rest / minuteMs) % 60];
  const seconds = twoDigits[Math.floor(rest / secondMs) % 60];
  const thousandths = rest % secondMs;
  return `${dayText(day)}T${hours}:${minutes}:${seconds}.${Math.floor(thousandths / 100)}${twoDigits[thousandths % 100]}Z`;
}

const timeOfDayLength = 'Thh:mm:ss.sssZ'.length;
const twoDigits: readonly string[] = Array.from({ length: 100 }, (_none, number) => String(number).padStart(2, '0'));

/** `31d`, `12h`, `5m`, `30s`, `250ms`; null for anything else. */
export function readDuration(text: string): number | null {
  const match = /^(\d{1,15})(ms|s|m|h|d)$/.exec(text);
  if (!match) return null;
  const units: Readonly<Record<string, number>> = { ms: 1, s: secondMs, m: minuteMs, h: hourMs, d: dayMs };
  return Number(match[1]) * (units[match[2] ?? ''] ?? 0);
}

/** Adds calendar months in UTC and clamps the day to the last of the month: 31 January plus one month is 28 or 29 February. */
export function plusMonths(time: Date, months: number): Date {
  const later = new Date(time);
  later.setUTCDate(1);
  later.setUTCMonth(later.getUTCMonth() + months);
  const lastDay = new Date(Date.UTC(later.getUTCFullYear(), later.getUTCMonth() + 1, 0)).getUTCDate();
  later.setUTCDate(Math.min(time.getUTCDate(), lastDay));
  return later;
}

export const plusDays = (time: Date, days: number): Date => new Date(time.getTime() + days * dayMs);
