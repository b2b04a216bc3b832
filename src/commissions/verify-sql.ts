import { isUnbilled } from './commission-states-sql.ts';
import type { Queryable } from '../db/database.ts';
import { sql } from '../db/sql.ts';
import { basisPointsMax } from '../core/money.ts';
import { rollupDifferences } from './rollups-sql.ts';
import { type Check, type Difference } from '../db/check.ts';
import { findDifferences } from '../db/differences.ts';

export const commissionChecks: readonly Check[] = [
  { what: 'a commission is what its copy of the terms gives', rows: countCommissions, differences: commissionTermsDifferences },
  { what: 'daily totals match the commissions', rows: countCommissions, differences: rollupDifferences },
  { what: 'what a creator may expect is the sum of the open commissions', rows: countCommissions, differences: expectedBalanceDifferences },
];

async function countCommissions(db: Queryable): Promise<bigint> {
  const { rows } = await db.one<{ rows: bigint }>(sql`select count(*) as rows from commissions`);
  return rows;
}

/** Applies the copied rates again. Written a second time on purpose, in SQL, so that one mistake does not hide in both. */
export function commissionTermsDifferences(db: Queryable): Promise<readonly Difference[]> {
  return findDifferences(
    db,
    sql`
    with applied as (
      select c.store_id, c.commission_id, c.amount_cents, c.eligible_cents, c.hold_until, c.occurred_at, c.hold_days,
             coalesce(sum(case
               when part.basis_points is not null then div(part.of_cents * part.basis_points * 2 + ${basisPointsMax}, ${2 * basisPointsMax})
               when part.flat_cents is not null then least(part.of_cents, part.flat_cents * part.quantity)
               else 0
             end), 0) as owed_cents, coalesce(sum(part.amount_cents), 0) as explained_cents
      from commissions c left join lateral jsonb_to_recordset(c.earned)
        as part (of_cents numeric, quantity numeric, basis_points numeric, flat_cents numeric, amount_cents numeric) on true
      group by c.store_id, c.commission_id
    )
    select store_id::text, format('commission %s: %s, its terms give %s, its explanation says %s; of %s, held until %s', commission_id,
             amount_cents, owed_cents, explained_cents, eligible_cents, hold_until) as detail
    from applied
    where amount_cents <> owed_cents or amount_cents <> explained_cents or amount_cents > eligible_cents
      or hold_until <> occurred_at + make_interval(days => hold_days)`,
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
