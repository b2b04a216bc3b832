import { isLost } from './commission-states-sql.ts';
import type { LinkRollup, StoreRollup } from '../rollups/rollups-sql.ts';
import type { Queryable } from '../db/database.ts';
import { sql } from '../db/sql.ts';
import type { Id } from '../core/ids.ts';
import { type Difference } from '../db/check.ts';
import { findDifferences } from '../db/differences.ts';

/** Counts a store's daily rollups by link from its commissions. Days are in UTC. */
export const countLinkRollups = (db: Queryable, storeId: Id<'store'>): Promise<LinkRollup[]> =>
  db.all(sql`
    select store_id, link_number, (occurred_at at time zone 'utc')::date as day, source_kind as what, count(*) as count,
      sum(eligible_cents) as eligible_cents, sum(amount_cents) as commission_cents
    from commissions where store_id = ${storeId} group by 1, 2, 3, 4
    union all
    select store_id, link_number, (reversed_at at time zone 'utc')::date, 'reversal', count(*),
      sum(eligible_cents), sum(amount_cents)
    from commissions where store_id = ${storeId} and state = 'reversed' and invoice_id is null group by 1, 2, 3
    union all
    select store_id, link_number, (occurred_at at time zone 'utc')::date, 'lost', count(*), sum(eligible_cents), sum(amount_cents)
    from commissions where store_id = ${storeId} and ${isLost} group by 1, 2, 3`);

/** Counts a store's daily rollups of approvals and payments from its commissions. */
export const countDecisionRollups = (db: Queryable, storeId: Id<'store'>): Promise<StoreRollup[]> =>
  db.all(sql`
    select store_id, (approved_at at time zone 'utc')::date as day, 'approved' as what, count(*) as count,
      sum(eligible_cents) as eligible_cents, sum(amount_cents) as commission_cents
    from commissions where store_id = ${storeId} and approved_at is not null group by 1, 2
    union all
    select store_id, (paid_at at time zone 'utc')::date, 'paid', count(*), sum(eligible_cents), sum(amount_cents)
    from commissions where store_id = ${storeId} and paid_at is not null group by 1, 2`);

/** Compares the stored rollups of all stores with their commissions. Reads whole tables; for verification only. */
export const rollupDifferences = (db: Queryable): Promise<readonly Difference[]> =>
  findDifferences(
    db,
    sql`
    with counted as (
      select store_id, (occurred_at at time zone 'utc')::date as day, source_kind as what, count(*) as count,
        sum(eligible_cents) as eligible_cents, sum(amount_cents) as commission_cents
      from commissions group by 1, 2, 3
      union all
      select store_id, (reversed_at at time zone 'utc')::date, 'reversal', count(*), sum(eligible_cents), sum(amount_cents)
      from commissions where state = 'reversed' and invoice_id is null group by 1, 2
      union all
      select store_id, (occurred_at at time zone 'utc')::date, 'lost', count(*), sum(eligible_cents), sum(amount_cents)
      from commissions where ${isLost} group by 1, 2
      union all
      select store_id, (approved_at at time zone 'utc')::date, 'approved', count(*), sum(eligible_cents), sum(amount_cents)
      from commissions where approved_at is not null group by 1, 2
      union all
      select store_id, (paid_at at time zone 'utc')::date, 'paid', count(*), sum(eligible_cents), sum(amount_cents)
      from commissions where paid_at is not null group by 1, 2
    ), kept as (
      select store_id, day, what, sum(count) as count, sum(eligible_cents) as eligible_cents, sum(commission_cents) as commission_cents
      from store_days where what in ('order', 'invoice', 'reversal', 'lost', 'approved', 'paid') group by store_id, day, what
      having sum(count) <> 0 or sum(eligible_cents) <> 0 or sum(commission_cents) <> 0
    )
    select coalesce(counted.store_id, kept.store_id)::text as store_id,
      format('%s of %s: stored %s (%s, %s), counted %s (%s, %s)', coalesce(counted.what, kept.what), coalesce(counted.day, kept.day),
        kept.count, kept.eligible_cents, kept.commission_cents, counted.count, counted.eligible_cents, counted.commission_cents) as detail
    from counted full join kept using (store_id, day, what)
    where counted.count is distinct from kept.count or counted.eligible_cents is distinct from kept.eligible_cents
      or counted.commission_cents is distinct from kept.commission_cents`,
  );
