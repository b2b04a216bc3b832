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
    select i.binding_id, sum(c.amount_cents) as earned_cents
    from relationship_invoices i join commissions c using (store_id, commission_id)
    where i.store_id = ${storeId} and i.binding_id = any(${bindingIds}::uuid[]) and c.state not in ('rejected', 'reversed')
    group by i.binding_id`);
  return new Map(rows.map(({ bindingId, earnedCents }) => [bindingId, earnedCents]));
}
