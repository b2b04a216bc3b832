import type { Operation, Reason } from '../contract/reasons.ts';
import type { Why } from '../contract/why.ts';
import type { Queryable, Transaction } from '../platform/database/database.ts';
import { nothing, sql } from '../platform/database/sql.ts';
import type { Page } from '../platform/http/page.ts';
import { firstIdAt, newId, type Id } from '../platform/ids.ts';

/** An order or subscription that came with a creator's click and was refused. */
export type RefusedOrder = {
  readonly storeId: Id<'store'>;
  readonly creatorId: Id<'crt'>;
  readonly at: Date;
  readonly programId: Id<'prog'>;
  readonly linkNumber: bigint;
  readonly clickId: Id<'click'>;
  readonly operation: Extract<Operation, 'conversion' | 'relationship'>;
  /** The SHA-256 of the merchant's id, so that an order that is sent again is listed once. */
  readonly subjectHash: Buffer;
  readonly reason: Reason;
  readonly why: Why;
};

/** What a creator reads about their own click. A mistake in the merchant's request is not among them. */
const reasonsForCreators: ReadonlySet<Reason> = new Set<Reason>([
  'unsupported_pricing_currency',
  'invalid_occurred_at',
  'order_precedes_click',
  'attribution_window_expired',
  'referral_click_already_converted',
]);
export const concernsItsCreator = (reason: Reason): boolean => reasonsForCreators.has(reason);

/**
 * In the transaction that answers, beside its other writes. Without a refusal there is no statement. Sorted, so that two batches with the
 * same orders wait for each other in one order.
 */
export async function keepRefused(tx: Transaction, refused: readonly RefusedOrder[]): Promise<void> {
  if (refused.length === 0) return;
  const rows = refused.toSorted((one, other) => Buffer.compare(one.subjectHash, other.subjectHash) || (one.reason < other.reason ? -1 : 1));
  const of = <Value>(value: (row: RefusedOrder) => Value) => rows.map(value);
  await tx.run(sql`
    insert into refused_orders (store_id, creator_id, refusal_id, at, program_id, link_number, click_id, operation, subject_hash,
      reason, why)
    select * from unnest(
      ${of(({ storeId }) => storeId)}::uuid[], ${of(({ creatorId }) => creatorId)}::uuid[], ${of(({ at }) => newId(at))}::uuid[],
      ${of(({ at }) => at)}::timestamptz[], ${of(({ programId }) => programId)}::uuid[], ${of(({ linkNumber }) => linkNumber)}::bigint[],
      ${of(({ clickId }) => clickId)}::uuid[], ${of(({ operation }) => operation)}::text[],
      ${of(({ subjectHash }) => subjectHash)}::bytea[], ${of(({ reason }) => reason)}::text[],
      ${of(({ why }) => JSON.stringify(why))}::jsonb[])
    on conflict do nothing`);
}

export type ListedRefusal = Omit<RefusedOrder, 'storeId' | 'creatorId'> & { readonly refusalId: Id<'refu'> };
type OfCreator = { readonly storeId: Id<'store'>; readonly creatorId: Id<'crt'> };

/** Newest first, by primary key. */
export const listRefused = (
  db: Queryable,
  { storeId, creatorId, linkNumber }: OfCreator & { readonly linkNumber: bigint | null },
  { after, limit }: Page,
): Promise<ListedRefusal[]> =>
  db.all(sql`
    select refusal_id, at, program_id, link_number, click_id, operation, subject_hash, reason, why from refused_orders
    where store_id = ${storeId} and creator_id = ${creatorId}
      ${linkNumber === null ? nothing : sql`and link_number = ${linkNumber}`}
      ${after === null ? nothing : sql`and refusal_id < ${after[0]}::uuid`}
    order by refusal_id desc limit ${limit + 1}`);

/** To one beyond `most`, by primary key. */
export async function countRefusedSince(
  db: Queryable,
  { storeId, creatorId, since, most }: OfCreator & { readonly since: Date; readonly most: number },
): Promise<number> {
  const { count } = await db.one<{ count: bigint }>(sql`
    select count(*) as count from (
      select 1 from refused_orders
      where store_id = ${storeId} and creator_id = ${creatorId} and refusal_id >= ${firstIdAt(since)}::uuid limit ${most + 1}) as found`);
  return Number(count);
}

/** Of a page of links, by refused_orders_of_link. */
export const countRefusedOfLinks = (
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
    where store_id = any(${storeIds}::uuid[]) and creator_id = ${creatorId} and link_number = any(${linkNumbers}::bigint[])
    group by link_number`);

/** Where a creator is erased. */
export async function eraseRefusedOf(
  db: Queryable,
  { creatorId, storeIds }: { readonly creatorId: Id<'crt'>; readonly storeIds: ReadonlyArray<Id<'store'>> },
): Promise<void> {
  await db.run(sql`delete from refused_orders where store_id = any(${storeIds}::uuid[]) and creator_id = ${creatorId}`);
}

/** By store and time, a limited number at once. Reads one store's rows by its primary key. */
export const forgetRefused = (
  db: Queryable,
  storeId: Id<'store'>,
  { before, most }: { readonly before: Date; readonly most: number },
): Promise<number> =>
  db.run(sql`
    delete from refused_orders where store_id = ${storeId} and (creator_id, refusal_id) in (
      select creator_id, refusal_id from refused_orders
      where store_id = ${storeId} and refusal_id < ${firstIdAt(before)}::uuid limit ${most})`);
