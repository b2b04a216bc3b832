import { beforeAll, expect, test } from 'vitest';
import { invariant } from '../../src/core/invariant.ts';
import { historyLock, scheduleLock } from '../../src/db/advisory-locks.ts';
import type { Database } from '../../src/db/database.ts';
import { sql } from '../../src/db/sql.ts';
import { freshDatabase } from '../support/database.ts';

let database: Database;
beforeAll(async () => void ({ database } = await freshDatabase()));

/** Of this database: other test files use the same server. Citus has advisory locks of other classes (`objsubid`). */
async function holders(): Promise<readonly number[]> {
  const locks = await database.all<{ pid: number }>(sql`
    select pid from pg_locks
    where locktype = 'advisory' and objsubid <= 2 and granted
      and database = (select oid from pg_database where datname = current_database())`);
  return locks.map(({ pid }) => pid);
}

test('locks that are taken one after another share a connection, and are free after their release', async () => {
  const seen: number[] = [];
  for (let round = 0; round < 5; round++) {
    const lock = await historyLock(database, 'work');
    seen.push(...(await holders()));
    await lock?.release();
    expect(await holders()).toEqual([]);
  }
  expect(seen).toHaveLength(5);
  expect(new Set(seen).size).toBe(1);
});

test('a lock that is taken is refused, also within one process, and two locks are held by two connections', async () => {
  const schedule = await scheduleLock(database, 'skip');
  const history = await historyLock(database, 'work');
  expect(await scheduleLock(database, 'skip')).toBeNull();
  expect(new Set(await holders()).size).toBe(2);
  await history?.release();
  await schedule?.release();
  expect(await holders()).toEqual([]);
});

test('a lock is free when its connection breaks, and the next one gets a connection that works', async () => {
  const lock = await scheduleLock(database, 'skip');
  const [pid] = await holders();
  invariant(pid !== undefined, 'the lock is held');
  await database.one(sql`select pg_terminate_backend(${pid}::int)`);
  await expect.poll(holders).toEqual([]);
  await lock?.release();
  const next = await scheduleLock(database, 'skip');
  expect(await holders()).toHaveLength(1);
  await next?.release();
});
