import type pg from 'pg';
import { exchange } from './exchange.ts';
import { sqlStateOf } from './sql-errors.ts';
import { toDriverQuery, type Sql } from './sql.ts';
import { takeConnection } from './take-connection.ts';
import { begin, commit } from './transactions.ts';

/**
 * A transaction that reads nothing: its statements travel with BEGIN and COMMIT in one message exchange. `commitSent` is called if the
 * outcome is unknown.
 */
export async function writeTogether(pool: pg.Pool, statements: readonly Sql[], commitSent?: () => void): Promise<void> {
  if (statements.length === 0) return;
  // Before a connection is taken: a value that cannot be converted fails here, and nothing is sent.
  const queries = [begin, ...statements.map(toDriverQuery), commit];
  const client = await takeConnection(pool);
  const { answers, error } = await exchange(client, queries);
  // After an error the transaction may be open: the pool closes the connection.
  client.release(error ?? undefined);
  if (error === null) return;
  // If the server rejected a statement, it skipped the COMMIT. Otherwise the outcome is unknown.
  const isRejected = sqlStateOf(error) !== null && answers.length <= statements.length;
  if (!isRejected) commitSent?.();
  throw error;
}
