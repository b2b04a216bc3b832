import { publicIdOf } from '../commissions/verify-precedence-sql.ts';
import type { Difference } from '../db/check.ts';
import type { Queryable } from '../db/database.ts';
import { findDifferences } from '../db/differences.ts';
import { sql, type Sql } from '../db/sql.ts';
import { clickTime } from './verify-terms-sql.ts';

/** Only what was not earned by a click alone has something to decide again. */
export const ordersWithAttribution = () => sql`
  select o.store_id, 'order ' || o.transaction_id as subject, o.order_hash as hash, o.program_id, o.creator_id, o.link_number,
    o.occurred_at, o.recorded_at, o.click_id, o.attribution, c.terms_version, o.customer_id
  from orders o join commissions c on c.store_id = o.store_id and c.commission_id = o.commission_id
  where o.attribution is not null or o.click_id is null`;

/** A code is one of the creator, in a program that counts codes, and precedes a click only if the terms say so. */
const isWrongCode = sql`(
  code.code_id is null or code.creator_id <> d.creator_id or code.program_id <> d.program_id or code.link_number <> d.link_number
  or t.codes = 'off' or why.rule not in ('code', 'code_before_click')
  or (why.rule = 'code_before_click' and t.codes <> 'before_click') or (why.rule = 'code' and why.compared ->> 'by' = 'click'))`;

/** A binding that was recorded seconds before the order may not have been committed when the order was decided. */
const isBoundLater = sql`exists (
  select 1 from customer_bindings nearer
  where nearer.store_id = bound.store_id and nearer.customer_hash = bound.customer_hash and nearer.bound_at <= d.occurred_at
    and (nearer.bound_at, nearer.number) > (bound.bound_at, bound.number)
    and ${clickTime(sql`nearer.binding_id`)} < d.recorded_at - interval '1 minute')`;

/** The last binding of the customer before the order, within the limits of its terms. Erasing a customer removes bindings and uses. */
const isWrongCustomer = sql`(
  why.customer_since > d.occurred_at or why.rule not in ('returning_customer', 'first_partner')
  or (why.rule = 'first_partner') <> (why.compared is not null) or (why.rule = 'first_partner' and t.new_click <> 'first_partner')
  or (t.version is not null and (t.returning_days is null or why.customer_order > t.returning_orders
    or d.occurred_at > why.customer_since + make_interval(days => t.returning_days)))
  or (bound.binding_id is null and d.customer_id is not null)
  or ${isBoundLater})`;

/** An order and a subscription of the same ID have the same hash, and each has its own use. */
const isUseOf = sql`
  used.store_id = d.store_id and used.order_hash = d.hash and used.number = why.customer_order
  and (d.customer_id is null or used.customer_hash = sha256(convert_to(d.customer_id, 'UTF8')))
  and bound.program_id = d.program_id and bound.creator_id = d.creator_id and bound.link_number = d.link_number
  and bound.bound_at = why.customer_since`;

/**
 * A click precedes a code and a former creator of the same program unless the terms say otherwise. Other programs have their own terms. The
 * version of the other creator is not stored, and may differ from that of the click after an acceptance or a notice.
 */
const isWrongClick = sql`(
  why.rule not in ('click', 'same_creator')
  or (why.compared ->> 'by' = 'code' and other.program_id = d.program_id and not exists (
    select 1 from terms v where v.store_id = d.store_id and v.program_id = d.program_id and v.codes <> 'before_click'))
  or (why.compared ->> 'by' = 'customer' and not exists (
    select 1 from terms v
    where v.store_id = d.store_id and v.program_id = d.program_id and v.new_click is distinct from 'first_partner') and exists (
    select 1 from customer_bindings b
    where b.store_id = d.store_id and b.program_id = d.program_id and b.bound_at = (why.compared ->> 'customer_since')::timestamptz
      and ${publicIdOf(sql`'crt'`, sql`b.creator_id`)} = why.compared ->> 'creator_id')))`;

/**
 * Decides again which of click, code, and customer precedes the others, by the terms that applied and by what was compared. Written a
 * second time, in SQL. Dates and pauses of codes may have changed since, and are not compared.
 */
export function attributionsThatDiffer(db: Queryable, decided: Sql): Promise<readonly Difference[]> {
  return findDifferences(
    db,
    sql`
    with decided as (${decided})
    select d.store_id::text, format('%s: click %s, version %s, earned by %s', d.subject, d.click_id, d.terms_version,
             d.attribution) as detail
    from decided d
    cross join lateral jsonb_to_record(coalesce(d.attribution, '{}')) as why (
      rule text, attributed_by text, attributed_to text, discount_code text, customer_since timestamptz, customer_order int, compared jsonb)
    left join terms t on t.store_id = d.store_id and t.program_id = d.program_id and t.version = d.terms_version
    left join discount_codes code on code.store_id = d.store_id and code.code = why.discount_code
    left join discount_codes other on other.store_id = d.store_id and other.code = why.compared ->> 'discount_code'
    left join (customer_uses used join customer_bindings bound on bound.store_id = used.store_id
      and bound.customer_hash = used.customer_hash and bound.binding_id = used.subject_id) on ${isUseOf}
    where (coalesce(why.attributed_by, 'click') = 'click') <> (d.click_id is not null)
      or why.attributed_to <> ${publicIdOf(sql`'crt'`, sql`d.creator_id`)}
      or case why.attributed_by when 'code' then ${isWrongCode} when 'customer' then ${isWrongCustomer}
        when 'click' then ${isWrongClick} end`,
  );
}

/** New terms are known to all processes after seconds, and orders before that bind no customer. */
export const isBindingDue = (of: Sql, terms: Sql): Sql => sql`(
  ${of}.customer_id is not null and ${terms}.returning_days is not null and ${of}.recorded_at > ${terms}.made_at + interval '1 minute'
  and coalesce(${of}.attribution ->> 'attributed_by', 'click') <> 'customer')`;
