import pg from 'pg';
import { invariant } from '../core/invariant.ts';
import { getTypeParser, toRows, type Answer } from './answers.ts';
import { createPoolCloser } from './close-pool.ts';
import { isClientTimeout } from './sql-errors.ts';
import { exchange } from './exchange.ts';
import { keepAliveOptions, serverKeepAliveOptions } from './keep-alive.ts';
import { createPrimary, type Primary } from './primary.ts';
import { sql, toDriverQuery, type DriverQuery, type Sql } from './sql.ts';
import { takeConnection } from './take-connection.ts';
import { runInTransaction, type RunQuery } from './transactions.ts';
import { writeTogether } from './write-together.ts';

/**
 * Runs queries, on the pool or in a transaction. Columns are returned in camel case (`store_id` is `storeId`), `int8` as bigint,
 * `timestamptz` as Date.
 */
export type Queryable = {
  readonly all: <Row>(query: Sql) => Promise<Row[]>;
  /** Returns the row, or null if there is none. More than one row is a bug. */
  readonly find: <Row>(query: Sql) => Promise<Row | null>;
  /** Returns the only row; it must exist. */
  readonly one: <Row>(query: Sql) => Promise<Row>;
  /** Returns the number of affected rows. */
  readonly run: (query: Sql) => Promise<number>;
};

/** A function with this parameter cannot be called outside a transaction by mistake. */
export type Transaction = Queryable & { readonly isTransaction: true };

/** Narrows a Queryable: a management API operation that changes data runs in a transaction. */
export const isTransaction = (db: Queryable): db is Transaction => 'isTransaction' in db;

export type Database = Queryable & {
  /** `commitSent` is called right before COMMIT is sent: a later failure leaves the outcome unknown. */
  readonly transaction: <Result>(work: (tx: Transaction) => Promise<Result>, commitSent?: () => void) => Promise<Result>;
  /** A transaction of statements that read nothing back, in one round trip. `commitSent` is called if the outcome is unknown. */
  readonly writeTogether: (statements: readonly Sql[], commitSent?: () => void) => Promise<void>;
  /** For what cannot use a pooled connection: LISTEN, migrations, COPY, waiting for locks. The caller ends the connection. */
  readonly connect: (timeouts: 'bounded' | 'unbounded') => Promise<pg.Client>;
  /** For a lock that outlives a transaction: a connection without timeouts. The caller releases it without a lock. */
  readonly connectForLock: () => Promise<pg.PoolClient>;
  /** Runs read-only queries in one snapshot, on a connection without timeouts, for long reads such as an audit. */
  readonly readSnapshot: <Result>(runQuery: (db: Queryable, attempt: Attempt) => Promise<Result>) => Promise<Result>;
  readonly pool: pg.Pool;
  readonly end: () => Promise<void>;
};

/** A frozen server blocks a client that has only some of these timeouts, so each layer has its own. */
export type Timeouts = {
  readonly connectMs: number;
  readonly statementMs: number;
  readonly lockMs: number;
  readonly idleInTransactionMs: number;
};
export const webTimeouts: Timeouts = { connectMs: 2_000, statementMs: 4_000, lockMs: 3_000, idleInTransactionMs: 5_000 };
export const jobTimeouts: Timeouts = { connectMs: 5_000, statementMs: 60_000, lockMs: 10_000, idleInTransactionMs: 60_000 };
const unbounded = { query_timeout: 0, statement_timeout: 0, lock_timeout: 0, idle_in_transaction_session_timeout: 0 };
/** The server's timeout fires first; the client's is for a server that does not respond at all. */
const clientGraceMs = 500;

export type DatabaseOptions = {
  readonly url: string;
  readonly name: string;
  readonly connectionsMax: number;
  readonly timeouts: Timeouts;
  /**
   * All queries on these connections find rows by key. Without this option, a cached plan from when a table had sixty rows may scan
   * the whole table until the next ANALYZE, however large it has become.
   */
  readonly preferIndexes?: boolean;
  readonly onIdleError: (error: Error) => void;
};

/** Servers before 18 assign such a high cost to an unavoidable sequential scan that they would JIT-compile the smallest query. */
const indexOptions = '-c enable_seqscan=off -c jit=off';

/** Longer than the minute between two runs of the queue's tasks, so that an idle service opens no connections. */
export const idleMs = 150_000;
/** Connections for locks and snapshots. No limit in practice: a task or a request that holds a lock may need a second one. */
const unlimitedConnectionsMax = 64;

type ConnectionOptions = DatabaseOptions & { readonly primary: Primary };

export function openDatabase(databaseOptions: DatabaseOptions): Database {
  const options: ConnectionOptions = { ...databaseOptions, primary: createPrimary(databaseOptions.url) };
  const pool = new pg.Pool({
    ...clientOptions(options, databaseOptions.preferIndexes === true ? indexOptions : ''),
    Client: options.primary.Client,
    max: options.connectionsMax,
    idleTimeoutMillis: idleMs,
    maxLifetimeSeconds: 1_800,
  });
  const unlimited = new pg.Pool({
    ...clientOptions(options),
    ...unbounded,
    Client: options.primary.Client,
    max: unlimitedConnectionsMax,
    idleTimeoutMillis: idleMs,
    maxLifetimeSeconds: 300,
  });
  const ends = [pool, unlimited].map(createPoolCloser);
  // Without a listener, an idle connection that breaks would end the process.
  for (const each of [pool, unlimited]) each.on('error', options.onIdleError);
  return {
    ...createQueryable(async (query) => runOnPool(pool, toDriverQuery(query))),
    transaction: (work, commitSent) =>
      runInTransaction(pool, (runQuery) => work({ ...createQueryable(runQuery), isTransaction: true }), commitSent),
    writeTogether: (statements, commitSent) => writeTogether(pool, statements, commitSent),
    connect: async (timeouts) => {
      // Without pipelining, because COPY does not support it.
      const settings = { ...clientOptions(options), pipeline: false, ...(timeouts === 'unbounded' ? unbounded : {}) };
      const client = new options.primary.Client(settings);
      client.on('error', options.onIdleError);
      await client.connect();
      return client;
    },
    readSnapshot: (read) => readSnapshot(unlimited, read),
    connectForLock: () => takeConnection(unlimited),
    pool,
    end: async () => void (await Promise.all(ends.map((end) => end()))),
  };
}

