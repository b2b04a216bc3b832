import { readFileSync } from 'node:fs';
import type pg from 'pg';
import { must } from '../must.ts';
import type { Database, Queryable } from './database.ts';
import { migrationsFolder, migrationsLock, statementsOf } from './migrate.ts';
import { sql } from './sql.ts';

export type Spread = { readonly table: string; readonly column: string; readonly statement: string };

/** What migrations/distribute.sql says, table by table. */
export function plannedSpread(folder: URL = migrationsFolder): readonly Spread[] {
  return statementsOf(readFileSync(new URL('distribute.sql', folder), 'utf8')).map((statement) => {
    const [, table, column] = /^select create_distributed_table\('(\w+)', '(\w+)', colocate_with => '\w+'\)$/.exec(statement) ?? [];
    must(table !== undefined && column !== undefined, `distribute.sql says whose a table is: ${statement}`);
    return { table, column, statement };
  });
}

/** Told to whoever typed the command. */
export class CannotDistribute extends Error {}

/**
 * Spreads what is not spread yet, in one transaction: run again after an upgrade it takes the new tables only. Nobody may be at
 * work meanwhile, for a table is moved as a whole.
 */
export async function distribute(database: Database): Promise<readonly string[]> {
  const client = await database.connect('unbounded');
  try {
    await refuseWithoutCitus(client);
    await client.query('begin');
    await client.query('select pg_advisory_xact_lock($1, $2)', [...migrationsLock]);
    const spread = await spreadTables(client);
    await client.query('commit');
    return spread;
  } finally {
    // Where it did not commit, the server rolls back.
    await client.end();
  }
}

async function refuseWithoutCitus(client: pg.Client): Promise<void> {
  const { rows } = await client.query<{ made: boolean; available: boolean }>(`
    select exists (select 1 from pg_extension where extname = 'citus') as made,
      exists (select 1 from pg_available_extensions where name = 'citus') as available`);
  if (rows[0]?.made === true) return;
  if (rows[0]?.available === true) {
    throw new CannotDistribute(
      'Citus is installed on this server and not made in this database; as its superuser, on every machine of the cluster: ' +
        'create extension citus; then, on this one, citus_set_coordinator_host and citus_add_node for each other one, and try again',
    );
  }
  throw new CannotDistribute(
    'this PostgreSQL has no Citus. One machine serves without it; for a cluster, take servers with Citus (https://docs.citusdata.com), ' +
      'with citus in shared_preload_libraries, restore a backup there, and try again. Nothing was changed',
  );
}

/** A table cannot be spread while another that is not refers to it: the keys between them go first, and come back last. */
export async function spreadTables(client: pg.Client): Promise<readonly string[]> {
  const { rows } = await client.query<{ table: string }>('select logicalrelid::regclass::text as table from pg_dist_partition');
  const done = new Set(rows.map(({ table }) => table));
  const waiting = plannedSpread().filter(({ table }) => !done.has(table));
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

/** Batches are formed by store then, so that no transaction of a postback stands on two machines. */
export async function isDistributed(db: Queryable): Promise<boolean> {
  const { isCluster } = await db.one<{ isCluster: boolean }>(sql`select to_regclass('pg_dist_partition') is not null as is_cluster`);
  if (!isCluster) return false;
  return (await db.all(sql`select 1 as one from pg_dist_partition where partmethod = 'h' limit 1`)).length > 0;
}
