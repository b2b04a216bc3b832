import { earnedCentsExpression, salesTotals } from '../rollups/sales-totals-sql.ts';
import type { Queryable } from '../db/database.ts';
import { emptySql, sql } from '../db/sql.ts';
import type { Id } from '../core/ids.ts';
import { rowsOfCreator } from './creator-results-sql.ts';
import type { DayRange } from './day-range.ts';

type OrdersOfCreator = {
  readonly storeId: Id<'store'>;
  readonly creatorId: Id<'crt'>;
  /** The code of one of the creator's links; null for all of them. */
  readonly code: string | null;
  readonly range: DayRange;
};
type ReadLimits = {
  readonly from: Date;
  readonly to: Date;
  readonly ordersMax: number;
  /** Of the line items of these orders, as text. */
  readonly bytesMax: number;
  readonly rowsMax: number;
};

/**
 * The orders with one product. Two rows have no product: `isTotal` is everything in the period, from the daily totals, and the other one
 * is orders without line items, invoices of subscriptions, and leads. One statement reads all, so that it is one snapshot and adds up.
 */
export type ProductRow = {
  readonly isTotal: boolean;
  readonly productId: string | null;
  readonly orders: bigint;
  readonly units: bigint;
  readonly revenueCents: bigint;
  readonly earnedCents: bigint;
  /** All commissions that were found, which may be of other links, and the bytes of their line items. */
  readonly looked: bigint;
  readonly bytes: bigint;
};

/**
 * Reads the newest commissions by the index commissions_by_creator, and the order of each by orders_of_transaction. Line items add up to
 * the eligible amount. Where the program pays per product, each part of a commission belongs to the line in the same place; otherwise a
 * commission is divided in proportion to the lines, so that their shares add up to it.
 */
export const listProducts = (
  db: Queryable,
  { storeId, creatorId, code, range }: OrdersOfCreator,
  limits: ReadLimits,
): Promise<ProductRow[]> =>
  db.all(sql`
    with found as (
      select c.commission_id, c.link_number, c.source_kind, c.eligible_cents, c.earned_cents, c.parts, o.line_items,
        count(*) over () as looked,
        sum(coalesce(octet_length(o.line_items), 0)) over (order by c.occurred_at desc, c.commission_id desc) as bytes
      from (
        select store_id, commission_id, link_number, source_kind, source_id, occurred_at, eligible_cents,
          ${earnedCentsExpression} as earned_cents, coalesce(earned_after_refunds, earned) as parts
        from commissions
        where store_id = ${storeId} and creator_id = ${creatorId} and occurred_at >= ${limits.from} and occurred_at < ${limits.to}
        order by occurred_at desc, commission_id desc limit ${limits.ordersMax}) as c
      left join orders o on c.source_kind = 'order' and o.store_id = c.store_id and o.transaction_id = c.source_id),
    lines as (
      select f.commission_id, f.source_kind, f.eligible_cents, f.earned_cents, f.parts -> 0 ->> 'product_id' is not null as is_per_product,
        (f.parts -> (line.place::int - 1) ->> 'amount_cents')::numeric as part_cents, line.product_id, line.amount, line.quantity,
        sum(line.amount) over (partition by f.commission_id order by line.place) as amount_to_here
      from found f left join lateral (
        select item.place, item.value ->> 'productId' as product_id, (item.value ->> 'amount')::numeric as amount,
          (item.value ->> 'quantity')::numeric as quantity
        from json_array_elements(f.line_items::json) with ordinality as item (value, place)) as line on true
      where f.bytes <= ${limits.bytesMax} ${
        code === null
          ? emptySql
          : sql`
        and f.link_number = (select link_number from links where store_id = ${storeId} and creator_id = ${creatorId} and code = ${code})`
      }),
    products as (
      select product_id, count(distinct commission_id) filter (where source_kind <> 'lead') as orders, coalesce(sum(quantity), 0) as units,
        sum(case when product_id is null then eligible_cents else amount end) as revenue_cents,
        sum(case
          when product_id is null or earned_cents = 0 then earned_cents
          when is_per_product then part_cents
          else div(earned_cents * amount_to_here, eligible_cents) - div(earned_cents * (amount_to_here - amount), eligible_cents)
          end) as earned_cents
      from lines group by product_id
      order by product_id is not null, earned_cents desc, revenue_cents desc, product_id limit ${limits.rowsMax}),
    looked as (select count(*) as looked, coalesce(max(bytes), 0) as bytes from found)
    select false as is_total, p.*, l.looked, l.bytes from products p cross join looked l
    union all
    select true, null, t.orders, 0, t.revenue_cents, t.earned_cents, l.looked, l.bytes
    from (select ${salesTotals} ${rowsOfCreator({ creatorId, storeIds: [storeId], code }, range)}) as t cross join looked l`);
