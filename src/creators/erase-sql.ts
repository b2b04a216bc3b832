import type { Queryable } from '../platform/database/database.ts';
import { sql } from '../platform/database/sql.ts';
import type { Id } from '../platform/ids.ts';

type Erased = { readonly creatorId: Id<'crt'>; readonly storeIds: ReadonlyArray<Id<'store'>>; readonly at: Date; readonly name: string };

/**
 * What a creator told of themselves goes: name, address, accounts, tax details, wishes. The row stays, suspended, because the books
 * refer to it. They leave all programs, so that their links give no click any more.
 */
export async function eraseCreatorRows(db: Queryable, { creatorId, storeIds, at, name }: Erased): Promise<void> {
  await db.run(sql`
    update creators set name = ${name}, email = '', suspended_at = coalesce(suspended_at, ${at}) where creator_id = ${creatorId}`);
  await db.run(sql`
    update payout_methods set instrument = ${name}, last4 = null, replaced_at = coalesce(replaced_at, ${at})
    where creator_id = ${creatorId}`);
  await db.run(sql`update creators set suspension_reason = null where creator_id = ${creatorId}`);
  await db.run(sql`update creator_suspensions set reason = null, note = null where creator_id = ${creatorId}`);
  await db.run(sql`delete from creator_tax where creator_id = ${creatorId}`);
  await db.run(sql`delete from creator_mails_off where creator_id = ${creatorId}`);
  await db.run(sql`delete from stripe_accounts where creator_id = ${creatorId}`);
  await db.run(sql`
    update members set status = 'removed', since = ${at}
    where store_id = any(${storeIds}::uuid[]) and creator_id = ${creatorId} and status <> 'removed'`);
}

/** Who suspended creators, by name. Goes through the whole table, which has few rows. */
export async function eraseSuspender(
  db: Queryable,
  { actors, name }: { readonly actors: readonly string[]; readonly name: string },
): Promise<void> {
  await db.run(sql`update creator_suspensions set suspended_by_name = ${name} where suspended_by = any(${actors}::text[])`);
  await db.run(sql`update creator_suspensions set ended_by_name = ${name} where ended_by = any(${actors}::text[])`);
}
