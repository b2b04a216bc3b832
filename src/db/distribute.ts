import { readFileSync } from 'node:fs';
import type pg from 'pg';
import { invariant } from '../core/invariant.ts';
import type { Database, Queryable } from './database.ts';
import { migrationsFolder, migrationsLock, statementsOf } from './migrate.ts';
import { sql } from './sql.ts';

/** A distributed table has the column that determines the node of a row. */
export type Distribution = {
  readonly table: string;
  readonly place:
    | { readonly is: 'distributed'; readonly column: string }
    | { readonly is: 'copied' }
    | { readonly is: 'on the coordinator' };
  readonly statement: string;
};

/** The tables and distribution columns in migrations/distribute.sql. */
export function plannedDistributions(): readonly Distribution[] {
  return statementsOf(readFileSync(new URL('distribute.sql', migrationsFolder), 'utf8')).map((statement) => {
    const [, call, table, column] = /^select (\w+)\('(\w+)'(?:, '(\w+)', colocate_with => '\w+')?\)$/.exec(statement) ?? [];
    invariant(table !== undefined, `distribute.sql names one table in each statement: ${statement}`);
    return { table, place: placeOf(call, column), statement };
  });
}

function placeOf(call: string | undefined, column: string | undefined): Distribution['place'] {
  if (call === 'create_reference_table') return { is: 'copied' };
  if (call === 'citus_add_local_table_to_metadata') return { is: 'on the coordinator' };
  invariant(call === 'create_distributed_table' && column !== undefined, `distribute.sql calls a function of Citus: ${call}`);
  return { is: 'distributed', column };
}

/** Shown to the operator who ran the command. */
export class CannotDistribute extends Error {}

/**
 * Distributes the tables that are not distributed yet, in one transaction; after an upgrade it distributes only the new tables. The
 * service must be stopped, because a table is moved as a whole.
 */
export async function distribute(database: Database): Promise<readonly string[]> {
  const client = await database.connect('unbounded');
  try {
    await requireCitus(client);
    await client.query('begin');
    await client.query('select pg_advisory_xact_lock($1, $2)', [...migrationsLock]);
    const distributed = await distributeTables(client);
    await client.query('commit');
    return distributed;
  } finally {
    // Without a commit the server rolls back.
    await client.end();
  }
}

async function requireCitus(client: pg.Client): Promise<void> {
  const { rows } = await client.query<{ made: boolean; available: boolean }>(`
    select exists (select 1 from pg_extension where extname = 'citus') as made,
      exists (select 1 from pg_available_extensions where name = 'citus') as available`);
  if (rows[0]?.made === true) return;
  if (rows[0]?.available === true) {
    throw new CannotDistribute(
      'Citus is installed on this server but not enabled in this database; as its superuser, on every machine of the cluster: ' +
        'create extension citus; then, on this one, citus_set_coordinator_host and citus_add_node for each other one, and try again',
    );
  }
  throw new CannotDistribute(
    'this PostgreSQL has no Citus. One machine works without it; for a cluster, use servers with Citus (https://docs.citusdata.com), ' +
      'with citus in shared_preload_libraries, restore a backup there, and try again. Nothing was changed',
  );
}

/** A table cannot be distributed while a table that is not references it: the foreign keys are dropped first and added again last. */
export async function distributeTables(client: pg.Client): Promise<readonly string[]> {
  const { rows } = await client.query<{ table: string }>('select logicalrelid::regclass::text as table from pg_dist_partition');
  const done = new Set(rows.map(({ table }) => table));
  const waiting = plannedDistributions().filter(({ table }) => !done.has(table));
  if (waiting.length === 0) return [];
  const { rows: keys } = await client.query<{ table: string; name: string; definition: string }>(
    `select conrelid::regclass::text as table, conname as name, pg_get_constraintdef(oid) as definition from pg_constraint
     where contype = 'f' and conparentid = 0 and conrelid::regclass::text = any($1)`,
    [waiting.map(({ table }) => table)],
  );
  await client.query(`set local citus.multi_shard_modify_mode to 'sequential'`);
  for (const { table, name } of keys) await client.query(`alter table ${table} drop constraint ${name}`);
  for (const { statement } of waiting) await client.query(statement);
  for (const { table, name, definition } of keys) await client.query(`alter table ${table} add constraint ${name} ${definition}`);
  return waiting.map(({ table }) => table);
}

/** In a cluster, batches are formed per store, so that no transaction of a postback spans two machines. */
export async function isDistributed(db: Queryable): Promise<boolean> {
  const { isCluster } = await db.one<{ isCluster: boolean }>(sql`select to_regclass('pg_dist_partition') is not null as is_cluster`);
  if (!isCluster) return false;
  return (await db.all(sql`select 1 as one from pg_dist_partition where partmethod = 'h' limit 1`)).length > 0;
}
