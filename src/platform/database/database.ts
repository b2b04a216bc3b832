import pg from 'pg';
import { must } from '../must.ts';
import { endInTime, endOf } from './end-pool.ts';
import { keptAlive, keptAliveByServer } from './kept-alive.ts';
import { primaryOf, type Primary } from './primary.ts';
import { sqlStateOf } from './sql-errors.ts';
import { sql, written, type Sql } from './sql.ts';
import { parseExactly } from '../http/json.ts';

/**
 * What a question to the database may be asked of: the pool, or a transaction. Rows come with their columns in camel
 * case (`store_id` is `storeId`), `int8` as bigint, `timestamptz` as Date.
 */
export type Queryable = {
  readonly all: <Row>(query: Sql) => Promise<Row[]>;
  /** The row, or null where there is none. More than one is our mistake. */
  readonly find: <Row>(query: Sql) => Promise<Row | null>;
  /** The row that must be there. */
  readonly one: <Row>(query: Sql) => Promise<Row>;
  /** How many rows were touched. */
  readonly run: (query: Sql) => Promise<number>;
};

/** A function that takes this cannot be called outside of a transaction by mistake. */
export type Transaction = Queryable & { readonly isTransaction: true };

/** For who was given either: an operation of the management API that changes something runs in a transaction. */
export const isTransaction = (db: Queryable): db is Transaction => 'isTransaction' in db;

export type Database = Queryable & {
  /** `commitSent` is called as the last thing before COMMIT goes out: from then on a failure leaves the outcome open. */
  readonly transaction: <Result>(work: (tx: Transaction) => Promise<Result>, commitSent?: () => void) => Promise<Result>;
  /**
   * For work that asks all at once and reads nothing back: it travels with its COMMIT, and waits once instead of twice.
   * `commitSent` is called where the outcome is open.
   */
  readonly writeInOneGo: (work: (tx: Transaction) => Promise<unknown>, commitSent?: () => void) => Promise<void>;
  /** For what cannot go through shared connections: listening, migrations, copies, locks that are waited for. The caller ends it. */
  readonly connect: (patience: 'bounded' | 'unbounded') => Promise<pg.Client>;
  /**
   * On a connection of its own that no time-out ends, all questions of one moment: for those that nobody waits for, such as an
   * auditor's. Nothing can be written in it.
   */
  readonly ofOneMoment: <Result>(ask: (db: Queryable, attempt: Attempt) => Promise<Result>) => Promise<Result>;
  readonly pool: pg.Pool;
  /** Whether its tables are spread over machines: looked at once when the service starts. */
  readonly layout: { isDistributed: boolean };
  readonly end: () => Promise<void>;
};

/** A frozen server hangs a client that has only some of these: each layer has its own. */
export type TimeOuts = {
  readonly connectMs: number;
  readonly statementMs: number;
  readonly lockMs: number;
  readonly idleInTransactionMs: number;
};
export const webTimeOuts: TimeOuts = { connectMs: 2_000, statementMs: 4_000, lockMs: 3_000, idleInTransactionMs: 5_000 };
export const nightTimeOuts: TimeOuts = { connectMs: 5_000, statementMs: 60_000, lockMs: 10_000, idleInTransactionMs: 60_000 };
const unbounded = { query_timeout: 0, statement_timeout: 0, lock_timeout: 0, idle_in_transaction_session_timeout: 0 };
/** The server's own limit comes first; the client's is for a server that does not answer at all. */
const clientGraceMs = 500;

export type DatabaseOptions = {
  readonly url: string;
  readonly name: string;
  readonly connectionsMax: number;
  readonly timeOuts: TimeOuts;
  /**
   * What its connections are asked is found by keys. Else a plan that was made, and kept, while a table had sixty rows may read that
   * table from its first to its last row until the server looks at it again, however many there are by then.
   */
  readonly findsByKeys?: boolean;
  readonly onIdleError: (error: Error) => void;
};

/** Servers before 18 think so much of a scan that cannot be avoided that they would compile the smallest question. */
const byKeys = '-c enable_seqscan=off -c jit=off';

type Opened = DatabaseOptions & { readonly primary: Primary };

