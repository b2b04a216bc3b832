import { concernOf } from '../../sdk/src/decide-stripe.ts';
import type { Queryable } from '../db/database.ts';
import { emptySql, sql } from '../db/sql.ts';
import type { Page } from '../http/page.ts';
import { firstIdAt, type Id } from '../core/ids.ts';
import type { EventEnd, EventState } from '../inbox/event-end.ts';

export type EventKey = { readonly storeId: Id<'store'>; readonly eventId: Id<'sev'> };

/** As it was delivered. */
type Delivered = EventKey & {
  readonly eventName: string;
  readonly objectName: string | null;
  readonly type: string;
  readonly createdAt: Date;
  readonly receivedAt: Date;
  /** Null if it needs no processing. */
  readonly body: Buffer | null;
};

/** False if the event was delivered before. */
export async function insertEvent(db: Queryable, event: Delivered & Omit<EventEnd, 'isFinal'>): Promise<boolean> {
  const inserted = await db.run(sql`
    insert into stripe_events (store_id, stripe_event_id, event_name, object_name, type, created_at, received_at, body, state, reason,
      message, attempts, try_at, ended_at)
    values (${event.storeId}, ${event.eventId}, ${event.eventName}, ${event.objectName}, ${event.type}, ${event.createdAt},
      ${event.receivedAt}, ${event.body}, ${event.state}, ${event.reason}, ${event.message}, 0, ${event.tryAt}, ${event.endedAt})
    on conflict (store_id, event_name) do nothing`);
  return inserted === 1;
}

export type ClaimedEvent = {
  readonly eventId: Id<'sev'>;
  readonly body: Buffer;
  readonly attempts: number;
  readonly receivedAt: Date;
};

type Claim = { readonly storeId: Id<'store'>; readonly now: Date; readonly leaseEnds: Date; readonly limit: number };

export async function hasDueEvents(db: Queryable, storeId: Id<'store'>, now: Date): Promise<boolean> {
  const due = await db.find(sql`
    select 1 as one from stripe_events where store_id = ${storeId} and state = 'waiting' and try_at <= ${now} limit 1`);
  return due !== null;
}

/**
 * Claims due events until the lease ends, in the order in which Stripe created them. Those of a crashed process are claimed again. Stripe's
 * times are whole seconds: the end of a subscription follows the other events of its second, because an invoice after it earns nothing.
 */
export async function claimEvents(db: Queryable, { storeId, now, leaseEnds, limit }: Claim): Promise<readonly ClaimedEvent[]> {
  const rows = await db.all<ClaimedEvent & Pick<Delivered, 'createdAt' | 'type'>>(sql`
    with due as (
      select stripe_event_id from stripe_events
      where store_id = ${storeId} and state = 'waiting' and try_at <= ${now}
      order by try_at, stripe_event_id limit ${limit} for update skip locked
    )
    update stripe_events e set try_at = ${leaseEnds}, attempts = attempts + 1
    from due where e.store_id = ${storeId} and e.stripe_event_id = due.stripe_event_id
    returning e.stripe_event_id as event_id, e.body, e.attempts, e.received_at, e.created_at, e.type`);
  const key = ({ createdAt, type, eventId }: (typeof rows)[number]) =>
    `${createdAt.toISOString()} ${concernOf(type)?.is === 'end' ? 1 : 0} ${eventId}`;
  return rows.toSorted((one, other) => (key(one) < key(other) ? -1 : 1));
}

/** A disconnected store has no such row. */
export async function saveEventEnd(db: Queryable, { storeId, eventId }: EventKey, end: EventEnd): Promise<void> {
  await db.run(sql`
    update stripe_events set state = ${end.state}, reason = ${end.reason}, message = ${end.message}, try_at = ${end.tryAt},
      ended_at = ${end.endedAt} ${end.isFinal ? sql`, body = null` : emptySql}
    where store_id = ${storeId} and stripe_event_id = ${eventId}`);
}

/** Makes a failed or waiting event due. Returns false if its body is gone. */
export async function retryEvent(db: Queryable, { storeId, eventId }: EventKey, now: Date): Promise<boolean> {
  const changed = await db.run(sql`
    update stripe_events set state = 'waiting', reason = null, message = null, ended_at = null, try_at = ${now}, received_at = ${now}
    where store_id = ${storeId} and stripe_event_id = ${eventId} and body is not null and state in ('waiting', 'failed')`);
  return changed === 1;
}

/** After the API key was changed, what failed because of it can succeed. */
export async function retryEventsWithReasonLike(db: Queryable, storeId: Id<'store'>, prefix: string, now: Date): Promise<number> {
  return db.run(sql`
    update stripe_events set state = 'waiting', reason = null, message = null, ended_at = null, try_at = ${now}, received_at = ${now}
    where store_id = ${storeId} and body is not null and state in ('waiting', 'failed') and starts_with(reason, ${prefix}::text)`);
}

export type ListedEvent = {
  readonly eventId: Id<'sev'>;
  readonly eventName: string;
  readonly objectName: string | null;
  readonly type: string;
  readonly createdAt: Date;
  readonly receivedAt: Date;
  readonly state: EventState;
  readonly reason: string | null;
  readonly message: string | null;
  readonly attempts: number;
  readonly tryAt: Date;
  readonly hasBody: boolean;
};

