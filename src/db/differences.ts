import type { Difference } from './check.ts';
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
