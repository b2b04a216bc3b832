import { earnedOfCommission } from '../figures/sold-sql.ts';
import type { Queryable } from '../platform/database/database.ts';
import { sql } from '../platform/database/sql.ts';
import type { Id } from '../platform/ids.ts';

/**
 * What the invoices of a page of subscriptions earned so far: what was rejected or reversed earns nothing. By invoices_by_time
 * and the commissions' primary key; a subscription has an invoice a month.
 */
export async function earnedByRelationship(
  db: Queryable,
  storeId: Id<'store'>,
  bindingIds: ReadonlyArray<Id<'bind'>>,
): Promise<ReadonlyMap<Id<'bind'>, bigint>> {
  const rows = await db.all<{ bindingId: Id<'bind'>; earnedCents: bigint }>(sql`
    select i.binding_id, sum(c.earned_cents) as earned_cents
    from relationship_invoices i
    cross join lateral (
      select ${earnedOfCommission} as earned_cents from commissions where store_id = i.store_id and commission_id = i.commission_id) as c
    where i.store_id = ${storeId} and i.binding_id = any(${bindingIds}::uuid[])
    group by i.binding_id`);
  return new Map(rows.map(({ bindingId, earnedCents }) => [bindingId, earnedCents]));
}
