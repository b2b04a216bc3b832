import type { Queryable, Transaction } from '../db/database.ts';
import { emptySql, sql, texts, timestamps, uuids } from '../db/sql.ts';
import { newId, type Id } from '../core/ids.ts';

/** An event with its rendered body and its endpoints. */
export type NewEvent = {
  readonly eventId: Id<'msg'>;
  readonly type: string;
  readonly subjectId: Id;
  readonly at: Date;
  readonly body: string;
  readonly endpointIds: ReadonlyArray<Id<'wh'>>;
};

type For = { readonly storeId: Id<'store'>; readonly tryAt: Date };

/** Inserts events with one delivery per endpoint. An existing event is kept and not delivered twice. */
export async function insertEvents(tx: Queryable, { storeId, tryAt }: For, events: readonly NewEvent[]): Promise<void> {
  if (events.length === 0) return;
  const made = await tx.all<{ eventId: Id<'msg'> }>(sql`
    insert into webhook_events (store_id, webhook_event_id, type, subject_id, at, body)
    select ${storeId}::uuid, event_id, type, subject_id, at, body from unnest(
      ${uuids(events.map(({ eventId }) => eventId))}, ${texts(events.map(({ type }) => type))},
      ${uuids(events.map(({ subjectId }) => subjectId))}, ${timestamps(events.map(({ at }) => at))},
      ${texts(events.map(({ body }) => body))}) as fresh (event_id, type, subject_id, at, body)
    on conflict do nothing returning webhook_event_id as event_id`);
  const fresh = new Set(made.map(({ eventId }) => eventId));
  const deliveries = events
    .filter(({ eventId }) => fresh.has(eventId))
    .flatMap(({ eventId, endpointIds }) => endpointIds.map((endpointId) => ({ eventId, endpointId, deliveryId: newId<'whd'>(tryAt) })));
  await tx.run(sql`
    insert into webhook_deliveries
      (store_id, webhook_delivery_id, webhook_endpoint_id, webhook_event_id, state, attempts, tries, try_at)
    select ${storeId}::uuid, delivery_id, endpoint_id, event_id, 'waiting', 0, 0, ${tryAt}::timestamptz from unnest(
      ${uuids(deliveries.map(({ deliveryId }) => deliveryId))}, ${uuids(deliveries.map(({ endpointId }) => endpointId))},
      ${uuids(deliveries.map(({ eventId }) => eventId))}) as fresh (delivery_id, endpoint_id, event_id)`);
}

/** The position up to which a store's commissions were collected. */
export type CollectedUpTo = { readonly readFrom: Date; readonly nextFrom: Date; readonly notedAt: Date };

/** Null: another process collects the events of this store now. */
export const lockCollectedUpTo = (tx: Transaction, storeId: Id<'store'>): Promise<CollectedUpTo | null> =>
  tx.find(sql`select read_from, next_from, noted_at from webhook_marks where store_id = ${storeId} for update skip locked`);

export async function saveCollectedUpTo(
  tx: Queryable,
  storeId: Id<'store'>,
  { readFrom, nextFrom, notedAt }: CollectedUpTo,
): Promise<void> {
  await tx.run(sql`
    insert into webhook_marks (store_id, read_from, next_from, noted_at) values (${storeId}, ${readFrom}, ${nextFrom}, ${notedAt})
    on conflict (store_id) do update
    set read_from = excluded.read_from, next_from = excluded.next_from, noted_at = excluded.noted_at`);
}

/** Crosses all stores; only those that ever had an endpoint have a row. */
export async function listCollectingStores(db: Queryable, after: Id<'store'> | null, limit: number): Promise<ReadonlyArray<Id<'store'>>> {
  const rows = await db.all<{ storeId: Id<'store'> }>(sql`
    select store_id from webhook_marks ${after === null ? emptySql : sql`where store_id > ${after}`} order by store_id limit ${limit}`);
  return rows.map(({ storeId }) => storeId);
}

type Before = { readonly storeId: Id<'store'>; readonly deliveriesBefore: Id; readonly eventsBefore: Date };

/**
 * Deletes old events with their deliveries; waiting ones are younger. An event is kept while a poll would find it again: a commission's
 * until the position is past it or no endpoint is enabled, and an invoice's for good, since those are few.
 */
export async function deleteEventsBefore(tx: Transaction, { storeId, deliveriesBefore, eventsBefore }: Before): Promise<void> {
  await tx.run(sql`delete from webhook_attempts where store_id = ${storeId} and webhook_delivery_id < ${deliveriesBefore}`);
  await tx.run(sql`delete from webhook_deliveries where store_id = ${storeId} and webhook_delivery_id < ${deliveriesBefore}`);
  await tx.run(sql`
    delete from webhook_events e
    where store_id = ${storeId} and at < ${eventsBefore} and type not like 'invoice.%' and type <> 'tracking.on'
      and (at < (select read_from from webhook_marks where store_id = ${storeId})
        or not exists (select 1 from event_listeners where store_id = ${storeId}))
      and not exists (
        select 1 from webhook_deliveries d where d.store_id = e.store_id and d.webhook_event_id = e.webhook_event_id)`);
}
