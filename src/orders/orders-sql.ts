import type { Queryable, Transaction } from '../db/database.ts';
import { queryByStore, runByStore } from '../db/by-store.ts';
import { insertRows, sortedByKey } from '../db/insert-rows.ts';
import { bigints, byteas, inserting, jsonbs, prepared, sql, texts, timestamps, uuids } from '../db/sql.ts';
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

/** The word `"unreadable"` was stored for codes that a store sent in another form than a list, before it counted codes. */
export function readDiscountCodes(stored: string | null): string[] {
  const codes: unknown = stored === null ? null : JSON.parse(stored);
  return Array.isArray(codes) ? codes.map(String) : [];
}

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
export function claimClicks(tx: Transaction, claims: ReadonlyArray<ClickKey & OrderKey>): Promise<number> {
  const rows = sortedByKey(claims, ({ storeId, clickId }) => `${storeId} ${clickId}`);
  return insertRows(
    tx,
    inserting`
      insert into click_claims (store_id, click_id, order_hash)
      ${[uuids(storesOf(rows)), uuids(rows.map(({ clickId }) => clickId)), byteas(hashesOf(rows))]}
      on conflict do nothing`,
  );
}

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
  const rows = sortedByKey<OrderRow | UnknownOrder>([...recorded, ...unknown], orderKeyText);
  const of = <Value, Placeholder>(value: (order: NewOrder) => Value, placeholder: Placeholder) =>
    rows.map((row) => ('order' in row ? value(row.order) : placeholder));
  const times = (value: (order: NewOrder) => Date) => rows.map((row) => ('order' in row ? value(row.order) : row.at));
  const written = await insertRows(
    tx,
    inserting`
      insert into orders (store_id, order_hash, content_hash, order_id, transaction_id, commission_id, click_id, link_number, program_id,
        creator_id, occurred_at, recorded_at, subtotal_cents, eligible_cents, order_name, customer_id, discount_code, line_items, metadata,
        discount_codes, attribution)
      ${[
        uuids(storesOf(rows)),
        byteas(hashesOf(rows)),
        byteas(rows.map((row) => ('order' in row ? row.contentHash : Buffer.alloc(0)))),
        texts(of(({ report }) => report.orderId, '')),
        uuids(of(({ transactionId }) => transactionId, placeholderId)),
        uuids(of(({ commissionId }) => commissionId, placeholderId)),
        uuids(of(({ attribution }) => attribution.credited.click?.clickId ?? null, placeholderId)),
        bigints(of(({ attribution }) => attribution.credited.linkNumber, 0n)),
        uuids(of(({ attribution }) => attribution.credited.programId, placeholderId)),
        uuids(of(({ attribution }) => attribution.credited.creatorId, placeholderId)),
        timestamps(times(({ occurredAt }) => occurredAt)),
        timestamps(times(({ recordedAt }) => recordedAt)),
        bigints(of(({ report }) => report.subtotal, 0n)),
        bigints(of(({ report }) => report.eligible, 0n)),
        texts(of(({ report }) => report.orderName, null)),
        texts(of(({ report }) => report.customerId, null)),
        texts(of(({ report }) => report.discountCode, null)),
        texts(of(({ report }) => report.lines && jsonText(report.lines), null)),
        texts(of(({ report }) => report.metadata && jsonText(report.metadata), null)),
        texts(of(({ report }) => (Array.isArray(report.discountCodes) ? jsonText(report.discountCodes) : null), null)),
        jsonbs(of(({ attribution }) => attribution.why && JSON.stringify(attribution.why), null)),
      ]}
      on conflict do nothing`,
  );
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
export function insertReversals(tx: Transaction, reversals: readonly ReversalRow[]): Promise<number> {
  const rows = sortedByKey(reversals, orderKeyText);
  const of = <Value>(value: (reversal: NewReversal) => Value) => rows.map(({ reversal }) => value(reversal));
  return insertRows(
    tx,
    inserting`
      insert into order_reversals (store_id, order_hash, content_hash, reversal_id, occurred_at, received_at, reason)
      ${[
        uuids(storesOf(rows)),
        byteas(hashesOf(rows)),
        byteas(rows.map(({ contentHash }) => contentHash)),
        uuids(of(({ reversalId }) => reversalId)),
        timestamps(of(({ occurredAt }) => occurredAt)),
        timestamps(of(({ receivedAt }) => receivedAt)),
        texts(of(({ report }) => report.reason)),
      ]}
      on conflict do nothing`,
  );
}

/** Stored only so that the order is held if it still arrives. */
export function insertEarlyReversals(tx: Transaction, keys: readonly OrderKey[], at: Date): Promise<number> {
  const rows = sortedByKey(keys, orderKeyText);
  return insertRows(
    tx,
    inserting`
      insert into early_reversals (store_id, order_hash, first_seen_at)
      ${[uuids(storesOf(rows)), byteas(hashesOf(rows)), timestamps(rows.map(() => at))]}
      on conflict do nothing`,
  );
}

export type TestOrderRow = OrderKey & { readonly orderId: string; readonly transactionId: Id<'ord'>; readonly recordedAt: Date };

/** Keeps the transaction ID of the first report. */
export function insertTestOrders(tx: Transaction, orders: readonly TestOrderRow[]): Promise<number> {
  const rows = sortedByKey(orders, orderKeyText);
  return insertRows(
    tx,
    inserting`
      insert into test_orders (store_id, order_hash, order_id, transaction_id, recorded_at)
      ${[
        uuids(storesOf(rows)),
        byteas(hashesOf(rows)),
        texts(rows.map(({ orderId }) => orderId)),
        uuids(rows.map(({ transactionId }) => transactionId)),
        timestamps(rows.map(({ recordedAt }) => recordedAt)),
      ]}
      on conflict do nothing`,
  );
}
