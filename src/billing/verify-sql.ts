import { noCreator } from '../ledger/store-postings.ts';
import type { Queryable } from '../db/database.ts';
import { sql } from '../db/sql.ts';
import { basisPointsMax } from '../core/money.ts';
import type { Check, Difference } from '../db/check.ts';
import { findDifferences, rowsOf } from '../db/differences.ts';

export const billingChecks: readonly Check[] = [
  { what: 'an invoice is the sum of its lines and its fee, less credit', rows: rowsOf(sql`invoices`), differences: invoicesThatDiffer },
  { what: "a store's invoices and credit notes are numbered without a gap", rows: rowsOf(sql`invoices`), differences: numbersWithGaps },
  {
    what: 'a commission is marked as invoiced on the invoice that lists it',
    rows: rowsOf(sql`invoice_lines`),
    differences: linesThatDiffer,
  },
  {
    what: 'a commission is approved, invoiced, collected, and paid in that order of time',
    rows: rowsOf(sql`invoice_lines`),
    differences: commissionsOutOfTime,
  },
  {
    what: 'an invoice is paid by one charge of what was due, and by no more',
    rows: rowsOf(sql`invoices`),
    differences: paymentsThatDiffer,
  },
  {
    what: 'what a store owes and has paid, by creator, is what its commissions say',
    rows: rowsOf(sql`invoice_lines`),
    differences: commissionsOwedThatDiffer,
  },
  { what: 'what a store has paid is what it was charged', rows: rowsOf(sql`charges`), differences: cashThatDiffers },
  {
    what: 'a credit note is the sum of its lines, and no store has negative credit',
    rows: rowsOf(sql`credit_notes`),
    differences: creditThatDiffers,
  },
  {
    what: 'what an operator bears for late refunds is what the terms of the commissions give',
    rows: rowsOf(sql`credit_notes`),
    differences: lateRefundsThatDiffer,
  },
];

/** Computes the fee again in SQL, to check the computation in TypeScript. */
export function invoicesThatDiffer(db: Queryable): Promise<readonly Difference[]> {
  return findDifferences(
    db,
    sql`
    with summed as (
      select store_id, invoice_id, count(*) as count, sum(amount_cents) as cents from invoice_lines group by store_id, invoice_id
    )
    select i.store_id::text, format('invoice %s: %s lines of %s, fee %s, credit %s, total %s; its lines are %s of %s', i.number,
             i.lines_count, i.lines_cents, i.fee_cents, i.credit_cents, i.total_cents, summed.count, summed.cents) as detail
    from invoices i left join summed on summed.store_id = i.store_id and summed.invoice_id = i.invoice_id
    where i.state <> 'gathering' and (
      i.lines_count is distinct from summed.count or i.lines_cents is distinct from summed.cents
      or i.fee_cents <> div(i.lines_cents::numeric * i.fee_basis_points * 2 + ${basisPointsMax}, ${2 * basisPointsMax})
      or i.total_cents <> i.lines_cents + i.fee_cents - i.credit_cents)`,
  );
}

export function numbersWithGaps(db: Queryable): Promise<readonly Difference[]> {
  return findDifferences(
    db,
    sql`
    with numbered as (
      select store_id, 'invoices' as what, count(number) as count, coalesce(max(number), 0) as last from invoices group by store_id
      union all
      select store_id, 'credit notes', count(*), max(number) from credit_notes group by store_id
    )
    select n.store_id::text, format('%s %s, the last is number %s, the next one would be %s', n.count, n.what, n.last,
             case n.what when 'invoices' then b.next_invoice_number else b.next_credit_note_number end) as detail
    from numbered n left join store_billing b on b.store_id = n.store_id
    where n.count <> n.last
      or case n.what when 'invoices' then b.next_invoice_number else b.next_credit_note_number end is distinct from n.last + 1`,
  );
}

/**
 * Each line has its commission, and each billed commission its line of the same amount. None was billed in its refund hold, and its
 * state matches the invoice, except while an invoice is being collected or reversed.
 */
