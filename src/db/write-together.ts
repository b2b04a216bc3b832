import pg from 'pg';
import { sqlStateOf } from './sql-errors.ts';
import { toDriverQuery, type DriverQuery, type Sql } from './sql.ts';

/**
 * A transaction that reads nothing: its statements travel with BEGIN and COMMIT in one message exchange, which ends with one Sync. The
 * server answers once, and the driver handles one query. With a Sync per statement, a batch of 16 clicks took five answers, each with its
 * own system calls in both processes. `commitSent` is called if the outcome is unknown.
 */
export async function writeTogether(pool: pg.Pool, statements: readonly Sql[], commitSent?: () => void): Promise<void> {
  if (statements.length === 0) return;
  // Before a connection is taken: a value that cannot be encoded fails here, and nothing is sent.
  const exchange = new Exchange([begin, ...statements.map(toDriverQuery), commit]);
  const client = await pool.connect();
  const error = await exchange.send(client);
  // After an error it is not known which statements were prepared, and the transaction may be open: the pool closes the connection.
  client.release(error ?? undefined);
  if (error === null) return;
  // If the server rejected a statement, it skipped the COMMIT. Otherwise the outcome is unknown.
  const isRejected = sqlStateOf(error) !== null && exchange.completed <= statements.length;
  if (!isRejected) commitSent?.();
  throw error;
}

const begin: DriverQuery = { name: 'tributary_begin', text: 'begin', values: [] };
const commit: DriverQuery = { name: 'tributary_commit', text: 'commit', values: [] };

/** The driver's own query, and the statements that it has prepared on a connection: its types do not describe them. */
type QueryOfDriver = { submit: (connection: pg.Connection) => void; callback: (error: Error | null) => void };
const QueryOfDriver = pg.Query as unknown as new (config: { readonly text: string }) => QueryOfDriver;

class Exchange extends QueryOfDriver {
  readonly #queries: readonly DriverQuery[];
  /** How many statements the server has completed, with BEGIN and COMMIT. */
  completed = 0;

  constructor(queries: readonly DriverQuery[]) {
    super({ text: begin.text });
    this.#queries = queries;
  }

  /** Resolves with the error, or null after the COMMIT. */
  send(client: pg.PoolClient): Promise<Error | null> {
    return new Promise((resolve) => {
      this.callback = resolve;
      client.query(this);
    });
  }

  override submit = (connection: pg.Connection): void => {
    const { parsedStatements, stream } = connection as pg.Connection & { readonly parsedStatements: Record<string, string> };
    stream.cork();
    for (const { name = '', text, values } of this.#queries) {
      if (name === '' || parsedStatements[name] === undefined) connection.parse({ name, text, types: [] }, true);
      // Not prepared yet if a statement before it is rejected; then the connection is closed.
      if (name !== '') parsedStatements[name] = text;
      connection.bind({ statement: name, values: values.map(encoded) }, true);
      connection.execute(null, true);
    }
    connection.sync();
    stream.uncork();
  };

  handleCommandComplete(): void {
    this.completed += 1;
  }
}

/** What `toDriverQuery` leaves as it is. */
type Encodable = Buffer | string | number | bigint | boolean | null | undefined;

function encoded(value: unknown): Buffer | string | null {
  const given = value as Encodable;
  return given === null || given === undefined ? null : Buffer.isBuffer(given) ? given : String(given);
}
