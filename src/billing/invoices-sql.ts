import type { Queryable, Transaction } from '../platform/database/database.ts';
import { nothing, sql, type Sql } from '../platform/database/sql.ts';
import { newId, type Id } from '../platform/ids.ts';
import type { Cents } from '../platform/money.ts';
import { must } from '../platform/must.ts';
import type { BilledCommission } from '../commissions/billing-sql.ts';
import type { Bill, Invoice, InvoiceKey, InvoiceLife, ShownInvoiceState } from './invoice.ts';

export const invoiceColumns = sql`
  store_id, invoice_id, state, number, issued_at, lines_count, lines_cents, fee_basis_points, fee_cents, credit_cents, total_cents,
  next_charge_at, failures, first_failed_at, is_backup_tried, written_off_cents, paid_at, collected_at, past_due_at, charged_back_at,
  voided_at`;

type OfStore = { readonly storeId: Id<'store'> };

/** The one that is being gathered; null where there is none. By invoice_gathering. */
export async function findGathering(db: Queryable, storeId: Id<'store'>): Promise<Id<'inv'> | null> {
  const row = await db.find<{ invoiceId: Id<'inv'> }>(sql`
    select invoice_id from invoices where store_id = ${storeId} and state = 'gathering'`);
  return row?.invoiceId ?? null;
}

/** Who calls this holds the row of the store's billing, and found none. */
export async function beginGathering(tx: Transaction, storeId: Id<'store'>, now: Date): Promise<Id<'inv'>> {
  const invoiceId = newId<'inv'>(now);
  await tx.run(sql`insert into invoices (store_id, invoice_id, state, began_at) values (${storeId}, ${invoiceId}, 'gathering', ${now})`);
  return invoiceId;
}

/** True as long as it is still being gathered; nobody issues it meanwhile. */
export async function lockGathering(tx: Transaction, { storeId, invoiceId }: InvoiceKey): Promise<boolean> {
  const found = await tx.find(sql`
    select 1 as one from invoices
    where store_id = ${storeId} and invoice_id = ${invoiceId} and state = 'gathering' for update`);
  return found !== null;
}

export type Part = InvoiceKey & { readonly partId: Id<'part'>; readonly lines: readonly BilledCommission[] };

export async function insertLines(tx: Transaction, { storeId, invoiceId, partId, lines }: Part): Promise<void> {
  const written = await tx.run(sql`
    insert into invoice_lines (store_id, commission_id, invoice_id, part_id, creator_id, amount_cents)
    select ${storeId}::uuid, commission_id, ${invoiceId}::uuid, ${partId}::uuid, creator_id, amount_cents from unnest(
      ${lines.map(({ commissionId }) => commissionId)}::uuid[], ${lines.map(({ creatorId }) => creatorId)}::uuid[],
      ${lines.map(({ amountCents }) => amountCents)}::bigint[]) as fresh (commission_id, creator_id, amount_cents)`);
  must(written === lines.length, 'every line is written once');
}

/** Its commissions in the order of their ids. Lines never change, so whoever walks goes by them. By invoice_lines_of_invoice. */
export async function namesOnInvoice(
  db: Queryable,
  { storeId, invoiceId }: InvoiceKey,
  { after, limit }: { readonly after: Id<'com'> | null; readonly limit: number },
): Promise<ReadonlyArray<Id<'com'>>> {
  const rows = await db.all<{ commissionId: Id<'com'> }>(sql`
    select commission_id from invoice_lines
    where store_id = ${storeId} and invoice_id = ${invoiceId} ${after === null ? nothing : sql`and commission_id > ${after}`}
    order by commission_id limit ${limit}`);
  return rows.map(({ commissionId }) => commissionId);
}

export type Gathered = { readonly count: bigint; readonly cents: Cents };

