import type { Check, Difference } from '../db/check.ts';
import type { Queryable } from '../db/database.ts';
import { findDifferences, rowsOf } from '../db/differences.ts';
import { sql } from '../db/sql.ts';
import { attributionsThatDiffer } from '../orders/verify-attribution-sql.ts';
import { clickTime, hasChoices, versionsThatDiffer } from '../orders/verify-terms-sql.ts';

export const leadChecks: readonly Check[] = [
  { what: 'a lead has its commission and its transfer, within its limit', rows: rowsOf(sql`leads`), differences: leadsWithWrongPostings },
  {
    what: 'a lead is earned by the click, the code, or the customer that precedes the others',
    rows: rowsOf(sql`leads`),
    differences: (db) => attributionsThatDiffer(db, leadsWithAttribution()),
  },
  { what: 'a reversed lead has a reversed commission', rows: rowsOf(sql`lead_reversals`), differences: leadReversalsWithoutEffect },
  {
    what: 'the version of the terms is that of the lead, of an acceptance, or of a click',
    rows: rowsOf(sql`leads`),
    differences: (db) => versionsThatDiffer(db, leadsWithChoices()),
  },
];

/** A lead that earns nothing has no part that could say why another version applied. */
const leadsWithChoices = () => sql`
  select c.store_id, 'commission ' || c.commission_id as subject, c.program_id, c.creator_id, c.occurred_at, c.recorded_at, c.terms_version,
    c.earned -> 0 -> 'terms' as choice, ${clickTime(sql`l.click_id`)} as clicked_at
  from leads l join commissions c on c.store_id = l.store_id and c.commission_id = l.commission_id
  where c.earned <> '[]' and ${hasChoices(sql`l`)}`;

/** A lead has no use of its customer's binding, because it counts as no order. Without a customer ID none is expected. */
const leadsWithAttribution = () => sql`
  select l.store_id, 'lead ' || l.lead_id as subject, l.lead_hash as hash, l.program_id, l.creator_id, l.link_number, l.occurred_at,
    l.recorded_at, l.click_id, l.attribution, c.terms_version, null::text as customer_id
  from leads l join commissions c on c.store_id = l.store_id and c.commission_id = l.commission_id
  where l.attribution is not null or l.click_id is null`;

/** A lead above the limit earns nothing, so it has no part that says why the version applied. */
const isAccepted = sql`exists (
  select 1 from terms_acceptances a
  where a.store_id = l.store_id and a.program_id = l.program_id and a.version = v.version and a.creator_id = l.creator_id
    and a.accepted_at <= l.occurred_at)`;

/**
 * One commission for one lead, of the amount that the terms at its time give its kind; 0 above the monthly limit. Without a subquery, whose
 * rows Citus would copy to the coordinator.
 */
export function leadsWithWrongPostings(db: Queryable): Promise<readonly Difference[]> {
  return findDifferences(
    db,
    sql`
    select l.store_id::text, format('lead %s: commission %s of %s, transfer of %s, its rule gives %s, number %s of %s', l.lead_id,
             c.commission_id, c.amount_cents, t.amount_cents, coalesce(rule.flat_cents, 0), l.paid_number, rule.max_per_month) as detail
    from leads l
    left join commissions named on named.store_id = l.store_id and named.commission_id = l.commission_id
    left join terms v on v.store_id = l.store_id and v.program_id = l.program_id and v.version = named.terms_version
      and (v.effective_from <= l.occurred_at or ${isAccepted})
    left join lateral jsonb_to_recordset(v.lead_rules) as rule (kind text, flat_cents bigint, max_per_month int) on rule.kind = l.kind
    left join commissions c on c.store_id = l.store_id and c.commission_id = l.commission_id
      and c.source_kind = 'lead' and c.source_id = l.lead_id
    left join transfers t on t.store_id = l.store_id and t.source_id = l.lead_id
      and t.source_kind = 'lead' and t.debit = 'expected' and t.credit = 'to_creators'
    where c.commission_id is null or c.creator_id <> l.creator_id or c.program_id <> l.program_id or t.creator_id <> l.creator_id
      or c.amount_cents <> coalesce(t.amount_cents, 0)
      or c.amount_cents <> case when l.exceeded_limit is null then coalesce(rule.flat_cents, 0) else 0 end
      or l.exceeded_limit is distinct from (case when l.exceeded_limit is not null then rule.max_per_month end)
      or (coalesce(rule.flat_cents, 0) > 0 and rule.max_per_month is not null)
        <> (l.paid_number is not null or l.exceeded_limit is not null)
      or l.paid_number > rule.max_per_month`,
  );
}

export function leadReversalsWithoutEffect(db: Queryable): Promise<readonly Difference[]> {
  return findDifferences(
    db,
    sql`
    select r.store_id::text, format('reversal %s: lead %s, its commission %s', r.reversal_id, l.lead_id, c.state) as detail
    from lead_reversals r
    left join leads l on l.store_id = r.store_id and l.lead_hash = r.lead_hash
    left join commissions c on c.store_id = l.store_id and c.commission_id = l.commission_id
    where c.state is distinct from 'reversed'`,
  );
}
