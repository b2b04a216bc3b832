import type { Queryable } from '../platform/database/database.ts';
import { sql } from '../platform/database/sql.ts';
import type { Id } from '../platform/ids.ts';

type OfCreator = { readonly creatorId: Id<'crt'>; readonly storeIds: ReadonlyArray<Id<'store'>> };

/** What is on its way to a creator: neither paid, nor rejected, nor reversed. By commissions_of_creator of each of their stores. */
export async function unpaidCommissions(db: Queryable, { creatorId, storeIds }: OfCreator): Promise<bigint> {
  const { cents } = await db.one<{ cents: bigint }>(sql`
    select coalesce(sum(amount_cents), 0) as cents from commissions
    where store_id = any(${storeIds}::uuid[]) and creator_id = ${creatorId} and state in ('pending', 'approved', 'billed', 'collected')`);
  return cents;
}

/** The decision stays with its reason; by whom it was is an id that leads to nobody. */
export async function eraseDecider(
  db: Queryable,
  { actors, name, storeIds }: { readonly actors: readonly string[]; readonly name: string; readonly storeIds: ReadonlyArray<Id<'store'>> },
): Promise<void> {
  await db.run(sql`
    update decisions set decided_by_name = ${name} where store_id = any(${storeIds}::uuid[]) and decided_by = any(${actors}::text[])`);
}
