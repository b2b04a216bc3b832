import { isUnbilled } from './commission-states-sql.ts';
import type { Queryable } from '../db/database.ts';
import { sql } from '../db/sql.ts';
import { basisPointsMax } from '../core/money.ts';
import { rollupDifferences } from './rollups-sql.ts';
import { appliedRuleDifferences, budgetDifferences, conditionDifferences } from './verify-rules-sql.ts';
import { precedenceDifferences } from './verify-precedence-sql.ts';
import { tierDifferences } from './verify-tiers-sql.ts';
import type { Check, Difference } from '../db/check.ts';
import { findDifferences, rowsOf } from '../db/differences.ts';

export const commissionChecks: readonly Check[] = [
  { what: 'a commission is what its copy of the terms gives', rows: rowsOf(sql`commissions`), differences: commissionTermsDifferences },
  { what: 'a rule that applied is one of its terms version', rows: rowsOf(sql`commissions`), differences: appliedRuleDifferences },
  {
    what: 'a rate that applied is that of the first rule that may apply',
    rows: rowsOf(sql`commissions`),
    differences: precedenceDifferences,
  },
  { what: 'a tier that applied was reached by what was counted', rows: rowsOf(sql`commissions`), differences: tierDifferences },
  { what: 'a rule with conditions applied exactly where they hold', rows: rowsOf(sql`commissions`), differences: conditionDifferences },
  { what: 'an order that a budget stopped would have exceeded it', rows: rowsOf(sql`commissions`), differences: budgetDifferences },
  { what: 'a refunded commission is what its terms give for what remains', rows: rowsOf(sql`refunds`), differences: refundDifferences },
  { what: 'daily totals match the commissions', rows: rowsOf(sql`commissions`), differences: rollupDifferences },
  {
    what: 'what a creator may expect is the sum of the open commissions',
    rows: rowsOf(sql`commissions`),
    differences: expectedBalanceDifferences,
  },
];

/** What the copied rates give for the parts of a commission, and what its explanation says. */
const owedCents = sql`coalesce(sum(case
  when part.basis_points is not null then div(part.of_cents * part.basis_points * 2 + ${basisPointsMax}, ${2 * basisPointsMax})
  when part.flat_cents is not null then least(part.of_cents, part.flat_cents * part.quantity)
  else 0
end), 0)`;
const explainedCents = sql`coalesce(sum(part.amount_cents), 0)`;

/**
 * Applies the copied rates again. Written a second time on purpose, in SQL, so that one mistake does not hide in both. Without a subquery,
 * whose rows Citus would copy to the coordinator.
 */
export function commissionTermsDifferences(db: Queryable): Promise<readonly Difference[]> {
  return findDifferences(
    db,
    sql`
    select c.store_id::text, format('commission %s: %s, its terms give %s, its explanation says %s; of %s, held until %s', c.commission_id,
             c.amount_cents + c.refunded_commission_cents, ${owedCents}, ${explainedCents}, c.eligible_cents, c.hold_until) as detail
    from commissions c left join lateral jsonb_to_recordset(c.earned)
      as part (of_cents numeric, quantity numeric, basis_points numeric, flat_cents numeric, amount_cents numeric) on true
    group by c.store_id, c.commission_id
    having c.amount_cents + c.refunded_commission_cents <> ${owedCents}
      or c.amount_cents + c.refunded_commission_cents <> ${explainedCents}
      or (c.amount_cents + c.refunded_commission_cents > c.eligible_cents and c.source_kind not in ('lead', 'bonus'))
      or c.hold_until <> c.occurred_at + make_interval(days => c.hold_days)`,
  );
}

/**
 * Takes the refunds from the recorded parts and applies the copied rates to what remains. A refund that reversed the commission took all
 * that was left, and the commission keeps the amount that it lost then. Reads only refunded commissions, by refunds_of_source.
 */
