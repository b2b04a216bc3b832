import type { Queryable } from '../platform/database/database.ts';
import { sqlStateOf } from '../platform/database/sql-errors.ts';
import { sql, verbatim } from '../platform/database/sql.ts';

export async function clickPartitions(db: Queryable): Promise<readonly string[]> {
  const rows = await db.all<{ name: string }>(sql`
    select relname as name from pg_inherits join pg_class on pg_class.oid = inhrelid
    where inhparent = 'clicks'::regclass order by relname`);
  return rows.map(({ name }) => name);
}

const duplicateTable = '42P07';
/** Of a name in PostgreSQL's own lists: two that make a table in the same moment. */
const duplicateName = '23505';
const rowsInDefaultPartition = '23514';

/** False where rows of this range stand in the default partition already. Made by another process meanwhile is as good as made. */
export async function makeClickPartition(
  db: Queryable,
  month: { readonly name: string; readonly from: string; readonly to: string },
): Promise<boolean> {
  try {
    await db.run(sql`
      create table ${verbatim(month.name)} partition of clicks
      for values from ('${verbatim(month.from)}') to ('${verbatim(month.to)}')`);
    return true;
  } catch (error) {
    if ([duplicateTable, duplicateName].includes(sqlStateOf(error) ?? '')) return true;
    if (sqlStateOf(error) === rowsInDefaultPartition) return false;
    throw error;
  }
}

export async function dropClickPartition(db: Queryable, name: string): Promise<void> {
  await db.run(sql`drop table if exists ${verbatim(name)}`);
}

/** What came before its month's partition was there, and is older than all that is kept. By primary key, except for its first part. */
export const deleteDefaultClicksBefore = (db: Queryable, firstKept: string, rowsMax: number): Promise<number> =>
  db.run(sql`
    delete from clicks_default
    where (store_id, click_id) in (select store_id, click_id from clicks_default where click_id < ${firstKept}::uuid limit ${rowsMax})`);