/** What was gathered already for an invoice that is not issued yet; nothing where there is none. */
export const gatheredOf = (db: Queryable, storeId: Id<'store'>): Promise<Gathered> =>
  db.one(sql`
    select count(*) as count, coalesce(sum(l.amount_cents), 0) as cents
    from invoices i join invoice_lines l on l.store_id = i.store_id and l.invoice_id = i.invoice_id
    where i.store_id = ${storeId} and i.state = 'gathering'`);

/** Nothing was left to gather: it never was an invoice. */
export async function forgetGathering(tx: Transaction, { storeId, invoiceId }: InvoiceKey): Promise<void> {
  await tx.run(sql`delete from invoices where store_id = ${storeId} and invoice_id = ${invoiceId} and state = 'gathering'`);
}

export const issue = (tx: Transaction, { storeId, invoiceId }: InvoiceKey, bill: Bill, nextChargeAt: Date): Promise<Invoice> =>
  tx.one(sql`
    update invoices set state = 'issued', number = ${bill.number}, issued_at = ${bill.issuedAt}, lines_count = ${bill.linesCount},
      lines_cents = ${bill.linesCents}, fee_basis_points = ${bill.feeBasisPoints}, fee_cents = ${bill.feeCents},
      credit_cents = ${bill.creditCents}, total_cents = ${bill.totalCents}, next_charge_at = ${nextChargeAt}
    where store_id = ${storeId} and invoice_id = ${invoiceId} and state = 'gathering' returning ${invoiceColumns}`);

/** As it stands, locked until the transaction ends: whoever changes an invoice or its commissions goes through here. */
export const lockInvoice = (tx: Transaction, { storeId, invoiceId }: InvoiceKey): Promise<Invoice | null> =>
  tx.find(sql`
    select ${invoiceColumns} from invoices
    where store_id = ${storeId} and invoice_id = ${invoiceId} and state <> 'gathering' for update`);

export const findInvoice = (db: Queryable, { storeId, invoiceId }: InvoiceKey): Promise<Invoice | null> =>
  db.find(sql`
    select ${invoiceColumns} from invoices where store_id = ${storeId} and invoice_id = ${invoiceId} and state <> 'gathering'`);

export type InvoiceChange = { readonly state: ShownInvoiceState } & Partial<Omit<InvoiceLife, 'state' | 'writtenOffCents'>> & {
    readonly writtenOffCents?: Cents;
  };

/** Who calls this holds the row. What is not named in the change stays. */
export async function changeInvoice(tx: Transaction, invoice: Invoice, change: InvoiceChange): Promise<Invoice> {
  const next = { ...invoice, ...change };
  return tx.one(sql`
    update invoices set state = ${next.state}, next_charge_at = ${next.nextChargeAt}, failures = ${next.failures},
      first_failed_at = ${next.firstFailedAt}, is_backup_tried = ${next.isBackupTried}, written_off_cents = ${next.writtenOffCents},
      paid_at = ${next.paidAt}, collected_at = ${next.collectedAt}, past_due_at = ${next.pastDueAt},
      charged_back_at = ${next.chargedBackAt}, voided_at = ${next.voidedAt}
    where store_id = ${invoice.storeId} and invoice_id = ${invoice.invoiceId} returning ${invoiceColumns}`);
}

/** By invoices_unpaid: what makes a store past due. */
export async function hasUnpaid(db: Queryable, storeId: Id<'store'>): Promise<boolean> {
  const found = await db.find(sql`
    select 1 as one from invoices where store_id = ${storeId} and (state in ('past_due', 'charged_back') or
      (state in ('charging', 'unknown') and (past_due_at is not null or charged_back_at is not null))) limit 1`);
  return found !== null;
}

/** A walk through invoices of one store, or of all. */
export type InvoiceWalk = { readonly storeId: Id<'store'> | null; readonly after: InvoiceKey | null; readonly limit: number };
const walked = ({ storeId, after }: InvoiceWalk): Sql => sql`
  ${storeId === null ? nothing : sql`and store_id = ${storeId}`}
  ${after === null ? nothing : sql`and (store_id, invoice_id) > (${after.storeId}::uuid, ${after.invoiceId}::uuid)`}`;

