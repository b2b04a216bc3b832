import type { Queryable } from '../platform/database/database.ts';
import { prepared } from '../platform/database/sql.ts';
import type { Id } from '../platform/ids.ts';

/** Which of these creators are suspended now. */
export async function suspendedCreators(db: Queryable, creatorIds: ReadonlyArray<Id<'crt'>>): Promise<ReadonlySet<Id<'crt'>>> {
  const rows = await db.all<{ creatorId: Id<'crt'> }>(prepared`
    select wanted.creator_id from unnest(${[...new Set(creatorIds)]}::uuid[]) as wanted (creator_id)
    cross join lateral (
      select from creators where creator_id = wanted.creator_id and suspended_at is not null limit 1) as suspended`);
  return new Set(rows.map(({ creatorId }) => creatorId));
}
