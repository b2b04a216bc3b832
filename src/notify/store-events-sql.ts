import type { Queryable, Transaction } from '../db/database.ts';
import { emptySql, sql, uuids } from '../db/sql.ts';
import { jsonText } from '../core/json.ts';
import { newId, type Id } from '../core/ids.ts';

/** A change to one resource of a store, which webhooks deliver to the store's own programs. */
export type StoreEvent = {
  readonly eventId: Id<'msg'>;
  readonly type: string;
  readonly subjectId: Id;
  readonly at: Date;
  readonly detail: Readonly<Record<string, string | number | null>>;
};

type NewStoreEvents = Pick<StoreEvent, 'type' | 'at' | 'detail'> & { readonly storeId: Id<'store'>; readonly subjectIds: readonly Id[] };

/**
 * Runs in the transaction of the change. Writes nothing for a store without listeners, which costs one lookup by primary key. Orders and
 * invoices of subscriptions are too many for this: webhooks query them afterwards.
 */
export async function insertStoreEvents(tx: Transaction, { storeId, type, at, detail, subjectIds }: NewStoreEvents): Promise<void> {
  if (subjectIds.length === 0) return;
  await tx.run(sql`
    insert into store_events (store_id, event_id, type, subject_id, at, detail)
    select ${storeId}::uuid, event_id, ${type}, subject_id, ${at}::timestamptz, ${jsonText(detail)}::jsonb
    from unnest(${uuids(subjectIds.map(() => newId<'msg'>(at)))}, ${uuids(subjectIds)}) as fresh (event_id, subject_id)
    where exists (select 1 from event_listeners where store_id = ${storeId})`);
}

/** The oldest first. The caller locks the store's webhook position, so that no other process delivers the same events. */
export const listPendingEvents = (tx: Transaction, storeId: Id<'store'>, limit: number): Promise<StoreEvent[]> =>
  tx.all(sql`
    select event_id, type, subject_id, at, detail from store_events where store_id = ${storeId} order by event_id limit ${limit}`);

export const deleteEvents = (tx: Transaction, storeId: Id<'store'>, eventIds: ReadonlyArray<Id<'msg'>>): Promise<number> =>
  tx.run(sql`delete from store_events where store_id = ${storeId} and event_id = any(${uuids(eventIds)})`);

/** Returns false if the store's events were enabled before. */
export async function enableStoreEvents(db: Queryable, storeId: Id<'store'>): Promise<boolean> {
  return (await db.run(sql`insert into event_listeners (store_id) values (${storeId}) on conflict do nothing`)) === 1;
}

/** Also deletes the events that are not delivered yet. */
export async function disableStoreEvents(db: Queryable, storeId: Id<'store'>): Promise<void> {
  await db.run(sql`delete from event_listeners where store_id = ${storeId}`);
  await db.run(sql`delete from store_events where store_id = ${storeId}`);
}

/** Pages through all stores with listeners; other stores have no row. */
export async function listStoresWithListeners(
  db: Queryable,
  after: Id<'store'> | null,
  limit: number,
): Promise<ReadonlyArray<Id<'store'>>> {
  const rows = await db.all<{ storeId: Id<'store'> }>(sql`
    select store_id from event_listeners ${after === null ? emptySql : sql`where store_id > ${after}`} order by store_id limit ${limit}`);
  return rows.map(({ storeId }) => storeId);
}