/** What is to be charged: by the calendar up to now, or what is issued, whatever the calendar says. By invoices_to_charge. */
export const invoicesToCharge = (
  db: Queryable,
  walk: InvoiceWalk & { readonly now: Date; readonly isCalendarIgnored: boolean },
): Promise<InvoiceKey[]> =>
  db.all(sql`
    select store_id, invoice_id from invoices
    where state in ('issued', 'retrying', 'past_due', 'charged_back') and next_charge_at is not null
      and (next_charge_at <= ${walk.now} ${walk.isCalendarIgnored ? sql`or state = 'issued'` : nothing}) ${walked(walk)}
    order by store_id, invoice_id limit ${walk.limit}`);

/** Being charged, or the end of that is unknown. */
export const invoicesUnderWay = (db: Queryable, walk: InvoiceWalk): Promise<InvoiceKey[]> =>
  db.all(sql`
    select store_id, invoice_id from invoices where state in ('charging', 'unknown') ${walked(walk)}
    order by store_id, invoice_id limit ${walk.limit}`);

/** Not paid yet, whatever the reason: few at a time. */
export const unpaidOf = (db: Queryable, storeId: Id<'store'>): Promise<Gathered> =>
  db.one(sql`
    select count(*) as count, coalesce(sum(total_cents), 0) as cents from invoices
    where store_id = ${storeId} and state in ('issued', 'charging', 'unknown', 'retrying', 'past_due', 'charged_back')`);

/** A mended method pays all that is open, the oldest first. */
export const openInvoicesOf = (db: Queryable, { storeId }: OfStore): Promise<InvoiceKey[]> =>
  db.all(sql`
    select store_id, invoice_id from invoices
    where store_id = ${storeId} and state in ('retrying', 'past_due', 'charged_back') order by number`);

/**
 * Open for good, until the store pays otherwise: and since then it was given a method that was never tried. The request that set
 * it charges at once; this finds what it left when it died. By invoices_unpaid.
 */
export const invoicesMended = (db: Queryable, { storeId, after, limit }: InvoiceWalk): Promise<InvoiceKey[]> =>
  db.all(sql`
    select distinct i.store_id, i.invoice_id from invoices i join payment_methods m on m.store_id = i.store_id
    where i.state in ('past_due', 'charged_back') and m.replaced_at is null and m.made_at > coalesce(i.charged_back_at, i.past_due_at)
      and not exists (
        select 1 from charges c
        where c.store_id = i.store_id and c.invoice_id = i.invoice_id and c.payment_method_id = m.payment_method_id)
      ${storeId === null ? nothing : sql`and i.store_id = ${storeId}`}
      ${after === null ? nothing : sql`and (i.store_id, i.invoice_id) > (${after.storeId}::uuid, ${after.invoiceId}::uuid)`}
    order by i.store_id, i.invoice_id limit ${limit}`);

/** Paid, and not all of its commissions are collected yet. By invoices_to_collect. */
export const invoicesToCollect = (db: Queryable, walk: InvoiceWalk): Promise<InvoiceKey[]> =>
  db.all(sql`
    select store_id, invoice_id from invoices where state = 'paid' and collected_at is null ${walked(walk)}
    order by store_id, invoice_id limit ${walk.limit}`);

/** Stores whose invoice a run that died has begun to gather. Crosses all stores, by invoice_gathering. */
export async function storesGathering(
  db: Queryable,
  { after, limit }: { readonly after: Id<'store'> | null; readonly limit: number },
): Promise<ReadonlyArray<Id<'store'>>> {
  const rows = await db.all<{ storeId: Id<'store'> }>(sql`
    select store_id from invoices where state = 'gathering' ${after === null ? nothing : sql`and store_id > ${after}`}
    order by store_id limit ${limit}`);
  return rows.map(({ storeId }) => storeId);
}
