import type { Queryable, Transaction } from '../platform/database/database.ts';
import { prepared, sql } from '../platform/database/sql.ts';
import type { Id } from '../platform/ids.ts';
import { jsonText } from '../platform/http/json.ts';
import type { NewOrder } from './decide-conversion.ts';
import type { NewReversal } from './decide-reversal.ts';

/** An order is found by its store and the hash of its id. */
export type OrderKey = { readonly storeId: Id<'store'>; readonly orderHash: Buffer };
export type ClickKey = { readonly storeId: Id<'store'>; readonly clickId: Id<'click'> };

/** For looking rows up in memory again. */
export const nameOf = ({ storeId, orderHash }: OrderKey): string => `${storeId} ${orderHash.toString('latin1')}`;
export const byOrder = <Row extends OrderKey>(rows: readonly Row[]): ReadonlyMap<string, Row> =>
  new Map(rows.map((row) => [nameOf(row), row]));

const storesOf = (keys: ReadonlyArray<{ readonly storeId: Id<'store'> }>) => keys.map(({ storeId }) => storeId);
const hashesOf = (keys: readonly OrderKey[]) => keys.map(({ orderHash }) => orderHash);

export type KeptOrder = OrderKey & {
  readonly transactionId: Id<'ord'>;
  readonly commissionId: Id<'com'>;
  readonly contentHash: Buffer;
  readonly recordedAt: Date;
};

/** By primary key, the only index that begins with the store. Orders never change, so they are read without a lock. */
export const ordersByHash = (db: Queryable, keys: readonly OrderKey[]): Promise<KeptOrder[]> =>
  db.all(prepared`
    select wanted.store_id, wanted.order_hash, transaction_id, commission_id, content_hash, recorded_at
    from unnest(${storesOf(keys)}::uuid[], ${hashesOf(keys)}::bytea[]) as wanted (store_id, order_hash)
    cross join lateral (
      select transaction_id, commission_id, content_hash, recorded_at from orders
      where store_id = wanted.store_id and order_hash = wanted.order_hash limit 1) as kept`);

/** What a list shows of an order beside its commission. JSON is kept as the text that it is. */
export type OrderDetails = OrderKey & {
  readonly clickId: Id<'click'>;
  readonly orderName: string | null;
  readonly customerId: string | null;
  readonly discountCode: string | null;
  readonly metadata: string | null;
};

/** By primary key. */
export const orderDetails = (db: Queryable, storeId: Id<'store'>, orderHashes: readonly Buffer[]): Promise<OrderDetails[]> =>
  db.all(sql`
    select store_id, order_hash, click_id, order_name, customer_id, discount_code, metadata from orders
    where store_id = ${storeId} and order_hash = any(${orderHashes}::bytea[])`);

/** Which of these clicks back an order already. */
export const claimedClicks = (db: Queryable, keys: readonly ClickKey[]): Promise<ClickKey[]> =>
  db.all(prepared`
    select store_id, click_id
    from unnest(${storesOf(keys)}::uuid[], ${keys.map(({ clickId }) => clickId)}::uuid[]) as wanted (store_id, click_id)
    cross join lateral (
      select from click_claims where store_id = wanted.store_id and click_id = wanted.click_id limit 1) as claimed`);

export const earlyReversals = (db: Queryable, keys: readonly OrderKey[]): Promise<OrderKey[]> =>
  db.all(prepared`
    select store_id, order_hash
    from unnest(${storesOf(keys)}::uuid[], ${hashesOf(keys)}::bytea[]) as wanted (store_id, order_hash)
    cross join lateral (
      select from early_reversals where store_id = wanted.store_id and order_hash = wanted.order_hash limit 1) as early`);

export const testOrders = (db: Queryable, keys: readonly OrderKey[]): Promise<Array<OrderKey & { readonly transactionId: Id<'ord'> }>> =>
  keys.length === 0
    ? Promise.resolve([])
    : db.all(sql`
        select store_id, order_hash, transaction_id
        from unnest(${storesOf(keys)}::uuid[], ${hashesOf(keys)}::bytea[]) as wanted (store_id, order_hash)
        join test_orders using (store_id, order_hash)`);

export type KeptReversal = OrderKey & { readonly contentHash: Buffer; readonly receivedAt: Date };

export const reversalsByHash = (db: Queryable, keys: readonly OrderKey[]): Promise<KeptReversal[]> =>
  db.all(sql`
    select store_id, order_hash, content_hash, received_at
    from unnest(${storesOf(keys)}::uuid[], ${hashesOf(keys)}::bytea[]) as wanted (store_id, order_hash)
    join order_reversals using (store_id, order_hash)`);

/** Returns how many were new. The key (store, click) is the arbiter: of two processes with one click one gets fewer back than it sent. */
export const claimClicks = (tx: Transaction, claims: ReadonlyArray<ClickKey & OrderKey>): Promise<number> =>
  tx.run(prepared`
    insert into click_claims (store_id, click_id, order_hash)
    select * from unnest(${storesOf(claims)}::uuid[], ${claims.map(({ clickId }) => clickId)}::uuid[], ${hashesOf(claims)}::bytea[])
      as claim (store_id, click_id, order_hash)
    order by store_id, click_id
    on conflict do nothing`);

export type OrderRow = OrderKey & { readonly order: NewOrder; readonly contentHash: Buffer };
/** An order that nobody reported, of which a refund came: nothing of it is known but its key. */
type UnknownOrder = OrderKey & { readonly at: Date };

const standInId = '00000000-0000-0000-0000-000000000000';

