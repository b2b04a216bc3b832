import { Type as T } from 'typebox';
import { refuse, type FieldError, type Refusal } from '../http/responses.ts';
import { dayMs, dayOf, plusDays } from '../core/time.ts';
import { apiMessage } from '../messages/api-message.ts';

/** Days are in UTC, because rollups are stored by UTC day. */
const dayShape = String.raw`^[2-9]\d{3}-(0[1-9]|1[0-2])-(0[1-9]|[12]\d|3[01])$`;
export const dayField = (description: string) => T.String({ pattern: dayShape, description });

export const startOfUtcDay = (day: string): Date => new Date(`${day}T00:00:00.000Z`);

/** February 31 matches the pattern, but the database would reject it. */
const isCalendarDay = (day: string): boolean => dayOf(startOfUtcDay(day)) === day;

/** Days in UTC, inclusive. */
export type DayRange = { readonly from: string; readonly to: string };
type DayRangeQuery = { readonly from?: string | undefined; readonly to?: string | undefined };

export function dayErrors({ from, to }: DayRangeQuery): readonly FieldError[] {
  const named = Object.entries({ from, to }).filter(([, day]) => day !== undefined && !isCalendarDay(day));
  if (named.length > 0) return named.map(([field]) => ({ field, message: apiMessage('day_range.not_valid_date') }));
  return from !== undefined && to !== undefined && from > to ? [{ field: 'from', message: apiMessage('day_range.must_not_after') }] : [];
}

type DayRangeLimits = { readonly defaultDays: number; readonly daysMax: number };

/** Defaults to `defaultDays` days up to today. */
export function parseDayRange({ from, to }: DayRangeQuery, now: Date, { defaultDays, daysMax }: DayRangeLimits): DayRange | Refusal {
  const named = dayErrors({ from, to });
  if (named.length > 0) return refuseDays(named);
  const last = to ?? dayOf(now);
  const range = { from: from ?? dayOf(plusDays(startOfUtcDay(last), 1 - defaultDays)), to: last };
  const errors = dayErrors(range);
  if (errors.length > 0) return refuseDays(errors);
  const days = (startOfUtcDay(range.to).getTime() - startOfUtcDay(range.from).getTime()) / dayMs + 1;
  return days > daysMax ? refuseDays([{ field: 'from', message: apiMessage('day_range.must_at_most_days_before', { daysMax }) }]) : range;
}

export const refuseDays = (errors: readonly FieldError[]): Refusal => refuse('invalid_request', apiMessage('shared.query_invalid'), errors);
