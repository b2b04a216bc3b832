import type { Database, Transaction } from './database.ts';
import { sql } from './sql.ts';

/** Runs read-only queries in one snapshot: concurrent commits are not visible. */
export const inReadSnapshot = <Result>(database: Database, read: (tx: Transaction) => Promise<Result>): Promise<Result> =>
  database.transaction(async (tx) => {
    await tx.run(sql`set transaction isolation level repeatable read, read only`);
    return read(tx);
  });

/** Runs queries and writes in one snapshot. Fails if another transaction changed a row since then; the caller retries. */
export const inRepeatableRead = <Result>(database: Database, work: (tx: Transaction) => Promise<Result>): Promise<Result> =>
  database.transaction(async (tx) => {
    await tx.run(sql`set transaction isolation level repeatable read`);
    return work(tx);
  });
