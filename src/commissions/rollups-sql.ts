import { isLost } from './commission-states-sql.ts';
import type { LinkRollup, StoreRollup } from '../rollups/rollups-sql.ts';
import type { Queryable } from '../db/database.ts';
import { sql } from '../db/sql.ts';
import type { Id } from '../core/ids.ts';
import { type Difference } from '../db/check.ts';
import { findDifferences } from '../db/differences.ts';

/** Refunds that did not reverse the commission as a reversal does: each of them counts on its own day. */
const countedRefunds = sql`
  refunds r join commissions c on c.store_id = r.store_id and c.commission_id = r.commission_id
  where (r.effect = 'reduced' or (r.effect = 'reversed' and c.invoice_id is not null))`;

/** Counts a store's daily rollups by link from its commissions. Days are in UTC. */
export const countLinkRollups = (db: Queryable, storeId: Id<'store'>): Promise<LinkRollup[]> =>
  db.all(sql`
    select store_id, link_number, (occurred_at at time zone 'utc')::date as day, source_kind as what, count(*) as count,
      sum(eligible_cents) as eligible_cents, sum(amount_cents + refunded_commission_cents) as commission_cents
    from commissions where store_id = ${storeId} group by 1, 2, 3, 4
    union all
    select store_id, link_number, day, 'reversal', sum(count), sum(eligible_cents), sum(commission_cents) from (
      select store_id, link_number, (reversed_at at time zone 'utc')::date as day, 1 as count,
        eligible_cents - refunded_cents as eligible_cents, amount_cents as commission_cents
      from commissions where store_id = ${storeId} and state = 'reversed' and invoice_id is null
      union all
      select r.store_id, c.link_number, (r.received_at at time zone 'utc')::date, 1, r.amount_cents, r.commission_cents
      from ${countedRefunds} and r.store_id = ${storeId}
    ) as refunded group by 1, 2, 3
    union all
    select store_id, link_number, (occurred_at at time zone 'utc')::date, 'lost', count(*) filter (where ${isLost}),
      coalesce(sum(eligible_cents) filter (where ${isLost}), 0),
      sum(refunded_commission_cents + case when ${isLost} then amount_cents else 0 end)
    from commissions where store_id = ${storeId} and (${isLost} or refunded_commission_cents > 0) group by 1, 2, 3`);

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
        sum(eligible_cents) as eligible_cents, sum(amount_cents + refunded_commission_cents) as commission_cents
      from commissions group by 1, 2, 3
      union all
      select store_id, day, 'reversal', count(*), sum(eligible_cents), sum(commission_cents) from (
        select store_id, (reversed_at at time zone 'utc')::date as day, eligible_cents - refunded_cents as eligible_cents,
          amount_cents as commission_cents
        from commissions where state = 'reversed' and invoice_id is null
        union all
        select r.store_id, (r.received_at at time zone 'utc')::date, r.amount_cents, r.commission_cents from ${countedRefunds}
      ) as refunded group by 1, 2
      union all
      select store_id, (occurred_at at time zone 'utc')::date, 'lost', count(*) filter (where ${isLost}),
        coalesce(sum(eligible_cents) filter (where ${isLost}), 0),
        sum(refunded_commission_cents + case when ${isLost} then amount_cents else 0 end)
      from commissions where ${isLost} or refunded_commission_cents > 0 group by 1, 2
      union all
      select store_id, (approved_at at time zone 'utc')::date, 'approved', count(*), sum(eligible_cents), sum(amount_cents)
      from commissions where approved_at is not null group by 1, 2
      union all
      select store_id, (paid_at at time zone 'utc')::date, 'paid', count(*), sum(eligible_cents), sum(amount_cents)
      from commissions where paid_at is not null group by 1, 2
    ), kept as (
      select store_id, day, what, sum(count) as count, sum(eligible_cents) as eligible_cents, sum(commission_cents) as commission_cents
      from store_days where what in ('order', 'invoice', 'lead', 'bonus', 'reversal', 'lost', 'approved', 'paid')
      group by store_id, day, what
      having sum(count) <> 0 or sum(eligible_cents) <> 0 or sum(commission_cents) <> 0
    )
    select coalesce(counted.store_id, kept.store_id)::text as store_id,
      format('%s of %s: stored %s (%s, %s), counted %s (%s, %s)', coalesce(counted.what, kept.what), coalesce(counted.day, kept.day),
        kept.count, kept.eligible_cents, kept.commission_cents, counted.count, counted.eligible_cents, counted.commission_cents) as detail
    from counted full join kept using (store_id, day, what)
    where counted.count is distinct from kept.count or counted.eligible_cents is distinct from kept.eligible_cents
      or counted.commission_cents is distinct from kept.commission_cents`,
  );
