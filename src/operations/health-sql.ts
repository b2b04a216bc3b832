import type { Queryable } from '../db/database.ts';
import { sql } from '../db/sql.ts';

export type DatabaseFacts = {
  readonly version: string;
  readonly bytes: bigint;
  readonly migrations: bigint;
  readonly newestMigration: string;
};

export const readDatabaseFacts = (db: Queryable): Promise<DatabaseFacts> =>
  db.one(sql`
    select current_setting('server_version') as version, pg_database_size(current_database()) as bytes, count(*) as migrations,
      (array_agg(name order by number desc))[1] as newest_migration
    from schema_migrations`);
