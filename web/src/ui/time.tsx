import { language } from '../messages/messages.ts';
import { Tooltip } from './tooltip.tsx';
import { t } from './messages.ts';

/** A time in the viewer's zone, with UTC in the tooltip. Months are words, because 03/04 is two different days. */
export const Time = ({ at, dateOnly = false }: { readonly at: string; readonly dateOnly?: boolean }) => (
  <TimeWithTooltip at={at} text={dateOnly ? formatDay(at) : formatTime(at)} />
);

/** A time in UTC, for the entries of a UTC month: in the viewer's zone, its first ones can be in another month. The title says so. */
export const UtcTime = ({ at }: { readonly at: string }) => <TimeWithTooltip at={at} text={utcMoment.format(new Date(at))} />;

const TimeWithTooltip = ({ at, text }: { readonly at: string; readonly text: string }) => (
  <Tooltip label={t.time.utc({ at: at.slice(0, 10), at2: at.slice(11, 19) })}>
    <time dateTime={at} className="number">
      {text}
    </time>
  </Tooltip>
);

const dayParts = { day: 'numeric', month: 'short', year: 'numeric' } as const;
const day = new Intl.DateTimeFormat(language, dayParts);
const momentParts = { ...dayParts, hour: '2-digit', minute: '2-digit', hourCycle: 'h23' } as const;
const moment = new Intl.DateTimeFormat(language, momentParts);
const utcMoment = new Intl.DateTimeFormat(language, { ...momentParts, timeZone: 'UTC' });
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
