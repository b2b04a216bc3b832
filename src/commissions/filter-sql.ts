import { joined, nothing, sql, type Sql } from '../platform/database/sql.ts';
import type { CommissionFilter } from './filter.ts';

/** What follows `where store_id = …` in a question to commissions. All of it reads the row itself, so that a lock judges it again. */
export function matching({ state, held, creatorId, orderId, beginning, from, to }: CommissionFilter): Sql {
  const conditions = [
    state === null ? null : sql`and state = ${state}`,
    heldCondition(held),
    creatorId === null ? null : creatorId === 'nobody' ? sql`and false` : sql`and creator_id = ${creatorId}`,
    orderId === null ? null : sql`and source_kind = 'order' and source_text = ${orderId}`,
    beginning === null ? null : sql`and starts_with(source_text, ${beginning})`,
    from === null ? null : sql`and occurred_at >= ${from}`,
    to === null ? null : sql`and occurred_at < ${to}`,
  ];
  const asked = conditions.filter((condition) => condition !== null);
  return asked.length === 0 ? nothing : joined(asked, sql` `);
}

function heldCondition(held: CommissionFilter['held']): Sql | null {
  if (held === null) return null;
  if (held === true) return sql`and held_reason is not null`;
  return held === false ? sql`and held_reason is null` : sql`and held_reason = ${held}`;
}