export function linesThatDiffer(db: Queryable): Promise<readonly Difference[]> {
  return findDifferences(
    db,
    sql`
    with taken_back as (
      select l.store_id, l.commission_id, sum(l.amount_cents) as amount_cents from credit_note_lines l
      where not l.is_borne group by l.store_id, l.commission_id
    ), undoing as (
      select store_id, invoice_id from disputes where undone_at is null group by store_id, invoice_id
    )
    select coalesce(l.store_id, c.store_id)::text as store_id,
           format('commission %s of %s is %s, on invoice %s (%s) with %s', coalesce(l.commission_id, c.commission_id), c.amount_cents,
             c.state, i.number, i.state, l.amount_cents) as detail
    from invoice_lines l
    full join commissions c on c.store_id = l.store_id and c.commission_id = l.commission_id
    left join invoices i on i.store_id = l.store_id and i.invoice_id = l.invoice_id
    left join taken_back t on t.store_id = l.store_id and t.commission_id = l.commission_id
    left join undoing u on u.store_id = l.store_id and u.invoice_id = l.invoice_id
    where (l.store_id is not null or c.invoice_id is not null) and (
      l.store_id is null or c.store_id is null or l.invoice_id is distinct from c.invoice_id
      or l.amount_cents <> coalesce(t.amount_cents, 0) + case when c.state = 'reversed' then 0 else c.amount_cents end
      or l.creator_id <> c.creator_id or c.hold_until > i.issued_at
      or c.state not in ('billed', 'collected', 'paid', 'reversed')
      or (c.state = 'billed' and i.state = 'paid' and i.collected_at is not null)
      or (c.state in ('collected', 'paid') and c.advanced_at is null and i.state <> 'paid' and u.store_id is null)
      or (c.advanced_at is not null and i.state = 'paid' and i.collected_at is not null))`,
  );
}

/**
 * Checks each commission separately, because the sums of a ledger can match while two commissions are in the wrong order. A
 * commission whose payment was reversed is collected again later, so its first collection counts. Clocks of machines differ by less
 * than a minute. Before its column existed, `paid_at` was filled with the time of recording.
 */
export function commissionsOutOfTime(db: Queryable): Promise<readonly Difference[]> {
  return findDifferences(
    db,
    sql`
    with first_collected as (
      select store_id, commission_id, min(at) as at from creator_outbox where kind = 'collected' group by store_id, commission_id
    )
    select c.store_id::text, format('commission %s: recorded %s, approved %s, invoiced %s, collected %s, paid %s', c.commission_id,
             c.recorded_at, c.approved_at, i.issued_at, f.at, c.paid_at) as detail
    from commissions c
    join invoices i on i.store_id = c.store_id and i.invoice_id = c.invoice_id
    left join first_collected f on f.store_id = c.store_id and f.commission_id = c.commission_id
    where c.recorded_at > c.approved_at + interval '1 minute' or c.approved_at > i.issued_at + interval '1 minute'
      or i.issued_at > f.at + interval '1 minute' or (f.at > c.paid_at + interval '1 minute' and c.paid_at <> c.recorded_at)`,
  );
}

/** A charge that succeeded and was not returned has the amount due. Without one, credit covered the invoice, or it was waived. */
export function paymentsThatDiffer(db: Queryable): Promise<readonly Difference[]> {
  return findDifferences(
    db,
    sql`
    with standing as (
      select c.store_id, c.invoice_id, count(*) as count, sum(c.amount_cents) as cents from charges c
      where c.state = 'succeeded' and c.given_back_at is null
        and not exists (select 1 from disputes d where d.store_id = c.store_id and d.charge_id = c.charge_id)
      group by c.store_id, c.invoice_id
    ), credited as (
      select store_id, invoice_id, sum(lines_cents + fee_cents - credit_cents) as cents from credit_notes
      where kind = 'before' group by store_id, invoice_id
    )
    select i.store_id::text, format('invoice %s (%s) of %s, credited %s, waived %s: %s charges of %s stand', i.number, i.state,
             i.total_cents, coalesce(credited.cents, 0), i.written_off_cents, coalesce(standing.count, 0), standing.cents) as detail
    from invoices i
    left join standing on standing.store_id = i.store_id and standing.invoice_id = i.invoice_id
    left join credited on credited.store_id = i.store_id and credited.invoice_id = i.invoice_id
    where i.state <> 'gathering' and (
      coalesce(standing.count, 0) > (case when i.state = 'paid' then 1 else 0 end)
      or (i.state in ('paid', 'void')
        and i.total_cents - coalesce(credited.cents, 0) <> coalesce(standing.cents, 0) + i.written_off_cents))`,
  );
}

