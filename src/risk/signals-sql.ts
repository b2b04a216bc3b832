import { isUnpaid } from '../commissions/commission-states-sql.ts';
import type { Queryable } from '../db/database.ts';
import { emptySql, sql, uuids } from '../db/sql.ts';
import type { Id } from '../core/ids.ts';
import type { Cents } from '../core/money.ts';

/** Stores in ID order, a page at a time. Crosses all stores, by primary key. */
export const listStoresToAssess = (
  db: Queryable,
  after: Id<'store'> | null,
  limit: number,
): Promise<Array<{ readonly storeId: Id<'store'>; readonly createdAt: Date }>> =>
  db.all(sql`
    select store_id, created_at from stores ${after === null ? emptySql : sql`where store_id > ${after}`}
    order by store_id limit ${limit}`);

export const listNamedStores = (
  db: Queryable,
  storeIds: ReadonlyArray<Id<'store'>>,
): Promise<Array<{ readonly storeId: Id<'store'>; readonly createdAt: Date }>> =>
  db.all(sql`select store_id, created_at from stores where store_id = any(${uuids(storeIds)}) order by store_id`);

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
  /** The smallest IDs at the start of the window and of its last day: IDs sort by recording time. */
  readonly firstId: Id;
  readonly firstIdOfDay: Id;
  readonly fullPercent: number;
};

/** Reads the whole window by primary key: 2 to 3 s for 500,000 commissions, so it needs the timeouts of scheduled jobs. */
export const sumOrdersByCreator = (db: Queryable, { storeId, firstId, firstIdOfDay, fullPercent }: Window): Promise<CreatorOrders[]> =>
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
        sum(amount_cents) filter (where ${isUnpaid}) as unpaid
      from recent group by creator_id, hour, is_today
    )
    select creator_id, coalesce(sum(orders) filter (where is_today), 0) as orders,
      coalesce(max(orders) filter (where is_today), 0) as peak_hour,
      coalesce(max(orders) filter (where not is_today), 0) as former_peak_hour,
      coalesce(max(largest) filter (where is_today), 0) as largest_order,
      coalesce(max(full_commission), 0) as full_commission,
      coalesce(sum(unpaid), 0) as unpaid
    from hours group by creator_id order by creator_id`);

/** The median of the store's orders before the last day. */
export const usualOrder = (
  db: Queryable,
  { storeId, firstId, firstIdOfDay }: Omit<Window, 'fullPercent'>,
): Promise<{ readonly orders: bigint; readonly median: Cents }> =>
  db.one(sql`
    select count(*) as orders, coalesce(percentile_disc(0.5) within group (order by eligible_cents), 0) as median
    from commissions where store_id = ${storeId} and commission_id >= ${firstId} and commission_id < ${firstIdOfDay}`);

type LastDay = { readonly storeId: Id<'store'>; readonly firstIdOfDay: Id; readonly withinSeconds: number };

/**
 * Counts, per creator, orders of the last day within seconds of their click. A click's ID starts with its time in milliseconds; an
 * order is found by the hash of its ID.
 */
export const countFastOrders = (
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

export const listCreatorCreationTimes = (
  db: Queryable,
  creatorIds: ReadonlyArray<Id<'crt'>>,
): Promise<Array<{ readonly creatorId: Id<'crt'>; readonly createdAt: Date }>> =>
  db.all(sql`select creator_id, created_at from creators where creator_id = any(${uuids(creatorIds)})`);

export type FirstPayout = { readonly creatorId: Id<'crt'>; readonly free: Cents };

type Large = { readonly least: Cents; readonly creatorIds: ReadonlyArray<Id<'crt'>> | null; readonly limit: number };

/** Creators without a paid payout whose free earnings reach the limit. By earnings_free; crosses all creators unless some are named. */
export const listLargeFirstPayouts = (db: Queryable, { least, creatorIds, limit }: Large): Promise<FirstPayout[]> =>
  db.all(sql`
    select e.creator_id, sum(e.amount_cents) as free from earnings e
    where e.payout_id is null and e.collected > 0 ${creatorIds === null ? emptySql : sql`and e.creator_id = any(${uuids(creatorIds)})`}
      and not exists (select 1 from payouts p where p.creator_id = e.creator_id and p.state = 'paid')
    group by e.creator_id having sum(e.amount_cents) >= ${least} order by e.creator_id limit ${limit}`);

/**
 * The first commission or outbox entry since then, in any store, or null. Two reads by primary key per store; called only to skip turns
 * of a backlog.
 */
export async function findEarliestAssessable(db: Queryable, from: Id): Promise<Id | null> {
  const row = await db.find<{ earliest: Id }>(sql`
    select least(c.commission_id, e.entry_id) as earliest from stores s
    left join lateral (
      select commission_id from commissions
      where store_id = s.store_id and commission_id >= ${from} order by commission_id limit 1) c on true
    left join lateral (
      select entry_id from creator_outbox where store_id = s.store_id and entry_id >= ${from} order by entry_id limit 1) e on true
    where c.commission_id is not null or e.entry_id is not null
    order by earliest limit 1`);
  return row?.earliest ?? null;
}
