import pg from 'pg';
import { columnsOf, noColumns, type Answer, type Columns } from './answers.ts';
import { MessageWriter, type Encodable } from './message-writer.ts';
import type { DriverQuery } from './sql.ts';

/** The answers to the statements before the first rejected one, whose error this is. */
export type Exchanged = { readonly answers: readonly Answer[]; readonly error: Error | null };

/**
 * Sends statements in one message exchange, which ends with one Sync: the server answers once, and skips what follows a rejected
 * statement. The driver sends a Sync with each statement, and both processes pay for a system call and for waking up at each answer.
 */
export function exchange(client: pg.PoolClient | pg.Client, queries: readonly DriverQuery[]): Promise<Exchanged> {
  const sent = new Exchange(queries);
  return new Promise((resolve) => {
    sent.callback = (error) => resolve({ answers: sent.answers, error });
    client.query(sent);
  });
}

/** The driver's own query. Its types do not describe what the client reads and calls. */
type QueryOfDriver = {
  submit: (connection: pg.Connection) => Error | null;
  callback: (error: Error | null) => void;
  /** The prepared statement that the server parses: the client notes when it is ready. */
  name: string | undefined;
  text: string;
};
const QueryOfDriver = pg.Query as unknown as new (text: string) => QueryOfDriver;

type Texts = Record<string, string | undefined>;
type Connection = pg.Connection & { readonly parsedStatements: Texts; readonly submittedNamedStatements: Texts };

/** The columns of a prepared statement never change, so the server describes them once for each connection. */
const describedOn = new WeakMap<pg.Connection, Map<string, Columns>>();

const writer = new MessageWriter();

class Exchange extends QueryOfDriver {
  #queries: readonly DriverQuery[];
  readonly answers: Answer[] = [];
  readonly #submitted: string[] = [];
  #described = new Map<string, Columns>();
  #columns: Columns | undefined;
  #rows: Array<Answer['rows'][number]> = [];

  constructor(queries: readonly DriverQuery[]) {
    super('');
    this.#queries = queries;
    this.#awaitNext();
  }

  /** Returns an error, and sends nothing, if a statement cannot be encoded. */
  override submit = (connection: pg.Connection): Error | null => {
    this.#described = describedOn.get(connection) ?? new Map<string, Columns>();
    describedOn.set(connection, this.#described);
    try {
      for (const query of this.#queries) this.#write(query, connection as Connection);
      writer.sync();
    } catch (error) {
      writer.discard();
      return error instanceof Error ? error : new Error(String(error));
    }
    connection.stream.write(writer.take());
    return null;
  };

  #write({ name = '', text, values }: DriverQuery, { parsedStatements, submittedNamedStatements }: Connection): void {
    const isParsed = name !== '' && (parsedStatements[name] ?? submittedNamedStatements[name]) !== undefined;
    if (!isParsed) writer.parse(name, text);
    if (!isParsed && name !== '') {
      submittedNamedStatements[name] = text;
      this.#submitted.push(name);
    }
    writer.bind(name, values as Encodable[]);
    if (!this.#described.has(name)) writer.describePortal();
    writer.execute();
  }

  handleRowDescription({ fields }: { readonly fields: Parameters<typeof columnsOf>[0] }): void {
    this.#columns = columnsOf(fields);
  }

  handleDataRow({ fields }: { readonly fields: Answer['rows'][number] }): void {
    this.#rows.push(fields);
  }

  handleCommandComplete({ text }: { readonly text: string }): void {
    const columns = this.#columns ?? this.#described.get(this.name ?? '') ?? noColumns;
    if (this.name !== undefined) this.#described.set(this.name, columns);
    this.answers.push({ columns, rows: this.#rows, rowCount: Number(/\d+$/.exec(text)?.[0] ?? 0) });
    this.#awaitNext();
  }

  /** A statement without text has an answer as well, or later statements would have those of others. */
  handleEmptyQuery(): void {
    this.handleCommandComplete({ text: '' });
  }

  handleReadyForQuery(): void {
    this.#end(null);
  }

  /** After an error the server skips the other statements, and has not parsed them. */
  handleError(error: Error, connection: pg.Connection): void {
    const { submittedNamedStatements } = connection as Connection;
    for (const name of this.#submitted) delete submittedNamedStatements[name];
    this.#end(error);
  }

  /** Forgets the parameters, because an answered exchange may live until the next full garbage collection (docs/decisions/0173). */
  #end(error: Error | null): void {
    this.#queries = [];
    this.callback(error);
  }

  #awaitNext(): void {
    const next = this.#queries[this.answers.length];
    this.name = next?.name;
    this.text = next?.text ?? '';
    this.#columns = undefined;
    this.#rows = [];
  }
}
