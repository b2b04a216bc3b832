import { levelsOf, rulesOfVersions } from '../commissions/verify-precedence-sql.ts';
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
      select r.*, r.rule #>> '{tier,number}' as tier, m.member_id, last.group_id,
        t.attribution_days <> r.attribution_days or t.hold_days <> r.hold_days
          or t.auto_approve_days is distinct from r.auto_approve_days as has_other_settings
      from relationships r
      join terms t on t.store_id = r.store_id and t.program_id = r.program_id and t.version = r.terms_version
      left join members m on m.store_id = r.store_id and m.program_id = r.program_id and m.creator_id = r.creator_id
      left join group_moves last on t.own_rates <> '[]' and last.store_id = r.store_id and last.member_id = m.member_id
        and last.moved_at <= least(r.bound_at, r.recorded_at) and not exists (
          select 1 from group_moves later
          where later.store_id = r.store_id and later.member_id = m.member_id and later.moved_at <= least(r.bound_at, r.recorded_at)
            and later.number > last.number)
      where r.environment = 'live'
    ), of_version as (${rulesOfVersions(sql`source -> 'subscription_rules'`)}
    ), first as (
      select distinct on (b.store_id, b.relationship_hash) b.*, v.given
      from bind b
      cross join lateral ${levelsOf({ memberId: sql`b.member_id`, groupId: sql`b.group_id`, tier: sql`b.tier` })}
      left join of_version v on v.store_id = b.store_id and v.program_id = b.program_id and v.version = b.terms_version
        and v.level = of_creator.level and v.subject = of_creator.subject
        and coalesce(v.given ->> 'product_id', b.first_product_id) = b.first_product_id
        and coalesce(v.given ->> 'price_id', b.first_price_id) is not distinct from b.first_price_id
      order by b.store_id, b.relationship_hash, v.given is null, precedence,
        case when v.given ->> 'product_id' is not null and v.given ->> 'price_id' is not null then 0
          when v.given ->> 'product_id' is not null then 1 when v.given ->> 'price_id' is not null then 2 else 3 end, v.place
    )
    select store_id::text, format('relationship %s: version %s gives %s for %s and %s, not %s or %s, at most %s invoices in %s months',
             binding_id, terms_version, given, first_product_id, first_price_id, basis_points, flat_cents, max_invoices,
             max_months) as detail
    from first
    where (given ->> 'basis_points')::int is distinct from basis_points
      or (given ->> 'flat_cents')::bigint is distinct from flat_cents
      or (given ->> 'max_invoices')::int is distinct from max_invoices
      or (given ->> 'max_months')::int is distinct from max_months
      or has_other_settings`,
  );
}
