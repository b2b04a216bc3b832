import type { Reason } from '../contract/reasons.ts';
import type { Queryable, Transaction } from '../db/database.ts';
import { queryByStore } from '../db/by-store.ts';
import { insertRows, sortedByKey } from '../db/insert-rows.ts';
import { byteas, inserting, sql, texts, timestamps, uuids } from '../db/sql.ts';
import type { Id } from '../core/ids.ts';
import type { RecurringOperation } from './event.ts';

export type EventKey = { readonly storeId: Id<'store'>; readonly eventHash: Buffer };

export type StoredEvent = EventKey & {
  readonly operation: RecurringOperation;
  readonly contentHash: Buffer;
  readonly receivedAt: Date;
  readonly reason: Reason;
  readonly recordedEventId: Id<'evt'> | null;
  readonly bindingId: Id<'bind'> | null;
  readonly commissionId: Id<'com'> | null;
};

export type NewEvent = StoredEvent & { readonly eventId: string };

/** Uses the primary key. Events never change, so it takes no lock. */
export const eventsByHash = (db: Queryable, keys: readonly EventKey[]): Promise<StoredEvent[]> =>
  queryByStore(keys, (storeId, ofStore) =>
    db.all<StoredEvent>(sql`
      select store_id, event_hash, operation, content_hash, received_at, reason, recorded_event_id, binding_id, commission_id
      from subscription_events
      where store_id = ${storeId} and event_hash = any(${byteas(ofStore.map(({ eventHash }) => eventHash))})`),
  );

/**
 * Returns the number of new rows. Rows are sorted by the only unique key, which decides between two processes with the same event: one
 * gets fewer rows than it sent.
 */
export const insertEvents = (tx: Transaction, events: readonly NewEvent[]): Promise<number> => {
  const rows = sortedByKey(events, ({ storeId, eventHash }) => `${storeId} ${eventHash.toString('latin1')}`);
  const of = <Value>(value: (event: NewEvent) => Value) => rows.map(value);
  return insertRows(
    tx,
    inserting`
      insert into subscription_events (store_id, event_hash, event_id, operation, content_hash, received_at, reason, recorded_event_id,
        binding_id, commission_id)
      ${[
        uuids(of(({ storeId }) => storeId)),
        byteas(of(({ eventHash }) => eventHash)),
        texts(of(({ eventId }) => eventId)),
        texts(of(({ operation }) => operation)),
        byteas(of(({ contentHash }) => contentHash)),
        timestamps(of(({ receivedAt }) => receivedAt)),
        texts(of(({ reason }) => reason)),
        uuids(of(({ recordedEventId }) => recordedEventId)),
        uuids(of(({ bindingId }) => bindingId)),
        uuids(of(({ commissionId }) => commissionId)),
      ]}
      on conflict do nothing`,
  );
};
