import { language } from '../messages/messages.ts';
import { t } from './messages.ts';
import { formatTime, formatUtcDay } from './time.tsx';

/** As `src/contract/speech.ts` writes them. What is next to such a time is a part of an ID or of a value to send, which stays. */
const timesInText = /(?<![\w+./:-])(\d{4}-\d\d-\d\d)(?: (\d\d:\d\d) UTC)?(?![\w/-]|[.:]\w)/g;
const monthsInText = /(?<=\bin )(\d{4}-\d\d)(?![\w/-]|[.:]\w)/g;

const month = new Intl.DateTimeFormat(language, { month: 'long', year: 'numeric', timeZone: 'UTC' });

/** A day of the API is in UTC, and can be another one than the day of the same moment on the rest of the page. */
const formatDayInText = (day: string): string =>
  new Date(day).getTimezoneOffset() === 0 ? formatUtcDay(day) : t.time.utc_day({ day: formatUtcDay(day) });

const orSame = (text: string, iso: string, format: (iso: string) => string): string => (Number.isNaN(Date.parse(iso)) ? text : format(iso));

/**
 * Writes the times of an explanation of the API like all others of the page. The API writes them in ISO 8601 in English, because programs
 * compare its texts.
 */
export const localizeTimes = (text: string): string =>
  text
    .replaceAll(timesInText, (found, day: string, time: string | undefined) =>
      time === undefined ? orSame(found, day, formatDayInText) : orSame(found, `${day}T${time}:00.000Z`, formatTime),
    )
    .replaceAll(monthsInText, (found) => orSame(found, `${found}-01`, (iso) => month.format(new Date(iso))));
