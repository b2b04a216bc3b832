import type { Queryable } from '../db/database.ts';
import { sql, texts, uuids } from '../db/sql.ts';
import type { Id } from '../core/ids.ts';
import { isUnpaid } from './commission-states-sql.ts';

type OfCreator = { readonly creatorId: Id<'crt'>; readonly storeIds: ReadonlyArray<Id<'store'>> };

/** Uses the index commissions_by_creator. */
export async function sumUnpaidCommissions(db: Queryable, { creatorId, storeIds }: OfCreator): Promise<bigint> {
  const { cents } = await db.one<{ cents: bigint }>(sql`
    select coalesce(sum(amount_cents), 0) as cents from commissions
    where store_id = any(${uuids(storeIds)}) and creator_id = ${creatorId} and ${isUnpaid}`);
  return cents;
}

/** The order's name is the customer's data; the ID stays, so that a repeated postback is still recognized. By primary key. */
export const eraseSourceNames = (
  db: Queryable,
  { storeId, commissionIds }: { readonly storeId: Id<'store'>; readonly commissionIds: ReadonlyArray<Id<'com'>> },
): Promise<number> =>
  db.run(sql`
    update commissions set source_name = null
    where store_id = ${storeId} and commission_id = any(${uuids(commissionIds)}) and source_name is not null`);

/** Keeps the decision, its reason, and the user's ID, which no longer resolves to a person. */
export async function eraseDeciderName(
  db: Queryable,
  { actors, name, storeIds }: { readonly actors: readonly string[]; readonly name: string; readonly storeIds: ReadonlyArray<Id<'store'>> },
): Promise<void> {
  await db.run(sql`
    update decisions set decided_by_name = ${name} where store_id = any(${uuids(storeIds)}) and decided_by = any(${texts(actors)})`);
}
