import { isTierTooEarlyOrLate } from '../commissions/verify-tiers-sql.ts';
import type { Queryable } from '../db/database.ts';
import { clickTime, hasChoices, versionsThatDiffer } from '../orders/verify-terms-sql.ts';
import { attributionsThatDiffer, isBindingDue } from '../orders/verify-attribution-sql.ts';
import { sql, type Sql } from '../db/sql.ts';
import { bindPrecedenceDifferences } from './verify-precedence-sql.ts';
import type { Check, Difference } from '../db/check.ts';
import { findDifferences, rowsOf } from '../db/differences.ts';

export const subscriptionChecks: readonly Check[] = [
  {
    what: 'an invoice that earned has its commission and its transfer',
    rows: rowsOf(sql`relationship_invoices`),
    differences: invoicesWithWrongPostings,
  },
  {
    what: 'an invoice that earned nothing, or waits, has no money',
    rows: rowsOf(sql`relationship_invoices`),
    differences: invoicesWithMoney,
  },
  {
    what: 'a reversed invoice has a reversed commission',
    rows: rowsOf(sql`relationship_invoices`),
    differences: invoiceReversalsWithoutEffect,
  },
  { what: 'a subscription earns by the rule and the tier of its bind', rows: rowsOf(sql`relationships`), differences: rulesThatDiffer },
  {
    what: 'a subscription has the first rule that may apply at its bind',
    rows: rowsOf(sql`relationships`),
    differences: bindPrecedenceDifferences,
  },
  {
    what: 'a subscription is earned by the click, the code, or the customer that precedes the others',
    rows: rowsOf(sql`relationships`),
    differences: (db) => attributionsThatDiffer(db, bindsWithAttribution()),
  },
  {
    what: 'the version of the terms is that of the bind, of an acceptance, or of a click',
    rows: rowsOf(sql`relationships`),
    differences: (db) => versionsThatDiffer(db, bindsWithChoices()),
  },
  { what: 'a relationship counts its invoices', rows: rowsOf(sql`relationships`), differences: relationshipsWithWrongCounts },
  {
    what: 'what an order or a subscription used of a code or a customer names it',
    rows: rowsOf(sql`customer_uses`),
    differences: usesWithoutOrder,
  },
  {
    what: 'a customer is bound by an order, a lead, or a subscription',
    rows: rowsOf(sql`customer_bindings`),
    differences: bindingsThatDiffer,
  },
  {
    what: 'a customer whose order or lead can bind them is bound',
    rows: rowsOf(sql`customer_bindings`),
    differences: customersWithoutBinding,
  },
];

/** A relationship keeps no customer ID, so a use that is missing may be that of an erased customer. */
const bindsWithAttribution = () => sql`
  select r.store_id, 'relationship ' || r.binding_id as subject, r.relationship_hash as hash, r.program_id, r.creator_id, r.link_number,
    r.bound_at as occurred_at, r.recorded_at, r.click_id, r.attribution, r.terms_version, null::text as customer_id
  from relationships r
  where r.environment = 'live' and (r.attribution is not null or r.click_id is null)`;

/** Without a rule, a relationship has no version. */
const bindsWithChoices = () => sql`
  select r.store_id, 'relationship ' || r.binding_id as subject, r.program_id, r.creator_id, r.bound_at as occurred_at, r.recorded_at,
    r.terms_version, r.rule -> 'terms' as choice, ${clickTime(sql`r.click_id`)} as clicked_at
  from relationships r
  where r.environment = 'live' and r.terms_version is not null and ${hasChoices(sql`r`)}`;

