import type { SourceKind } from '../commissions/commission.ts';
import type { Queryable, Transaction } from '../db/database.ts';
import { bigints, emptySql, sql, type Sql, uuids } from '../db/sql.ts';
import { containsText } from '../db/like-pattern.ts';
import { inStates, stateAfterSql } from '../db/state-sql.ts';
import { type Id, newId } from '../core/ids.ts';
import type { Cents } from '../core/money.ts';
import { invariant } from '../core/invariant.ts';
import type { CommissionAmount } from '../commissions/billing-sql.ts';
import type { IssuedAmounts, Invoice, InvoiceKey, InvoiceLifecycle } from './invoice.ts';
import {
  chargeableStates,
  failedInvoiceStates,
  invoiceStatesWithCharge,
  invoiceTransitions,
  overdueInvoiceStates,
  unpaidInvoiceStates,
  type InvoiceEvent,
} from './invoice-states.ts';
import type { Page, SortedPage } from '../http/page.ts';
import { afterKey, orderBy, type ListSorts, type SortColumn } from '../db/list-order.ts';
import type { InvoiceFilter } from './invoice-filter.ts';

export const invoiceColumns = sql`
  store_id, invoice_id, state, number, issued_at, lines_count, lines_cents, fee_basis_points, fee_cents, credit_cents, total_cents,
  next_charge_at, failures, first_failed_at, is_backup_tried, written_off_cents, paid_at, collected_at, past_due_at, charged_back_at,
  voided_at`;

type OfStore = { readonly storeId: Id<'store'> };

/** The store's draft, or null. By invoice_gathering. */
export async function findDraft(db: Queryable, storeId: Id<'store'>): Promise<Id<'inv'> | null> {
  const row = await db.find<{ invoiceId: Id<'inv'> }>(sql`
    select invoice_id from invoices where store_id = ${storeId} and state = 'gathering'`);
  return row?.invoiceId ?? null;
}

/** The caller must hold the lock on the store's billing and have found no draft. */
export async function insertDraft(tx: Transaction, storeId: Id<'store'>, now: Date): Promise<Id<'inv'>> {
  const invoiceId = newId<'inv'>(now);
  await tx.run(sql`insert into invoices (store_id, invoice_id, state, began_at) values (${storeId}, ${invoiceId}, 'gathering', ${now})`);
  return invoiceId;
}

/** True if it is still a draft, which then no other transaction can issue. */
export async function lockDraft(tx: Transaction, { storeId, invoiceId }: InvoiceKey): Promise<boolean> {
  const found = await tx.find(sql`
    select 1 as one from invoices
    where store_id = ${storeId} and invoice_id = ${invoiceId} and state = 'gathering' for update`);
  return found !== null;
}

export type DraftChunk = InvoiceKey & { readonly partId: Id<'part'>; readonly lines: readonly CommissionAmount[] };

export async function insertLines(tx: Transaction, { storeId, invoiceId, partId, lines }: DraftChunk): Promise<void> {
  const written = await tx.run(sql`
    insert into invoice_lines (store_id, commission_id, invoice_id, part_id, creator_id, amount_cents)
    select ${storeId}::uuid, commission_id, ${invoiceId}::uuid, ${partId}::uuid, creator_id, amount_cents from unnest(
      ${uuids(lines.map(({ commissionId }) => commissionId))}, ${uuids(lines.map(({ creatorId }) => creatorId))},
      ${bigints(lines.map(({ amountCents }) => amountCents))}) as fresh (commission_id, creator_id, amount_cents)`);
  invariant(written === lines.length, 'every line is inserted once');
}

/** Commissions of an invoice in ID order. Lines never change, so paging by them is safe. By invoice_lines_of_invoice. */
export async function listCommissionIdsOfInvoice(
  db: Queryable,
  { storeId, invoiceId }: InvoiceKey,
  { after, limit }: { readonly after: Id<'com'> | null; readonly limit: number },
): Promise<ReadonlyArray<Id<'com'>>> {
  const rows = await db.all<{ commissionId: Id<'com'> }>(sql`
    select commission_id from invoice_lines
    where store_id = ${storeId} and invoice_id = ${invoiceId} ${after === null ? emptySql : sql`and commission_id > ${after}`}
    order by commission_id limit ${limit}`);
  return rows.map(({ commissionId }) => commissionId);
}

export type LineTotals = { readonly count: bigint; readonly cents: Cents };

