import type { Queryable, Transaction } from '../db/database.ts';
import { emptySql, sql, type Sql, uuids } from '../db/sql.ts';
import type { Page } from '../http/page.ts';
import type { Id } from '../core/ids.ts';
import type { Cents } from '../core/money.ts';
import { platformHold, type Hold } from './commission.ts';
import { isUnpaid, transitionCommissions, updateCommissions, type CommissionKeys } from './commission-states-sql.ts';
import { selectByTime, filterConditions } from './commission-filter-sql.ts';
import type { CommissionFilter } from './commission-filter.ts';
import type { CommissionKey, LockedCommission } from './commissions-sql.ts';

/** What a review decision needs of a commission. The row is locked until the transaction ends. */
export type ReviewedCommission = LockedCommission & {
  readonly isInPayout: boolean;
  readonly linkNumber: bigint;
  readonly occurredAt: Date;
  readonly heldBy: string | null;
  readonly eligibleCents: Cents;
  readonly approvedAt: Date | null;
};

const notHeld = sql`held_reason is null`;

const reviewedColumns = sql`
  store_id, commission_id, creator_id, state, held_reason, held_by, amount_cents, eligible_cents, approved_at, link_number, occurred_at,
  invoice_id is not null as is_invoiced, payout_id is not null as is_in_payout`;

/** Locks the commissions that exist, in ID order, and waits for rows that another transaction has locked. Uses the primary key. */
export const lockForReview = (
  tx: Transaction,
  storeId: Id<'store'>,
  commissionIds: ReadonlyArray<Id<'com'>>,
): Promise<ReviewedCommission[]> =>
  tx.all(sql`
    select ${reviewedColumns} from commissions
    where store_id = ${storeId} and commission_id = any(${uuids(commissionIds)})
    order by commission_id for update`);

/** A page of a store's commissions in ID order. */
export type IdPage = { readonly after: Id<'com'> | null; readonly limit: number };
const afterCursor = ({ after }: IdPage): Sql => (after === null ? emptySql : sql`and commission_id > ${after}`);

export type MatchingCommission = { readonly commissionId: Id<'com'>; readonly occurredAt: Date };
type MatchingQuery = { readonly after: Page['after']; readonly before: Id<'com'>; readonly limit: number };

/** The next matching commissions, latest first, recorded before `before`. Fewer rows than the limit means that there are no more. */
export const listMatching = async (
  db: Queryable,
  storeId: Id<'store'>,
  filter: CommissionFilter,
  next: MatchingQuery,
): Promise<MatchingCommission[]> => db.all(await selectByTime(db, sql`commission_id, occurred_at`, { storeId, filter, ...next }));

/**
 * Locks those of the given commissions that still match. PostgreSQL checks a row again after it waited for a lock, so a commission
 * that another request rejected meanwhile is no longer "pending".
 */
export const lockMatching = async (
  tx: Transaction,
  filter: CommissionFilter,
  { storeId, commissionIds }: CommissionKeys,
): Promise<ReviewedCommission[]> =>
  tx.all(sql`
    select ${reviewedColumns} from commissions
    where store_id = ${storeId} and commission_id = any(${uuids(commissionIds)}) ${await filterConditions(tx, filter, storeId)}
    order by commission_id for update`);

/** Locks pending commissions that are due, not on hold, and announced early enough. Uses the index commissions_approving_themselves. */
export const lockDueForAutoApproval = (
  tx: Transaction,
  storeId: Id<'store'>,
  { now, announcedBefore, ...page }: IdPage & { readonly now: Date; readonly announcedBefore: Date },
): Promise<ReviewedCommission[]> =>
  tx.all(sql`
    select ${reviewedColumns} from commissions
    where store_id = ${storeId} and state = 'pending' and held_reason is null
      and auto_approve_at <= ${now} and auto_approve_told_at <= ${announcedBefore} ${afterCursor(page)}
    order by commission_id limit ${page.limit} for update`);

/** Stores with automatic approvals until `until`, announced or not. Reads across all stores by a small index. */
export async function listStoresDueForAutoApproval(
  db: Queryable,
  { until, after, limit }: { readonly until: Date; readonly after: Id<'store'> | null; readonly limit: number },
): Promise<ReadonlyArray<Id<'store'>>> {
  const rows = await db.all<{ storeId: Id<'store'> }>(sql`
    select distinct store_id from commissions
    where state = 'pending' and held_reason is null and auto_approve_at <= ${until}
      ${after === null ? emptySql : sql`and store_id > ${after}`}
    order by store_id limit ${limit}`);
  return rows.map(({ storeId }) => storeId);
}

/** Reads across all stores by the index commissions_approving_themselves; called only after an outage. */
export async function findNextAutoApproval(db: Queryable, daysBetween: number): Promise<Date | null> {
  const { earliest } = await db.one<{ earliest: Date | null }>(sql`
    select min(greatest(auto_approve_at, auto_approve_told_at + make_interval(days => ${daysBetween}::int))) as earliest from commissions
    where state = 'pending' and held_reason is null and auto_approve_at is not null and auto_approve_told_at is not null`);
  return earliest;
}