/** Runs work that may fail without aborting the transaction. */
export type Attempt = <Result>(work: () => Promise<Result>) => Promise<Result>;

/** The savepoint is sent with the first query. It is not released: the next one of this name hides it, and `commit` removes all. */
const attemptIn =
  (client: pg.PoolClient): Attempt =>
  async (work) => {
    try {
      const [, result] = await Promise.all([client.query('savepoint attempt'), work()]);
      return result;
    } catch (error) {
      await client.query('rollback to savepoint attempt');
      throw error;
    }
  };

/** Uses a pooled connection: on a new one, PostgreSQL would plan each query of a verification with empty catalog caches. */
async function readSnapshot<Result>(unlimited: pg.Pool, runQuery: (db: Queryable, attempt: Attempt) => Promise<Result>): Promise<Result> {
  const client = await takeConnection(unlimited);
  let broken = true;
  try {
    await client.query('begin transaction isolation level repeatable read, read only');
    const result = await runQuery(
      createQueryable(async (query) => runOn(client, toDriverQuery(query))),
      attemptIn(client),
    );
    await client.query('commit');
    broken = false;
    return result;
  } finally {
    client.release(broken);
  }
}

function clientOptions({ name, timeouts: timeOuts, primary }: ConnectionOptions, planning = ''): pg.ClientConfig {
  return {
    connectionString: primary.connectionString,
    application_name: `tributary ${name}`,
    connectionTimeoutMillis: timeOuts.connectMs,
    query_timeout: timeOuts.statementMs + clientGraceMs,
    statement_timeout: timeOuts.statementMs,
    lock_timeout: timeOuts.lockMs,
    idle_in_transaction_session_timeout: timeOuts.idleInTransactionMs,
    ...keepAliveOptions,
    types: { getTypeParser },
    // Queries that are issued together (`Promise.all`) are sent together and answered in order: a batch waits for a few round trips
    // instead of one per statement. Sequential queries behave as usual.
    pipeline: true,
    options: `-c timezone=UTC -c default_transaction_isolation=read\\ committed ${clusterOptions} ${serverKeepAliveOptions} ${planning}`,
  };
}

/**
 * A statement over several shards uses one connection to each node, as Citus requires in a transaction that also deletes rows to which
 * foreign keys refer. A server without Citus ignores it.
 */
const clusterOptions = '-c citus.multi_shard_modify_mode=sequential';

/** Runs one statement outside a transaction. */
async function runOn(client: pg.PoolClient | pg.Client, query: DriverQuery): Promise<Answer> {
  const { answers, error } = await exchange(client, [query]);
  if (error !== null) throw error;
  const [answer] = answers;
  invariant(answer, 'a statement that did not fail has an answer');
  return answer;
}

async function runOnPool(pool: pg.Pool, query: DriverQuery): Promise<Answer> {
  const client = await takeConnection(pool);
  let broken = true;
  try {
    const answer = await runOn(client, query);
    broken = false;
    return answer;
  } finally {
    client.release(broken);
  }
}

function createQueryable(runQuery: RunQuery): Queryable {
  const answerTo: RunQuery = async (query) => {
    try {
      return await runQuery(query);
    } catch (error) {
      // The stack of the driver's error begins at the socket.
      if (error instanceof Error) Error.captureStackTrace(error);
      throw error;
    }
  };
  const rowsOf = async <Row>(query: Sql): Promise<Row[]> => toRows<Row>(await answerTo(query));
  return {
    all: rowsOf,
    find: async <Row>(query: Sql) => {
      const rows = await rowsOf<Row>(query);
      invariant(rows.length <= 1, 'a query for at most one row found several');
      return rows[0] ?? null;
    },
    one: async <Row>(query: Sql) => {
      const [row, ...others] = await rowsOf<Row>(query);
      invariant(row !== undefined && others.length === 0, 'a query for exactly one row found none or several');
      return row;
    },
    run: async (query) => (await answerTo(query)).rowCount,
  };
}

/** Rejects if the database does not answer. */
export const ping = (database: Queryable): Promise<unknown> => database.one(sql`select 1 as one`);

const firstAnswerAttempts = 5;

/**
 * Waits for the first connection when a service starts: a busy server may take longer to accept one than a request may wait. A server that
 * refuses connections is not tried again.
 */
export async function firstAnswer(database: Queryable): Promise<void> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      await ping(database);
      return;
    } catch (error) {
      if (attempt === firstAnswerAttempts || !isClientTimeout(error)) throw error;
    }
  }
}

export const isReachable = async (database: Queryable): Promise<boolean> =>
  ping(database).then(
    () => true,
    () => false,
  );
