import { Tooltip } from '@mantine/core';

/** A moment in the viewer's own zone; UTC when pointed at. Months are words, because 03/04 is two different days. */
export function Time({ at, dateOnly = false }: { readonly at: string; readonly dateOnly?: boolean }) {
  const utc = `${at.slice(0, 10)} ${at.slice(11, 19)} UTC`;
  return (
    <Tooltip label={utc}>
      <time dateTime={at} className="number">
        {dateOnly ? localDay(at) : localTime(at)}
      </time>
    </Tooltip>
  );
}

const day = new Intl.DateTimeFormat('en-GB', { day: 'numeric', month: 'short', year: 'numeric' });
const moment = new Intl.DateTimeFormat('en-GB', { day: 'numeric', month: 'short', year: 'numeric', hour: '2-digit', minute: '2-digit' });

export const localDay = (at: string) => day.format(new Date(at));
export const localTime = (at: string) => moment.format(new Date(at));

/** What a field of date and time gives (the viewer’s zone) as the service wants it (UTC); null where it is no time yet. */
export function utcOfLocal(typed: string): string | null {
  const at = new Date(typed);
  return Number.isNaN(at.getTime()) ? null : at.toISOString();
}