/** Totals of the store's draft; zero without one. */
export const sumDraftLines = (db: Queryable, storeId: Id<'store'>): Promise<LineTotals> =>
  db.one(sql`
    select count(*) as count, coalesce(sum(l.amount_cents), 0) as cents
    from invoices i join invoice_lines l on l.store_id = i.store_id and l.invoice_id = i.invoice_id
    where i.store_id = ${storeId} and i.state = 'gathering'`);

/** Deletes a draft that has no lines. */
export async function deleteDraft(tx: Transaction, { storeId, invoiceId }: InvoiceKey): Promise<void> {
  await tx.run(sql`delete from invoices where store_id = ${storeId} and invoice_id = ${invoiceId} and state = 'gathering'`);
}

export async function markIssued(
  tx: Transaction,
  { storeId, invoiceId }: InvoiceKey,
  issued: IssuedAmounts,
  nextChargeAt: Date,
): Promise<Invoice> {
  const invoice = await tx.find<Invoice>(sql`
    update invoices set state = ${stateAfterSql(invoiceTransitions.issue)}, number = ${issued.number}, issued_at = ${issued.issuedAt},
      lines_count = ${issued.linesCount}, lines_cents = ${issued.linesCents}, fee_basis_points = ${issued.feeBasisPoints},
      fee_cents = ${issued.feeCents}, credit_cents = ${issued.creditCents}, total_cents = ${issued.totalCents},
      next_charge_at = ${nextChargeAt}
    where store_id = ${storeId} and invoice_id = ${invoiceId} and ${inStates(invoiceTransitions.issue.from)}
    returning ${invoiceColumns}`);
  invariant(invoice, 'a locked draft is still in the state that the decision was based on');
  return invoice;
}

/** Every transaction that changes an invoice or its commissions takes this lock. */
export const lockInvoice = (tx: Transaction, { storeId, invoiceId }: InvoiceKey): Promise<Invoice | null> =>
  tx.find(sql`
    select ${invoiceColumns} from invoices
    where store_id = ${storeId} and invoice_id = ${invoiceId} and state <> 'gathering' for update`);

export const findInvoice = (db: Queryable, { storeId, invoiceId }: InvoiceKey): Promise<Invoice | null> =>
  db.find(sql`
    select ${invoiceColumns} from invoices where store_id = ${storeId} and invoice_id = ${invoiceId} and state <> 'gathering'`);

export type InvoiceChange = Partial<Omit<InvoiceLifecycle, 'state'>>;

/**
 * The caller must hold the invoice lock and have decided: an invoice in another state is our own bug and ends the transaction. Fields that
 * the change does not name stay as they are.
 */
export async function changeInvoice(tx: Transaction, invoice: Invoice, event: InvoiceEvent, change: InvoiceChange): Promise<Invoice> {
  const transition = invoiceTransitions[event];
  const next = { ...invoice, ...change };
  const changed = await tx.find<Invoice>(sql`
    update invoices set state = ${stateAfterSql(transition)}, next_charge_at = ${next.nextChargeAt}, failures = ${next.failures},
      first_failed_at = ${next.firstFailedAt}, is_backup_tried = ${next.isBackupTried}, written_off_cents = ${next.writtenOffCents},
      paid_at = ${next.paidAt}, collected_at = ${next.collectedAt}, past_due_at = ${next.pastDueAt},
      charged_back_at = ${next.chargedBackAt}, voided_at = ${next.voidedAt}
    where store_id = ${invoice.storeId} and invoice_id = ${invoice.invoiceId} and ${inStates(transition.from)}
    returning ${invoiceColumns}`);
  invariant(changed, 'a locked invoice is still in the state that the decision was based on');
  return changed;
}

/** Whether an unpaid invoice makes the store past due. By invoices_unpaid. */
export async function hasUnpaid(db: Queryable, storeId: Id<'store'>): Promise<boolean> {
  const found = await db.find(sql`
    select 1 as one from invoices where store_id = ${storeId} and (${inStates(overdueInvoiceStates)} or
      (${inStates(invoiceStatesWithCharge)} and (past_due_at is not null or charged_back_at is not null))) limit 1`);
  return found !== null;
}

/** A page of invoices of one store, or of all (null). */
export type InvoicePage = { readonly storeId: Id<'store'> | null; readonly after: InvoiceKey | null; readonly limit: number };

const pageOf = ({ storeId, after }: InvoicePage): Sql => sql`
  ${storeId === null ? emptySql : sql`and store_id = ${storeId}`}
  ${after === null ? emptySql : sql`and (store_id, invoice_id) > (${after.storeId}::uuid, ${after.invoiceId}::uuid)`}`;

