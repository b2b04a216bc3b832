import type { Database, Queryable } from '../../src/db/database.ts';
import { sql } from '../../src/db/sql.ts';
import { invariant } from '../../src/core/invariant.ts';

type Node = {
  readonly 'Node Type': string;
  readonly 'Index Name'?: string;
  readonly 'Actual Rows': number;
  readonly 'Actual Loops': number;
  readonly 'Rows Removed by Filter'?: number;
  readonly Plans?: readonly Node[];
};
type Plan = { readonly Plan: Node; readonly 'Planning Time': number; readonly 'Execution Time': number };

/** One access path to a table: its index, `none` for a sequential scan, and the number of rows read, matching or not. */
export type Scan = { readonly index: string; readonly rowsRead: number; readonly isIndexOnly: boolean };
export type QueryPlan = { readonly scans: readonly Scan[]; readonly ms: number };

/** The code's own query, executed with EXPLAIN in front. */
export async function explainQuery(database: Database, ask: (db: Database) => Promise<unknown>): Promise<QueryPlan> {
  const plans: Plan[] = [];
  const all: Queryable['all'] = async (query) => {
    const [row] = await database.all<Readonly<Record<string, readonly Plan[]>>>(sql`explain (analyze, format json) ${query}`);
    plans.push(...(Object.values(row ?? {})[0] ?? []));
    return [];
  };
  await ask({ ...database, all });
  invariant(plans.length > 0, 'the query was executed');
  return {
    scans: plans.flatMap(({ Plan }) => nodesOf(Plan)).flatMap((node) => scanOf(node) ?? []),
    ms: plans.reduce((sum, plan) => sum + plan['Planning Time'] + plan['Execution Time'], 0),
  };
}

const nodesOf = (node: Node): readonly Node[] => [node, ...(node.Plans ?? []).flatMap(nodesOf)];

function scanOf(node: Node): Scan | null {
  const index = node['Index Name'] ?? (node['Node Type'] === 'Seq Scan' ? 'none' : null);
  if (index === null) return null;
  const rowsRead = Math.round((node['Actual Rows'] + (node['Rows Removed by Filter'] ?? 0)) * node['Actual Loops']);
  return { index, rowsRead, isIndexOnly: node['Node Type'] === 'Index Only Scan' };
}

export const indexesOf = ({ scans }: QueryPlan): readonly string[] => [...new Set(scans.map(({ index }) => index))].toSorted();
export const totalRowsRead = ({ scans }: QueryPlan): number => scans.reduce((sum, { rowsRead }) => sum + rowsRead, 0);
