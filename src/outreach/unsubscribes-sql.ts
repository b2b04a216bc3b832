import type { Queryable } from '../db/database.ts';
import { sql, uuids } from '../db/sql.ts';
import type { Id } from '../core/ids.ts';

type Unsubscribe = { readonly storeId: Id<'store'>; readonly creatorId: Id<'crt'>; readonly at: Date };

export const insertUnsubscribe = (db: Queryable, { storeId, creatorId, at }: Unsubscribe): Promise<number> =>
  db.run(sql`
    insert into creator_unsubscribes (creator_id, store_id, at) values (${creatorId}, ${storeId}, ${at}) on conflict do nothing`);

/** Which of these creators want no messages of the store. */
export async function listUnsubscribed(
  db: Queryable,
  storeId: Id<'store'>,
  creatorIds: ReadonlyArray<Id<'crt'>>,
): Promise<ReadonlySet<Id<'crt'>>> {
  const rows = await db.all<{ creatorId: Id<'crt'> }>(sql`
    select creator_id from creator_unsubscribes where creator_id = any(${uuids(creatorIds)}) and store_id = ${storeId}`);
  return new Set(rows.map(({ creatorId }) => creatorId));
}

export const deleteUnsubscribesOf = (db: Queryable, creatorId: Id<'crt'>): Promise<number> =>
  db.run(sql`delete from creator_unsubscribes where creator_id = ${creatorId}`);
