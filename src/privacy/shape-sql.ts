import { joined, sql, verbatim, type Sql } from '../platform/database/sql.ts';
import { isoTime } from '../platform/http/fields.ts';
import { publicId, type Id } from '../platform/ids.ts';
import { must } from '../platform/must.ts';

/** How a column is written in an export: as the management API writes it. */
export type Field = (value: unknown) => unknown;

/**
 * What an export has of a table, column by column. A column that is not named is not exported, so that one that is added later, such as
 * a merchant's note, reaches nobody by accident.
 */
export type Shape = Readonly<Record<string, Field>>;

const orNull =
  (field: Field): Field =>
  (value) =>
    value === null ? null : field(value);

/** `store_…`, as everywhere in the API. */
export const id = <Kind extends string>(prefix: Kind): Field =>
  orNull((value) => {
    must(isUuid<Kind>(value), 'the database gives ids as text');
    return publicId(prefix, value);
  });

const isUuid = <Kind extends string>(value: unknown): value is Id<Kind> => typeof value === 'string';

export const time: Field = orNull((value) => {
  must(value instanceof Date, 'the database gives times as dates');
  return isoTime(value);
});

/** Text, numbers, amounts (`*_cents`), flags, lists, and JSON that the API shows in the same form. */
export const plain: Field = (value) => {
  must(!(value instanceof Date) && !Buffer.isBuffer(value), 'a time or bytes need a field of their own');
  return value;
};

export const columnsOf = (shape: Shape): Sql => joined(Object.keys(shape).map(verbatim), sql`, `);

/** A row as the driver gives it (`storeId`), written as its shape says (`store_id`). */
export function shown(shape: Shape, row: Readonly<Record<string, unknown>>): Readonly<Record<string, unknown>> {
  return Object.fromEntries(
    Object.entries(shape).map(([column, field]) => {
      const key = column.replace(/_([a-z0-9])/g, (_all, letter: string) => letter.toUpperCase());
      must(key in row, `the row has ${column}`);
      return [column, field(row[key])];
    }),
  );
}
