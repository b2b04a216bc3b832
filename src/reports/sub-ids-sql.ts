import { earnedOfCommission } from '../figures/sold-sql.ts';
import type { Queryable } from '../platform/database/database.ts';
import { sql } from '../platform/database/sql.ts';
import type { Id } from '../platform/ids.ts';

export type OfCreator = { readonly storeId: Id<'store'>; readonly creatorId: Id<'crt'> };

export type SubIdClicks = { readonly isOwn: boolean; readonly subId: string | null; readonly count: bigint; readonly looked: bigint };
type ClickStretch = { readonly fromId: Id; readonly toId: Id; readonly most: number; readonly rowsMax: number };

/**
 * Rollups know no sub-ids, for a row of each would cost every redirect one more. So the clicks themselves are counted, the newest
 * first, by primary key: of the whole store, because no other index leads to a creator's, and no more than a limit. What is not the
 * creator's is one row, which says how many were looked at.
 */
export const clicksBySubId = (
  db: Queryable,
  { storeId, creatorId }: OfCreator,
  { fromId, toId, most, rowsMax }: ClickStretch,
): Promise<SubIdClicks[]> =>
  db.all(sql`
    select is_own, sub_id, count(*) as count, sum(count(*)) over () as looked
    from (
      select creator_id = ${creatorId} as is_own, case when creator_id = ${creatorId} then sub_id end as sub_id
      from clicks where store_id = ${storeId} and click_id >= ${fromId}::uuid and click_id < ${toId}::uuid
      order by click_id desc limit ${most}) as looked_at
    group by is_own, sub_id order by is_own, count desc, sub_id limit ${rowsMax}`);

export type SubIdOrders = { readonly subId: string | null; readonly orders: bigint; readonly earnedCents: bigint; readonly looked: bigint };
type OrderStretch = { readonly from: Date; readonly to: Date; readonly most: number; readonly rowsMax: number };

/**
 * The newest by commissions_of_creator, each with the click of its order or of its subscription. A click that was dropped since has no
 * sub-id. Orders are found by their keys; a creator's subscriptions by theirs, with an invoice a month.
 */
export const ordersBySubId = (
  db: Queryable,
  { storeId, creatorId }: OfCreator,
  { from, to, most, rowsMax }: OrderStretch,
): Promise<SubIdOrders[]> =>
  db.all(sql`
    select k.sub_id, count(*) as orders, sum(count(*)) over () as looked, sum(c.earned_cents) as earned_cents
    from (
      select store_id, source_kind, source_id, ${earnedOfCommission} as earned_cents from commissions
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
