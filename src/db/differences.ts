import type { Check, Difference } from './check.ts';
import type { Queryable } from './database.ts';
import { sql, type Sql } from './sql.ts';

/** More are not reported: so many differences have one cause. */
export const differencesMax = 200;

/**
 * Returns the first differences that a query finds, usually none. Without `materialized`, a limit makes the planner optimize for
 * the first rows: over 245,000 orders of a few stores one check was still running after a quarter of an hour.
 */
export const findDifferences = (db: Queryable, question: Sql): Promise<readonly Difference[]> =>
  db.all<Difference>(sql`with found as materialized (${question}) select * from found limit ${differencesMax}`);

/** Counts the rows of a table, for a check that reads all of them. */
export const rowsOf =
  (table: Sql): Check['rows'] =>
  async (db) =>
    (await db.one<{ rows: bigint }>(sql`select count(*) as rows from ${table}`)).rows;