/**
 * Returns how many were new. Sorted by its only unique key, so that two batches never wait for each other in a circle.
 *
 * For orders that nobody reported a row stands in until the commit: it waits for whoever is just recording one of them, and
 * makes whoever comes next wait for us. A refund that finds no order and an order that finds no refund would else pass each
 * other by. One statement for both kinds: in two, each sorted, 30 rounds of test/race/orders.test.ts had 26 deadlocks.
 */
export async function insertOrders(tx: Transaction, recorded: readonly OrderRow[], unknown: readonly UnknownOrder[]): Promise<number> {
  const keys = [...recorded, ...unknown];
  const of = <Value, Standing>(value: (order: NewOrder) => Value, standing: (unknown: UnknownOrder) => Standing) => [
    ...recorded.map(({ order }) => value(order)),
    ...unknown.map(standing),
  ];
  const nobody = () => standInId;
  const zero = () => 0n;
  const none = () => null;
  const empty = () => '';
  const time = ({ at }: UnknownOrder) => at;
  const contentHashes = [...recorded.map(({ contentHash }) => contentHash), ...unknown.map(() => Buffer.alloc(0))];
  const written = await tx.run(prepared`
    insert into orders (store_id, order_hash, content_hash, order_id, transaction_id, commission_id, click_id, link_number, program_id,
      creator_id, occurred_at, recorded_at, subtotal_cents, eligible_cents, order_name, customer_id, discount_code, line_items, metadata)
    select * from unnest(
      ${storesOf(keys)}::uuid[], ${hashesOf(keys)}::bytea[], ${contentHashes}::bytea[],
      ${of(({ report }) => report.orderId, empty)}::text[], ${of(({ transactionId }) => transactionId, nobody)}::uuid[],
      ${of(({ commissionId }) => commissionId, nobody)}::uuid[], ${of(({ click }) => click.clickId, nobody)}::uuid[],
      ${of(({ click }) => click.linkNumber, zero)}::bigint[], ${of(({ click }) => click.programId, nobody)}::uuid[],
      ${of(({ click }) => click.creatorId, nobody)}::uuid[], ${of(({ occurredAt }) => occurredAt, time)}::timestamptz[],
      ${of(({ recordedAt }) => recordedAt, time)}::timestamptz[], ${of(({ report }) => report.subtotal, zero)}::bigint[],
      ${of(({ report }) => report.eligible, zero)}::bigint[], ${of(({ report }) => report.orderName, none)}::text[],
      ${of(({ report }) => report.customerId, none)}::text[], ${of(({ report }) => report.discountCode, none)}::text[],
      ${of(({ report }) => report.lines && jsonText(report.lines), none)}::text[],
      ${of(({ report }) => report.metadata && jsonText(report.metadata), none)}::text[]
    ) as fresh (store_id, order_hash)
    order by store_id, order_hash
    on conflict do nothing`);
  if (unknown.length > 0) await takeStandInsAway(tx, unknown);
  return written;
}

/** Nobody has seen them, and until the commit nobody can write in their place. */
const takeStandInsAway = (tx: Transaction, keys: readonly OrderKey[]): Promise<number> =>
  tx.run(sql`
    delete from orders
    where (store_id, order_hash) in (select * from unnest(${storesOf(keys)}::uuid[], ${hashesOf(keys)}::bytea[]))
      and transaction_id = ${standInId}`);

export type ReversalRow = OrderKey & { readonly reversal: NewReversal; readonly contentHash: Buffer };

/** Returns how many were new. */
export const insertReversals = (tx: Transaction, rows: readonly ReversalRow[]): Promise<number> => {
  const of = <Value>(value: (reversal: NewReversal) => Value) => rows.map(({ reversal }) => value(reversal));
  return tx.run(sql`
    insert into order_reversals (store_id, order_hash, content_hash, reversal_id, occurred_at, received_at, reason)
    select * from unnest(
      ${storesOf(rows)}::uuid[], ${hashesOf(rows)}::bytea[], ${rows.map(({ contentHash }) => contentHash)}::bytea[],
      ${of(({ reversalId }) => reversalId)}::uuid[], ${of(({ occurredAt }) => occurredAt)}::timestamptz[],
      ${of(({ receivedAt }) => receivedAt)}::timestamptz[], ${of(({ report }) => report.reason)}::text[]
    ) as fresh (store_id, order_hash)
    order by store_id, order_hash
    on conflict do nothing`);
};

/** Remembered once; only to hold the order if it still comes. */
export const rememberEarlyReversals = (tx: Transaction, keys: readonly OrderKey[], at: Date): Promise<number> =>
  tx.run(sql`
    insert into early_reversals (store_id, order_hash, first_seen_at)
    select store_id, order_hash, ${at} from unnest(${storesOf(keys)}::uuid[], ${hashesOf(keys)}::bytea[]) as early (store_id, order_hash)
    order by store_id, order_hash
    on conflict do nothing`);

export type TestOrderRow = OrderKey & { readonly orderId: string; readonly transactionId: Id<'ord'>; readonly recordedAt: Date };

/** The first one's transaction id stands. */
export const keepTestOrders = (tx: Transaction, rows: readonly TestOrderRow[]): Promise<number> =>
  tx.run(sql`
    insert into test_orders (store_id, order_hash, order_id, transaction_id, recorded_at)
    select * from unnest(${storesOf(rows)}::uuid[], ${hashesOf(rows)}::bytea[], ${rows.map(({ orderId }) => orderId)}::text[],
      ${rows.map(({ transactionId }) => transactionId)}::uuid[], ${rows.map(({ recordedAt }) => recordedAt)}::timestamptz[])
      as fresh (store_id, order_hash)
    order by store_id, order_hash
    on conflict do nothing`);