export function openDatabase(given: DatabaseOptions): Database {
  const options: Opened = { ...given, primary: primaryOf(given.url) };
  const pool = new pg.Pool({
    ...clientOptions(options, given.findsByKeys === true ? byKeys : ''),
    Client: options.primary.Client,
    max: options.connectionsMax,
    idleTimeoutMillis: 60_000,
    maxLifetimeSeconds: 1_800,
  });
  const end = endOf(pool);
  // Without a listener a connection that breaks while idle would end the process.
  pool.on('error', options.onIdleError);
  return {
    ...asking((query) => pool.query(inArrays(query))),
    transaction: (work, commitSent) => inTransaction(pool, work, commitSent),
    writeInOneGo: (work, commitSent) => writeInOneGo(pool, work, commitSent),
    connect: async (patience) => {
      // Without the pipeline, in which rows cannot be copied.
      const settings = { ...clientOptions(options), pipeline: false, ...(patience === 'unbounded' ? unbounded : {}) };
      const client = new options.primary.Client(settings);
      client.on('error', options.onIdleError);
      await client.connect();
      return client;
    },
    ofOneMoment: (ask) => ofOneMoment(options, ask),
    pool,
    layout: { isDistributed: false },
    end,
  };
}

/** Work that may fail, after which the same transaction can go on. */
export type Attempt = <Result>(work: () => Promise<Result>) => Promise<Result>;

const attemptIn =
  (client: pg.Client): Attempt =>
  async (work) => {
    await client.query('savepoint attempt');
    try {
      const result = await work();
      await client.query('release savepoint attempt');
      return result;
    } catch (error) {
      await client.query('rollback to savepoint attempt');
      throw error;
    }
  };

async function ofOneMoment<Result>(options: Opened, ask: (db: Queryable, attempt: Attempt) => Promise<Result>): Promise<Result> {
  const client = new options.primary.Client({ ...clientOptions(options), ...unbounded });
  client.on('error', options.onIdleError);
  await client.connect();
  try {
    await client.query('begin transaction isolation level repeatable read, read only');
    return await ask(
      asking((query) => client.query(inArrays(query))),
      attemptIn(client),
    );
  } finally {
    await endInTime(client);
  }
}

function clientOptions({ name, timeOuts, primary }: Opened, planning = ''): pg.ClientConfig {
  return {
    connectionString: primary.connectionString,
    application_name: `tributary ${name}`,
    connectionTimeoutMillis: timeOuts.connectMs,
    query_timeout: timeOuts.statementMs + clientGraceMs,
    statement_timeout: timeOuts.statementMs,
    lock_timeout: timeOuts.lockMs,
    idle_in_transaction_session_timeout: timeOuts.idleInTransactionMs,
    ...keptAlive,
    types: { getTypeParser },
    // Questions asked together (`Promise.all`) travel together and are answered in their order: a batch waits for a few
    // round trips instead of one per statement. What is asked one after the other goes as it always did.
    pipeline: true,
    options: `-c timezone=UTC -c default_transaction_isolation=read\\ committed ${keptAliveByServer} ${planning}`,
  };
}

const readOnly = '25006';

/** READ COMMITTED, which each connection is opened with: rows are locked where it matters, and unique keys are the arbiter. */
function inTransaction<Result>(pool: pg.Pool, work: (tx: Transaction) => Promise<Result>, commitSent?: () => void): Promise<Result> {
  return onClient(pool, async (client) => {
    // Not waited for: it travels with the first questions. Where it fails, so do they, for the connection is gone.
    sendTogether(client);
    const begun = client.query('begin');
    begun.catch(() => {});
    const ask: Ask = (query) => {
      sendTogether(client);
      return client.query(inArrays(query));
    };
    const result = await work({ ...asking(ask), isTransaction: true });
    await begun;
    commitSent?.();
    await client.query('commit');
    return result;
  });
}