/** Invoices whose charge is due, or also all issued ones if the schedule is ignored. By invoices_to_charge. */
export const listInvoicesToCharge = (
  db: Queryable,
  walk: InvoicePage & { readonly now: Date; readonly isCalendarIgnored: boolean },
): Promise<InvoiceKey[]> =>
  db.all(sql`
    select store_id, invoice_id from invoices
    where ${inStates(chargeableStates)} and next_charge_at is not null
      and (next_charge_at <= ${walk.now} ${walk.isCalendarIgnored ? sql`or state = 'issued'` : emptySql}) ${pageOf(walk)}
    order by store_id, invoice_id limit ${walk.limit}`);

/** When the next charge is due, or null. By invoices_to_charge; called only to skip turns of a backlog. */
export async function earliestChargeDue(db: Queryable): Promise<Date | null> {
  const { earliest } = await db.one<{ earliest: Date | null }>(sql`
    select min(next_charge_at) as earliest from invoices
    where ${inStates(chargeableStates)} and next_charge_at is not null`);
  return earliest;
}

/** Invoices with an unfinished charge. */
export const listInvoicesBeingCharged = (db: Queryable, walk: InvoicePage): Promise<InvoiceKey[]> =>
  db.all(sql`
    select store_id, invoice_id from invoices where ${inStates(invoiceStatesWithCharge)} ${pageOf(walk)}
    order by store_id, invoice_id limit ${walk.limit}`);

/** A store has few unpaid invoices. */
export const sumUnpaidInvoices = (db: Queryable, storeId: Id<'store'>): Promise<LineTotals> =>
  db.one(sql`
    select count(*) as count, coalesce(sum(total_cents), 0) as cents from invoices
    where store_id = ${storeId} and ${inStates(unpaidInvoiceStates)}`);

/** Invoices to charge after a payment method was replaced, oldest first. */
export const listOpenInvoices = (db: Queryable, { storeId }: OfStore): Promise<InvoiceKey[]> =>
  db.all(sql`
    select store_id, invoice_id from invoices
    where store_id = ${storeId} and ${inStates(failedInvoiceStates)} order by number`);

/**
 * Invoices without further retries whose store has since saved a payment method that was not tried. The request that saves it charges
 * immediately; this finds what a crash of that request left. By invoices_unpaid.
 */
export const listInvoicesWithNewMethod = (db: Queryable, { storeId, after, limit }: InvoicePage): Promise<InvoiceKey[]> =>
  db.all(sql`
    select distinct i.store_id, i.invoice_id from invoices i join payment_methods m on m.store_id = i.store_id
    where ${inStates(overdueInvoiceStates, sql`i.state`)} and m.replaced_at is null
      and m.made_at > coalesce(i.charged_back_at, i.past_due_at)
      and not exists (
        select 1 from charges c
        where c.store_id = i.store_id and c.invoice_id = i.invoice_id and c.payment_method_id = m.payment_method_id)
      ${storeId === null ? emptySql : sql`and i.store_id = ${storeId}`}
      ${after === null ? emptySql : sql`and (i.store_id, i.invoice_id) > (${after.storeId}::uuid, ${after.invoiceId}::uuid)`}
    order by i.store_id, i.invoice_id limit ${limit}`);

/** Paid invoices whose commissions are not all collected. By invoices_to_collect. */
export const listInvoicesToCollect = (db: Queryable, walk: InvoicePage): Promise<InvoiceKey[]> =>
  db.all(sql`
    select store_id, invoice_id from invoices where state = 'paid' and collected_at is null ${pageOf(walk)}
    order by store_id, invoice_id limit ${walk.limit}`);

/** Stores with a draft that a crash left behind. Crosses all stores, by invoice_gathering. */
export async function listStoresWithDraft(
  db: Queryable,
  { after, limit }: { readonly after: Id<'store'> | null; readonly limit: number },
): Promise<ReadonlyArray<Id<'store'>>> {
  const rows = await db.all<{ storeId: Id<'store'> }>(sql`
    select store_id from invoices where state = 'gathering' ${after === null ? emptySql : sql`and store_id > ${after}`}
    order by store_id limit ${limit}`);
  return rows.map(({ storeId }) => storeId);
}

const numberColumn: SortColumn<Invoice> = { expression: sql`number`, type: 'bigint', value: ({ number }) => number };

/** Drafts, whose columns are null, are not in the list. */
export const invoiceSorts: ListSorts<Invoice> = {
  columns: {
    number: numberColumn,
    issued_at: { expression: sql`issued_at`, type: 'time', value: ({ issuedAt }) => issuedAt },
    lines_cents: { expression: sql`lines_cents`, type: 'bigint', value: ({ linesCents }) => BigInt(linesCents) },
    total_cents: { expression: sql`total_cents`, type: 'bigint', value: ({ totalCents }) => BigInt(totalCents) },
    paid_at: { expression: sql`paid_at`, type: 'time', isNullable: true, value: ({ paidAt }) => paidAt },
  },
  unique: numberColumn,
  defaultSort: '-number',
};

