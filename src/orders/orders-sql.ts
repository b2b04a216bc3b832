import type { Queryable, Transaction } from '../db/database.ts';
import { queryByStore, runByStore } from '../db/by-store.ts';
import { bigints, byteas, jsonbs, prepared, sql, texts, timestamps, uuids } from '../db/sql.ts';
import type { Id } from '../core/ids.ts';
import { jsonText } from '../core/json.ts';
import type { AttributionWhy } from '../contract/why.ts';
import type { NewOrder } from './decide-conversion.ts';
import type { NewReversal } from './decide-reversal.ts';

/** An order is found by its store and the hash of its id. */
export type OrderKey = { readonly storeId: Id<'store'>; readonly orderHash: Buffer };
export type ClickKey = { readonly storeId: Id<'store'>; readonly clickId: Id<'click'> };

/** A map key for an order. */
export const orderKeyText = ({ storeId, orderHash }: OrderKey): string => `${storeId} ${orderHash.toString('latin1')}`;
export const indexByOrder = <Row extends OrderKey>(rows: readonly Row[]): ReadonlyMap<string, Row> =>
  new Map(rows.map((row) => [orderKeyText(row), row]));

const storesOf = (keys: ReadonlyArray<{ readonly storeId: Id<'store'> }>) => keys.map(({ storeId }) => storeId);
const hashesOf = (keys: readonly OrderKey[]) => keys.map(({ orderHash }) => orderHash);

export type StoredOrder = OrderKey & {
  readonly transactionId: Id<'ord'>;
  readonly commissionId: Id<'com'>;
  readonly contentHash: Buffer;
  readonly recordedAt: Date;
};

/** Uses the primary key, the only index that begins with the store. Orders never change, so it takes no lock. */
export const ordersByHash = (db: Queryable, keys: readonly OrderKey[]): Promise<StoredOrder[]> =>
  queryByStore(keys, (storeId, ofStore) =>
    db.all<StoredOrder>(prepared`
      select store_id, order_hash, transaction_id, commission_id, content_hash, recorded_at from orders
      where store_id = ${storeId} and order_hash = any(${byteas(hashesOf(ofStore))})`),
  );

/** What a list shows of an order besides its commission. JSON is stored as text. */
export type OrderDetails = OrderKey & {
  /** Null: a code or a returning customer earned. */
  readonly clickId: Id<'click'> | null;
  readonly orderName: string | null;
  readonly customerId: string | null;
  readonly discountCode: string | null;
  readonly discountCodes: string | null;
  readonly attribution: AttributionWhy | null;
  readonly metadata: string | null;
};

/** Uses the primary key. */
export const orderDetails = (db: Queryable, storeId: Id<'store'>, orderHashes: readonly Buffer[]): Promise<OrderDetails[]> =>
  db.all(sql`
    select store_id, order_hash, click_id, order_name, customer_id, discount_code, discount_codes, attribution, metadata from orders
    where store_id = ${storeId} and order_hash = any(${byteas(orderHashes)})`);

/** The clicks that already back an order. */
export const claimedClicks = (db: Queryable, keys: readonly ClickKey[]): Promise<ClickKey[]> =>
  queryByStore(keys, (storeId, ofStore) =>
    db.all<ClickKey>(prepared`
      select store_id, click_id from click_claims
      where store_id = ${storeId} and click_id = any(${uuids(ofStore.map(({ clickId }) => clickId))})`),
  );

export const earlyReversals = (db: Queryable, keys: readonly OrderKey[]): Promise<OrderKey[]> =>
  queryByStore(keys, (storeId, ofStore) =>
    db.all<OrderKey>(prepared`
      select store_id, order_hash from early_reversals
      where store_id = ${storeId} and order_hash = any(${byteas(hashesOf(ofStore))})`),
  );

type TestOrder = OrderKey & { readonly transactionId: Id<'ord'> };