/** Per creator: `owed` is billed and advanced; `collected` is collected and not advanced, plus later credits, of refunds as well. */
export function commissionsOwedThatDiffer(db: Queryable): Promise<readonly Difference[]> {
  return findDifferences(
    db,
    sql`
    with credited_after as (
      select l.store_id, l.commission_id, sum(l.amount_cents) as cents
      from credit_note_lines l join credit_notes n on n.store_id = l.store_id and n.credit_note_id = l.credit_note_id
      where n.kind = 'after' and not l.is_borne group by l.store_id, l.commission_id
    ), said as (
      select c.store_id, c.creator_id,
        sum(case when c.state = 'billed' or c.advanced_at is not null then c.amount_cents else 0 end) as owed,
        sum(coalesce(a.cents, 0)
          + case when c.advanced_at is null and c.state in ('collected', 'paid') then c.amount_cents else 0 end) as collected
      from commissions c left join credited_after a on a.store_id = c.store_id and a.commission_id = c.commission_id
      where c.invoice_id is not null group by c.store_id, c.creator_id
    ), posted as (
      select store_id, creator_id,
        sum(case when debit = 'owed' then amount_cents when credit = 'owed' then -amount_cents else 0 end) as owed,
        sum(case when debit = 'collected' then amount_cents when credit = 'collected' then -amount_cents else 0 end) as collected
      from transfers where creator_id <> ${noCreator} group by store_id, creator_id
    )
    select coalesce(said.store_id, posted.store_id)::text as store_id,
           format('creator %s: commissions say %s owed and %s collected, the ledger %s and %s',
             coalesce(said.creator_id, posted.creator_id), coalesce(said.owed, 0), coalesce(said.collected, 0),
             coalesce(posted.owed, 0), coalesce(posted.collected, 0)) as detail
    from said full join posted on posted.store_id = said.store_id and posted.creator_id = said.creator_id
    where coalesce(said.owed, 0) <> coalesce(posted.owed, 0) or coalesce(said.collected, 0) <> coalesce(posted.collected, 0)`,
  );
}

/**
 * The total collected equals the charges less the refunds that the operator bears, except for postings that are still missing while
 * an invoice is being collected or reversed.
 */
export function cashThatDiffers(db: Queryable): Promise<readonly Difference[]> {
  return findDifferences(
    db,
    sql`
    with brought as (
      select c.store_id, sum(c.amount_cents) as cents from charges c
      where c.state = 'succeeded' and c.given_back_at is null
        and not exists (select 1 from disputes d where d.store_id = c.store_id and d.charge_id = c.charge_id)
      group by c.store_id
    ), lost as (
      select l.store_id, sum(l.amount_cents) as cents from charge_losses l
      where not exists (select 1 from disputes d where d.store_id = l.store_id and d.charge_id = l.charge_id)
      group by l.store_id
    ), posted as (
      select store_id, sum(case when debit = 'collected' then amount_cents when credit = 'collected' then -amount_cents else 0 end) as cents
      from transfers group by store_id
    ), on_its_way as (
      select c.store_id, sum(case
          when i.state = 'paid' and i.collected_at is null and (c.state = 'billed' or c.advanced_at is not null) then c.amount_cents
          when i.state <> 'paid' and c.state in ('collected', 'paid') and c.advanced_at is null then -c.amount_cents
          else 0 end) as cents
      from commissions c join invoices i on i.store_id = c.store_id and i.invoice_id = c.invoice_id group by c.store_id
    )
    select s.store_id::text, format('charges brought %s, refunds took %s, collected is %s, on its way are %s', coalesce(brought.cents, 0),
             coalesce(lost.cents, 0), coalesce(posted.cents, 0), coalesce(on_its_way.cents, 0)) as detail
    from stores s
    left join brought on brought.store_id = s.store_id
    left join lost on lost.store_id = s.store_id
    left join posted on posted.store_id = s.store_id
    left join on_its_way on on_its_way.store_id = s.store_id
    where coalesce(brought.cents, 0) - coalesce(lost.cents, 0) <> coalesce(posted.cents, 0) + coalesce(on_its_way.cents, 0)`,
  );
}

