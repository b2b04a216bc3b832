import { sql } from '../db/sql.ts';

/**
 * The one definition of sales and earnings in a period (docs/money.md, decision 0060). Orders are one-time orders and paid subscription
 * invoices, on the UTC day on which they happened, including rejected and reversed ones; revenue is their eligible amount. Earned is
 * their commission, and that of leads, without those rejected or reversed at any later time: a commission counts on the day of its order
 * or lead, or not at all. So
 * the totals of a month change when one of its orders is refunded later; the ledger keeps the day of the refund. A bonus is earned on
 * its own day, and is neither an order nor revenue.
 */
export const saleKinds = ['order', 'invoice'] as const;
/** A lead has no revenue. Its rollup counts it, with its commission. */
export const leadKind = 'lead';

/** The rollup kinds whose commissions are earned. */
export const earningKinds = [...saleKinds, leadKind, 'bonus'] as const;

/** The rollup kind for those of a day's orders that were rejected or reversed since. */
export const lostKind = 'lost';

/** Select list over rows of `link_days` or `store_days` with the alias `d`. */
export const salesTotals = sql`
  coalesce(sum(d.count) filter (where d.what = 'lead'), 0) as leads,
  coalesce(sum(d.count) filter (where d.what in ('order', 'invoice')), 0) as orders,
  coalesce(sum(d.eligible_cents) filter (where d.what in ('order', 'invoice')), 0) as revenue_cents,
  coalesce(sum(case
    when d.what in ('order', 'invoice', 'lead', 'bonus') then d.commission_cents when d.what = 'lost' then -d.commission_cents end), 0)
    as earned_cents`;

/** The earned cents of one row of `commissions`; its columns must be unambiguous. */
export const earnedCentsExpression = sql`case when state in ('rejected', 'reversed') then 0 else amount_cents end`;
