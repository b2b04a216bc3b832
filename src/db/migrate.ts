import { createHash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import type pg from 'pg';
import { programFolder } from '../core/program-folder.ts';
import { isDatabaseAway } from './connection-errors.ts';
import type { Database } from './database.ts';
import { sql } from './sql.ts';

export const migrationsFolder = new URL('migrations/', programFolder);
/** Arbitrary, but every process of every version must use the same pair. */
export const migrationsLock = [7_245, 1] as const;

export type Migration = { readonly number: number; readonly name: string; readonly text: string; readonly hash: string };
export type MigrationResult = { readonly applied: readonly string[]; readonly latest: number };

/**
 * Applies the pending migrations: numbered plain SQL, forward only, under a lock that admits one process at a time. Each file is
 * one transaction, so a crash leaves nothing half done. Statements run one by one, as Citus requires.
 */
export async function migrate(database: Database, folder: URL = migrationsFolder): Promise<MigrationResult> {
  const migrations = readMigrations(folder);
  const latest = migrations.at(-1)?.number ?? 0;
  if (await isUpToDate(database, migrations)) return { applied: [], latest };
  const client = await database.connect('unbounded');
  try {
    await client.query('select pg_advisory_lock($1, $2)', [...migrationsLock]);
    return { applied: await applyPending(client, migrations), latest };
  } finally {
    await client.end();
  }
}

/** The table of applied migrations. */
export const schemaMigrations =
  'create table if not exists schema_migrations (number int primary key, name text not null, hash text not null, applied_at timestamptz not null)';

type AppliedMigration = { readonly number: number; readonly hash: string };

/**
 * Without the lock, so that a start with nothing to apply opens no connection for it. False if another process holds the table, such as one
 * that restores a backup: the caller waits for it under the lock.
 */
async function isUpToDate(database: Database, migrations: readonly Migration[]): Promise<boolean> {
  try {
    const { exists } = await database.one<{ exists: boolean }>(sql`select to_regclass('schema_migrations') is not null as exists`);
    return exists && notIn(await database.all<AppliedMigration>(sql`select number, hash from schema_migrations`), migrations).length === 0;
  } catch (error) {
    if (isDatabaseAway(error)) return false;
    throw error;
  }
}

/** Under the lock. Returns the names of the migrations that it applied. */
async function applyPending(client: pg.Client, migrations: readonly Migration[]): Promise<readonly string[]> {
  await client.query(schemaMigrations);
  const { rows } = await client.query<AppliedMigration>('select number, hash from schema_migrations');
  const pending = notIn(rows, migrations);
  for (const migration of pending) await apply(client, migration);
  return pending.map(({ name }) => name);
}

function notIn(applied: readonly AppliedMigration[], migrations: readonly Migration[]): readonly Migration[] {
  const hashes = new Map(applied.map(({ number, hash }) => [number, hash]));
  const changed = migrations.find(({ number, hash }) => hashes.has(number) && hashes.get(number) !== hash);
  if (changed) throw new Error(`migration ${changed.name} was changed after it was applied; write a new one instead`);
  return migrations.filter(({ number }) => !hashes.has(number));
}

async function apply(client: pg.Client, migration: Migration): Promise<void> {
  await client.query('begin');
  try {
    await applyInTransaction(client, migration);
    await client.query('commit');
  } catch (error) {
    await client.query('rollback');
    throw new Error(`migration ${migration.name} failed: ${error instanceof Error ? error.message : String(error)}`, { cause: error });
  }
}

/** Runs in the caller's transaction: a restored backup is migrated together with its rows, or not at all. */
export async function applyInTransaction(client: pg.Client, { number, name, text, hash }: Migration): Promise<void> {
  for (const statement of statementsOf(text)) await client.query(statement);
  await client.query('insert into schema_migrations values ($1, $2, $3, $4)', [number, name, hash, new Date()]);
}

export function readMigrations(folder: URL = migrationsFolder): readonly Migration[] {
  const names = readdirSync(folder)
    .filter((name) => /^\d{4}-[a-z0-9-]+\.sql$/.test(name))
    .sort();
  return names.map((name) => {
    const text = readFileSync(new URL(name, folder), 'utf8');
    return { number: Number(name.slice(0, 4)), name, text, hash: createHash('sha256').update(text).digest('hex') };
  });
}

/** A statement ends with a semicolon at the end of a line; migrations contain no function bodies, by decision. */
export function statementsOf(text: string): readonly string[] {
  const withoutComments = text.replace(/^\s*--.*$/gm, '').replace(/\s--\s.*$/gm, '');
  return withoutComments
    .split(/;\s*$/m)
    .map((statement) => statement.trim())
    .filter((statement) => statement !== '');
}
