import type { Queryable } from '../platform/database/database.ts';
import { sql } from '../platform/database/sql.ts';
import type { Id } from '../platform/ids.ts';

type In = { readonly storeIds: ReadonlyArray<Id<'store'>>; readonly name: string };

export async function eraseDisputant(db: Queryable, { creatorId, storeIds, name }: In & { readonly creatorId: Id<'crt'> }): Promise<void> {
  await db.run(sql`
    update commission_disputes set words = ${name} where store_id = any(${storeIds}::uuid[]) and creator_id = ${creatorId}`);
}

export async function eraseDisputeDecider(
  db: Queryable,
  { actors, storeIds, name }: In & { readonly actors: readonly string[] },
): Promise<void> {
  await db.run(sql`
    update commission_disputes set decided_by_name = ${name}
    where store_id = any(${storeIds}::uuid[]) and decided_by = any(${actors}::text[])`);
}