/** Each payment has one commission of the bound creator, opened by one transfer of its amount. */
export function invoicesWithWrongPostings(db: Queryable): Promise<readonly Difference[]> {
  return findDifferences(
    db,
    sql`
    select i.store_id::text, format('invoice %s: commission %s of %s, transfer of %s', i.relationship_invoice_id, c.commission_id,
             c.amount_cents + c.refunded_commission_cents, t.amount_cents) as detail
    from relationship_invoices i
    join relationships r on r.store_id = i.store_id and r.binding_id = i.binding_id
    left join commissions c on c.store_id = i.store_id and c.commission_id = i.commission_id
      and c.source_kind = 'invoice' and c.source_id = i.relationship_invoice_id
    left join transfers t on t.store_id = i.store_id and t.source_id = i.paid_event_id
      and t.source_kind = 'billing_event' and t.debit = 'expected' and t.credit = 'to_creators'
    where i.earns = 'commission'
      and (c.commission_id is null or r.environment <> 'live' or r.terms_version is null or c.terms_version <> r.terms_version
        or c.creator_id <> r.creator_id or c.program_id <> r.program_id or c.eligible_cents <> i.eligible_cents
        or c.amount_cents + c.refunded_commission_cents <> coalesce(t.amount_cents, 0) or t.creator_id <> r.creator_id)`,
  );
}

/** A commission of an invoice copies the rule of the bind, whose tier was reached before the bind. */
export function rulesThatDiffer(db: Queryable): Promise<readonly Difference[]> {
  return findDifferences(
    db,
    sql`
    select r.store_id::text, format('relationship %s, bound at %s by %s: commission %s earned by %s', r.binding_id, r.bound_at, r.rule,
             c.commission_id, c.earned) as detail
    from relationships r
    left join relationship_invoices i on i.store_id = r.store_id and i.binding_id = r.binding_id and i.earns = 'commission'
    left join commissions c on c.store_id = i.store_id and c.commission_id = i.commission_id
    where (c.commission_id is not null and (c.earned #> '{0,rule}') is distinct from r.rule)
      or (r.rule ->> 'level' = 'tier' and ${isTierTooEarlyOrLate(sql`(r.rule -> 'tier')`, sql`r.bound_at`)})`,
  );
}

/** Commissions and transfers of invoices that do not exist. */
export function invoicesWithMoney(db: Queryable): Promise<readonly Difference[]> {
  return findDifferences(
    db,
    sql`
    select t.store_id::text, format('transfer of %s for event %s, whose invoice %s earns %s', t.amount_cents, t.source_id,
             i.relationship_invoice_id, coalesce(i.earns, 'nothing')) as detail
    from transfers t
    left join relationship_invoices i on i.store_id = t.store_id and i.paid_event_id = t.source_id
    where t.source_kind = 'billing_event' and i.earns is distinct from 'commission'`,
  );
}

/** A commission that was already invoiced is credited by an operator, not reversed by the merchant. */
export function invoiceReversalsWithoutEffect(db: Queryable): Promise<readonly Difference[]> {
  return findDifferences(
    db,
    sql`
    select i.store_id::text, format('invoice %s was reversed, its commission is %s', i.relationship_invoice_id, c.state) as detail
    from relationship_invoices i
    left join commissions c on c.store_id = i.store_id and c.commission_id = i.commission_id
    where i.earns = 'commission' and (i.reversed_at is not null) <> (c.state = 'reversed' and c.invoice_id is null)`,
  );
}

export function relationshipsWithWrongCounts(db: Queryable): Promise<readonly Difference[]> {
  return findDifferences(
    db,
    sql`
    with counted as (
      select i.store_id, i.binding_id, count(*) as paid, count(*) filter (where c.amount_cents + c.refunded_commission_cents > 0) as earning
      from relationship_invoices i
      left join commissions c on c.store_id = i.store_id and c.commission_id = i.commission_id
      where i.state = 'paid' group by i.store_id, i.binding_id
    )
    select r.store_id::text, format('relationship %s counts %s paid and %s earning invoices, there are %s and %s', r.binding_id,
             r.paid_invoices, r.earning_invoices, coalesce(counted.paid, 0), coalesce(counted.earning, 0)) as detail
    from relationships r left join counted on counted.store_id = r.store_id and counted.binding_id = r.binding_id
    where r.paid_invoices <> coalesce(counted.paid, 0) or r.earning_invoices <> coalesce(counted.earning, 0)
      or (r.max_invoices is not null and r.earning_invoices > r.max_invoices)`,
  );
}

