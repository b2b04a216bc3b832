import type { Queryable, Transaction } from '../platform/database/database.ts';
import { nothing, sql, type Sql } from '../platform/database/sql.ts';
import type { Page } from '../platform/http/page.ts';
import type { Id } from '../platform/ids.ts';
import type { Cents } from '../platform/money.ts';
import { must } from '../platform/must.ts';
import { platformHold, type Held } from './commission.ts';
import { latest, matching } from './filter-sql.ts';
import type { CommissionFilter } from './filter.ts';
import type { CommissionKey, LockedCommission } from './sql.ts';

/** A commission as a decision sees it, locked until the transaction ends. */
export type ReviewedCommission = LockedCommission & {
  readonly isInPayout: boolean;
  readonly linkNumber: bigint;
  readonly occurredAt: Date;
  readonly heldBy: string | null;
  readonly eligibleCents: Cents;
  readonly approvedAt: Date | null;
};

const reviewed = sql`
  store_id, commission_id, creator_id, state, held_reason, held_by, amount_cents, eligible_cents, approved_at, link_number, occurred_at,
  payout_id is not null as is_in_payout`;

/** Those that are there, in the order of their ids; whoever holds one is waited for. By primary key. */
export const lockForReview = (
  tx: Transaction,
  storeId: Id<'store'>,
  commissionIds: ReadonlyArray<Id<'com'>>,
): Promise<ReviewedCommission[]> =>
  tx.all(sql`
    select ${reviewed} from commissions
    where store_id = ${storeId} and commission_id = any(${commissionIds}::uuid[])
    order by commission_id for update`);

/** A stretch of a walk through a store's commissions, in the order of their ids. */
export type Stretch = { readonly after: Id<'com'> | null; readonly limit: number };
const beyond = ({ after }: Stretch): Sql => (after === null ? nothing : sql`and commission_id > ${after}`);

export type Next = { readonly commissionId: Id<'com'>; readonly occurredAt: Date };
type After = { readonly after: Page['after']; readonly before: Id<'com'>; readonly limit: number };

/** Which come next, the latest first, of those recorded by then. Fewer than the limit: the end. */
export const nextMatching = (db: Queryable, storeId: Id<'store'>, filter: CommissionFilter, next: After): Promise<Next[]> =>
  db.all(latest(sql`commission_id, occurred_at`, { storeId, filter, ...next }));

/**
 * Of the named ones those that match. A row that somebody else changes meanwhile is waited for and judged again as it is then, which
 * locking does by itself: what was rejected a moment ago is no longer "all that is pending".
 */
export const lockMatching = (tx: Transaction, filter: CommissionFilter, { storeId, commissionIds }: Rows): Promise<ReviewedCommission[]> =>
  tx.all(sql`
    select ${reviewed} from commissions
    where store_id = ${storeId} and commission_id = any(${commissionIds}::uuid[]) ${matching(filter)}
    order by commission_id for update`);

/** The next ones that approve themselves now: due, not held, and told of early enough. By commissions_approving_themselves. */
export const lockApprovingThemselves = (
  tx: Transaction,
  storeId: Id<'store'>,
  { now, toldBy, ...stretch }: Stretch & { readonly now: Date; readonly toldBy: Date },
): Promise<ReviewedCommission[]> =>
  tx.all(sql`
    select ${reviewed} from commissions
    where store_id = ${storeId} and state = 'pending' and held_reason is null
      and auto_approve_at <= ${now} and auto_approve_told_at <= ${toldBy} ${beyond(stretch)}
    order by commission_id limit ${stretch.limit} for update`);

/** The stores with something that approves itself until then, whether it was told or not. Crosses all stores; the index is small. */
export async function storesApprovingThemselves(
  db: Queryable,
  { until, after, limit }: { readonly until: Date; readonly after: Id<'store'> | null; readonly limit: number },
): Promise<ReadonlyArray<Id<'store'>>> {
  const rows = await db.all<{ storeId: Id<'store'> }>(sql`
    select distinct store_id from commissions
    where state = 'pending' and held_reason is null and auto_approve_at <= ${until}
      ${after === null ? nothing : sql`and store_id > ${after}`}
    order by store_id limit ${limit}`);
  return rows.map(({ storeId }) => storeId);
}

/** When the next announced commission approves itself. Crosses all stores by commissions_approving_themselves; asked only in a backlog. */
export async function earliestAnnounced(db: Queryable, daysBetween: number): Promise<Date | null> {
  const { earliest } = await db.one<{ earliest: Date | null }>(sql`
    select min(greatest(auto_approve_at, auto_approve_told_at + make_interval(days => ${daysBetween}::int))) as earliest from commissions
    where state = 'pending' and held_reason is null and auto_approve_at is not null and auto_approve_told_at is not null`);
  return earliest;
}

export type Untold = { readonly creatorId: Id<'crt'>; readonly count: bigint; readonly amountCents: bigint; readonly first: Date };

