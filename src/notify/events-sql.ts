import type { Queryable, Transaction } from '../platform/database/database.ts';
import { nothing, sql } from '../platform/database/sql.ts';
import { jsonText } from '../platform/http/json.ts';
import { newId, type Id } from '../platform/ids.ts';

/** Something that happened to one thing of a store, which the store's own programs may want to be told. */
export type StoreEvent = {
  readonly eventId: Id<'msg'>;
  readonly type: string;
  readonly subjectId: Id;
  readonly at: Date;
  readonly detail: Readonly<Record<string, string | null>>;
};

type Told = Pick<StoreEvent, 'type' | 'at' | 'detail'> & { readonly storeId: Id<'store'>; readonly subjectIds: readonly Id[] };

/**
 * Written in the transaction in which it happens, and only where somebody listens: nearly all stores pay for one look at a
 * small key. Not for orders and invoices of subscriptions, which come by the thousand: those are looked for afterwards.
 */
export async function tellEvents(tx: Transaction, { storeId, type, at, detail, subjectIds }: Told): Promise<void> {
  if (subjectIds.length === 0) return;
  await tx.run(sql`
    insert into store_events (store_id, event_id, type, subject_id, at, detail)
    select ${storeId}::uuid, event_id, ${type}, subject_id, ${at}::timestamptz, ${jsonText(detail)}::jsonb
    from unnest(${subjectIds.map(() => newId<'msg'>(at))}::uuid[], ${subjectIds}::uuid[]) as fresh (event_id, subject_id)
    where exists (select 1 from event_listeners where store_id = ${storeId})`);
}

/** The oldest that wait. Who takes them holds the store's mark, so nobody else takes them too. */
export const waitingEvents = (tx: Transaction, storeId: Id<'store'>, limit: number): Promise<StoreEvent[]> =>
  tx.all(sql`
    select event_id, type, subject_id, at, detail from store_events where store_id = ${storeId} order by event_id limit ${limit}`);

export const dropEvents = (tx: Transaction, storeId: Id<'store'>, eventIds: ReadonlyArray<Id<'msg'>>): Promise<number> =>
  tx.run(sql`delete from store_events where store_id = ${storeId} and event_id = any(${eventIds}::uuid[])`);

/** False where it was listened to already. */
export async function listenTo(db: Queryable, storeId: Id<'store'>): Promise<boolean> {
  return (await db.run(sql`insert into event_listeners (store_id) values (${storeId}) on conflict do nothing`)) === 1;
}

/** Nobody wants to hear of it any more, nor what waits. */
export async function stopListening(db: Queryable, storeId: Id<'store'>): Promise<void> {
  await db.run(sql`delete from event_listeners where store_id = ${storeId}`);
  await db.run(sql`delete from store_events where store_id = ${storeId}`);
}

/** Crosses all stores: only those that are listened to have a row. */
export async function storesListenedTo(db: Queryable, after: Id<'store'> | null, limit: number): Promise<ReadonlyArray<Id<'store'>>> {
  const rows = await db.all<{ storeId: Id<'store'> }>(sql`
    select store_id from event_listeners ${after === null ? nothing : sql`where store_id > ${after}`} order by store_id limit ${limit}`);
  return rows.map(({ storeId }) => storeId);
}
