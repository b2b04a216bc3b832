import { joined, sql, verbatim, type Sql } from '../db/sql.ts';
import { isoTime } from '../http/fields.ts';
import { publicId, type Id } from '../core/ids.ts';
import { invariant } from '../core/invariant.ts';

/** Formats a column of an export as the management API does. */
export type ExportField = (value: unknown) => unknown;

/** The exported columns of a table. A column that is added later, such as a merchant's note, is not exported until it is listed here. */
export type ExportShape = Readonly<Record<string, ExportField>>;

const orNull =
  (field: ExportField): ExportField =>
  (value) =>
    value === null ? null : field(value);

/** A prefixed ID, such as `store_…`. */
export const id = <Kind extends string>(prefix: Kind): ExportField =>
  orNull((value) => {
    invariant(isUuid<Kind>(value), 'the database returns IDs as text');
    return publicId(prefix, value);
  });

const isUuid = <Kind extends string>(value: unknown): value is Id<Kind> => typeof value === 'string';

export const time: ExportField = orNull((value) => {
  invariant(value instanceof Date, 'the database returns times as dates');
  return isoTime(value);
});

/** Text, numbers, amounts (`*_cents`), flags, lists, and JSON, which need no formatting. */
export const plain: ExportField = (value) => {
  invariant(!(value instanceof Date) && !Buffer.isBuffer(value), 'times and bytes have their own field type');
  return value;
};

export const columnsOf = (shape: ExportShape): Sql => joined(Object.keys(shape).map(verbatim), sql`, `);

/** Converts a row from the driver's names (`storeId`) to the exported names (`store_id`). */
export function exportRow(shape: ExportShape, row: Readonly<Record<string, unknown>>): Readonly<Record<string, unknown>> {
  return Object.fromEntries(
    Object.entries(shape).map(([column, field]) => {
      const key = column.replace(/_([a-z0-9])/g, (_all, character: string) => character.toUpperCase());
      invariant(key in row, `the row has ${column}`);
      return [column, field(row[key])];
    }),
  );
}
