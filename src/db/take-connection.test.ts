import { expect, onTestFinished, test } from 'vitest';
import { startFakeServer } from '../../test/support/postgres-messages.ts';
import { isDatabaseAway } from './connection-errors.ts';
import { openDatabase } from './database.ts';
import { sql } from './sql.ts';
import { classifyFailure } from './sql-errors.ts';
import { waitingMax } from './take-connection.ts';

const timeouts = { connectMs: 1_000, statementMs: 1_000, lockMs: 1_000, idleInTransactionMs: 1_000 };

test('while the database hangs, a limited number of requests wait for a connection, and the next ones fail immediately', async () => {
  const url = await startFakeServer(() => {});
  const database = openDatabase({ url, name: 'test', connectionsMax: 1, timeouts, onIdleError: () => {} });
  onTestFinished(() => void database.end());
  const query = sql`select 1 as one`;
  const waiting = Array.from({ length: 1 + waitingMax }, () => database.one(query).catch(() => 'late'));
  expect(database.pool.waitingCount).toBe(waitingMax);
  const others = [database.one(query), database.transaction((tx) => tx.run(query)), database.writeTogether([query])];
  for (const other of others) {
    const error = await Promise.race([...waiting, other.catch((failure: unknown) => failure)]);
    expect(error).toMatchObject({ message: expect.stringContaining('wait for a database connection') });
    expect([isDatabaseAway(error), classifyFailure(error)]).toEqual([true, 'unavailable']);
  }
  expect(database.pool.waitingCount).toBe(waitingMax);
  await Promise.all(waiting);
}, 30_000);
