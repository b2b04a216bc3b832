import type { Queryable } from '../db/database.ts';
import { sqlStateOf } from '../db/sql-errors.ts';
import { sql, verbatim } from '../db/sql.ts';

export async function clickPartitions(db: Queryable): Promise<readonly string[]> {
  const rows = await db.all<{ name: string }>(sql`
    select relname as name from pg_inherits join pg_class on pg_class.oid = inhrelid
    where inhparent = 'clicks'::regclass order by relname`);
  return rows.map(({ name }) => name);
}

const duplicateTable = '42P07';
/** A duplicate name in a system catalog: two processes create the table at the same time. */
const duplicateName = '23505';
const rowsInDefaultPartition = '23514';

/** False if the default partition already has rows of this range. It is no error if another process created the partition. */
export async function createClickPartition(
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

/** Deletes old clicks that arrived before their month's partition existed. Uses the primary key except for its first column. */
export const deleteDefaultClicksBefore = (db: Queryable, firstKept: string, rowsMax: number): Promise<number> =>
  db.run(sql`
    delete from clicks_default
    where (store_id, click_id) in (select store_id, click_id from clicks_default where click_id < ${firstKept}::uuid limit ${rowsMax})`);