/** A code or a binding earned the order or the subscription of each use. Both may have the same ID, and so the same hash. */
export function usesWithoutOrder(db: Queryable): Promise<readonly Difference[]> {
  const isEarned = (of: Sql) => sql`(case
    when code.code_id is not null then ${of}.attribution ->> 'attributed_by' = 'code' and ${of}.attribution ->> 'discount_code' = code.code
    when b.binding_id is not null then
      ${of}.attribution ->> 'attributed_by' = 'customer' and (${of}.attribution ->> 'customer_order')::int = used.number end)`;
  return findDifferences(
    db,
    sql`
    select used.store_id::text, format('use %s of %s names %s, which earned by %s and %s', used.number, used.subject_id,
             encode(used.order_hash, 'hex'), coalesce(o.attribution, '{}'), coalesce(r.attribution, '{}')) as detail
    from customer_uses used
    left join discount_codes code on code.store_id = used.store_id and code.code_id = used.subject_id
    left join customer_bindings b on b.store_id = used.store_id and b.customer_hash = used.customer_hash and b.binding_id = used.subject_id
    left join orders o on o.store_id = used.store_id and o.order_hash = used.order_hash
    left join relationships r on r.store_id = used.store_id and r.relationship_hash = used.order_hash
    where ${isEarned(sql`o`)} is not true and ${isEarned(sql`r`)} is not true`,
  );
}

/** A binding is to the creator of its source, from its time on. What a customer's binding itself earned binds no one again. */
export function bindingsThatDiffer(db: Queryable): Promise<readonly Difference[]> {
  const isSource = (of: Sql, at: Sql) => sql`
    ${of}.program_id = b.program_id and ${of}.creator_id = b.creator_id and ${of}.link_number = b.link_number and ${at} = b.bound_at
    and ${of}.attribution ->> 'attributed_by' is distinct from 'customer'`;
  return findDifferences(
    db,
    sql`
    select b.store_id::text, format('binding %s to %s since %s names %s, which is no order, lead, or subscription of this creator and time',
             b.binding_id, b.creator_id, b.bound_at, encode(b.order_hash, 'hex')) as detail
    from customer_bindings b
    left join orders o on o.store_id = b.store_id and o.order_hash = b.order_hash and ${isSource(sql`o`, sql`o.occurred_at`)}
    left join leads l on l.store_id = b.store_id and l.lead_hash = b.order_hash and ${isSource(sql`l`, sql`l.occurred_at`)}
    left join relationships r on r.store_id = b.store_id and r.relationship_hash = b.order_hash and ${isSource(sql`r`, sql`r.bound_at`)}
    where o.order_hash is null and l.lead_hash is null and r.relationship_hash is null`,
  );
}

/** Erasing a customer removes their ID from orders and leads with their bindings. */
export function customersWithoutBinding(db: Queryable): Promise<readonly Difference[]> {
  const isUnbound = sql`
    join commissions c on c.store_id = s.store_id and c.commission_id = s.commission_id
    join terms t on t.store_id = c.store_id and t.program_id = c.program_id and t.version = c.terms_version
    where ${isBindingDue(sql`s`, sql`t`)} and not exists (
      select 1 from customer_bindings b
      where b.store_id = s.store_id and b.customer_hash = sha256(convert_to(s.customer_id, 'UTF8')))`;
  return findDifferences(
    db,
    sql`
    select s.store_id::text, format('order %s: its terms count returning customers, and its customer is not bound',
             s.transaction_id) as detail
    from orders s ${isUnbound}
    union all
    select s.store_id::text, format('lead %s: its terms count returning customers, and its customer is not bound', s.lead_id)
    from leads s ${isUnbound}`,
  );
}
