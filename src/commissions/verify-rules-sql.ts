import type { Difference } from '../db/check.ts';
import type { Queryable } from '../db/database.ts';
import { findDifferences } from '../db/differences.ts';
import { sql } from '../db/sql.ts';

/** The rule that applied to each part of a commission, and those that were skipped, of which `failed` names the condition. */
const copiedRules = sql`
  cross join lateral jsonb_to_recordset(c.earned) as part (product_id text, basis_points int, flat_cents bigint, rule jsonb, skipped jsonb)
  cross join lateral (
    select part.rule, part.basis_points, part.flat_cents where part.rule is not null
    union all
    select one, (one ->> 'basis_points')::int, (one ->> 'flat_cents')::bigint from jsonb_array_elements(part.skipped) as skipped (one)
  ) as copied (rule, basis_points, flat_cents)`;

/** Compares the level, subject, conditions, and rate of each copied rule with the rules of its terms version. */
export function appliedRuleDifferences(db: Queryable): Promise<readonly Difference[]> {
  return findDifferences(
    db,
    sql`
    select c.store_id::text, format('commission %s: no rule of version %s for %s gives %s basis points or %s cents', c.commission_id,
             c.terms_version, copied.rule, copied.basis_points, copied.flat_cents) as detail
    from commissions c ${copiedRules}
    left join terms t on t.store_id = c.store_id and t.program_id = c.program_id and t.version = c.terms_version
    where not exists (
      select 1 from (
        select case when own ->> 'member_id' is null then 'group' else 'member' end as level,
          coalesce(own ->> 'member_id', own ->> 'group_id') as subject, given
        from jsonb_array_elements(t.own_rates) as of_subject (own)
          cross join lateral jsonb_array_elements((own -> 'order_rules') || (own -> 'subscription_rules')) as of_rules (given)
        union all
        select 'tier', number::text, given from jsonb_array_elements(t.tiers -> 'tiers') with ordinality as of_tier (tier, number)
          cross join lateral jsonb_array_elements((tier -> 'order_rules') || (tier -> 'subscription_rules')) as of_rules (given)
        union all
        select case when coalesce(given ->> 'product_id', given ->> 'price_id', given -> 'conditions' ->> 'products') is null then 'program'
          else 'product' end, null, given
        from jsonb_array_elements(t.order_rules || t.subscription_rules) as of_rules (given)
      ) of_version
      where of_version.level = copied.rule ->> 'level'
        and of_version.subject is not distinct from
          coalesce(copied.rule ->> 'member_id', copied.rule ->> 'group_id', copied.rule #>> '{tier,number}')
        and (of_version.given -> 'conditions') is not distinct from (copied.rule -> 'conditions')
        and (of_version.given ->> 'basis_points')::int is not distinct from copied.basis_points
        and (of_version.given ->> 'flat_cents')::bigint is not distinct from copied.flat_cents)`,
  );
}

/**
 * Decides again which condition of a copied rule is the first that does not hold, by the order and its copied facts: none of a rule that
 * applied, and the copied one of a rule that was skipped. Written a second time, in SQL, like the rates.
 */
export function conditionDifferences(db: Queryable): Promise<readonly Difference[]> {
  return findDifferences(
    db,
    sql`
    select c.store_id::text, format('commission %s: a rule requires %s, and the order has %s, %s of %s; %s', c.commission_id,
             copied.rule -> 'conditions', copied.rule -> 'facts', part.product_id, c.eligible_cents,
             coalesce('skipped by ' || (copied.rule ->> 'failed'), 'applied')) as detail
    from commissions c ${copiedRules}
    cross join lateral jsonb_to_record(copied.rule -> 'conditions')
      as required (products jsonb, new_customers boolean, min_order_cents numeric, countries jsonb)
    where copied.rule -> 'conditions' is not null and (
      (copied.rule #>> '{facts,order_cents}')::numeric <> c.eligible_cents
      or copied.rule ->> 'failed' is distinct from case
        when required.products is not null and not exists (
          select 1 from jsonb_array_elements_text(required.products) as patterns (pattern)
          where part.product_id like replace(replace(replace(replace(pattern, '!', '!!'), '%', '!%'), '_', '!_'), '*', '%') escape '!')
          then 'products'
        when required.new_customers and copied.rule #>> '{facts,customer}' is distinct from 'new' then 'new_customers'
        when required.min_order_cents > c.eligible_cents then 'min_order'
        when required.countries is not null and (required.countries ? (copied.rule #>> '{facts,country}')) is not true then 'countries'
      end)`,
  );
}

/** An order that a budget stopped earns nothing, and its commission would have exceeded a limit of its terms version. */
export function budgetDifferences(db: Queryable): Promise<readonly Difference[]> {
  return findDifferences(
    db,
    sql`
    select c.store_id::text, format('commission %s of %s: version %s has the budget %s, and it was stopped by %s', c.commission_id,
             c.amount_cents, c.terms_version, t.budget, part.budget) as detail
    from commissions c
    cross join lateral jsonb_to_recordset(c.earned) as part (amount_cents numeric, budget jsonb)
    cross join lateral jsonb_to_record(part.budget)
      as stopped ("limit" text, limit_cents numeric, used_cents numeric, commission_cents numeric)
    left join terms t on t.store_id = c.store_id and t.program_id = c.program_id and t.version = c.terms_version
    where part.budget is not null and (
      c.source_kind <> 'order' or c.amount_cents + c.refunded_commission_cents > 0 or part.amount_cents > 0
      or stopped.limit_cents is distinct from (t.budget ->> (stopped."limit" || '_cents'))::numeric
      or stopped.used_cents + stopped.commission_cents <= stopped.limit_cents)`,
  );
}