export function refundDifferences(db: Queryable): Promise<readonly Difference[]> {
  return findDifferences(
    db,
    sql`
    with of_commission as (
      select store_id, commission_id, coalesce(sum(amount_cents) filter (where effect = 'reduced'), 0) as refunded_cents,
        coalesce(sum(commission_cents) filter (where effect = 'reduced'), 0) as commission_cents,
        coalesce(sum(amount_cents), 0) as all_cents, count(*) filter (where effect = 'reversed') as reversals,
        coalesce(sum(commission_cents) filter (where effect = 'reversed'), 0) as reversed_cents
      from refunds where commission_id is not null group by store_id, commission_id
    ), taken as (
      select r.store_id, r.commission_id, one.part, sum(one.amount_cents) as amount_cents, sum(one.quantity) as quantity
      from refunds r cross join lateral jsonb_to_recordset(r.parts) as one (part int, amount_cents numeric, quantity numeric)
      where r.effect = 'reduced' group by r.store_id, r.commission_id, one.part
    ), remaining as (
      select c.store_id, c.commission_id,
        bool_and(now.of_cents = first.of_cents - coalesce(t.amount_cents, 0) and now.quantity = first.quantity - coalesce(t.quantity, 0)
          and now.basis_points is not distinct from first.basis_points and now.flat_cents is not distinct from first.flat_cents
          and now.product_id is not distinct from first.product_id) as is_rest,
        sum(case
          when first.basis_points is not null then div(now.of_cents * first.basis_points * 2 + ${basisPointsMax}, ${2 * basisPointsMax})
          when first.flat_cents is not null then least(now.of_cents, first.flat_cents * now.quantity)
          else 0
        end) as owed_cents
      from commissions c
      cross join lateral rows from (
        jsonb_to_recordset(c.earned)
          as (product_id text, of_cents numeric, quantity numeric, basis_points numeric, flat_cents numeric),
        jsonb_to_recordset(c.earned_after_refunds)
          as (product_id text, of_cents numeric, quantity numeric, basis_points numeric, flat_cents numeric)
      ) with ordinality as both_parts (p1, o1, q1, b1, f1, p2, o2, q2, b2, f2, place)
      cross join lateral (select p1 as product_id, o1 as of_cents, q1 as quantity, b1 as basis_points, f1 as flat_cents) as first
      cross join lateral (select p2 as product_id, o2 as of_cents, q2 as quantity, b2 as basis_points, f2 as flat_cents) as now
      left join taken t on t.store_id = c.store_id and t.commission_id = c.commission_id and t.part = both_parts.place - 1
      where c.earned_after_refunds is not null group by c.store_id, c.commission_id
    )
    select c.store_id::text, format('commission %s (%s) of %s, refunded %s and %s less: its refunds say %s and %s, its terms give %s',
             c.commission_id, c.state, c.amount_cents, c.refunded_cents, c.refunded_commission_cents, r.refunded_cents,
             r.commission_cents, remaining.owed_cents) as detail
    from commissions c
    full join of_commission r on r.store_id = c.store_id and r.commission_id = c.commission_id
    left join remaining on remaining.store_id = c.store_id and remaining.commission_id = c.commission_id
    where (c.refunded_cents > 0 or r.store_id is not null) and (
      c.store_id is null or c.refunded_cents <> coalesce(r.refunded_cents, 0)
      or c.refunded_commission_cents <> coalesce(r.commission_cents, 0) or r.all_cents > c.eligible_cents
      or (c.refunded_cents > 0 and (remaining.is_rest is not true or remaining.owed_cents <> c.amount_cents))
      or r.reversals > 1 or (r.reversals = 1 and (c.state <> 'reversed' or r.reversed_cents <> c.amount_cents)))`,
  );
}

/** The account `expected` contains exactly the pending and approved commissions, on hold or not. */
export function expectedBalanceDifferences(db: Queryable): Promise<readonly Difference[]> {
  return findDifferences(
    db,
    sql`
    with open as (
      select store_id, creator_id, sum(amount_cents) as cents from commissions
      where ${isUnbilled} group by store_id, creator_id
    ), posted as (
      select store_id, creator_id, sum(case when debit = 'expected' then amount_cents else -amount_cents end) as cents from transfers
      where debit = 'expected' or credit = 'expected' group by store_id, creator_id
    )
    select coalesce(open.store_id, posted.store_id)::text as store_id,
           format('creator %s: open commissions are %s, the ledger expects %s', coalesce(open.creator_id, posted.creator_id),
             coalesce(open.cents, 0), coalesce(posted.cents, 0)) as detail
    from open full join posted using (store_id, creator_id)
    where coalesce(open.cents, 0) <> coalesce(posted.cents, 0)`,
  );
}
