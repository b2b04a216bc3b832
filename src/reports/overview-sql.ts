import { failedInvoiceStates } from '../billing/invoice-states.ts';
import { inStates } from '../db/state-sql.ts';
import type { Queryable } from '../db/database.ts';
import { sql } from '../db/sql.ts';
import type { Id } from '../core/ids.ts';
import type { DayRange } from './day-range.ts';

export type DayTotals = {
  readonly day: string;
  readonly what: string;
  readonly count: bigint;
  readonly eligibleCents: bigint;
  readonly commissionCents: bigint;
};

/** Reads rollups by primary key: a few thousand small rows for a year, independent of the number of orders. */
export const listDayTotals = (db: Queryable, storeId: Id<'store'>, { from, to }: DayRange): Promise<DayTotals[]> =>
  db.all(sql`
    select day, what, sum(count) as count, sum(eligible_cents) as eligible_cents,
      sum(commission_cents) as commission_cents
    from store_days where store_id = ${storeId} and day between ${from}::date and ${to}::date group by day, what order by day, what`);

/**
 * What the store owes its creators at the end of a day, from the rollups of all days up to it: about ten rows a day, so some ten thousand
 * for three years, by primary key. The ledger's balance of `to_creators` is the same today; of an earlier day it would read transfers.
 */
export async function readOwedCents(db: Queryable, storeId: Id<'store'>, day: string): Promise<bigint> {
  const { owed } = await db.one<{ owed: bigint }>(sql`
    select coalesce(sum(case when what in ('order', 'invoice', 'lead', 'bonus') then commission_cents
      when what in ('lost', 'paid') then -commission_cents
      end), 0) as owed
    from store_days where store_id = ${storeId} and day <= ${day}::date`);
  return owed;
}

export type PendingWork = {
  readonly toReview: bigint;
  readonly toReviewCents: bigint;
  readonly approvingThemselves: bigint;
  readonly held: bigint;
  readonly unpaidInvoices: bigint;
  readonly applications: bigint;
  readonly heldRelationships: bigint;
  readonly openDisputes: bigint;
};

/** Counts up to a limit, by commissions_by_state and other small indexes. */
export const countPendingWork = (
  db: Queryable,
  storeId: Id<'store'>,
  { soon, most }: { readonly soon: Date; readonly most: number },
): Promise<PendingWork> =>
  db.one(sql`
    with to_review as (
      select amount_cents, auto_approve_at from commissions
      where store_id = ${storeId} and state = 'pending' and held_reason is null limit ${most})
    select (select count(*) from to_review) as to_review,
      (select coalesce(sum(amount_cents), 0) from to_review) as to_review_cents,
      (select count(*) from to_review where auto_approve_at <= ${soon}) as approving_themselves,
      (select count(*) from (
        select 1 from commissions where store_id = ${storeId} and held_reason is not null limit ${most}) as held) as held,
      (select count(*) from invoices where store_id = ${storeId} and ${inStates(failedInvoiceStates)}) as unpaid_invoices,
      (select count(*) from members where store_id = ${storeId} and status = 'applied') as applications,
      (select count(*) from relationships where store_id = ${storeId} and held_reason is not null) as held_relationships,
      (select count(*) from commission_disputes where store_id = ${storeId} and state = 'open') as open_disputes`);

export type MenuCounts = Pick<PendingWork, 'toReview' | 'unpaidInvoices' | 'applications' | 'openDisputes'>;

/** The counts beside the menu, each up to `most`: on every page, so that none may read more rows than that. */
export const countForMenu = (db: Queryable, storeId: Id<'store'>, most: number): Promise<MenuCounts> =>
  db.one(sql`
    select (select count(*) from (
        select 1 from commissions where store_id = ${storeId} and state = 'pending' and held_reason is null limit ${most}
      ) as found) as to_review,
      (select count(*) from (
        select 1 from invoices where store_id = ${storeId} and ${inStates(failedInvoiceStates)} limit ${most}) as found) as unpaid_invoices,
      (select count(*) from (
        select 1 from members where store_id = ${storeId} and status = 'applied' limit ${most}) as found) as applications,
      (select count(*) from (
        select 1 from commission_disputes where store_id = ${storeId} and state = 'open' limit ${most}) as found) as open_disputes`);

export type FailureCount = { readonly reason: string; readonly count: bigint };

/** By the index postback_log_by_reason: IDs contain the time, so only the recent part of each reason is read. */
export const countFailedPostbacks = (db: Queryable, storeId: Id<'store'>, since: Id): Promise<FailureCount[]> =>
  db.all(sql`
    select reason, count(*) as count from postback_log
    where store_id = ${storeId} and postback_id >= ${since} and status <> 200 group by reason order by count desc, reason limit 8`);

export const findLastPostback = (db: Queryable, storeId: Id<'store'>): Promise<{ readonly at: Date } | null> =>
  db.find(sql`select at from postback_log where store_id = ${storeId} order by postback_id desc limit 1`);