export const testOrders = (db: Queryable, keys: readonly OrderKey[]): Promise<TestOrder[]> =>
  queryByStore(keys, (storeId, ofStore) =>
    db.all<TestOrder>(sql`
      select store_id, order_hash, transaction_id from test_orders
      where store_id = ${storeId} and order_hash = any(${byteas(hashesOf(ofStore))})`),
  );

export type StoredReversal = OrderKey & { readonly contentHash: Buffer; readonly receivedAt: Date };

export const reversalsByHash = (db: Queryable, keys: readonly OrderKey[]): Promise<StoredReversal[]> =>
  queryByStore(keys, (storeId, ofStore) =>
    db.all<StoredReversal>(sql`
      select store_id, order_hash, content_hash, received_at from order_reversals
      where store_id = ${storeId} and order_hash = any(${byteas(hashesOf(ofStore))})`),
  );

/** Returns the number of new rows. The key (store, click) decides between two processes: one gets fewer rows than it sent. */
export const claimClicks = (tx: Transaction, claims: ReadonlyArray<ClickKey & OrderKey>): Promise<number> =>
  tx.run(prepared`
    insert into click_claims (store_id, click_id, order_hash)
    select * from unnest(${uuids(storesOf(claims))}, ${uuids(claims.map(({ clickId }) => clickId))}, ${byteas(hashesOf(claims))})
      as claim (store_id, click_id, order_hash)
    order by store_id, click_id
    on conflict do nothing`);

export type OrderRow = OrderKey & { readonly order: NewOrder; readonly contentHash: Buffer };
/** An order that is not reported yet, although its refund arrived. Only its key is known. */
type UnknownOrder = OrderKey & { readonly at: Date };

const placeholderId = '00000000-0000-0000-0000-000000000000';

/**
 * Returns the number of new rows. Rows are sorted by the only unique key, so that two batches cannot deadlock.
 *
 * Each unknown order gets a placeholder row until the commit. It waits for a transaction that is recording the order, and blocks a later
 * one; otherwise a refund that finds no order and an order that finds no refund could miss each other. Both kinds share one statement:
 * with two sorted statements, 30 rounds of test/race/orders.test.ts had 26 deadlocks.
 */
export async function insertOrders(tx: Transaction, recorded: readonly OrderRow[], unknown: readonly UnknownOrder[]): Promise<number> {
  const keys = [...recorded, ...unknown];
  const of = <Value, Placeholder>(value: (order: NewOrder) => Value, placeholder: (unknown: UnknownOrder) => Placeholder) => [
    ...recorded.map(({ order }) => value(order)),
    ...unknown.map(placeholder),
  ];
  const noId = () => placeholderId;
  const zero = () => 0n;
  const none = () => null;
  const empty = () => '';
  const time = ({ at }: UnknownOrder) => at;
  const contentHashes = [...recorded.map(({ contentHash }) => contentHash), ...unknown.map(() => Buffer.alloc(0))];
  const written = await tx.run(prepared`
    insert into orders (store_id, order_hash, content_hash, order_id, transaction_id, commission_id, click_id, link_number, program_id,
      creator_id, occurred_at, recorded_at, subtotal_cents, eligible_cents, order_name, customer_id, discount_code, line_items, metadata,
      discount_codes, attribution)
    select * from unnest(
      ${uuids(storesOf(keys))}, ${byteas(hashesOf(keys))}, ${byteas(contentHashes)},
      ${texts(of(({ report }) => report.orderId, empty))}, ${uuids(of(({ transactionId }) => transactionId, noId))},
      ${uuids(of(({ commissionId }) => commissionId, noId))},
      ${uuids(of(({ attribution }) => attribution.credited.click?.clickId ?? null, noId))},
      ${bigints(of(({ attribution }) => attribution.credited.linkNumber, zero))},
      ${uuids(of(({ attribution }) => attribution.credited.programId, noId))},
      ${uuids(of(({ attribution }) => attribution.credited.creatorId, noId))}, ${timestamps(of(({ occurredAt }) => occurredAt, time))},
      ${timestamps(of(({ recordedAt }) => recordedAt, time))}, ${bigints(of(({ report }) => report.subtotal, zero))},
      ${bigints(of(({ report }) => report.eligible, zero))}, ${texts(of(({ report }) => report.orderName, none))},
      ${texts(of(({ report }) => report.customerId, none))}, ${texts(of(({ report }) => report.discountCode, none))},
      ${texts(of(({ report }) => report.lines && jsonText(report.lines), none))},
      ${texts(of(({ report }) => report.metadata && jsonText(report.metadata), none))},
      ${texts(of(({ report }) => report.discountCodes && jsonText(report.discountCodes), none))},
      ${jsonbs(of(({ attribution }) => attribution.why && JSON.stringify(attribution.why), none))}
    ) as fresh (store_id, order_hash)
    order by store_id, order_hash
    on conflict do nothing`);
  if (unknown.length > 0) await deletePlaceholders(tx, unknown);
  return written;
}

