import type { Queryable } from '../db/database.ts';
import { emptySql, sql } from '../db/sql.ts';
import type { Page } from '../http/page.ts';
import type { Id } from '../core/ids.ts';
import type { WebhookKey } from './webhook-endpoint.ts';

export const deliveryStates = ['waiting', 'delivered', 'failed'] as const;
export type DeliveryState = (typeof deliveryStates)[number];

export type ClaimedDelivery = {
  readonly deliveryId: Id<'whd'>;
  readonly eventId: Id<'msg'>;
  readonly attempts: number;
  readonly tries: number;
  readonly body: string;
};

type Claim = WebhookKey & { readonly now: Date; readonly leaseEnds: Date; readonly limit: number };

/**
 * Claims the next due deliveries until the lease ends: two senders never have the same one, and those of a crashed sender are claimed
 * again. By webhook_deliveries_waiting.
 */
export const claimDeliveries = (db: Queryable, { storeId, endpointId, now, leaseEnds, limit }: Claim): Promise<ClaimedDelivery[]> =>
  db.all(sql`
    with due as (
      select webhook_delivery_id from webhook_deliveries
      where store_id = ${storeId} and webhook_endpoint_id = ${endpointId} and state = 'waiting' and try_at <= ${now}
      order by try_at, webhook_delivery_id limit ${limit} for update skip locked
    )
    update webhook_deliveries d set try_at = ${leaseEnds}, attempts = attempts + 1, tries = tries + 1
    from due, webhook_events e
    where d.store_id = ${storeId} and d.webhook_delivery_id = due.webhook_delivery_id
      and e.store_id = d.store_id and e.webhook_event_id = d.webhook_event_id
    returning d.webhook_delivery_id as delivery_id, e.webhook_event_id as event_id, attempts, tries, e.body`);

export type Attempt = {
  readonly number: number;
  readonly at: Date;
  readonly tookMs: number;
  readonly status: number | null;
  readonly error: string | null;
  readonly answer: string | null;
};
type DeliveryOfStore = { readonly storeId: Id<'store'>; readonly deliveryId: Id<'whd'> };

export async function insertAttempt(db: Queryable, { storeId, deliveryId }: DeliveryOfStore, attempt: Attempt): Promise<void> {
  const { number, at, tookMs, status, error, answer } = attempt;
  await db.run(sql`
    insert into webhook_attempts (store_id, webhook_delivery_id, number, at, took_ms, status, fault, answer)
    values (${storeId}, ${deliveryId}, ${number}, ${at}, ${tookMs}, ${status}, ${error}, ${answer})
    on conflict do nothing`);
}

/** A delivery that was ended meanwhile, because its endpoint was disabled, stays ended. */
export async function endDelivery(
  db: Queryable,
  { storeId, deliveryId }: DeliveryOfStore,
  { state, at }: { readonly state: 'delivered' | 'failed'; readonly at: Date },
): Promise<void> {
  await db.run(sql`
    update webhook_deliveries set state = ${state}, ended_at = ${at}
    where store_id = ${storeId} and webhook_delivery_id = ${deliveryId} and (state = 'waiting' or ${state} = 'delivered')`);
}

export async function tryDeliveryAgain(db: Queryable, { storeId, deliveryId }: DeliveryOfStore, tryAt: Date): Promise<void> {
  await db.run(sql`
    update webhook_deliveries set try_at = ${tryAt}
    where store_id = ${storeId} and webhook_delivery_id = ${deliveryId} and state = 'waiting'`);
}

/** Ends the waiting deliveries of a disabled or deleted endpoint. They can be resent manually if it is enabled again. */
export async function endWaiting(db: Queryable, { storeId, endpointId }: WebhookKey, at: Date): Promise<void> {
  await db.run(sql`
    update webhook_deliveries set state = 'failed', ended_at = ${at}
    where store_id = ${storeId} and webhook_endpoint_id = ${endpointId} and state = 'waiting'`);
}

/**
 * Restarts a delivery from the first attempt. One that is due by `soonBy` is left as it is: it may be in flight, and would be sent twice.
 * Returns 0 then, and for a delivery of another endpoint.
 */
export const rescheduleDelivery = (
  db: Queryable,
  { storeId, endpointId, deliveryId }: WebhookKey & DeliveryOfStore,
  { tryAt, soonBy }: { readonly tryAt: Date; readonly soonBy: Date },
): Promise<number> =>
  db.run(sql`
    update webhook_deliveries set state = 'waiting', ended_at = null, tries = 0, try_at = ${tryAt}
    where store_id = ${storeId} and webhook_endpoint_id = ${endpointId} and webhook_delivery_id = ${deliveryId}
      and (state <> 'waiting' or try_at > ${soonBy})`);

export type ListedDelivery = {
  readonly deliveryId: Id<'whd'>;
  readonly eventId: Id<'msg'>;
  readonly type: string;
  readonly at: Date;
  readonly state: DeliveryState;
  readonly attempts: number;
  readonly tryAt: Date;
  readonly endedAt: Date | null;
  readonly lastStatus: number | null;
  readonly lastError: string | null;
};

const columns = sql`
  d.webhook_delivery_id as delivery_id, e.webhook_event_id as event_id, e.type, e.at, d.state, d.attempts, d.try_at, d.ended_at,
  a.status as last_status, a.fault as last_error`;
const joins = sql`
  webhook_deliveries d
  join webhook_events e on e.store_id = d.store_id and e.webhook_event_id = d.webhook_event_id
  left join webhook_attempts a
    on a.store_id = d.store_id and a.webhook_delivery_id = d.webhook_delivery_id and a.number = d.attempts`;

type DeliveryFilter = WebhookKey & { readonly state: DeliveryState | null };

/** Newest first, by webhook_deliveries_of_endpoint. */
export const listDeliveries = (
  db: Queryable,
  { storeId, endpointId, state }: DeliveryFilter,
  { after, limit }: Page,
): Promise<ListedDelivery[]> =>
  db.all(sql`
    select ${columns} from ${joins}
    where d.store_id = ${storeId} and d.webhook_endpoint_id = ${endpointId} ${state === null ? emptySql : sql`and d.state = ${state}`}
      ${after === null ? emptySql : sql`and d.webhook_delivery_id < ${after[0]}`}
    order by d.webhook_delivery_id desc limit ${limit + 1}`);

export const findDelivery = (
  db: Queryable,
  { storeId, endpointId, deliveryId }: WebhookKey & DeliveryOfStore,
): Promise<(ListedDelivery & { readonly body: string }) | null> =>
  db.find(sql`
    select ${columns}, e.body from ${joins}
    where d.store_id = ${storeId} and d.webhook_endpoint_id = ${endpointId} and d.webhook_delivery_id = ${deliveryId}`);

export const listAttempts = (db: Queryable, { storeId, deliveryId }: DeliveryOfStore, limit: number): Promise<Attempt[]> =>
  db.all(sql`
    select number, at, took_ms, status, fault as error, answer from webhook_attempts
    where store_id = ${storeId} and webhook_delivery_id = ${deliveryId} order by number desc limit ${limit}`);
