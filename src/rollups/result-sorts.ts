import type { SortColumn } from '../db/list-order.ts';
import type { Sql } from '../db/sql.ts';

/** `result` is what the list is sorted by, or 0 in another order. */
export type WithResult = { readonly result: bigint };

/** Sorts of a list by sums of joined rollups, and the sum that a sort needs; undefined for a sort that needs none. */
export function resultSorts<Row extends WithResult>(sums: Readonly<Record<string, Sql>>) {
  const columnOf = (expression: Sql): SortColumn<Row> => ({ expression, type: 'bigint', value: ({ result }) => result });
  return {
    columns: Object.fromEntries(Object.entries(sums).map(([name, sum]) => [name, columnOf(sum)])),
    sumOf: (sort: string): Sql | undefined => sums[sort.replace(/^-/, '')],
  };
}
