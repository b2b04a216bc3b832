import { earnedCentsExpression } from '../rollups/sales-totals-sql.ts';
import type { Queryable } from '../db/database.ts';
import { sql } from '../db/sql.ts';
import type { Id } from '../core/ids.ts';

export type OfCreator = { readonly storeId: Id<'store'>; readonly creatorId: Id<'crt'> };

export type SubIdClicks = { readonly isOwn: boolean; readonly subId: string | null; readonly count: bigint; readonly looked: bigint };
type ClickRange = { readonly fromId: Id; readonly toId: Id; readonly most: number; readonly rowsMax: number };

/**
 * Rollups have no sub-IDs, because that would cost every redirect another row. So this counts the clicks themselves, newest first by
 * primary key, up to a limit. It reads the whole store's clicks, because no index is by creator; the clicks of other creators become one
 * row, so that `looked` is the number of clicks read.
 */
export const countClicksBySubId = (
  db: Queryable,
  { storeId, creatorId }: OfCreator,
  { fromId, toId, most, rowsMax }: ClickRange,
): Promise<SubIdClicks[]> =>
  db.all(sql`
    select is_own, sub_id, count(*) as count, sum(count(*)) over () as looked
    from (
      select creator_id = ${creatorId} as is_own, case when creator_id = ${creatorId} then sub_id end as sub_id
      from clicks where store_id = ${storeId} and click_id >= ${fromId}::uuid and click_id < ${toId}::uuid
      order by click_id desc limit ${most}) as looked_at
    group by is_own, sub_id order by is_own, count desc, sub_id limit ${rowsMax}`);

export type SubIdOrders = { readonly subId: string | null; readonly orders: bigint; readonly earnedCents: bigint; readonly looked: bigint };
type OrderRange = { readonly from: Date; readonly to: Date; readonly most: number; readonly rowsMax: number };

/**
 * The newest commissions by the index commissions_of_creator, each with the click of its order or subscription. A click that was deleted
 * has no sub-ID.
 */
export const countOrdersBySubId = (
  db: Queryable,
  { storeId, creatorId }: OfCreator,
  { from, to, most, rowsMax }: OrderRange,
): Promise<SubIdOrders[]> =>
  db.all(sql`
    select k.sub_id, count(*) as orders, sum(count(*)) over () as looked, sum(c.earned_cents) as earned_cents
    from (
      select store_id, source_kind, source_id, ${earnedCentsExpression} as earned_cents from commissions
      where store_id = ${storeId} and creator_id = ${creatorId} and occurred_at >= ${from} and occurred_at < ${to}
      order by occurred_at desc limit ${most}) as c
    left join orders o on c.source_kind = 'order' and o.store_id = c.store_id and o.transaction_id = c.source_id
    left join (
      select i.store_id, i.relationship_invoice_id, r.click_id
      from relationships r join relationship_invoices i on i.store_id = r.store_id and i.binding_id = r.binding_id
      where r.store_id = ${storeId} and r.creator_id = ${creatorId}) as s
      on c.source_kind = 'invoice' and s.store_id = c.store_id and s.relationship_invoice_id = c.source_id
    left join clicks k on k.store_id = c.store_id and k.click_id = coalesce(o.click_id, s.click_id)
    group by k.sub_id order by orders desc, k.sub_id limit ${rowsMax}`);
