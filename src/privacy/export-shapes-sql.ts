import { joined, sql, verbatim, type Sql } from '../db/sql.ts';
import { isoTime } from '../http/fields.ts';
import { publicId, type Id } from '../core/ids.ts';
import { invariant } from '../core/invariant.ts';

/** How a column is written in an export: as the management API writes it. */
export type ExportField = (value: unknown) => unknown;

/**
 * What an export has of a table, column by column. A column that is not named is not exported, so that one that is added later, such as
 * a merchant's note, reaches nobody by accident.
 */
export type ExportShape = Readonly<Record<string, ExportField>>;

const orNull =
  (field: ExportField): ExportField =>
  (value) =>
    value === null ? null : field(value);

/** `store_…`, as everywhere in the API. */
export const id = <Kind extends string>(prefix: Kind): ExportField =>
  orNull((value) => {
    invariant(isUuid<Kind>(value), 'the database gives ids as text');
    return publicId(prefix, value);
  });

const isUuid = <Kind extends string>(value: unknown): value is Id<Kind> => typeof value === 'string';

export const time: ExportField = orNull((value) => {
  invariant(value instanceof Date, 'the database gives times as dates');
  return isoTime(value);
});

/** Text, numbers, amounts (`*_cents`), flags, lists, and JSON that the API shows in the same form. */
export const plain: ExportField = (value) => {
  invariant(!(value instanceof Date) && !Buffer.isBuffer(value), 'a time or bytes need a field of their own');
  return value;
};

export const columnsOf = (shape: ExportShape): Sql => joined(Object.keys(shape).map(verbatim), sql`, `);

/** A row as the driver gives it (`storeId`), written as its shape says (`store_id`). */
export function exportRow(shape: ExportShape, row: Readonly<Record<string, unknown>>): Readonly<Record<string, unknown>> {
  return Object.fromEntries(
    Object.entries(shape).map(([column, field]) => {
      const key = column.replace(/_([a-z0-9])/g, (_all, letter: string) => letter.toUpperCase());
      invariant(key in row, `the row has ${column}`);
      return [column, field(row[key])];
    }),
  );
}
