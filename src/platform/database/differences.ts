import type { Difference } from '../verify.ts';
import type { Queryable } from './database.ts';
import { sql, type Sql } from './sql.ts';

/** More are not told: where there are so many, it is one mistake. */
const differencesMax = 200;

/**
 * The first differences that a question finds, which are usually none. Planned for the first few of many, the server looks row by row
 * for them, by whatever begins fastest: over 245,000 orders of a few stores one check was still at work after a quarter of an hour.
 */
export const differencesOf = (db: Queryable, question: Sql): Promise<readonly Difference[]> =>
  db.all<Difference>(sql`with found as materialized (${question}) select * from found limit ${differencesMax}`);