function writeInOneGo(pool: pg.Pool, work: (tx: Transaction) => Promise<unknown>, commitSent?: () => void): Promise<void> {
  return onClient(pool, async (client) => {
    sendTogether(client);
    const asked: Promise<pg.QueryArrayResult>[] = [];
    let unwritten = 0;
    const ask: Ask = (query) => {
      must(!isComplete, 'what is written in one go is asked before anything is waited for');
      unwritten += 1;
      const answer = client.query(inArrays(query));
      unwritten -= 1;
      asked.push(answer);
      return answer;
    };
    let isComplete = false;
    const begun = client.query('begin');
    const worked = work({ ...asking(ask), isTransaction: true });
    isComplete = true;
    const before = [begun, ...asked];
    // A question with a value that cannot be written was not asked: what the others wrote would be a part of the whole.
    const isWhole = unwritten === 0;
    const ends = await Promise.allSettled([...before, client.query(isWhole ? 'commit' : 'rollback'), worked]);
    const failures = ends.map((end): unknown => (end.status === 'rejected' ? end.reason : null));
    const first = failures.find((failure) => failure !== null);
    if (first === undefined) return;
    // What the server refused before its COMMIT made that a rollback. Else nobody can know how it ended.
    const isRefused = failures.slice(0, before.length).some((failure) => sqlStateOf(failure) !== null);
    if (isWhole && !isRefused) commitSent?.();
    throw first;
  });
}

/** However its work ends, the connection that the pool has back is well, or thrown away. */
async function onClient<Result>(pool: pg.Pool, work: (client: pg.PoolClient) => Promise<Result>): Promise<Result> {
  const client = await pool.connect();
  let broken: Error | undefined;
  try {
    return await work(client);
  } catch (error) {
    // A server that has become a standby stays one: its connection is given back as broken, and the next one asks again.
    if (sqlStateOf(error) === readOnly && error instanceof Error) broken = error;
    // A connection that cannot even roll back is thrown away: the pool must never hand out an open transaction.
    await client.query('rollback').catch((failure: unknown) => (broken = failure instanceof Error ? failure : new Error(String(failure))));
    throw error;
  } finally {
    client.release(broken);
  }
}

/** What is asked in one turn goes out in one piece: the driver would write to the network for each question. */
function sendTogether({ connection }: pg.PoolClient): void {
  const { stream } = connection;
  stream.cork();
  process.nextTick(() => stream.uncork());
}

/** Rows come as lists of values: their names are read once per answer. */
const inArrays = (query: Sql): pg.QueryArrayConfig => ({ ...written(query), rowMode: 'array' });

type Ask = (query: Sql) => Promise<pg.QueryArrayResult>;

function asking(ask: Ask): Queryable {
  const rowsOf = async <Row>(query: Sql): Promise<Row[]> => {
    return named<Row>(await ask(query));
  };
  return {
    all: rowsOf,
    find: async <Row>(query: Sql) => {
      const rows = await rowsOf<Row>(query);
      must(rows.length <= 1, 'a question for one row found several');
      return rows[0] ?? null;
    },
    one: async <Row>(query: Sql) => {
      const [row, ...others] = await rowsOf<Row>(query);
      must(row !== undefined && others.length === 0, 'a question for exactly one row found none or several');
      return row;
    },
    run: async (query) => (await ask(query)).rowCount ?? 0,
  };
}

/** The names are turned into camel case once per answer, not once per row. */
function named<Row>(result: pg.QueryArrayResult): Row[] {
  const names = result.fields.map(({ name }) => name.replace(/_([a-z0-9])/g, (_all, letter: string) => letter.toUpperCase()));
  return result.rows.map((values) => Object.fromEntries(names.map((name, place) => [name, values[place]])) as Row);
}

const int8 = 20;
const int8Array = 1016;
const numeric = 1700;
const date = 1082;
const json = 114;
const jsonb = 3802;

/** `int8` and whole `numeric` (sums of `int8`) become bigint once, here, as do numbers above 2^53 in JSON; a `date` stays text. */
function getTypeParser(oid: number, format?: 'text' | 'binary') {
  if (oid === int8 || oid === numeric) return (text: string) => BigInt(text);
  if (oid === int8Array) return (text: string) => (text === '{}' ? [] : text.slice(1, -1).split(',').map(BigInt));
  if (oid === date) return (text: string) => text;
  if (oid === json || oid === jsonb) return parseExactly;
  return format === 'binary' ? pg.types.getTypeParser(oid, 'binary') : pg.types.getTypeParser(oid, 'text');
}

export const isReachable = async (database: Queryable): Promise<boolean> =>
  database.one(sql`select 1 as one`).then(
    () => true,
    () => false,
  );
