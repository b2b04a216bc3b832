import type { Queryable } from '../platform/database/database.ts';
import { nothing, sql, type Sql } from '../platform/database/sql.ts';
import type { Page } from '../platform/http/page.ts';
import type { Id } from '../platform/ids.ts';
import type { Cents } from '../platform/money.ts';
import type { InvoiceFilter } from './invoice-filter.ts';
import type { Invoice, InvoiceKey } from './invoice.ts';
import { invoiceColumns } from './invoices-sql.ts';

/** The latest first, by the key of its number. A store has one a month or a few, so that a filter may look through all of them. */
export const listInvoices = (db: Queryable, storeId: Id<'store'>, filter: InvoiceFilter, { after, limit }: Page): Promise<Invoice[]> =>
  db.all(sql`
    select ${invoiceColumns} from invoices
    where store_id = ${storeId} and state <> 'gathering' ${matching(filter)}
      ${after === null ? nothing : sql`and number < ${BigInt(after[0] ?? 0)}`}
    order by number desc limit ${limit + 1}`);

const matching = ({ state, from, to }: InvoiceFilter): Sql => sql`
  ${state === null ? nothing : sql`and state = ${state}`}
  ${from === null ? nothing : sql`and issued_at >= ${from}`} ${to === null ? nothing : sql`and issued_at < ${to}`}`;

export type InvoiceTotals = {
  readonly count: bigint;
  readonly linesCents: bigint;
  readonly feeCents: bigint;
  readonly creditCents: bigint;
  readonly totalCents: bigint;
};

export const totalsOfInvoices = (db: Queryable, storeId: Id<'store'>, filter: InvoiceFilter): Promise<InvoiceTotals> =>
  db.one(sql`
    select count(*) as count, coalesce(sum(lines_cents), 0) as lines_cents, coalesce(sum(fee_cents), 0) as fee_cents,
      coalesce(sum(credit_cents), 0) as credit_cents, coalesce(sum(total_cents), 0) as total_cents
    from invoices where store_id = ${storeId} and state <> 'gathering' ${matching(filter)}`);

export type InvoiceLine = {
  readonly commissionId: Id<'com'>;
  readonly creatorId: Id<'crt'>;
  readonly amountCents: Cents;
  readonly sourceKind: 'order' | 'invoice';
  readonly sourceText: string;
  readonly eligibleCents: Cents;
  readonly occurredAt: Date;
  readonly state: string;
  readonly creditNoteNumber: bigint | null;
};

/** In the order of their ids, which is nearly that of their orders. By invoice_lines_of_invoice, then by primary keys. */
export const linesOfInvoice = (db: Queryable, { storeId, invoiceId }: InvoiceKey, { after, limit }: Page): Promise<InvoiceLine[]> =>
  db.all(sql`
    select l.commission_id, l.creator_id, l.amount_cents, c.source_kind, c.source_text, c.eligible_cents, c.occurred_at, c.state,
      n.number as credit_note_number
    from invoice_lines l
    join commissions c on c.store_id = l.store_id and c.commission_id = l.commission_id
    left join credit_note_lines r on r.store_id = l.store_id and r.commission_id = l.commission_id
    left join credit_notes n on n.store_id = r.store_id and n.credit_note_id = r.credit_note_id
    where l.store_id = ${storeId} and l.invoice_id = ${invoiceId} ${after === null ? nothing : sql`and l.commission_id > ${after[0]}`}
    order by l.commission_id limit ${limit + 1}`);

/** How much each creator earned on an invoice, the most first: what fits on a page however many lines there are. */
export type CreatorShare = { readonly creatorId: Id<'crt'>; readonly count: bigint; readonly cents: Cents };
export const sharesOfInvoice = (db: Queryable, { storeId, invoiceId }: InvoiceKey, limit: number): Promise<CreatorShare[]> =>
  db.all(sql`
    select creator_id, count(*) as count, sum(amount_cents) as cents from invoice_lines
    where store_id = ${storeId} and invoice_id = ${invoiceId} group by creator_id
    order by cents desc, creator_id limit ${limit}`);
