import type { Queryable } from '../platform/database/database.ts';
import { sql } from '../platform/database/sql.ts';
import type { Id } from '../platform/ids.ts';

/** Which of these creators are suspended now. */
export async function suspendedCreators(db: Queryable, creatorIds: ReadonlyArray<Id<'crt'>>): Promise<ReadonlySet<Id<'crt'>>> {
  const rows = await db.all<{ creatorId: Id<'crt'> }>(sql`
    select creator_id from creators where creator_id = any(${[...new Set(creatorIds)]}::uuid[]) and suspended_at is not null`);
  return new Set(rows.map(({ creatorId }) => creatorId));
}