/** What approves itself until then and nobody was told of, by creator. */
export const untoldApprovals = (db: Queryable, storeId: Id<'store'>, until: Date): Promise<Untold[]> =>
  db.all(sql`
    select creator_id, count(*) as count, sum(amount_cents) as amount_cents, min(auto_approve_at) as first from commissions
    where store_id = ${storeId} and state = 'pending' and held_reason is null
      and auto_approve_at <= ${until} and auto_approve_told_at is null
    group by creator_id order by creator_id`);

/** Remembers of so many that they were told; answers how many. Locks in the order of their ids. */
export const markTold = (
  db: Queryable,
  storeId: Id<'store'>,
  told: { readonly until: Date; readonly creatorIds: ReadonlyArray<Id<'crt'>>; readonly at: Date; readonly most: number },
): Promise<number> =>
  db.run(sql`
    update commissions set auto_approve_told_at = ${told.at}
    where store_id = ${storeId} and commission_id in (
      select commission_id from commissions
      where store_id = ${storeId} and state = 'pending' and held_reason is null and auto_approve_at <= ${told.until}
        and auto_approve_told_at is null and creator_id = any(${told.creatorIds}::uuid[])
      order by commission_id limit ${told.most} for update)`);

type Rows = { readonly storeId: Id<'store'>; readonly commissionIds: ReadonlyArray<Id<'com'>> };

/** Who calls these holds the rows and has judged them; the states are named once more, because money hangs on them. */
export const approveCommissions = (tx: Transaction, rows: Rows, at: Date): Promise<void> =>
  change(
    tx,
    rows,
    sql`state = 'approved', approved_at = ${at}, rejected_at = null, rejected_reason = null, rejected_note = null`,
    sql`state in ('pending', 'rejected') and held_reason is null`,
  );

export type Rejection = { readonly at: Date; readonly reason: string; readonly note: string | null };

export const rejectCommissions = (tx: Transaction, rows: Rows, { at, reason, note }: Rejection): Promise<void> =>
  change(
    tx,
    rows,
    sql`state = 'rejected', approved_at = null, rejected_at = ${at}, rejected_reason = ${reason}, rejected_note = ${note}`,
    sql`state in ('pending', 'approved') and held_reason is null`,
  );

/** Somebody took it in hand: from now on it does not approve itself. */
export const reopenCommissions = (tx: Transaction, rows: Rows): Promise<void> =>
  change(
    tx,
    rows,
    sql`state = 'pending', approved_at = null, rejected_at = null, rejected_reason = null, rejected_note = null,
      auto_approve_at = null, auto_approve_told_at = null`,
    sql`state in ('approved', 'rejected') and held_reason is null`,
  );

/** What was told of its approval holds no more: once it is released it is told again, with as much time as before. */
export const holdCommissions = (tx: Transaction, rows: Rows, { reason, by, since }: Held): Promise<void> =>
  change(
    tx,
    rows,
    sql`held_reason = ${reason}, held_by = ${by}, held_since = ${since}, auto_approve_told_at = null`,
    sql`state in ('pending', 'approved', 'billed', 'collected') and held_reason is null and payout_id is null`,
  );

export const releaseCommissions = (tx: Transaction, rows: Rows): Promise<void> =>
  change(tx, rows, sql`held_reason = null, held_by = null, held_since = null`, sql`held_reason is not null`);

async function change(tx: Transaction, { storeId, commissionIds }: Rows, changes: Sql, judged: Sql): Promise<void> {
  const touched = await tx.run(sql`
    update commissions set ${changes}
    where store_id = ${storeId} and commission_id = any(${commissionIds}::uuid[]) and ${judged}`);
  must(touched === commissionIds.length, 'what was decided under its lock is as it was judged');
}

export const commissionExists = async (db: Queryable, { storeId, commissionId }: CommissionKey): Promise<boolean> =>
  (await db.find(sql`select 1 as one from commissions where store_id = ${storeId} and commission_id = ${commissionId}`)) !== null;

type OfPair = { readonly storeId: Id<'store'>; readonly creatorId: Id<'crt'> };

/** What a creator has in a store that is neither held nor paid. By commissions_of_creator. */
export async function unheldOfPair(db: Queryable, { storeId, creatorId }: OfPair, limit: number): Promise<ReadonlyArray<Id<'com'>>> {
  const rows = await db.all<{ commissionId: Id<'com'> }>(sql`
    select commission_id from commissions
    where store_id = ${storeId} and creator_id = ${creatorId} and held_reason is null and payout_id is null
      and state in ('pending', 'approved', 'billed', 'collected')
    order by commission_id limit ${limit}`);
  return rows.map(({ commissionId }) => commissionId);
}

/** What the platform holds of a creator in a store. By commissions_of_creator. */
export async function heldByPlatformOfPair(
  db: Queryable,
  { storeId, creatorId }: OfPair,
  limit: number,
): Promise<ReadonlyArray<Id<'com'>>> {
  const rows = await db.all<{ commissionId: Id<'com'> }>(sql`
    select commission_id from commissions
    where store_id = ${storeId} and creator_id = ${creatorId} and held_reason = ${platformHold.reason} and held_by = ${platformHold.by}
      and state <> 'reversed'
    order by commission_id limit ${limit}`);
  return rows.map(({ commissionId }) => commissionId);
}
