import { keyIdBytes, sealVersions } from '../core/secrets.ts';
import type { Queryable } from './database.ts';
import { joined, sql, verbatim, type Sql } from './sql.ts';

/** A column that holds sealed values, described by the module that writes it. */
export type SealedColumn = {
  readonly table: string;
  readonly column: string;
  /** `text`: base64, in a column that also contains plain text. */
  readonly holds: 'bytes' | 'text';
  /** The primary key columns, in order. */
  readonly key: readonly { readonly name: string; readonly type: 'uuid' | 'text' | 'bytea' }[];
  /** The authenticated data of a row's value, from its primary key (bytea in hex). */
  readonly boundTo: (key: readonly string[]) => string;
};

export type SealedRow = { readonly key: readonly string[]; readonly sealed: Buffer };
type ColumnRow = { readonly key: string[]; readonly sealed: Buffer | string };

const separator = sql`, `;
const keyColumns = ({ key }: SealedColumn): Sql =>
  joined(
    key.map(({ name }) => verbatim(name)),
    separator,
  );
const keyTexts = ({ key }: SealedColumn): Sql =>
  joined(
    key.map(({ name, type }) => (type === 'bytea' ? sql`encode(${verbatim(name)}, 'hex')` : sql`${verbatim(name)}::text`)),
    separator,
  );
const keyValues = ({ key }: SealedColumn, values: readonly string[]): Sql =>
  joined(
    key.map(({ type }, place) =>
      type === 'bytea' ? sql`decode(${values[place]}::text, 'hex')` : sql`${values[place]}::${verbatim(type)}`,
    ),
    separator,
  );

/** Selects the sealed values of a text column: base64 whose first byte is 1 or 2. Names and the provider's IDs do not match. */
const sealInBase64 = '^A[Q-Za-v][A-Za-z0-9+/]{38,}={0,2}$';
const isSealed = ({ column, holds }: SealedColumn): Sql =>
  holds === 'bytes' ? sql`${verbatim(column)} is not null` : sql`${verbatim(column)} ~ ${sealInBase64}::text`;
const asBytes = ({ column, holds }: SealedColumn): Sql =>
  holds === 'bytes' ? verbatim(column) : sql`decode(${verbatim(column)}, 'base64')`;

/** Lists sealed values by primary key, after `after`. */
export async function listSealed(
  db: Queryable,
  column: SealedColumn,
  { after, limit }: { readonly after: readonly string[] | null; readonly limit: number },
): Promise<readonly SealedRow[]> {
  const behind = after === null ? sql`` : sql`and (${keyColumns(column)}) > (${keyValues(column, after)})`;
  const rows = await db.all<ColumnRow>(sql`
    select array[${keyTexts(column)}] as key, ${verbatim(column.column)} as sealed from ${verbatim(column.table)}
    where ${isSealed(column)} ${behind} order by ${keyColumns(column)} limit ${limit}`);
  return rows.map(({ key, sealed }) => ({ key, sealed: Buffer.isBuffer(sealed) ? sealed : Buffer.from(sealed, 'base64') }));
}

/** Returns 0 if the value has changed since it was read: that change sealed it with the current key. */
export function replaceSealed(db: Queryable, column: SealedColumn, { key, sealed }: SealedRow, fresh: Buffer): Promise<number> {
  const stored = (value: Buffer): Sql => (column.holds === 'bytes' ? sql`${value}::bytea` : sql`${value.toString('base64')}::text`);
  return db.run(sql`
    update ${verbatim(column.table)} set ${verbatim(column.column)} = ${stored(fresh)}
    where (${keyColumns(column)}) = (${keyValues(column, key)}) and ${verbatim(column.column)} = ${stored(sealed)}`);
}

/** Counts the values that do not name this key. Reads the whole table. */
export async function countNotSealedBy(db: Queryable, column: SealedColumn, keyId: Buffer): Promise<number> {
  const head = Buffer.concat([Buffer.of(sealVersions.named), keyId]);
  const { count } = await db.one<{ count: bigint }>(sql`
    select count(*) as count from ${verbatim(column.table)}
    where ${isSealed(column)} and substring(${asBytes(column)} from 1 for ${keyIdBytes + 1}::int) <> ${head}::bytea`);
  return Number(count);
}
