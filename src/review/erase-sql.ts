import type { Queryable } from '../db/database.ts';
import { sql, texts, uuids } from '../db/sql.ts';
import type { Id } from '../core/ids.ts';

type EraseQuery = { readonly storeIds: ReadonlyArray<Id<'store'>>; readonly name: string };

export async function eraseDisputeTexts(
  db: Queryable,
  { creatorId, storeIds, name }: EraseQuery & { readonly creatorId: Id<'crt'> },
): Promise<void> {
  await db.run(sql`
    update commission_disputes set words = ${name} where store_id = any(${uuids(storeIds)}) and creator_id = ${creatorId}`);
}

export async function eraseDisputeDeciderName(
  db: Queryable,
  { actors, storeIds, name }: EraseQuery & { readonly actors: readonly string[] },
): Promise<void> {
  await db.run(sql`
    update commission_disputes set decided_by_name = ${name}
    where store_id = any(${uuids(storeIds)}) and decided_by = any(${texts(actors)})`);
}
