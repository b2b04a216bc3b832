import type { Database, Transaction } from './database.ts';
import { sql } from './sql.ts';

/** Questions that must see the same moment: what is committed in between does not show. It only reads. */
export const atOneMoment = <Result>(database: Database, ask: (tx: Transaction) => Promise<Result>): Promise<Result> =>
  database.transaction(async (tx) => {
    await tx.run(sql`set transaction isolation level repeatable read, read only`);
    return ask(tx);
  });

/** The same for what also writes: where somebody else changed a row since that moment it fails, and is to be run again. */
export const repeatable = <Result>(database: Database, work: (tx: Transaction) => Promise<Result>): Promise<Result> =>
  database.transaction(async (tx) => {
    await tx.run(sql`set transaction isolation level repeatable read`);
    return work(tx);
  });
