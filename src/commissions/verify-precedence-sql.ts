import type { Difference } from '../db/check.ts';
import type { Queryable } from '../db/database.ts';
import { findDifferences } from '../db/differences.ts';
import { joined, sql, verbatim, type Sql } from '../db/sql.ts';

/** The public form of an ID, in which terms name memberships and groups: 26 characters of five bits, of which the first two are zero. */
export function publicIdOf(prefix: Sql, id: Sql): Sql {
  const byte = (place: number) => sql`get_byte(uuid_send(${id}), ${verbatim(String(place))})`;
  const characters = Array.from({ length: 26 }, (_none, place) => {
    const end = place * 5 + 3;
    const [last, shift] = [Math.ceil(end / 8) - 1, verbatim(String((8 - (end % 8)) % 8))];
    const bytes = end % 8 === 0 || end % 8 >= 5 || last === 0 ? byte(last) : sql`(${byte(last - 1)} << 8 | ${byte(last)})`;
    return sql`substr('0123456789abcdefghjkmnpqrstvwxyz', 1 + (${bytes} >> ${shift} & 31), 1)`;
  });
  return sql`(${prefix} || '_' || ${joined(characters, sql` || `)})`;
}

/**
 * Every rule of every terms version, where it is from, and its place there. `rules` is an expression of `source`: own rates, a tier, or the
 * program. Terms are read once and joined, not once for each commission. Neither a union nor functions that are not immutable, such as
 * jsonb_build_object and jsonb_to_recordset: Citus would copy the rows of all nodes to the coordinator.
 */
export const rulesOfVersions = (rules: Sql): Sql => sql`
  select t.store_id, t.program_id, t.version,
    case when source ->> 'member_id' is not null then 'member' when source ->> 'group_id' is not null then 'group'
      when source ->> 'threshold' is not null then 'tier' else 'program' end as level,
    coalesce(source ->> 'member_id', source ->> 'group_id',
      case when source ->> 'threshold' is not null then (number - jsonb_array_length(t.own_rates))::text end, '') as subject,
    given, place
  from terms t
  cross join lateral jsonb_array_elements(t.own_rates || coalesce(t.tiers -> 'tiers', '[]')
    || jsonb_set(jsonb_set('{}', '{order_rules}', t.order_rules), '{subscription_rules}', t.subscription_rules))
    with ordinality as of_version (source, number)
  cross join lateral jsonb_array_elements(${rules}) with ordinality as of_source (given, place)`;

type RatedSubject = { readonly memberId: Sql; readonly groupId: Sql; readonly tier: Sql };

/** The levels of rules that may apply to a creator, in order of precedence. */
export const levelsOf = ({ memberId, groupId, tier }: RatedSubject): Sql => sql`
  unnest(
      array['member', 'group', 'tier', 'program'],
      array[${publicIdOf(sql`'mem'`, memberId)}, ${publicIdOf(sql`'grp'`, groupId)}, ${tier}, ''])
    with ordinality as of_creator (level, subject, precedence)`;

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
      select c.store_id, c.program_id, c.terms_version, one ->> 'product_id' as product_id, (one ->> 'basis_points')::int as basis_points,
        (one ->> 'flat_cents')::bigint as flat_cents, coalesce(jsonb_array_length(one -> 'skipped'), 0) as skipped,
        coalesce(one #>> '{rule,tier,number}', jsonb_path_query_first(one, '$.skipped[*].tier.number') #>> '{}') as tier,
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
      cross join lateral jsonb_array_elements(c.earned) as part_of_order (one)
      where c.source_kind = 'order' and one ->> 'budget' is null
        and (c.occurred_at >= t.effective_from or c.earned #>> '{0,terms,because}' = 'accepted')
      group by 1, 2, 3, 4, 5, 6, 7, 8, 9, 10
    ), of_version as (${rulesOfVersions(sql`source -> 'order_rules'`)}
    ), first as (
      select p.store_id, p.commission_id, p.parts, p.skipped, p.terms_version, p.product_id, p.basis_points, p.flat_cents,
        (array_agg(v.given order by precedence,
          case when v.given ->> 'product_id' is not null then 0 when v.given #>> '{conditions,products}' is not null then 1 else 2 end,
          v.given ->> 'conditions' is null, v.place) filter (where v.given is not null))[p.skipped + 1] as given
      from part p
      cross join lateral ${levelsOf({ memberId: sql`p.member_id`, groupId: sql`p.group_id`, tier: sql`p.tier` })}
      -- One comparison: with four, the planner joins by the first ones only, and compares each part with all rules of a version.
      left join of_version v on v.store_id = p.store_id
        and array[v.program_id::text, v.version::text, v.level, v.subject]
          = array[p.program_id::text, p.terms_version::text, of_creator.level, of_creator.subject]
        and coalesce(v.given ->> 'product_id', p.product_id) is not distinct from p.product_id
      where p.skipped < ${skippedMax}
      group by p.store_id, p.program_id, p.terms_version, p.product_id, p.basis_points, p.flat_cents, p.skipped, p.tier, p.member_id,
        p.group_id, p.commission_id, p.parts
    )
    select store_id::text, format('%s parts, such as of commission %s: after %s rules, version %s gives %s for %s, not %s or %s',
             parts, commission_id, skipped, terms_version, given, product_id, basis_points, flat_cents) as detail
    from first
    where (given ->> 'basis_points')::int is distinct from basis_points or (given ->> 'flat_cents')::bigint is distinct from flat_cents`,
  );
}
