import type { Queryable } from '../db/database.ts';
import { emptySql, sql } from '../db/sql.ts';
import type { Page } from '../http/page.ts';
import { firstIdAt, newId, type Id } from '../core/ids.ts';
import type { EventEnd, EventState } from '../inbox/event-end.ts';
import type { PostedClick } from './shopify-order.ts';

type OrderKey = { readonly storeId: Id<'store'>; readonly shopifyOrderId: Id<'shor'> };

type OrderRequest = {
  readonly storeId: Id<'store'>;
  readonly orderName: string;
  readonly checkoutToken: string | null;
  /** The topic of a webhook, or `comparison`. */
  readonly requestedBy: string;
  /** Null: read it in any case. Otherwise only if its last request is older. */
  readonly unlessRequestedSince: Date | null;
  readonly now: Date;
};

/** Makes an order due. However often it is named, in any order, it is one row, which is read again. */
export async function requestOrder(
  db: Queryable,
  { storeId, orderName, checkoutToken, requestedBy, unlessRequestedSince, now }: OrderRequest,
): Promise<void> {
  await db.run(sql`
    insert into shopify_orders (store_id, shopify_order_id, order_name, checkout_token, seen_at, requested_at, requested_by, state,
      attempts, try_at)
    values (${storeId}, ${newId<'shor'>(now)}, ${orderName}, ${checkoutToken}, ${now}, ${now}, ${requestedBy}, 'waiting', 0, ${now})
    on conflict (store_id, order_name) do update set
      checkout_token = coalesce(shopify_orders.checkout_token, excluded.checkout_token), requested_at = excluded.requested_at,
      requested_by = excluded.requested_by, state = 'waiting', reason = null, message = null, ended_at = null, attempts = 0, try_at = ${now}
    where ${unlessRequestedSince}::timestamptz is null or shopify_orders.requested_at < ${unlessRequestedSince}`);
}

/** A browser named the click of a checkout whose order was read without one. */
export async function requestCheckout(db: Queryable, storeId: Id<'store'>, checkoutToken: string, now: Date): Promise<number> {
  return db.run(sql`
    update shopify_orders set requested_at = ${now}, state = 'waiting', reason = null, message = null, ended_at = null, attempts = 0,
      try_at = ${now}
    where store_id = ${storeId} and checkout_token = ${checkoutToken} and reported_at is null and state = 'ignored'`);
}

export type ClaimedOrder = {
  readonly shopifyOrderId: Id<'shor'>;
  readonly orderName: string;
  readonly checkoutToken: string | null;
  readonly requestedAt: Date;
  readonly clickId: string | null;
  readonly attempts: number;
};

type Claim = { readonly storeId: Id<'store'>; readonly now: Date; readonly leaseEnds: Date; readonly limit: number };

/** Due orders, until the lease ends. Those of a crashed process are claimed again. */
export const claimOrders = (db: Queryable, { storeId, now, leaseEnds, limit }: Claim): Promise<readonly ClaimedOrder[]> =>
  db.all(sql`
    with due as (
      select shopify_order_id from shopify_orders
      where store_id = ${storeId} and state = 'waiting' and try_at <= ${now}
      order by try_at, shopify_order_id limit ${limit} for update skip locked
    )
    update shopify_orders o set try_at = ${leaseEnds}, attempts = attempts + 1
    from due where o.store_id = ${storeId} and o.shopify_order_id = due.shopify_order_id
    returning o.shopify_order_id, o.order_name, o.checkout_token, o.requested_at, o.click_id, o.attempts`);

type OrderEnd = { readonly end: EventEnd; readonly clickId: string | null; readonly reportedAt: Date | null; readonly now: Date };

/** False if the order was named while it was read, so that it is due again. A disconnected store has no such row. */
export async function saveOrderEnd(
  db: Queryable,
  { storeId, shopifyOrderId, requestedAt }: OrderKey & Pick<ClaimedOrder, 'requestedAt'>,
  { end, clickId, reportedAt, now }: OrderEnd,
): Promise<boolean> {
  const saved = await db.run(sql`
    update shopify_orders set state = ${end.state}, reason = ${end.reason}, message = ${end.message}, try_at = ${end.tryAt},
      ended_at = ${end.endedAt}, click_id = coalesce(click_id, ${clickId}), reported_at = coalesce(reported_at, ${reportedAt})
    where store_id = ${storeId} and shopify_order_id = ${shopifyOrderId} and requested_at = ${requestedAt}`);
  if (saved === 1) return true;
  await db.run(sql`
    update shopify_orders set try_at = ${now}, click_id = coalesce(click_id, ${clickId}), reported_at = coalesce(reported_at, ${reportedAt})
    where store_id = ${storeId} and shopify_order_id = ${shopifyOrderId}`);
  return false;
}

export async function retryOrder(db: Queryable, { storeId, shopifyOrderId }: OrderKey, now: Date): Promise<boolean> {
  const changed = await db.run(sql`
    update shopify_orders set state = 'waiting', reason = null, message = null, ended_at = null, attempts = 0, requested_at = ${now},
      try_at = ${now}
    where store_id = ${storeId} and shopify_order_id = ${shopifyOrderId}`);
  return changed === 1;
}

/** After the shop was connected again, what failed because of its token can succeed. */
export async function retryOrdersWithReasonLike(db: Queryable, storeId: Id<'store'>, prefix: string, now: Date): Promise<void> {
  await db.run(sql`
    update shopify_orders set state = 'waiting', reason = null, message = null, ended_at = null, attempts = 0, requested_at = ${now},
      try_at = ${now}
    where store_id = ${storeId} and state in ('waiting', 'failed') and starts_with(reason, ${prefix}::text)`);
}

