import type { Queryable } from '../db/database.ts';
import { sql, texts } from '../db/sql.ts';

/** The server's own clock, as it noted when this question began. SQL elsewhere never asks for the time. */
export const readServerClock = (db: Queryable): Promise<{ readonly queryStart: Date }> =>
  db.one(sql`select query_start from pg_stat_activity where pid = pg_backend_pid()`);

const settingNames = [
  'server_version_num',
  'fsync',
  'synchronous_commit',
  'full_page_writes',
  'max_connections',
  'server_encoding',
] as const;
export type ServerSettings = Readonly<Record<(typeof settingNames)[number], string>>;

export async function serverSettings(db: Queryable): Promise<ServerSettings> {
  const rows = await db.all<{ name: string; setting: string }>(sql`
    select name, setting from pg_settings where name = any(${texts([...settingNames])})`);
  const found = new Map(rows.map(({ name, setting }) => [name, setting]));
  const of = (name: (typeof settingNames)[number]) => found.get(name) ?? '';
  return {
    server_version_num: of('server_version_num'),
    fsync: of('fsync'),
    synchronous_commit: of('synchronous_commit'),
    full_page_writes: of('full_page_writes'),
    max_connections: of('max_connections'),
    server_encoding: of('server_encoding'),
  };
}

export type AppliedMigration = { readonly number: number; readonly name: string; readonly hash: string };

/** Empty where the database is: nothing was ever started on it. */
export async function listAppliedMigrations(db: Queryable): Promise<readonly AppliedMigration[]> {
  const { isThere } = await db.one<{ isThere: boolean }>(sql`select to_regclass('schema_migrations') is not null as is_there`);
  return isThere ? db.all(sql`select number, name, hash from schema_migrations order by number`) : [];
}
