import { Logger, type RequestContextService, type TransactionalConnection, type ID, type RequestContext } from '@vendure/core';
import { createConnection, messageOf, type Connection, type ConnectionOptions, type Sql } from '@tributary/node/plugin-connection';
import { createReportQueue } from '@tributary/node/plugin-reports';
import type { Queue } from '@tributary/node/queue';

/** The options of `TributaryPlugin.init`. */
export type TributaryOptions = ConnectionOptions & {
  /**
   * Creates a promotion with this discount for each discount code of a creator that has none. `value` is a percentage, or an amount in the
   * smallest unit of the currency.
   */
  readonly codeDiscount?: { readonly type: 'percentage' | 'fixed'; readonly value: number };
  /** Reports orders without a click and a code too, for programs that count returning customers. */
  readonly everyOrder?: boolean;
};

export const logContext = 'Tributary';
const centDigits = 2;

/** The queue of reports, and the connection to the store at the service. */
export class Tributary {
  readonly options: TributaryOptions;
  readonly database: TransactionalConnection;
  readonly sql: Sql;
  readonly connection: Connection;
  readonly queue: Queue;
  readonly #contexts: RequestContextService;
  #codesAt = 0;

  constructor(database: TransactionalConnection, contexts: RequestContextService, options: TributaryOptions) {
    this.options = options;
    this.database = database;
    this.#contexts = contexts;
    this.sql = sqlOf(database);
    this.connection = createConnection(this.sql, options);
    this.queue = createReportQueue(this.sql, this.connection, logError);
  }

  /** What is wrong with the configuration, or null. */
  problem(precision: number | undefined): string | null {
    const { type } = this.database.rawConnection.options;
    if (type !== 'postgres') return `The database is ${type}: the plugin needs PostgreSQL.`;
    if (precision !== undefined && precision !== centDigits) return 'The money strategy does not count cents.';
    return this.connection.problem();
  }

  /** Of the default channel: no person asks. */
  context(): Promise<RequestContext> {
    return this.#contexts.create({ apiType: 'admin' });
  }

  areCodesOld(ageMsMax: number): boolean {
    return Date.now() - this.#codesAt > ageMsMax;
  }

  noteCodes(): void {
    this.#codesAt = Date.now();
  }
}

export const logError = (error: unknown): void => Logger.error(messageOf(error), logContext);

export const textOf = (id: ID | null | undefined): string | null => (id === null || id === undefined ? null : String(id));

/** The statements have `?` for their values, and name the tables without the schema of the project. */
export function sqlOf({ rawConnection }: Pick<TransactionalConnection, 'rawConnection'>): Sql {
  const schema = 'schema' in rawConnection.options ? rawConnection.options.schema : undefined;
  const place = schema === undefined ? '' : `"${schema}".`;
  return async (text, values) => {
    let count = 0;
    const marked = text.replace(/\?/g, () => `$${(count += 1)}`);
    const placed = marked.replace(/\btributary_(?:connection|report|code)\b(?!\.)/g, (table) => `${place}${table}`);
    const result: unknown = await rawConnection.query(placed, [...values]);
    return rowsOf(result);
  };
}

/** TypeORM returns the rows of an update together with their number. */
function rowsOf(result: unknown): readonly Record<string, unknown>[] {
  const rows: unknown = Array.isArray(result) && Array.isArray(result[0]) ? result[0] : result;
  return Array.isArray(rows) ? rows : [];
}
