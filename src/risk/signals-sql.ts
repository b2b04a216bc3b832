import type { Queryable } from '../platform/database/database.ts';
import { nothing, sql } from '../platform/database/sql.ts';
import type { Id } from '../platform/ids.ts';
import type { Cents } from '../platform/money.ts';

/** Stores in the order of their ids. Crosses all of them, a stretch at a time, by primary key. */
export const storesAfter = (
  db: Queryable,
  after: Id<'store'> | null,
  limit: number,
): Promise<Array<{ readonly storeId: Id<'store'>; readonly createdAt: Date }>> =>
  db.all(sql`
    select store_id, created_at from stores ${after === null ? nothing : sql`where store_id > ${after}`}
    order by store_id limit ${limit}`);

export const someStores = (
  db: Queryable,
  storeIds: ReadonlyArray<Id<'store'>>,
): Promise<Array<{ readonly storeId: Id<'store'>; readonly createdAt: Date }>> =>
  db.all(sql`select store_id, created_at from stores where store_id = any(${storeIds}::uuid[]) order by store_id`);

export type CreatorOrders = {
  readonly creatorId: Id<'crt'>;
  readonly orders: bigint;
  readonly peakHour: bigint;
  readonly formerPeakHour: bigint;
  readonly largestOrder: Cents;
  readonly fullCommission: Cents;
  readonly unpaid: Cents;
};

type Window = {
  readonly storeId: Id<'store'>;
  /** The first ids that can be minted at the begin of the window and of its last day: ids sort by the time of recording. */
  readonly firstId: Id;
  readonly firstIdOfDay: Id;
  readonly fullPercent: number;
};

/** By the primary key of commissions, from the first id of the window on. */
export const ordersByCreator = (db: Queryable, { storeId, firstId, firstIdOfDay, fullPercent }: Window): Promise<CreatorOrders[]> =>
  db.all(sql`
    with recent as (
      select creator_id, commission_id >= ${firstIdOfDay} as is_today, date_trunc('hour', recorded_at, 'UTC') as hour,
        eligible_cents, amount_cents, hold_days, state
      from commissions
      where store_id = ${storeId} and commission_id >= ${firstId}
    ), hours as (
      select creator_id, hour, is_today, count(*) as orders, max(eligible_cents) as largest,
        max(amount_cents) filter (where hold_days = 0 and amount_cents >= 100
          and amount_cents >= eligible_cents / 100 * ${fullPercent}::bigint) as full_commission,
        sum(amount_cents) filter (where state in ('pending', 'approved', 'billed', 'collected')) as unpaid
      from recent group by creator_id, hour, is_today
    )
    select creator_id, coalesce(sum(orders) filter (where is_today), 0) as orders,
      coalesce(max(orders) filter (where is_today), 0) as peak_hour,
      coalesce(max(orders) filter (where not is_today), 0) as former_peak_hour,
      coalesce(max(largest) filter (where is_today), 0) as largest_order,
      coalesce(max(full_commission), 0) as full_commission,
      coalesce(sum(unpaid), 0) as unpaid
    from hours group by creator_id order by creator_id`);

/** What orders of the store usually come to, before the last day. */
export const usualOrder = (
  db: Queryable,
  { storeId, firstId, firstIdOfDay }: Omit<Window, 'fullPercent'>,
): Promise<{ readonly orders: bigint; readonly median: Cents }> =>
  db.one(sql`
    select count(*) as orders, coalesce(percentile_disc(0.5) within group (order by eligible_cents), 0) as median
    from commissions where store_id = ${storeId} and commission_id >= ${firstId} and commission_id < ${firstIdOfDay}`);

type LastDay = { readonly storeId: Id<'store'>; readonly firstIdOfDay: Id; readonly withinSeconds: number };

/**
 * Orders of the last day that were placed within seconds of their click, by creator. A click's id begins with its time in
 * milliseconds; an order is found by the hash of its id.
 */
export const fastOrders = (
  db: Queryable,
  { storeId, firstIdOfDay, withinSeconds }: LastDay,
): Promise<Array<{ readonly creatorId: Id<'crt'>; readonly orders: bigint }>> =>
  db.all(sql`
    select c.creator_id, count(*) as orders
    from commissions c
    join orders o on o.store_id = c.store_id and o.order_hash = sha256(convert_to(c.source_text, 'UTF8'))
    cross join lateral (
      select extract(epoch from o.occurred_at) * 1000
        - ('x' || left(replace(o.click_id::text, '-', ''), 12))::bit(48)::bigint as after_ms) as click
    where c.store_id = ${storeId} and c.commission_id >= ${firstIdOfDay} and c.source_kind = 'order'
      and click.after_ms between 0 and ${withinSeconds * 1_000}::bigint
    group by c.creator_id order by c.creator_id`);

export const creatorBirths = (
  db: Queryable,
  creatorIds: ReadonlyArray<Id<'crt'>>,
): Promise<Array<{ readonly creatorId: Id<'crt'>; readonly createdAt: Date }>> =>
  db.all(sql`select creator_id, created_at from creators where creator_id = any(${creatorIds}::uuid[])`);

export type FirstPayout = { readonly creatorId: Id<'crt'>; readonly free: Cents };

type Large = { readonly least: Cents; readonly creatorIds: ReadonlyArray<Id<'crt'>> | null; readonly limit: number };

/** Creators who were never paid, and would be paid that much. By earnings_free; without named creators it crosses all of them. */
export const largeFirstPayouts = (db: Queryable, { least, creatorIds, limit }: Large): Promise<FirstPayout[]> =>
  db.all(sql`
    select e.creator_id, sum(e.amount_cents) as free from earnings e
    where e.payout_id is null and e.collected > 0 ${creatorIds === null ? nothing : sql`and e.creator_id = any(${creatorIds}::uuid[])`}
      and not exists (select 1 from payouts p where p.creator_id = e.creator_id and p.state = 'paid')
    group by e.creator_id having sum(e.amount_cents) >= ${least} order by e.creator_id limit ${limit}`);
