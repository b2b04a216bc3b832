import type pg from 'pg';
import type { Answer } from './answers.ts';
import { exchange } from './exchange.ts';
import { sqlStateOf } from './sql-errors.ts';
import { toDriverQuery, type DriverQuery, type Sql } from './sql.ts';
import { takeConnection } from './take-connection.ts';

export type RunQuery = (query: Sql) => Promise<Answer>;

export const begin: DriverQuery = { name: 'tributary_begin', text: 'begin', values: [] };
export const commit: DriverQuery = { name: 'tributary_commit', text: 'commit', values: [] };

/**
 * Statements that are run in one tick of the event loop travel together, and BEGIN with the first of them. Every connection defaults to
 * READ COMMITTED: the code locks rows where it matters, and unique keys arbitrate between writers.
 */
export async function runInTransaction<Result>(
  pool: pg.Pool,
  work: (run: RunQuery) => Promise<Result>,
  commitSent?: () => void,
): Promise<Result> {
  const client = await takeConnection(pool);
  const statements = openStatements(client);
  let broken: Error | undefined;
  try {
    const result = await work(statements.run);
    await statements.commit(commitSent);
    return result;
  } catch (error) {
    // A server that has become a standby stays one: the connection is destroyed, and a new one finds the primary.
    if (sqlStateOf(error) === readOnly && error instanceof Error) broken = error;
    // A connection that cannot roll back is destroyed: the pool must never hand out an open transaction.
    await statements.rollback().catch((failure: unknown) => (broken = failure instanceof Error ? failure : new Error(String(failure))));
    throw error;
  } finally {
    client.release(broken);
  }
}

const readOnly = '25006';

type Waiting = { readonly query: DriverQuery; readonly resolve: (answer: Answer) => void; readonly reject: (error: Error) => void };

/**
 * The first error is that of the transaction, because the server skips or rejects whatever follows it: all later statements have it, and so
 * has the COMMIT. Otherwise the answer that is awaited first would decide whether a batch is retried.
 */
function openStatements(client: pg.PoolClient) {
  let waiting: Waiting[] = [];
  let isBegun = false;
  let isOver = false;
  let failure: Error | null = null;

  function put(query: DriverQuery): Promise<Answer> {
    if (waiting.length === 0) process.nextTick(send);
    return new Promise((resolve, reject) => void waiting.push({ query, resolve, reject }));
  }
  async function send(): Promise<void> {
    // A rollback came first.
    if (waiting.length === 0) return;
    const sent = waiting;
    waiting = [];
    const opening = isBegun ? [] : [begin];
    isBegun = true;
    const { answers, error } = await exchange(client, [...opening, ...sent.map(({ query }) => query)]);
    const answersToSent = failure === null ? answers.slice(opening.length) : [];
    failure ??= error;
    for (const [place, { resolve, reject }] of sent.entries()) {
      const answer = answersToSent[place];
      if (answer) resolve(answer);
      else reject(failure ?? new Error('a statement has no answer'));
    }
  }
  return {
    async run(query: Sql): Promise<Answer> {
      if (failure !== null) throw failure;
      if (isOver) throw new Error('a statement was run after the end of its transaction');
      return put(toDriverQuery(query));
    },
    /** A transaction without a statement was never begun. */
    async commit(commitSent: (() => void) | undefined): Promise<void> {
      isOver = true;
      if (failure !== null) throw failure;
      if (!isBegun && waiting.length === 0) return;
      commitSent?.();
      await put(commit);
    },
    /** Statements that were not sent have no result: the work that could wait for it has ended. */
    async rollback(): Promise<void> {
      isOver = true;
      waiting = [];
      if (isBegun) await client.query('rollback');
    },
  };
}
