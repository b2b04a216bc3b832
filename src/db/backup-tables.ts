import type pg from 'pg';
import { invariant } from '../core/invariant.ts';
import type { BackupHead, TableHeader } from './backup-format.ts';

/** A name that needs no quotes in SQL. */
const plain = /^[a-z][a-z0-9_]*$/;
const boundsForm = /^(DEFAULT|FOR VALUES FROM \('[0-9a-f-]{36}'\) TO \('[0-9a-f-]{36}'\))$/;

export const isPlainName = (name: string): boolean => plain.test(name);
export const isBounds = (bounds: string): boolean => boundsForm.test(bounds);

/**
 * Every table except partitions, whose rows belong to their table, sorted so that a table follows the tables it references. The
 * tables of the queue (another schema) are excluded: scheduled jobs enqueue pending work again.
 */
export async function tablesOf(client: pg.Client): Promise<readonly TableHeader[]> {
  const { rows: tables } = await client.query<TableHeader>(`
    select relname as table, array_agg(attname::text order by attnum) as columns
    from pg_class join pg_attribute on attrelid = pg_class.oid
    where relnamespace = 'public'::regnamespace and relkind in ('r', 'p') and not relispartition
      and attnum > 0 and not attisdropped and attgenerated = ''
    group by relname order by relname`);
  const { rows: references } = await client.query<{ from: string; to: string }>(`
    select source.relname as from, target.relname as to
    from pg_constraint join pg_class source on source.oid = conrelid join pg_class target on target.oid = confrelid
    where contype = 'f' and source.relnamespace = 'public'::regnamespace`);
  invariant(
    tables.every(({ table, columns }) => [table, ...columns].every(isPlainName)),
    'all table and column names are plain',
  );
  return inOrder(tables, references);
}

function inOrder(
  tables: readonly TableHeader[],
  references: ReadonlyArray<{ readonly from: string; readonly to: string }>,
): readonly TableHeader[] {
  const ordered: TableHeader[] = [];
  let waiting = tables;
  while (waiting.length > 0) {
    const isWaiting = new Set(waiting.map(({ table }) => table));
    const ready = waiting.filter(({ table }) => !references.some(({ from, to }) => from === table && to !== from && isWaiting.has(to)));
    invariant(ready.length > 0, 'foreign keys between tables have no cycle');
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
  invariant(
    rows.every(({ name, of, bounds }) => isPlainName(name) && isPlainName(of) && isBounds(bounds)),
    'all partitions are bounded by two IDs',
  );
  return rows;
}

/** No table uses a sequence (test/architecture/sql.test.ts). A backup would lose its value, so a sequence stops the backup. */
export async function refuseSequences(client: pg.Client): Promise<void> {
  const { rows } = await client.query(`select 1 from pg_class where relnamespace = 'public'::regnamespace and relkind = 'S' limit 1`);
  invariant(rows.length === 0, 'no table uses a sequence');
}
