import type { Queryable, Transaction } from '../db/database.ts';
import { afterKey, orderBy, orderOf, type ListOrder, type ListSorts, type SortColumn } from '../db/list-order.ts';
import { emptySql, sql } from '../db/sql.ts';
import type { Page, SortedPage } from '../http/page.ts';
import type { Id } from '../core/ids.ts';

export const disputeStates = ['open', 'accepted', 'declined'] as const;
export type DisputeState = (typeof disputeStates)[number];

export type Dispute = {
  readonly storeId: Id<'store'>;
  readonly disputeId: Id<'disp'>;
  readonly commissionId: Id<'com'>;
  readonly creatorId: Id<'crt'>;
  readonly words: string;
  readonly openedAt: Date;
  readonly state: DisputeState;
  readonly decidedAt: Date | null;
  readonly decidedByName: string | null;
  readonly note: string | null;
};

const columns = sql`
  store_id, dispute_id, commission_id, creator_id, words, opened_at, state, decided_at, decided_by_name, note`;

type CommissionKey = { readonly storeId: Id<'store'>; readonly commissionId: Id<'com'> };

/** The caller must have locked the commission, so that no other dispute is opened in between. */
export const countEarlierDisputes = (
  tx: Transaction,
  { storeId, commissionId }: CommissionKey,
): Promise<{ hasOpen: boolean; declined: bigint }> =>
  tx.one(sql`
    select coalesce(bool_or(state = 'open'), false) as has_open, count(*) filter (where state = 'declined') as declined
    from commission_disputes where store_id = ${storeId} and commission_id = ${commissionId}`);

type NewDispute = Pick<Dispute, 'storeId' | 'disputeId' | 'commissionId' | 'creatorId' | 'words' | 'openedAt'>;

export const insertDispute = (tx: Transaction, made: NewDispute): Promise<Dispute> =>
  tx.one(sql`
    insert into commission_disputes (store_id, dispute_id, commission_id, creator_id, words, opened_at, state)
    values (${made.storeId}, ${made.disputeId}, ${made.commissionId}, ${made.creatorId}, ${made.words}, ${made.openedAt}, 'open')
    returning ${columns}`);

type DisputeKey = { readonly storeId: Id<'store'>; readonly disputeId: Id<'disp'> };

export const lockDispute = (tx: Transaction, { storeId, disputeId }: DisputeKey): Promise<Dispute | null> =>
  tx.find(sql`select ${columns} from commission_disputes where store_id = ${storeId} and dispute_id = ${disputeId} for update`);

export type DisputeClosing = {
  readonly state: Exclude<DisputeState, 'open'>;
  readonly at: Date;
  readonly by: string;
  readonly byName: string;
  readonly note: string | null;
};

export const closeDispute = (tx: Transaction, { storeId, disputeId }: DisputeKey, end: DisputeClosing): Promise<Dispute> =>
  tx.one(sql`
    update commission_disputes set state = ${end.state}, decided_at = ${end.at}, decided_by = ${end.by}, decided_by_name = ${end.byName},
      note = ${end.note}
    where store_id = ${storeId} and dispute_id = ${disputeId} and state = 'open' returning ${columns}`);

export type DisputeFilter = { readonly state: DisputeState | null; readonly creatorId: Id<'crt'> | null };

const disputeIdColumn: SortColumn<Dispute> = { expression: sql`dispute_id`, type: 'uuid', value: ({ disputeId }) => disputeId };

/** The IDs grow with time. */
export const disputeSorts: ListSorts<Dispute> = {
  columns: { opened_at: disputeIdColumn },
  unique: disputeIdColumn,
  defaultSort: '-opened_at',
};

/** By `decided_at`: people write and answer each dispute, so that a store has at most thousands, which are sorted in memory. */
export const storeDisputeSorts: ListSorts<Dispute> = {
  ...disputeSorts,
  columns: {
    ...disputeSorts.columns,
    decided_at: { expression: sql`decided_at`, type: 'time', value: ({ decidedAt }) => decidedAt, isNullable: true },
  },
};

const newestFirst = orderOf(disputeSorts);

/** By the index commission_disputes_by_state or commission_disputes_of_creator. */
export const listDisputes = (
  db: Queryable,
  storeId: Id<'store'>,
  { state, creatorId }: DisputeFilter,
  { after, limit, order = newestFirst }: Page & { readonly order?: ListOrder<Dispute> },
): Promise<Dispute[]> =>
  db.all(sql`
    select ${columns} from commission_disputes
    where store_id = ${storeId} ${state === null ? emptySql : sql`and state = ${state}`}
      ${creatorId === null ? emptySql : sql`and creator_id = ${creatorId}`} ${afterKey(order, after)}
    ${orderBy(order)} limit ${limit + 1}`);

/**
 * For operators. Reads the newest or oldest disputes of each store by an index and merges them, so a page costs one short index scan for
 * each store.
 */
export const listDisputesOfAllStores = (
  db: Queryable,
  state: DisputeState | null,
  { after, limit, order }: SortedPage<Dispute>,
): Promise<Dispute[]> =>
  db.all(sql`
    select d.* from stores s cross join lateral (
      select ${columns} from commission_disputes
      where store_id = s.store_id ${state === null ? emptySql : sql`and state = ${state}`}
        ${afterKey(order, after)}
      ${orderBy(order)} limit ${limit + 1}) as d
    ${orderBy(order)} limit ${limit + 1}`);