export type ListedOrder = {
  readonly shopifyOrderId: Id<'shor'>;
  readonly orderName: string;
  readonly seenAt: Date;
  readonly requestedAt: Date;
  readonly requestedBy: string;
  readonly clickId: string | null;
  readonly state: EventState;
  readonly reason: string | null;
  readonly message: string | null;
  readonly attempts: number;
  readonly tryAt: Date;
};

const columns = sql`
  shopify_order_id, order_name, seen_at, requested_at, requested_by, click_id, state, reason, message, attempts, try_at`;

/** Newest first, by the primary key or shopify_orders_by_state. */
export const listOrders = (
  db: Queryable,
  { storeId, state }: { readonly storeId: Id<'store'>; readonly state: EventState | null },
  { after, limit }: Page,
): Promise<ListedOrder[]> =>
  db.all(sql`
    select ${columns} from shopify_orders
    where store_id = ${storeId} ${state === null ? emptySql : sql`and state = ${state}`}
      ${after === null ? emptySql : sql`and shopify_order_id < ${after[0]}`}
    order by shopify_order_id desc limit ${limit + 1}`);

export const findOrder = (db: Queryable, { storeId, shopifyOrderId }: OrderKey): Promise<ListedOrder | null> =>
  db.find(sql`select ${columns} from shopify_orders where store_id = ${storeId} and shopify_order_id = ${shopifyOrderId}`);

/** When an order of the shop was last reported; null if none was. */
export async function lastShopifyOrderAt(db: Queryable, storeId: Id<'store'>): Promise<Date | null> {
  const row = await db.find<{ requestedAt: Date }>(sql`
    select requested_at from shopify_orders
    where store_id = ${storeId} and state = 'done' order by shopify_order_id desc limit 1`);
  return row?.requestedAt ?? null;
}

type OrderCounts = {
  readonly lastAt: Date | null;
  readonly oldestWaitingAt: Date | null;
  readonly waiting: number;
  readonly failed: number;
};

type Counted = { readonly failedSince: Date; readonly countMax: number };

/** Counts up to `countMax`, so that a flood of orders slows no page. */
export const countOrders = (db: Queryable, storeId: Id<'store'>, { failedSince, countMax }: Counted): Promise<OrderCounts> =>
  db.one(sql`
    select
      (select requested_at from shopify_orders
        where store_id = ${storeId} and requested_by <> 'comparison' order by shopify_order_id desc limit 1) as last_at,
      (select requested_at from shopify_orders
        where store_id = ${storeId} and state = 'waiting' order by shopify_order_id limit 1) as oldest_waiting_at,
      (select count(*) from (select 1 from shopify_orders
        where store_id = ${storeId} and state = 'waiting' limit ${countMax}) as rows)::int as waiting,
      (select count(*) from (select 1 from shopify_orders
        where store_id = ${storeId} and state = 'failed' and shopify_order_id >= ${firstIdAt(failedSince)}
        limit ${countMax}) as rows)::int as failed`);

/** The reason of one order that waits or failed, and begins with the prefix. */
export async function findReadFailure(db: Queryable, storeId: Id<'store'>, prefix: string): Promise<string | null> {
  const row = await db.find<{ reason: string }>(sql`
    select reason from shopify_orders
    where store_id = ${storeId} and state in ('waiting', 'failed') and starts_with(reason, ${prefix}::text)
    order by shopify_order_id desc limit 1`);
  return row?.reason ?? null;
}

/** Of a customer whose data Shopify asks to delete. */
export async function deleteOrder(db: Queryable, storeId: Id<'store'>, orderName: string): Promise<void> {
  const deleted = await db.find<{ checkoutToken: string | null }>(sql`
    delete from shopify_orders where store_id = ${storeId} and order_name = ${orderName} returning checkout_token`);
  const token = deleted?.checkoutToken ?? null;
  if (token !== null) await db.run(sql`delete from shopify_clicks where store_id = ${storeId} and checkout_token = ${token}`);
}

type Retention = { readonly storeId: Id<'store'>; readonly reportedBefore: Date; readonly othersBefore: Date; readonly clicksBefore: Date };

/** A reported order keeps its click for as long as refunds are accepted. */
export async function deleteOldOrders(db: Queryable, { storeId, reportedBefore, othersBefore, clicksBefore }: Retention): Promise<void> {
  await db.run(sql`delete from shopify_orders where store_id = ${storeId} and ended_at < ${reportedBefore}`);
  await db.run(sql`delete from shopify_orders where store_id = ${storeId} and reported_at is null and ended_at < ${othersBefore}`);
  await db.run(sql`delete from shopify_clicks where store_id = ${storeId} and posted_at < ${clicksBefore}`);
}

/** The first click of a checkout counts, unless a second one differs. */
export async function insertClick(
  db: Queryable,
  {
    storeId,
    checkoutToken,
    clickId,
    at,
  }: { readonly storeId: Id<'store'>; readonly checkoutToken: string; readonly clickId: string; readonly at: Date },
): Promise<void> {
  await db.run(sql`
    insert into shopify_clicks (store_id, checkout_token, click_id, is_disputed, posted_at)
    values (${storeId}, ${checkoutToken}, ${clickId}, false, ${at})
    on conflict (store_id, checkout_token) do update set is_disputed = true where shopify_clicks.click_id <> excluded.click_id`);
}

export const findClick = (db: Queryable, storeId: Id<'store'>, checkoutToken: string): Promise<PostedClick | null> =>
  db.find(sql`
    select click_id, is_disputed, posted_at from shopify_clicks where store_id = ${storeId} and checkout_token = ${checkoutToken}`);
