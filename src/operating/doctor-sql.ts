import type { Queryable } from '../platform/database/database.ts';
import { sql } from '../platform/database/sql.ts';

/** The server's own clock, as it noted when this question began. SQL elsewhere never asks for the time. */
export const clockOfServer = (db: Queryable): Promise<{ readonly queryStart: Date }> =>
  db.one(sql`select query_start from pg_stat_activity where pid = pg_backend_pid()`);

const asked = ['server_version_num', 'fsync', 'synchronous_commit', 'full_page_writes', 'max_connections', 'server_encoding'] as const;
export type ServerSettings = Readonly<Record<(typeof asked)[number], string>>;

export async function serverSettings(db: Queryable): Promise<ServerSettings> {
  const rows = await db.all<{ name: string; setting: string }>(sql`
    select name, setting from pg_settings where name = any(${[...asked]}::text[])`);
  const found = new Map(rows.map(({ name, setting }) => [name, setting]));
  const of = (name: (typeof asked)[number]) => found.get(name) ?? '';
  return {
    server_version_num: of('server_version_num'),
    fsync: of('fsync'),
    synchronous_commit: of('synchronous_commit'),
    full_page_writes: of('full_page_writes'),
    max_connections: of('max_connections'),
    server_encoding: of('server_encoding'),
  };
}

export type StandingMigration = { readonly number: number; readonly name: string; readonly hash: string };

/** Empty where the database is: nothing was ever started on it. */
export async function standingMigrations(db: Queryable): Promise<readonly StandingMigration[]> {
  const { isThere } = await db.one<{ isThere: boolean }>(sql`select to_regclass('schema_migrations') is not null as is_there`);
  return isThere ? db.all(sql`select number, name, hash from schema_migrations order by number`) : [];
}
