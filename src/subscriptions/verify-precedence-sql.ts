import { publicIdOf } from '../commissions/verify-precedence-sql.ts';
import type { Difference } from '../db/check.ts';
import type { Queryable } from '../db/database.ts';
import { findDifferences } from '../db/differences.ts';
import { sql } from '../db/sql.ts';

/**
 * Puts the rules that may apply to each subscription in their order of precedence at its bind, and compares the first one with the rate,
 * the limits, and the settings that were copied: the rules of the membership, of its group, of the copied tier, and of the program; within
 * these, for the product and the price, for the product, for the price, and for all. A tier is known only if its rule applied.
 */
export function bindPrecedenceDifferences(db: Queryable): Promise<readonly Difference[]> {
  return findDifferences(
    db,
    sql`
    with bind as (
      select r.*, r.rule #>> '{tier,number}' as tier,
        case when t.own_rates <> '[]' then m.member_id end as member_id, case when t.own_rates <> '[]' then last.group_id end as group_id
      from relationships r
      join terms t on t.store_id = r.store_id and t.program_id = r.program_id and t.version = r.terms_version
      left join members m on m.store_id = r.store_id and m.program_id = r.program_id and m.creator_id = r.creator_id
      left join group_moves last on t.own_rates <> '[]' and last.store_id = r.store_id and last.member_id = m.member_id
        and last.moved_at <= least(r.bound_at, r.recorded_at) and not exists (
          select 1 from group_moves later
          where later.store_id = r.store_id and later.member_id = m.member_id and later.moved_at <= least(r.bound_at, r.recorded_at)
            and later.number > last.number)
      where r.environment = 'live'
    )
    select b.store_id::text, format('relationship %s: version %s gives %s for %s and %s, not %s or %s, at most %s invoices in %s months',
             b.binding_id, b.terms_version, first.given, b.first_product_id, b.first_price_id, b.basis_points, b.flat_cents,
             b.max_invoices, b.max_months) as detail
    from bind b
    join terms t on t.store_id = b.store_id and t.program_id = b.program_id and t.version = b.terms_version
    cross join lateral (
      select (array_agg(given order by level,
        case when given ->> 'product_id' is not null and given ->> 'price_id' is not null then 0
          when given ->> 'product_id' is not null then 1 when given ->> 'price_id' is not null then 2 else 3 end, place))[1] as given
      from (
        select 0 as level, given, place from jsonb_array_elements(t.own_rates) as own (rates)
          cross join lateral jsonb_array_elements(rates -> 'subscription_rules') with ordinality as rules (given, place)
        where rates ->> 'member_id' = ${publicIdOf(sql`'mem'`, sql`b.member_id`)}
        union all
        select 1, given, place from jsonb_array_elements(t.own_rates) as own (rates)
          cross join lateral jsonb_array_elements(rates -> 'subscription_rules') with ordinality as rules (given, place)
        where rates ->> 'group_id' = ${publicIdOf(sql`'grp'`, sql`b.group_id`)}
        union all
        select 2, given, place
        from jsonb_array_elements(t.tiers #> array['tiers', (b.tier::int - 1)::text, 'subscription_rules'])
          with ordinality as rules (given, place)
        union all
        select 3, given, place from jsonb_array_elements(t.subscription_rules) with ordinality as rules (given, place)
      ) as candidate
      where coalesce(given ->> 'product_id', b.first_product_id) = b.first_product_id
        and coalesce(given ->> 'price_id', b.first_price_id) is not distinct from b.first_price_id
    ) as first
    where (first.given ->> 'basis_points')::int is distinct from b.basis_points
      or (first.given ->> 'flat_cents')::bigint is distinct from b.flat_cents
      or (first.given ->> 'max_invoices')::int is distinct from b.max_invoices
      or (first.given ->> 'max_months')::int is distinct from b.max_months
      or t.attribution_days <> b.attribution_days or t.hold_days <> b.hold_days
      or t.auto_approve_days is distinct from b.auto_approve_days`,
  );
}