const columns = sql`
  stripe_event_id as event_id, event_name, object_name, type, created_at, received_at, state, reason, message, attempts, try_at,
  body is not null as has_body`;

/** Newest first, by the primary key or stripe_events_by_state. */
export const listEvents = (
  db: Queryable,
  { storeId, state }: { readonly storeId: Id<'store'>; readonly state: EventState | null },
  { after, limit }: Page,
): Promise<ListedEvent[]> =>
  db.all(sql`
    select ${columns} from stripe_events
    where store_id = ${storeId} ${state === null ? emptySql : sql`and state = ${state}`}
      ${after === null ? emptySql : sql`and stripe_event_id < ${after[0]}`}
    order by stripe_event_id desc limit ${limit + 1}`);

export const findEvent = (db: Queryable, { storeId, eventId }: EventKey): Promise<ListedEvent | null> =>
  db.find(sql`select ${columns} from stripe_events where store_id = ${storeId} and stripe_event_id = ${eventId}`);

/** When the last event that was used arrived; null if there is none. */
export async function lastStripeEventAt(db: Queryable, storeId: Id<'store'>): Promise<Date | null> {
  const row = await db.find<{ receivedAt: Date }>(sql`
    select received_at from stripe_events
    where store_id = ${storeId} and state = 'done' order by stripe_event_id desc limit 1`);
  return row?.receivedAt ?? null;
}

export type EventCounts = {
  readonly lastAt: Date | null;
  readonly oldestWaitingAt: Date | null;
  readonly waiting: number;
  readonly failed: number;
};

type Counted = { readonly failedSince: Date; readonly countMax: number };

/** Counts up to `countMax`, so that a flood of events slows no page. */
export const countEvents = (db: Queryable, storeId: Id<'store'>, { failedSince, countMax }: Counted): Promise<EventCounts> =>
  db.one(sql`
    select
      (select received_at from stripe_events where store_id = ${storeId} order by stripe_event_id desc limit 1) as last_at,
      (select received_at from stripe_events
        where store_id = ${storeId} and state = 'waiting' order by stripe_event_id limit 1) as oldest_waiting_at,
      (select count(*) from (select 1 from stripe_events
        where store_id = ${storeId} and state = 'waiting' limit ${countMax}) as rows)::int as waiting,
      (select count(*) from (select 1 from stripe_events
        where store_id = ${storeId} and state = 'failed' and stripe_event_id >= ${firstIdAt(failedSince)}
        limit ${countMax}) as rows)::int as failed`);

/** The reason of one event that waits or failed, and begins with the prefix. */
export async function findReadFailure(db: Queryable, storeId: Id<'store'>, prefix: string): Promise<string | null> {
  const row = await db.find<{ reason: string }>(sql`
    select reason from stripe_events
    where store_id = ${storeId} and state in ('waiting', 'failed') and starts_with(reason, ${prefix}::text)
    order by stripe_event_id desc limit 1`);
  return row?.reason ?? null;
}

type Retention = {
  readonly storeId: Id<'store'>;
  readonly eventsBefore: Date;
  readonly bodiesBefore: Date;
  readonly sessionsBefore: Date;
};

/** A subscription needs its session for as long as it is billed. */
export async function deleteOldEvents(db: Queryable, { storeId, eventsBefore, bodiesBefore, sessionsBefore }: Retention): Promise<void> {
  await db.run(sql`delete from stripe_events where store_id = ${storeId} and ended_at < ${eventsBefore}`);
  await db.run(sql`
    update stripe_events set body = null where store_id = ${storeId} and body is not null and ended_at < ${bodiesBefore}`);
  await db.run(sql`
    delete from stripe_sessions where store_id = ${storeId} and subscription_name is null and created_at < ${sessionsBefore}`);
}

export type StoredSession = {
  readonly sessionName: string;
  readonly paymentName: string | null;
  readonly subscriptionName: string | null;
  readonly clickId: string | null;
  readonly isReferred: boolean;
  readonly totalCents: bigint;
  readonly eligibleCents: bigint;
  readonly createdAt: Date;
};

export async function insertSession(db: Queryable, storeId: Id<'store'>, session: StoredSession): Promise<void> {
  await db.run(sql`
    insert into stripe_sessions (store_id, session_name, payment_name, subscription_name, click_id, is_referred, total_cents,
      eligible_cents, created_at)
    values (${storeId}, ${session.sessionName}, ${session.paymentName}, ${session.subscriptionName}, ${session.clickId},
      ${session.isReferred}, ${session.totalCents}, ${session.eligibleCents}, ${session.createdAt})
    on conflict do nothing`);
}

export const findSessionByPayment = (db: Queryable, storeId: Id<'store'>, paymentName: string): Promise<StoredSession | null> =>
  db.find(sql`
    select session_name, payment_name, subscription_name, click_id, is_referred, total_cents, eligible_cents, created_at
    from stripe_sessions where store_id = ${storeId} and payment_name = ${paymentName} order by session_name limit 1`);

export async function findClickOfSubscription(db: Queryable, storeId: Id<'store'>, subscriptionName: string): Promise<string | null> {
  const row = await db.find<{ clickId: string | null }>(sql`
    select click_id from stripe_sessions
    where store_id = ${storeId} and subscription_name = ${subscriptionName} and click_id is not null order by session_name limit 1`);
  return row?.clickId ?? null;
}
