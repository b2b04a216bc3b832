import { expect, test } from 'vitest';
import { freshDatabase } from '../../test/support/database.ts';
import { jobTimeouts, openDatabase } from './database.ts';
import { migrate, readMigrations } from './migrate.ts';
import { sql } from './sql.ts';

test('a start waits while another process restores a backup, however short the time limit of requests is', async () => {
  const { url, database } = await freshDatabase();
  const impatient = openDatabase({ url, name: 'test', connectionsMax: 2, timeouts: { ...jobTimeouts, lockMs: 50 }, onIdleError: () => {} });
  const [locked, restoring] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
  const restored = database.transaction(async (tx) => {
    await tx.run(sql`lock table schema_migrations in access exclusive mode`);
    locked.resolve();
    await restoring.promise;
  });
  await locked.promise;
  const migrated = migrate(impatient);
  const waitsLonger = async () => {
    const { count } = await database.one<{ count: bigint }>(sql`
      select count(*) as count from pg_stat_activity
      where datname = current_database() and wait_event_type = 'Lock' and query_start < clock_timestamp() - interval '200 ms'`);
    return count;
  };
  await expect.poll(waitsLonger).toBe(1n);
  restoring.resolve();
  await restored;
  expect(await migrated).toEqual({ applied: [], latest: readMigrations().at(-1)?.number });
  await Promise.all([database.end(), impatient.end()]);
});
