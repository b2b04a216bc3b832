import { expect, onTestFinished, test } from 'vitest';
import { sql } from '../../src/platform/database/sql.ts';
import { freshDatabase } from '../support/database.ts';

test('the server is told to look after connections of ours that say nothing: a machine that lost its power keeps no lock', async () => {
  const { database } = await freshDatabase();
  onTestFinished(() => database.end());
  const told = await database.all<{ name: string; source: string; resetVal: string }>(sql`
    select name, source, reset_val from pg_settings where name like 'tcp_keepalives%' order by name`);
  expect(told.map(({ name, source, resetVal }) => [name, source, resetVal])).toEqual([
    ['tcp_keepalives_count', 'client', '3'],
    ['tcp_keepalives_idle', 'client', '30'],
    ['tcp_keepalives_interval', 'client', '10'],
  ]);
});
