import type { Operation, Reason } from '../contract/reasons.ts';
import type { Why } from '../contract/why.ts';
import type { Queryable, Transaction } from '../db/database.ts';
import { insertRows } from '../db/insert-rows.ts';
import { afterKey, orderBy, type ListSorts, type SortColumn } from '../db/list-order.ts';
import { bigints, byteas, emptySql, inserting, jsonbs, sql, texts, timestamps, uuids } from '../db/sql.ts';
import type { SortedPage } from '../http/page.ts';
import { firstIdAt, newId, type Id } from '../core/ids.ts';

/** An order, lead, or subscription that earned this creator nothing: it failed, another creator earned it, or the code did not count. */
export type RefusedOrder = {
  readonly storeId: Id<'store'>;
  readonly creatorId: Id<'crt'>;
  readonly at: Date;
  readonly programId: Id<'prog'>;
  readonly linkNumber: bigint;
  /** Null: a code or a customer brought the creator into the order. */
  readonly clickId: Id<'click'> | null;
  readonly operation: Extract<Operation, 'conversion' | 'relationship' | 'lead'>;
  /** SHA-256 of the merchant's ID, so that an order that is sent again is listed once. */
  readonly subjectHash: Buffer;
  readonly reason: Reason | 'another_creator' | 'code_does_not_count';
  readonly why: Why;
};

/** The reasons that concern the click. Creators do not see mistakes in the merchant's request. */
export const creatorVisibleReasons: readonly Reason[] = [
  'unsupported_pricing_currency',
  'invalid_occurred_at',
  'order_precedes_click',
  'lead_precedes_click',
  'attribution_window_expired',
  'referral_click_already_converted',
];
export const isVisibleToCreator = (reason: Reason): boolean => creatorVisibleReasons.includes(reason);

/**
 * Part of the transaction of the batch; runs no statement without rejected orders. Sorted, so that two batches with the same orders cannot
 * deadlock.
 */
export async function insertRefusedOrders(tx: Transaction, refused: readonly RefusedOrder[]): Promise<void> {
  if (refused.length === 0) return;
  const nameOf = ({ reason, creatorId }: RefusedOrder): string => `${reason} ${creatorId}`;
  const rows = refused.toSorted(
    (one, other) => Buffer.compare(one.subjectHash, other.subjectHash) || (nameOf(one) < nameOf(other) ? -1 : 1),
  );
  const of = <Value>(value: (row: RefusedOrder) => Value) => rows.map(value);
  await insertRows(
    tx,
    inserting`
      insert into refused_orders (store_id, creator_id, refusal_id, at, program_id, link_number, click_id, operation, subject_hash,
        reason, why)
      ${[
        uuids(of(({ storeId }) => storeId)),
        uuids(of(({ creatorId }) => creatorId)),
        uuids(of(({ at }) => newId(at))),
        timestamps(of(({ at }) => at)),
        uuids(of(({ programId }) => programId)),
        bigints(of(({ linkNumber }) => linkNumber)),
        uuids(of(({ clickId }) => clickId)),
        texts(of(({ operation }) => operation)),
        byteas(of(({ subjectHash }) => subjectHash)),
        texts(of(({ reason }) => reason)),
        jsonbs(of(({ why }) => JSON.stringify(why))),
      ]}
      on conflict do nothing`,
  );
}

export type ListedRefusedOrder = Omit<RefusedOrder, 'storeId' | 'creatorId'> & { readonly refusalId: Id<'refu'> };
type CreatorInStore = { readonly storeId: Id<'store'>; readonly creatorId: Id<'crt'> };

const refusalIdColumn: SortColumn<ListedRefusedOrder> = {
  expression: sql`refusal_id`,
  type: 'uuid',
  value: ({ refusalId }) => refusalId,
};

/** The IDs grow with time. */
export const refusedOrderSorts: ListSorts<ListedRefusedOrder> = {
  columns: { at: refusalIdColumn },
  unique: refusalIdColumn,
  defaultSort: '-at',
};

/** By primary key. */
export const listRefusedOrders = (
  db: Queryable,
  { storeId, creatorId, linkNumber }: CreatorInStore & { readonly linkNumber: bigint | null },
  { after, limit, order }: SortedPage<ListedRefusedOrder>,
): Promise<ListedRefusedOrder[]> =>
  db.all(sql`
    select refusal_id, at, program_id, link_number, click_id, operation, subject_hash, reason, why from refused_orders
    where store_id = ${storeId} and creator_id = ${creatorId}
      ${linkNumber === null ? emptySql : sql`and link_number = ${linkNumber}`}
      ${afterKey(order, after)}
    ${orderBy(order)} limit ${limit + 1}`);

/** Counts up to `most + 1`, by primary key. */
export async function countRefusedOrders(
  db: Queryable,
  { storeId, creatorId, since, most }: CreatorInStore & { readonly since: Date; readonly most: number },
): Promise<number> {
  const { count } = await db.one<{ count: bigint }>(sql`
    select count(*) as count from (
      select 1 from refused_orders
      where store_id = ${storeId} and creator_id = ${creatorId} and refusal_id >= ${firstIdAt(since)}::uuid limit ${most + 1}) as found`);
  return Number(count);
}

/** For a page of links, by the index refused_orders_of_link. */
export const countRefusedOrdersByLink = (
  db: Queryable,
  {
    creatorId,
    storeIds,
    linkNumbers,
  }: {
    readonly creatorId: Id<'crt'>;
    readonly storeIds: ReadonlyArray<Id<'store'>>;
    readonly linkNumbers: readonly bigint[];
  },
): Promise<Array<{ readonly linkNumber: bigint; readonly refused: bigint }>> =>
  db.all(sql`
    select link_number, count(*) as refused from refused_orders
    where store_id = any(${uuids(storeIds)}) and creator_id = ${creatorId} and link_number = any(${bigints(linkNumbers)})
    group by link_number`);

export async function deleteRefusedOrdersOfCreator(
  db: Queryable,
  { creatorId, storeIds }: { readonly creatorId: Id<'crt'>; readonly storeIds: ReadonlyArray<Id<'store'>> },
): Promise<void> {
  await db.run(sql`delete from refused_orders where store_id = any(${uuids(storeIds)}) and creator_id = ${creatorId}`);
}

/** Deletes a limited number of one store's rows, by primary key. */
export const deleteOldRefusedOrders = (
  db: Queryable,
  storeId: Id<'store'>,
  { before, most }: { readonly before: Date; readonly most: number },
): Promise<number> =>
  db.run(sql`
    delete from refused_orders where store_id = ${storeId} and (creator_id, refusal_id) in (
      select creator_id, refusal_id from refused_orders
      where store_id = ${storeId} and refusal_id < ${firstIdAt(before)}::uuid limit ${most})`);