/**
 * What the operator bears of a commission for refunds that came too late: applies the copied rates to what those refunds left, once more in
 * SQL. They and the operator's credit of the rest never exceed the commission.
 */
export function lateRefundsThatDiffer(db: Queryable): Promise<readonly Difference[]> {
  return findDifferences(
    db,
    sql`
    with late as (
      select store_id, commission_id, sum(amount_cents) as cents, sum(late_eligible_cents) as eligible_cents
      from credit_note_lines where late_refund_hash is not null group by store_id, commission_id
    ), taken as (
      select l.store_id, l.commission_id, one.part, sum(one.amount_cents) as amount_cents, sum(one.quantity) as quantity
      from credit_note_lines l cross join lateral jsonb_to_recordset(l.late_parts) as one (part int, amount_cents numeric, quantity numeric)
      where l.late_refund_hash is not null group by l.store_id, l.commission_id, one.part
    ), left_of as (
      select c.store_id, c.commission_id, sum(part.of_cents - coalesce(t.amount_cents, 0)) as eligible_cents, sum(case
        when part.basis_points is not null
          then div((part.of_cents - coalesce(t.amount_cents, 0)) * part.basis_points * 2 + ${basisPointsMax}, ${2 * basisPointsMax})
        when part.flat_cents is not null
          then least(part.of_cents - coalesce(t.amount_cents, 0), part.flat_cents * (part.quantity - coalesce(t.quantity, 0)))
        else 0
      end) as cents
      from commissions c
      join late on late.store_id = c.store_id and late.commission_id = c.commission_id
      cross join lateral rows from (jsonb_to_recordset(coalesce(c.earned_after_refunds, c.earned))
        as (of_cents numeric, quantity numeric, basis_points numeric, flat_cents numeric)) with ordinality
        as part (of_cents, quantity, basis_points, flat_cents, place)
      left join taken t on t.store_id = c.store_id and t.commission_id = c.commission_id and t.part = part.place - 1
      group by c.store_id, c.commission_id
    ), borne as (
      select store_id, commission_id, sum(amount_cents) as cents from credit_note_lines where is_borne group by store_id, commission_id
    )
    select c.store_id::text, format('commission %s of %s: late refunds of %s credit %s, and %s is borne; its terms leave %s, of %s',
             c.commission_id, c.amount_cents, late.eligible_cents, late.cents, borne.cents, left_of.cents, left_of.eligible_cents) as detail
    from late
    join commissions c on c.store_id = late.store_id and c.commission_id = late.commission_id
    join left_of on left_of.store_id = late.store_id and left_of.commission_id = late.commission_id
    join borne on borne.store_id = late.store_id and borne.commission_id = late.commission_id
    where late.cents <> c.amount_cents - case when left_of.eligible_cents = 0 then 0 else left_of.cents end
      or late.eligible_cents + left_of.eligible_cents <> c.eligible_cents - c.refunded_cents or borne.cents > c.amount_cents`,
  );
}

export function creditThatDiffers(db: Queryable): Promise<readonly Difference[]> {
  return findDifferences(
    db,
    sql`
    with summed as (
      select store_id, credit_note_id, sum(amount_cents) as cents from credit_note_lines group by store_id, credit_note_id
    ), credit as (
      select store_id, sum(credit_cents - debit_cents) as cents from balances where account = 'credit' group by store_id
    )
    select n.store_id::text, format('credit note %s of %s: its lines are %s', n.number, n.lines_cents, summed.cents) as detail
    from credit_notes n left join summed on summed.store_id = n.store_id and summed.credit_note_id = n.credit_note_id
    where n.lines_cents is distinct from summed.cents
    union all
    select store_id::text, format('credit of %s', cents) from credit where cents < 0`,
  );
}
