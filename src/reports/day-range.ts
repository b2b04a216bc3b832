import { Type as T } from 'typebox';

/** Days are those of UTC, wherever the reader is: figures are kept by them. */
const dayShape = String.raw`^[2-9]\d{3}-(0[1-9]|1[0-2])-(0[1-9]|[12]\d|3[01])$`;
export const dayField = (description: string) => T.String({ pattern: dayShape, description });

export const dayOf = (time: Date): string => time.toISOString().slice(0, 10);
export const dayBegins = (day: string): Date => new Date(`${day}T00:00:00.000Z`);

/** 31 February has the shape of a day, and the database would refuse it as our mistake. */
export const isDay = (day: string): boolean => dayOf(dayBegins(day)) === day;
