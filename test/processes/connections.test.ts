import { expect, onTestFinished, test } from 'vitest';
import { sql } from '../../src/db/sql.ts';
import { freshDatabase } from '../support/database.ts';

test('PostgreSQL is configured to probe idle connections of the service, so that a machine that lost power keeps no lock', async () => {
  const { database } = await freshDatabase();
  onTestFinished(() => database.end());
  const settings = await database.all<{ name: string; source: string; resetVal: string }>(sql`
    select name, source, reset_val from pg_settings where name like 'tcp_keepalives%' order by name`);
  expect(settings.map(({ name, source, resetVal }) => [name, source, resetVal])).toEqual([
    ['tcp_keepalives_count', 'client', '3'],
    ['tcp_keepalives_idle', 'client', '30'],
    ['tcp_keepalives_interval', 'client', '10'],
  ]);
});
