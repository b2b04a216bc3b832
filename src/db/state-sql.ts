import type { Transition, Transitions } from '../core/state-machine.ts';
import { joined, sql, verbatim, type Sql } from './sql.ts';

/** `state in ('a', 'b')`. The states are literals, not parameters, so that the planner matches partial indexes. */
export const inStates = (states: readonly string[], column: Sql = sql`state`): Sql =>
  sql`${column} in (${joined(
    states.map((state) => sql`'${verbatim(state)}'`),
    sql`, `,
  )})`;

/** The change from one state to another is legal, or the state stays. For statements that update rows with different events. */
export const isLegalChange = (transitions: Transitions<string>, { before, after }: { readonly before: Sql; readonly after: Sql }): Sql =>
  sql`(${joined(
    [
      sql`${after} = ${before}`,
      ...Object.values(transitions).flatMap(({ from, to }) =>
        to === null ? [] : [sql`${inStates([to], after)} and ${inStates(from, before)}`],
      ),
    ],
    sql` or `,
  )})`;

/** The value that an event writes to the column `state`. */
export const stateAfterSql = ({ to }: Transition<string>): Sql => (to === null ? sql`state` : sql`${to}::text`);
