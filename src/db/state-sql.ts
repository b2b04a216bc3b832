import type { Transition } from '../core/state-machine.ts';
import { joined, sql, verbatim, type Sql } from './sql.ts';

/** `state in ('a', 'b')`. The states are literals, not parameters, so that the planner matches partial indexes. */
export const inStates = (states: readonly string[], column: Sql = sql`state`): Sql =>
  sql`${column} in (${joined(
    states.map((state) => sql`'${verbatim(state)}'`),
    sql`, `,
  )})`;

/** The value that an event writes to the column `state`. */
export const stateAfterSql = ({ to }: Transition<string>): Sql => (to === null ? sql`state` : sql`${to}::text`);
