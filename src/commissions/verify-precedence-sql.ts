import type { Difference } from '../db/check.ts';
import type { Queryable } from '../db/database.ts';
import { findDifferences } from '../db/differences.ts';
import { sql, type Sql } from '../db/sql.ts';

/** The public form of an ID, in which terms name memberships and groups: 26 characters of five bits. */
export const publicIdOf = (prefix: Sql, id: Sql): Sql => sql`(
  select ${prefix} || '_' || string_agg(substr('0123456789abcdefghjkmnpqrstvwxyz', bits.code::int + 1, 1), '' order by place)
  from generate_series(0, 25) as places (place)
  cross join lateral (
    select substring(b'00' || ('x' || replace(${id}::text, '-', ''))::bit(128) from place * 5 + 1 for 5)::bit(5) as code) as bits)`;

/** More of them are not copied. */
const skippedMax = 5;

/**
 * Puts the rules that may apply to each part of an order in their order of precedence, and compares the first one that was not skipped
 * with the rate that applied: the rules of the membership, of its group at the time of the order, of the copied tier, and of the program;
 * within these, for the product, for a list of products, and for all, each with conditions before without. Orders with the same facts are
 * decided once. Whether a skipped rule had to be skipped is another check. The time of an order may be minutes ahead, so a move between
 * its report and its time was not known.
 */
export function precedenceDifferences(db: Queryable): Promise<readonly Difference[]> {
  return findDifferences(
    db,
    sql`
    with part as (
      select c.store_id, c.program_id, c.terms_version, one.product_id, one.basis_points, one.flat_cents,
        coalesce(jsonb_array_length(one.skipped), 0) as skipped, coalesce(one.rule #>> '{tier,number}', (
          select given #>> '{tier,number}' from jsonb_array_elements(one.skipped) as of_skipped (given)
          where given -> 'tier' is not null limit 1)) as tier,
        case when t.own_rates <> '[]' then m.member_id end as member_id, case when t.own_rates <> '[]' then last.group_id end as group_id,
        min(c.commission_id::text) as commission_id, count(*) as parts
      from commissions c
      join terms t on t.store_id = c.store_id and t.program_id = c.program_id and t.version = c.terms_version
      left join members m on m.store_id = c.store_id and m.program_id = c.program_id and m.creator_id = c.creator_id
      left join group_moves last on t.own_rates <> '[]' and last.store_id = c.store_id and last.member_id = m.member_id
        and last.moved_at <= least(c.occurred_at, c.recorded_at) and not exists (
          select 1 from group_moves later
          where later.store_id = c.store_id and later.member_id = m.member_id and later.moved_at <= least(c.occurred_at, c.recorded_at)
            and later.number > last.number)
      cross join lateral jsonb_to_recordset(c.earned)
        as one (product_id text, basis_points int, flat_cents bigint, rule jsonb, skipped jsonb, budget jsonb)
      where c.source_kind = 'order' and one.budget is null
        and (c.occurred_at >= t.effective_from or c.earned #>> '{0,terms,because}' = 'accepted')
      group by 1, 2, 3, 4, 5, 6, 7, 8, 9, 10
    )
    select p.store_id::text, format('%s parts, such as of commission %s: after %s rules, version %s gives %s for %s, not %s or %s',
             p.parts, p.commission_id, p.skipped, p.terms_version, first.given, p.product_id, p.basis_points, p.flat_cents) as detail
    from part p
    join terms t on t.store_id = p.store_id and t.program_id = p.program_id and t.version = p.terms_version
    cross join lateral (
      select (array_agg(given order by level,
        case when given ->> 'product_id' is not null then 0 when given #>> '{conditions,products}' is not null then 1 else 2 end,
        given ->> 'conditions' is null, place))[p.skipped + 1] as given
      from (
        select 0 as level, given, place from jsonb_array_elements(t.own_rates) as own (rates)
          cross join lateral jsonb_array_elements(rates -> 'order_rules') with ordinality as rules (given, place)
        where rates ->> 'member_id' = ${publicIdOf(sql`'mem'`, sql`p.member_id`)}
        union all
        select 1, given, place from jsonb_array_elements(t.own_rates) as own (rates)
          cross join lateral jsonb_array_elements(rates -> 'order_rules') with ordinality as rules (given, place)
        where rates ->> 'group_id' = ${publicIdOf(sql`'grp'`, sql`p.group_id`)}
        union all
        select 2, given, place
        from jsonb_array_elements(t.tiers #> array['tiers', (p.tier::int - 1)::text, 'order_rules'])
          with ordinality as rules (given, place)
        union all
        select 3, given, place from jsonb_array_elements(t.order_rules) with ordinality as rules (given, place)
      ) as candidate
      where coalesce(given ->> 'product_id', p.product_id) is not distinct from p.product_id
    ) as first
    where p.skipped < ${skippedMax} and (
      (first.given ->> 'basis_points')::int is distinct from p.basis_points
      or (first.given ->> 'flat_cents')::bigint is distinct from p.flat_cents)`,
  );
}
