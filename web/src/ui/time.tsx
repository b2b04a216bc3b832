import { language } from '../messages/messages.ts';
import { Tooltip } from './tooltip.tsx';
import { t } from './messages.ts';

/** A time in the viewer's zone, with UTC in the tooltip. Months are words, because 03/04 is two different days. */
export function Time({ at, dateOnly = false }: { readonly at: string; readonly dateOnly?: boolean }) {
  const utc = t.time.utc({ at: at.slice(0, 10), at2: at.slice(11, 19) });
  return (
    <Tooltip label={utc}>
      <time dateTime={at} className="number">
        {dateOnly ? formatDay(at) : formatTime(at)}
      </time>
    </Tooltip>
  );
}

const dayParts = { day: 'numeric', month: 'short', year: 'numeric' } as const;
const day = new Intl.DateTimeFormat(language, dayParts);
const moment = new Intl.DateTimeFormat(language, { ...dayParts, hour: '2-digit', minute: '2-digit', hourCycle: 'h23' });
const utcDay = new Intl.DateTimeFormat(language, { ...dayParts, timeZone: 'UTC' });

/** Daily totals use UTC days, so they must not move into the viewer's time zone. */
export const formatUtcDay = (date: string): string => utcDay.format(new Date(date));

export const formatDay = (at: string) => day.format(new Date(at));
export const formatTime = (at: string) => moment.format(new Date(at));

/** Converts the value of a datetime-local field (the viewer's zone) to UTC; null when it is incomplete. */
export function localInputToUtc(typed: string): string | null {
  const at = new Date(typed);
  return Number.isNaN(at.getTime()) ? null : at.toISOString();
}