/** No other transaction has seen them, and none can write these keys before the commit. */
const deletePlaceholders = (tx: Transaction, keys: readonly OrderKey[]): Promise<number> =>
  runByStore(keys, (storeId, ofStore) =>
    tx.run(sql`
      delete from orders
      where store_id = ${storeId} and order_hash = any(${byteas(hashesOf(ofStore))}) and transaction_id = ${placeholderId}`),
  );

export type ReversalRow = OrderKey & { readonly reversal: NewReversal; readonly contentHash: Buffer };

/** Returns the number of new rows. */
export const insertReversals = (tx: Transaction, rows: readonly ReversalRow[]): Promise<number> => {
  const of = <Value>(value: (reversal: NewReversal) => Value) => rows.map(({ reversal }) => value(reversal));
  return tx.run(sql`
    insert into order_reversals (store_id, order_hash, content_hash, reversal_id, occurred_at, received_at, reason)
    select * from unnest(
      ${uuids(storesOf(rows))}, ${byteas(hashesOf(rows))}, ${byteas(rows.map(({ contentHash }) => contentHash))},
      ${uuids(of(({ reversalId }) => reversalId))}, ${timestamps(of(({ occurredAt }) => occurredAt))},
      ${timestamps(of(({ receivedAt }) => receivedAt))}, ${texts(of(({ report }) => report.reason))}
    ) as fresh (store_id, order_hash)
    order by store_id, order_hash
    on conflict do nothing`);
};

/** Stored only so that the order is held if it still arrives. */
export const insertEarlyReversals = (tx: Transaction, keys: readonly OrderKey[], at: Date): Promise<number> =>
  tx.run(sql`
    insert into early_reversals (store_id, order_hash, first_seen_at)
    select store_id, order_hash, ${at} from unnest(${uuids(storesOf(keys))}, ${byteas(hashesOf(keys))}) as early (store_id, order_hash)
    order by store_id, order_hash
    on conflict do nothing`);

export type TestOrderRow = OrderKey & { readonly orderId: string; readonly transactionId: Id<'ord'>; readonly recordedAt: Date };

/** Keeps the transaction ID of the first report. */
export const insertTestOrders = (tx: Transaction, rows: readonly TestOrderRow[]): Promise<number> =>
  tx.run(sql`
    insert into test_orders (store_id, order_hash, order_id, transaction_id, recorded_at)
    select * from unnest(${uuids(storesOf(rows))}, ${byteas(hashesOf(rows))}, ${texts(rows.map(({ orderId }) => orderId))},
      ${uuids(rows.map(({ transactionId }) => transactionId))}, ${timestamps(rows.map(({ recordedAt }) => recordedAt))})
      as fresh (store_id, order_hash)
    order by store_id, order_hash
    on conflict do nothing`);
