import { joined, nothing, sql, type Sql } from '../platform/database/sql.ts';
import type { CommissionFilter } from './filter.ts';

/** What follows `where store_id = …` in a question to commissions. All of it reads the row itself, so that a lock judges it again. */
export function matching({ state, held, creatorId, orderId, beginning, from, to, approvesItselfBy }: CommissionFilter): Sql {
  const conditions = [
    state === null ? null : sql`and state = ${state}`,
    heldCondition(held),
    creatorId === null ? null : creatorId === 'nobody' ? sql`and false` : sql`and creator_id = ${creatorId}`,
    orderId === null ? null : sql`and source_kind = 'order' and left(source_text, 100) = ${indexed(orderId)} and source_text = ${orderId}`,
    beginning === null ? null : beginsWith(beginning),
    from === null ? null : sql`and occurred_at >= ${from}`,
    to === null ? null : sql`and occurred_at < ${to}`,
    // As commissions_approving_themselves says it, so that it is found by that small index.
    approvesItselfBy === null ? null : sql`and state = 'pending' and held_reason is null and auto_approve_at <= ${approvesItselfBy}`,
  ];
  const asked = conditions.filter((condition) => condition !== null);
  return asked.length === 0 ? nothing : joined(asked, sql` `);
}

function heldCondition(held: CommissionFilter['held']): Sql | null {
  if (held === null) return null;
  if (held === true) return sql`and held_reason is not null`;
  return held === false ? sql`and held_reason is null` : sql`and held_reason = ${held}`;
}

/** As much of a merchant's id as stands in commissions_by_beginning, which both questions go by. */
const indexedLength = 100;
const indexed = (text: string): string => [...text].slice(0, indexedLength).join('');

function beginsWith(beginning: string): Sql {
  const start = indexed(beginning);
  const like = sql`and left(source_text, 100) like ${`${start.replace(/[\\%_]/g, '\\$&')}%`}`;
  return start === beginning ? like : sql`${like} and starts_with(source_text, ${beginning})`;
}
