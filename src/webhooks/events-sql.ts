import type { Queryable, Transaction } from '../platform/database/database.ts';
import { nothing, sql } from '../platform/database/sql.ts';
import { newId, type Id } from '../platform/ids.ts';

/** An event with its body written out, and who is to be told. */
export type NewEvent = {
  readonly eventId: Id<'msg'>;
  readonly type: string;
  readonly subjectId: Id;
  readonly at: Date;
  readonly body: string;
  readonly endpointIds: ReadonlyArray<Id<'wh'>>;
};

type For = { readonly storeId: Id<'store'>; readonly tryAt: Date };

/** With one delivery for each endpoint. What is an event already stays the one it is, and is told nobody twice. */
export async function keepEvents(tx: Queryable, { storeId, tryAt }: For, events: readonly NewEvent[]): Promise<void> {
  if (events.length === 0) return;
  const made = await tx.all<{ eventId: Id<'msg'> }>(sql`
    insert into webhook_events (store_id, webhook_event_id, type, subject_id, at, body)
    select ${storeId}::uuid, event_id, type, subject_id, at, body from unnest(
      ${events.map(({ eventId }) => eventId)}::uuid[], ${events.map(({ type }) => type)}::text[],
      ${events.map(({ subjectId }) => subjectId)}::uuid[], ${events.map(({ at }) => at)}::timestamptz[],
      ${events.map(({ body }) => body)}::text[]) as fresh (event_id, type, subject_id, at, body)
    on conflict do nothing returning webhook_event_id as event_id`);
  const fresh = new Set(made.map(({ eventId }) => eventId));
  const deliveries = events
    .filter(({ eventId }) => fresh.has(eventId))
    .flatMap(({ eventId, endpointIds }) => endpointIds.map((endpointId) => ({ eventId, endpointId, deliveryId: newId<'whd'>(tryAt) })));
  await tx.run(sql`
    insert into webhook_deliveries
      (store_id, webhook_delivery_id, webhook_endpoint_id, webhook_event_id, state, attempts, tries, try_at)
    select ${storeId}::uuid, delivery_id, endpoint_id, event_id, 'waiting', 0, 0, ${tryAt}::timestamptz from unnest(
      ${deliveries.map(({ deliveryId }) => deliveryId)}::uuid[], ${deliveries.map(({ endpointId }) => endpointId)}::uuid[],
      ${deliveries.map(({ eventId }) => eventId)}::uuid[]) as fresh (delivery_id, endpoint_id, event_id)`);
}

/** From where on a store's new commissions are looked for. */
export type Mark = { readonly readFrom: Date; readonly nextFrom: Date; readonly notedAt: Date };

/** Null where somebody else gathers for this store just now. */
export const lockMark = (tx: Transaction, storeId: Id<'store'>): Promise<Mark | null> =>
  tx.find(sql`select read_from, next_from, noted_at from webhook_marks where store_id = ${storeId} for update skip locked`);

export async function setMark(tx: Queryable, storeId: Id<'store'>, { readFrom, nextFrom, notedAt }: Mark): Promise<void> {
  await tx.run(sql`
    insert into webhook_marks (store_id, read_from, next_from, noted_at) values (${storeId}, ${readFrom}, ${nextFrom}, ${notedAt})
    on conflict (store_id) do update
    set read_from = excluded.read_from, next_from = excluded.next_from, noted_at = excluded.noted_at`);
}

/** Crosses all stores: only those that ever listened have a mark. */
export async function storesWithMarks(db: Queryable, after: Id<'store'> | null, limit: number): Promise<ReadonlyArray<Id<'store'>>> {
  const rows = await db.all<{ storeId: Id<'store'> }>(sql`
    select store_id from webhook_marks ${after === null ? nothing : sql`where store_id > ${after}`} order by store_id limit ${limit}`);
  return rows.map(({ storeId }) => storeId);
}

type Before = { readonly storeId: Id<'store'>; readonly deliveriesBefore: Id; readonly eventsBefore: Date };

/**
 * What is old goes, whatever became of it; what still waits is younger than that. An event stays as long as it would be found
 * once more: a commission's until the mark is beyond it, or nobody listens any more; an invoice's for ever; those are few.
 */
export async function forgetBefore(tx: Transaction, { storeId, deliveriesBefore, eventsBefore }: Before): Promise<void> {
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
