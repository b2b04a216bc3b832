import { Type as T } from 'typebox';
import { refuse, type FieldFault, type Refusal } from '../platform/http/answers.ts';
import { dayMs, plusDays } from '../platform/time.ts';

/** Days are those of UTC, wherever the reader is: figures are kept by them. */
const dayShape = String.raw`^[2-9]\d{3}-(0[1-9]|1[0-2])-(0[1-9]|[12]\d|3[01])$`;
export const dayField = (description: string) => T.String({ pattern: dayShape, description });

export const dayOf = (time: Date): string => time.toISOString().slice(0, 10);
export const dayBegins = (day: string): Date => new Date(`${day}T00:00:00.000Z`);

/** 31 February has the shape of a day, and the database would refuse it as our mistake. */
const isDay = (day: string): boolean => dayOf(dayBegins(day)) === day;

/** Days in UTC, both included. */
export type DayRange = { readonly from: string; readonly to: string };
type AskedDays = { readonly from?: string | undefined; readonly to?: string | undefined };

/** What is wrong with what was asked for, whichever of the two was. */
export function dayFaults({ from, to }: AskedDays): readonly FieldFault[] {
  const named = Object.entries({ from, to }).filter(([, day]) => day !== undefined && !isDay(day));
  if (named.length > 0) return named.map(([field]) => ({ field, message: 'is no day that the calendar has' }));
  return from !== undefined && to !== undefined && from > to ? [{ field: 'from', message: 'is after to' }] : [];
}

type Limits = { readonly usualDays: number; readonly daysMax: number };

/** Up to today, and so many days, where nothing else is asked for. */
export function readDays({ from, to }: AskedDays, now: Date, { usualDays, daysMax }: Limits): DayRange | Refusal {
  const named = dayFaults({ from, to });
  if (named.length > 0) return wrongDays(named);
  const last = to ?? dayOf(now);
  const range = { from: from ?? dayOf(plusDays(dayBegins(last), 1 - usualDays)), to: last };
  const faults = dayFaults(range);
  if (faults.length > 0) return wrongDays(faults);
  const days = (dayBegins(range.to).getTime() - dayBegins(range.from).getTime()) / dayMs + 1;
  return days > daysMax ? wrongDays([{ field: 'from', message: `is more than ${daysMax} days before to` }]) : range;
}

export const wrongDays = (faults: readonly FieldFault[]): Refusal =>
  refuse('invalid_request', 'The query is not right; see errors.', faults);