/** A store has few invoices a month, so a filter or a sort may read all of them. */
export const listInvoices = (
  db: Queryable,
  storeId: Id<'store'>,
  filter: InvoiceFilter,
  { after, limit, order }: SortedPage<Invoice>,
): Promise<Invoice[]> =>
  db.all(sql`
    select ${invoiceColumns} from invoices
    where store_id = ${storeId} and state <> 'gathering' ${matching(filter)} ${afterKey(order, after)}
    ${orderBy(order)} limit ${limit + 1}`);

/** The number in the form of `invoiceName`. */
const shownNumber = sql`'INV-' || lpad(number::text, greatest(5, length(number::text)), '0')`;

const matching = ({ state, from, to, search }: InvoiceFilter): Sql => sql`
  ${state === null ? emptySql : sql`and state = ${state}`} ${search === null ? emptySql : sql`and ${containsText(shownNumber, search)}`}
  ${from === null ? emptySql : sql`and issued_at >= ${from}`} ${to === null ? emptySql : sql`and issued_at < ${to}`}`;

export type InvoiceTotals = {
  readonly count: bigint;
  readonly linesCents: bigint;
  readonly feeCents: bigint;
  readonly creditCents: bigint;
  readonly totalCents: bigint;
};

export const sumInvoices = (db: Queryable, storeId: Id<'store'>, filter: InvoiceFilter): Promise<InvoiceTotals> =>
  db.one(sql`
    select count(*) as count, coalesce(sum(lines_cents), 0) as lines_cents, coalesce(sum(fee_cents), 0) as fee_cents,
      coalesce(sum(credit_cents), 0) as credit_cents, coalesce(sum(total_cents), 0) as total_cents
    from invoices where store_id = ${storeId} and state <> 'gathering' ${matching(filter)}`);

export type InvoiceLine = {
  readonly commissionId: Id<'com'>;
  readonly creatorId: Id<'crt'>;
  readonly amountCents: Cents;
  readonly sourceKind: SourceKind;
  readonly sourceText: string;
  readonly eligibleCents: Cents;
  readonly occurredAt: Date;
  readonly state: string;
  readonly creditNoteNumber: bigint | null;
};

/**
 * In ID order, which is close to the order of the sales, each with its latest credit note. By invoice_lines_of_invoice, then by primary
 * keys.
 */
export const listInvoiceLines = (db: Queryable, { storeId, invoiceId }: InvoiceKey, { after, limit }: Page): Promise<InvoiceLine[]> =>
  db.all(sql`
    select l.commission_id, l.creator_id, l.amount_cents, c.source_kind, c.source_text, c.eligible_cents, c.occurred_at, c.state,
      n.number as credit_note_number
    from invoice_lines l
    join commissions c on c.store_id = l.store_id and c.commission_id = l.commission_id
    left join lateral (
      select max(notes.number) as number from credit_note_lines r
      join credit_notes notes on notes.store_id = r.store_id and notes.credit_note_id = r.credit_note_id
      where r.store_id = l.store_id and r.commission_id = l.commission_id
    ) as n on true
    where l.store_id = ${storeId} and l.invoice_id = ${invoiceId} ${after === null ? emptySql : sql`and l.commission_id > ${after[0]}`}
    order by l.commission_id limit ${limit + 1}`);

/** What each creator earned on an invoice, largest first. */
export type CreatorShare = { readonly creatorId: Id<'crt'>; readonly count: bigint; readonly cents: Cents };

export const listCreatorShares = (db: Queryable, { storeId, invoiceId }: InvoiceKey, limit: number): Promise<CreatorShare[]> =>
  db.all(sql`
    select creator_id, count(*) as count, sum(amount_cents) as cents from invoice_lines
    where store_id = ${storeId} and invoice_id = ${invoiceId} group by creator_id
    order by cents desc, creator_id limit ${limit}`);

/** Inserts the source of one chunk's transfers, by which a statement finds the invoice. */
export async function insertInvoicePart(tx: Transaction, { storeId, invoiceId }: InvoiceKey, now: Date): Promise<Id<'part'>> {
  const partId = newId<'part'>(now);
  await tx.run(sql`insert into invoice_parts (store_id, part_id, invoice_id) values (${storeId}, ${partId}, ${invoiceId})`);
  return partId;
}
