import { earnedCentsExpression } from '../rollups/sales-totals-sql.ts';
import type { Queryable } from '../db/database.ts';
import { sql, uuids, type Sql } from '../db/sql.ts';
import type { Id } from '../core/ids.ts';
import type { SalesTotals } from './sales-totals.ts';

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

type ClickDays = Omit<ClickRange, 'rowsMax'> & {
  readonly subId: string;
  /** The first possible ID of each day. */
  readonly firstIds: readonly Id[];
};
/** `dayNumber` begins with 1; null for clicks of other creators and other sub-IDs. */
export type ClicksOfDay = { readonly dayNumber: number | null; readonly count: bigint; readonly looked: bigint };

/** The clicks of one sub-ID by day. Reads the same clicks as `countClicksBySubId`. */
export const countClicksOfSubId = (
  db: Queryable,
  { storeId, creatorId }: OfCreator,
  { fromId, toId, subId, firstIds, most }: ClickDays,
): Promise<ClicksOfDay[]> =>
  db.all(sql`
    select day_number, count(*) as count, sum(count(*)) over () as looked
    from (
      select case when creator_id = ${creatorId} and sub_id = ${subId} then width_bucket(click_id, ${uuids(firstIds)}) end as day_number
      from clicks where store_id = ${storeId} and click_id >= ${fromId}::uuid and click_id < ${toId}::uuid
      order by click_id desc limit ${most}) as looked_at
    group by day_number`);

type OrderRange = { readonly from: Date; readonly to: Date; readonly most: number };

/**
 * The newest commissions `c` by the index commissions_by_creator, each with the click `k` of its order, subscription, or lead. A click that
 * was deleted has no sub-ID.
 */
const commissionsWithClicks = ({ storeId, creatorId }: OfCreator, { from, to, most }: OrderRange): Sql => sql`
  (
    select store_id, source_kind, source_id, occurred_at, eligible_cents, ${earnedCentsExpression} as earned_cents from commissions
    where store_id = ${storeId} and creator_id = ${creatorId} and occurred_at >= ${from} and occurred_at < ${to}
    order by occurred_at desc limit ${most}) as c
  left join orders o on c.source_kind = 'order' and o.store_id = c.store_id and o.transaction_id = c.source_id
  left join (
    select i.store_id, i.relationship_invoice_id, r.click_id
    from relationships r join relationship_invoices i on i.store_id = r.store_id and i.binding_id = r.binding_id
    where r.store_id = ${storeId} and r.creator_id = ${creatorId}) as s
    on c.source_kind = 'invoice' and s.store_id = c.store_id and s.relationship_invoice_id = c.source_id
  left join leads l on c.source_kind = 'lead' and l.store_id = c.store_id and l.lead_id = c.source_id
  left join clicks k on k.store_id = c.store_id and k.click_id = coalesce(o.click_id, s.click_id, l.click_id)`;

export type SubIdOrders = { readonly subId: string | null; readonly orders: bigint; readonly earnedCents: bigint; readonly looked: bigint };

export const countOrdersBySubId = (
  db: Queryable,
  of: OfCreator,
  { rowsMax, ...range }: OrderRange & { readonly rowsMax: number },
): Promise<SubIdOrders[]> =>
  db.all(sql`
    select k.sub_id, count(*) filter (where c.source_kind not in ('lead', 'bonus')) as orders,
      sum(count(*)) over () as looked, sum(c.earned_cents) as earned_cents
    from ${commissionsWithClicks(of, range)}
    group by k.sub_id order by orders desc, k.sub_id limit ${rowsMax}`);

/** `day` is null for orders of other sub-IDs. */
export type OrdersOfDay = Omit<SalesTotals, 'clicks'> & { readonly day: string | null; readonly looked: bigint };

/** The orders of one sub-ID by day. Reads the same commissions as `countOrdersBySubId`. */
export const countOrdersOfSubId = (
  db: Queryable,
  of: OfCreator,
  { subId, ...range }: OrderRange & { readonly subId: string },
): Promise<OrdersOfDay[]> =>
  db.all(sql`
    select case when k.sub_id = ${subId} then (c.occurred_at at time zone 'utc')::date end as day,
      count(*) filter (where c.source_kind = 'lead') as leads, count(*) filter (where c.source_kind not in ('lead', 'bonus')) as orders,
      sum(c.eligible_cents) as revenue_cents, sum(c.earned_cents) as earned_cents, sum(count(*)) over () as looked
    from ${commissionsWithClicks(of, range)}
    group by 1`);
