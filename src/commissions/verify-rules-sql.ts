import type { Difference } from '../db/check.ts';
import type { Queryable } from '../db/database.ts';
import { findDifferences } from '../db/differences.ts';
import { sql } from '../db/sql.ts';
import { rulesOfVersions } from './verify-precedence-sql.ts';

/** The rule that applied to each part of a commission, and those that were skipped, of which `failed` names the condition. */
const copiedRules = sql`
  cross join lateral jsonb_to_recordset(c.earned) as part (product_id text, basis_points int, flat_cents bigint, rule jsonb, skipped jsonb)
  cross join lateral jsonb_array_elements(jsonb_build_array(part.rule) || coalesce(part.skipped, '[]'))
    with ordinality as copied (rule, place)`;

/** A skipped rule contains its rate, and the part has that of the rule that applied. */
const copiedBasisPoints = sql`case when copied.place = 1 then part.basis_points else (copied.rule ->> 'basis_points')::int end`;
const copiedFlatCents = sql`case when copied.place = 1 then part.flat_cents else (copied.rule ->> 'flat_cents')::bigint end`;

/** Compares the level, subject, conditions, and rate of each copied rule with the rules of its terms version. */
export function appliedRuleDifferences(db: Queryable): Promise<readonly Difference[]> {
  return findDifferences(
    db,
    sql`
    with of_version as (${rulesOfVersions(sql`(source -> 'order_rules') || (source -> 'subscription_rules')`)}
    )
    select c.store_id::text, format('commission %s: no rule of version %s for %s gives %s basis points or %s cents', c.commission_id,
             c.terms_version, copied.rule, ${copiedBasisPoints}, ${copiedFlatCents}) as detail
    from commissions c ${copiedRules}
    where (copied.place > 1 or part.rule is not null) and not exists (
      select 1 from of_version v
      where v.store_id = c.store_id and v.program_id = c.program_id and v.version = c.terms_version
        -- Arrays are joined by a hash table, and null elements are equal.
        and array[
          case when v.level = 'program'
            and coalesce(v.given ->> 'product_id', v.given ->> 'price_id', v.given #>> '{conditions,products}') is not null
            then 'product' else v.level end,
          v.subject, v.given ->> 'conditions', v.given ->> 'basis_points', v.given ->> 'flat_cents']
        = array[
          copied.rule ->> 'level',
          coalesce(copied.rule ->> 'member_id', copied.rule ->> 'group_id', copied.rule #>> '{tier,number}', ''),
          copied.rule ->> 'conditions', (${copiedBasisPoints})::text, (${copiedFlatCents})::text])`,
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
