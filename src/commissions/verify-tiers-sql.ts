import type { Difference } from '../db/check.ts';
import type { Queryable } from '../db/database.ts';
import { findDifferences } from '../db/differences.ts';
import { sql, type Sql } from '../db/sql.ts';

/** Whether a copied tier was reached before what it was applied to, and within its period. */
export const isTierTooEarlyOrLate = (tier: Sql, at: Sql): Sql => sql`(
  (${tier} ->> 'reached_at')::timestamptz > ${at}
  or (${tier} ->> 'reached_at')::timestamptz < ${at} - case ${tier} ->> 'period'
    when 'month' then interval '32 days' when 'days_30' then interval '31 days' else interval '91 days' end)`;

/**
 * Compares the copied facts of each tier with the tiers of its terms version: the figure reaches the threshold of this tier and of no
 * higher one, and the tier was reached before the order and within its period. Later refunds and rejections change no copied fact.
 * The tier of a subscription is that of its bind, which may be long before an invoice, or after it. It has its own check.
 */
export function tierDifferences(db: Queryable): Promise<readonly Difference[]> {
  return findDifferences(
    db,
    sql`
    select c.store_id::text, format('commission %s: version %s does not give the tier %s', c.commission_id, c.terms_version,
             fact.tier) as detail
    from commissions c
    cross join lateral jsonb_to_recordset(c.earned) as part (rule jsonb)
    cross join lateral (select part.rule -> 'tier' as tier) as fact
    cross join lateral jsonb_to_record(fact.tier)
      as tier (number int, measure text, period text, threshold numeric, figure numeric)
    left join terms t on t.store_id = c.store_id and t.program_id = c.program_id and t.version = c.terms_version
    where part.rule ->> 'level' = 'tier' and (
      t.tiers is null or tier.measure is distinct from t.tiers ->> 'measure' or tier.period is distinct from t.tiers ->> 'period'
      or tier.threshold is distinct from (t.tiers #>> array['tiers', (tier.number - 1)::text, 'threshold'])::numeric
      or tier.figure < tier.threshold
      or tier.figure >= (t.tiers #>> array['tiers', tier.number::text, 'threshold'])::numeric
      or (c.source_kind = 'order' and ${isTierTooEarlyOrLate(sql`fact.tier`, sql`c.occurred_at`)}))`,
  );
}
