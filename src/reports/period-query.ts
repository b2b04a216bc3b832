import { Type as T } from 'typebox';
import type { Static } from '../core/static.ts';
import type { Refusal } from '../http/responses.ts';
import { monthToDate } from './compared-range.ts';
import { dayField, parseDayRange, type DayRange } from './day-range.ts';
import { dayOf } from '../core/time.ts';

const defaultDays = 30;
const periodDaysMax = 800;

/** The query parameters of reports about a period. */
export const periodFields = {
  from: T.Optional(dayField('The first day, in UTC')),
  to: T.Optional(dayField('The last day; today by default')),
  days: T.Optional(
    T.Integer({
      minimum: 1,
      maximum: periodDaysMax,
      description: `Without from: the number of days up to the last one; ${defaultDays} by default`,
    }),
  ),
  period: T.Optional(T.Enum(['month_to_date'], { description: 'Instead of from and days: from the first day of the month' })),
};
const periodQuery = T.Object(periodFields);

/** A report that reads clicks is limited to fewer days. */
export function parsePeriod(query: Static<typeof periodQuery>, now: Date, daysMax = periodDaysMax): DayRange | Refusal {
  const days = query.period === undefined ? query : { ...monthToDate(query.to ?? dayOf(now)), to: query.to };
  return parseDayRange(days, now, { defaultDays: query.days ?? defaultDays, daysMax });
}
