import type pg from 'pg';
import { must } from '../must.ts';
import type { BackupHead, TableBegins } from './backup-format.ts';

/** A name that can stand in a statement as it is: all of ours can. */
const plain = /^[a-z][a-z0-9_]*$/;
const boundsForm = /^(DEFAULT|FOR VALUES FROM \('[0-9a-f-]{36}'\) TO \('[0-9a-f-]{36}'\))$/;

export const isPlainName = (name: string): boolean => plain.test(name);
export const isBounds = (bounds: string): boolean => boundsForm.test(bounds);

/**
 * Every table of ours but the partitions, whose rows come with their table; each after those that it refers to. The queue's
 * own tables (another schema) are not among them: what waits there is found again by the jobs that run each minute or night.
 */
export async function tablesOf(client: pg.Client): Promise<readonly TableBegins[]> {
  const { rows: tables } = await client.query<TableBegins>(`
    select relname as table, array_agg(attname::text order by attnum) as columns
    from pg_class join pg_attribute on attrelid = pg_class.oid
    where relnamespace = 'public'::regnamespace and relkind in ('r', 'p') and not relispartition
      and attnum > 0 and not attisdropped and attgenerated = ''
    group by relname order by relname`);
  const { rows: references } = await client.query<{ from: string; to: string }>(`
    select source.relname as from, target.relname as to
    from pg_constraint join pg_class source on source.oid = conrelid join pg_class target on target.oid = confrelid
    where contype = 'f' and source.relnamespace = 'public'::regnamespace`);
  must(
    tables.every(({ table, columns }) => [table, ...columns].every(isPlainName)),
    'our tables and columns have plain names',
  );
  return inOrder(tables, references);
}

function inOrder(
  tables: readonly TableBegins[],
  references: ReadonlyArray<{ readonly from: string; readonly to: string }>,
): readonly TableBegins[] {
  const ordered: TableBegins[] = [];
  let waiting = tables;
  while (waiting.length > 0) {
    const isWaiting = new Set(waiting.map(({ table }) => table));
    const ready = waiting.filter(({ table }) => !references.some(({ from, to }) => from === table && to !== from && isWaiting.has(to)));
    must(ready.length > 0, 'no tables refer to each other in a circle');
    ordered.push(...ready);
    waiting = waiting.filter((one) => !ready.includes(one));
  }
  return ordered;
}

export async function partitionsOf(client: pg.Client): Promise<BackupHead['partitions']> {
  const { rows } = await client.query<BackupHead['partitions'][number]>(`
    select child.relname as name, parent.relname as of, pg_get_expr(child.relpartbound, child.oid) as bounds
    from pg_inherits join pg_class child on child.oid = inhrelid join pg_class parent on parent.oid = inhparent
    where child.relnamespace = 'public'::regnamespace and child.relkind = 'r' order by child.relname`);
  must(
    rows.every(({ name, of, bounds }) => isPlainName(name) && isPlainName(of) && isBounds(bounds)),
    'our partitions are bounded by two ids',
  );
  return rows;
}

/** By rule no table counts by a sequence (test/house-data.test.ts): a backup that met one would lose it, so it stops. */
export async function refuseSequences(client: pg.Client): Promise<void> {
  const { rows } = await client.query(`select 1 from pg_class where relnamespace = 'public'::regnamespace and relkind = 'S' limit 1`);
  must(rows.length === 0, 'no table counts by a sequence');
}
