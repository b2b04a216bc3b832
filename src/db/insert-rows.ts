import type { Queryable } from './database.ts';
import type { Sql } from './sql.ts';

/** Runs the statements of an `inserting` template, which are sent together. Returns the number of rows written. */
export async function insertRows(db: Pick<Queryable, 'run'>, statements: readonly Sql[]): Promise<number> {
  const counts = await Promise.all(statements.map((statement) => db.run(statement)));
  return counts.reduce((sum, count) => sum + count, 0);
}

/** Sorted by their unique key, so that two transactions that insert or update some of the same rows cannot deadlock. */
export const sortedByKey = <Row>(rows: readonly Row[], keyOf: (row: Row) => string): readonly Row[] =>
  rows.length < 2
    ? rows
    : rows
        .map((row) => ({ row, key: keyOf(row) }))
        .sort((one, other) => (one.key < other.key ? -1 : 1))
        .map(({ row }) => row);