/** When the next commission approves itself that was not announced yet. By the same index, and asked only in a backlog. */
export async function findNextUnannouncedApproval(db: Queryable): Promise<Date | null> {
  const { earliest } = await db.one<{ earliest: Date | null }>(sql`
    select min(auto_approve_at) as earliest from commissions
    where state = 'pending' and held_reason is null and auto_approve_at is not null and auto_approve_told_at is null`);
  return earliest;
}

export type UnannouncedApprovals = {
  readonly creatorId: Id<'crt'>;
  readonly count: bigint;
  readonly amountCents: bigint;
  readonly first: Date;
};

/** Automatic approvals until `until` that were not announced yet, by creator. */
export const listUnannouncedApprovals = (db: Queryable, storeId: Id<'store'>, until: Date): Promise<UnannouncedApprovals[]> =>
  db.all(sql`
    select creator_id, count(*) as count, sum(amount_cents) as amount_cents, min(auto_approve_at) as first from commissions
    where store_id = ${storeId} and state = 'pending' and held_reason is null
      and auto_approve_at <= ${until} and auto_approve_told_at is null
    group by creator_id order by creator_id`);

/** Marks at most `limit` commissions and returns how many it marked. Locks in ID order. */
export const markAnnounced = (
  db: Queryable,
  storeId: Id<'store'>,
  announced: { readonly until: Date; readonly creatorIds: ReadonlyArray<Id<'crt'>>; readonly at: Date; readonly limit: number },
): Promise<number> =>
  db.run(sql`
    update commissions set auto_approve_told_at = ${announced.at}
    where store_id = ${storeId} and commission_id in (
      select commission_id from commissions
      where store_id = ${storeId} and state = 'pending' and held_reason is null and auto_approve_at <= ${announced.until}
        and auto_approve_told_at is null and creator_id = any(${uuids(announced.creatorIds)})
      order by commission_id limit ${announced.limit} for update)`);

export const approveCommissions = (tx: Transaction, keys: CommissionKeys, at: Date): Promise<void> =>
  transitionCommissions(tx, keys, 'approve', {
    set: sql`approved_at = ${at}, rejected_at = null, rejected_reason = null, rejected_note = null`,
    where: notHeld,
  });

export type Rejection = { readonly at: Date; readonly reason: string; readonly note: string | null };

export const rejectCommissions = (tx: Transaction, keys: CommissionKeys, { at, reason, note }: Rejection): Promise<void> =>
  transitionCommissions(tx, keys, 'reject', {
    set: sql`approved_at = null, rejected_at = ${at}, rejected_reason = ${reason}, rejected_note = ${note}`,
    where: notHeld,
  });

/** Also ends automatic approval: a person has taken the commission over. */
export const reopenCommissions = (tx: Transaction, keys: CommissionKeys): Promise<void> =>
  transitionCommissions(tx, keys, 'reopen', {
    set: sql`approved_at = null, rejected_at = null, rejected_reason = null, rejected_note = null,
      auto_approve_at = null, auto_approve_told_at = null`,
    where: notHeld,
  });

/** Also withdraws the announcement of an automatic approval: after the release it is announced again, with the full notice. */
export const holdCommissions = (tx: Transaction, keys: CommissionKeys, { reason, by, since }: Hold): Promise<void> =>
  updateCommissions(tx, keys, {
    set: sql`held_reason = ${reason}, held_by = ${by}, held_since = ${since}, auto_approve_told_at = null`,
    where: sql`${isUnpaid} and ${notHeld} and payout_id is null`,
  });

export const releaseCommissions = (tx: Transaction, keys: CommissionKeys): Promise<void> =>
  updateCommissions(tx, keys, { set: sql`held_reason = null, held_by = null, held_since = null`, where: sql`held_reason is not null` });

export const commissionExists = async (db: Queryable, { storeId, commissionId }: CommissionKey): Promise<boolean> =>
  (await db.find(sql`select 1 as one from commissions where store_id = ${storeId} and commission_id = ${commissionId}`)) !== null;

type CreatorInStore = { readonly storeId: Id<'store'>; readonly creatorId: Id<'crt'> };

/** A creator's unpaid commissions in a store that are not on hold. Uses the index commissions_by_creator. */
export async function listUnheldOfCreator(
  db: Queryable,
  { storeId, creatorId }: CreatorInStore,
  limit: number,
): Promise<ReadonlyArray<Id<'com'>>> {
  const rows = await db.all<{ commissionId: Id<'com'> }>(sql`
    select commission_id from commissions
    where store_id = ${storeId} and creator_id = ${creatorId} and held_reason is null and payout_id is null
      and ${isUnpaid}
    order by commission_id limit ${limit}`);
  return rows.map(({ commissionId }) => commissionId);
}

/** A creator's commissions in a store that the platform put on hold. Uses the index commissions_by_creator. */
export async function listHeldByPlatform(
  db: Queryable,
  { storeId, creatorId }: CreatorInStore,
  limit: number,
): Promise<ReadonlyArray<Id<'com'>>> {
  const rows = await db.all<{ commissionId: Id<'com'> }>(sql`
    select commission_id from commissions
    where store_id = ${storeId} and creator_id = ${creatorId} and held_reason = ${platformHold.reason} and held_by = ${platformHold.by}
      and state <> 'reversed'
    order by commission_id limit ${limit}`);
  return rows.map(({ commissionId }) => commissionId);
}
