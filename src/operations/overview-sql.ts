import { unfinished } from '../billing/charges-sql.ts';
import type { OpenChargeState } from '../billing/charge-states.ts';
import { salesTotals } from '../rollups/sales-totals-sql.ts';
import type { Queryable } from '../db/database.ts';
import { sql } from '../db/sql.ts';
import { inStates } from '../db/state-sql.ts';
import type { Id } from '../core/ids.ts';
import type { Cents } from '../core/money.ts';
import { payoutStatesWithMoney, type PayoutState } from '../payouts/payout-states.ts';

export type InstallationCounts = {
  readonly stores: bigint;
  readonly pastDue: bigint;
  readonly archived: bigint;
  readonly creators: bigint;
  readonly suspended: bigint;
};

/** Two tables with a row of each store and creator, which are few beside what they sell. */
export const countInstallation = (db: Queryable): Promise<InstallationCounts> =>
  db.one(sql`
    select s.stores, s.past_due, s.archived, c.creators, c.suspended
    from (
      select count(*) as stores, count(*) filter (where past_due_at is not null and archived_at is null) as past_due,
        count(*) filter (where archived_at is not null) as archived
      from stores) as s
    cross join (select count(*) as creators, count(*) filter (where suspended_at is not null) as suspended from creators) as c`);

export const listPastDueStores = (
  db: Queryable,
  limit: number,
): Promise<ReadonlyArray<{ readonly storeId: Id<'store'>; readonly name: string; readonly pastDueAt: Date }>> =>
  db.all(sql`
    select store_id, name, past_due_at from stores where past_due_at is not null and archived_at is null
    order by past_due_at, store_id limit ${limit}`);

export type Sales = {
  readonly clicks: bigint;
  readonly orders: bigint;
  readonly revenueCents: bigint;
  readonly commissionCents: bigint;
  readonly earnedCents: bigint;
};

/** From the daily rollups: a few rows of each store by primary key, however much it sold. */
export const readSalesSince = (db: Queryable, day: string): Promise<Sales> =>
  db.one(sql`
    select coalesce(sum(d.count) filter (where d.what = 'click'), 0) as clicks,
      ${salesTotals},
      coalesce(sum(d.commission_cents) filter (where d.what in ('order', 'invoice', 'lead')), 0) as commission_cents
    from stores s cross join lateral (
      select what, count, eligible_cents, commission_cents from store_days
      where store_id = s.store_id and day >= ${day}::date) as d`);

export type InFlight<State extends string> = { readonly state: State; readonly count: bigint; readonly amountCents: Cents };

/** By payouts_open, an index of those that are not at their end. */
export const countPayoutsInFlight = (db: Queryable): Promise<ReadonlyArray<InFlight<PayoutState>>> =>
  db.all(sql`
    select state, count(*) as count, sum(amount_cents) as amount_cents from payouts
    where told_at is null and ${inStates(payoutStatesWithMoney)} and amount_cents is not null
    group by state`);

/** By charges_under_way, an index of nothing else. */
export const countChargesInFlight = (db: Queryable): Promise<ReadonlyArray<InFlight<OpenChargeState>>> =>
  db.all(sql`
    select state, count(*) as count, sum(amount_cents) as amount_cents from charges
    where ${unfinished} group by state`);

/** By commission_dispute_open, an index of nothing else. */
export async function countOpenDisputes(db: Queryable): Promise<number> {
  const { count } = await db.one<{ count: bigint }>(sql`select count(*) as count from commission_disputes where state = 'open'`);
  return Number(count);
}
