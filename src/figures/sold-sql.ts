import { sql } from '../platform/database/sql.ts';

/**
 * The one definition of what was sold and earned in a period (docs/money.md, decision 0060). Orders are one-time orders and paid invoices
 * of subscriptions, on the UTC day on which they happened, whatever became of them; revenue is their eligible amount. Earned is their
 * commission without what was rejected or reversed, however much later that was: each commission counts on the day of its order or not
 * at all. So a month's figures change when one of its orders is refunded later; the ledger keeps the day on which that happened.
 */
export const soldKinds = ['order', 'invoice'] as const;

/** In the figures by day, `lost` is what of a day's orders was rejected or reversed since. */
export const lostKind = 'lost';

/** Of rows of `link_days` or `store_days`, named `d`. */
export const soldOfDays = sql`
  coalesce(sum(d.count) filter (where d.what in ('order', 'invoice')), 0) as orders,
  coalesce(sum(d.eligible_cents) filter (where d.what in ('order', 'invoice')), 0) as revenue_cents,
  coalesce(sum(case when d.what in ('order', 'invoice') then d.commission_cents when d.what = 'lost' then -d.commission_cents end), 0)
    as earned_cents`;

/** Of one row of `commissions`, whose columns have no other table's names beside them. */
export const earnedOfCommission = sql`case when state in ('rejected', 'reversed') then 0 else amount_cents end`;
