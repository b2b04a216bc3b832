import type pg from 'pg';
import type { Answer } from './answers.ts';
import { exchange } from './exchange.ts';
import { sqlStateOf } from './sql-errors.ts';
import { toDriverQuery, type DriverQuery, type Sql } from './sql.ts';

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
  const client = await pool.connect();
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

function openStatements(client: pg.PoolClient) {
  let waiting: Waiting[] = [];
  let isBegun = false;
  let isOver = false;

  function put(query: DriverQuery): Promise<Answer> {
    if (waiting.length === 0) process.nextTick(send);
    return new Promise((resolve, reject) => void waiting.push({ query, resolve, reject }));
  }
  async function send(): Promise<void> {
    if (waiting.length === 0) return;
    const sent = waiting;
    waiting = [];
    const opening = isBegun ? [] : [begin];
    isBegun = true;
    const { answers, error } = await exchange(client, [...opening, ...sent.map(({ query }) => query)]);
    const ofSent = answers.slice(opening.length);
    for (const [place, { resolve, reject }] of sent.entries()) {
      const answer = ofSent[place];
      if (answer) resolve(answer);
      else reject(error === null || (place > ofSent.length && sqlStateOf(error) !== null) ? skipped() : error);
    }
  }
  return {
    async run(query: Sql): Promise<Answer> {
      if (isOver) throw new Error('a statement was run after the end of its transaction');
      return put(toDriverQuery(query));
    },
    /** A transaction without a statement was never begun. */
    async commit(commitSent: (() => void) | undefined): Promise<void> {
      isOver = true;
      if (!isBegun && waiting.length === 0) return;
      commitSent?.();
      await put(commit);
    },
    async rollback(): Promise<void> {
      isOver = true;
      for (const { reject } of waiting.splice(0)) reject(skipped());
      if (isBegun) await client.query('rollback');
    },
  };
}

/** What the server answers to a statement after a rejected one. */
const skipped = (): Error => Object.assign(new Error('the transaction is aborted: a statement before this one failed'), { code: '25P02' });
