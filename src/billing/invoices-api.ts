import { Type as T } from 'typebox';
import { creatorNames } from '../creators/creators-sql.ts';
import { findStore } from '../merchants/stores-sql.ts';
import { endpoint } from '../people/endpoint.ts';
import type { Queryable } from '../db/database.ts';
import { isRefusal, notFound, sent } from '../http/responses.ts';
import { csvDownload, readAllPages, rejectPaging } from '../http/csv.ts';
import { chooseType } from '../http/content-negotiation.ts';
import { pageFields, pageReply, readPage, sortField, uuidShape } from '../http/page.ts';
import { invariant } from '../core/invariant.ts';
import { listChargesOfInvoice } from './charges-sql.ts';
import { sumCredits } from './credit-notes-sql.ts';
import { invoiceFilterFields, readInvoiceFilter } from './invoice-filter.ts';
import {
  invoiceColumnsOfFile,
  invoiceJson,
  lineColumns,
  type LineJson,
  showInvoice,
  showLine,
  showInvoiceStatus,
  wholeInvoiceJson,
} from './invoice-json.ts';
import { invoicePdf } from './invoice-pdf.ts';
import { type Invoice, invoiceName } from './invoice.ts';
import {
  findInvoice,
  type InvoiceLine,
  invoiceSorts,
  listInvoiceLines,
  listInvoices,
  listCreatorShares,
  sumInvoices,
} from './invoices-sql.ts';
import { centsField, namedObject } from '../http/fields.ts';
import { sortedListEndpoint } from '../people/list-endpoint.ts';

const access = { allow: 'store', permission: 'store:read' } as const;

export const listInvoicesEndpoint = sortedListEndpoint({
  summary: 'List the invoices of the store, newest first; as a file with Accept: text/csv',
  access,
  query: T.Object({ ...invoiceFilterFields, ...pageFields, ...sortField(invoiceSorts) }, { additionalProperties: false }),
  item: invoiceJson,
  readFilter: ({ query }) => readInvoiceFilter(query),
  rows: ({ db, ids, filter }, page) => listInvoices(db, ids.store, filter, page),
  renderer: () => showInvoice,
  sorts: invoiceSorts,
  csv: { name: 'invoices.csv', columns: invoiceColumnsOfFile },
});

export const invoiceTotalsEndpoint = endpoint({
  summary: 'Count the matching invoices and add up their totals as issued',
  access,
  query: T.Object(invoiceFilterFields, { additionalProperties: false }),
  reply: namedObject('InvoiceTotals', {
    count: T.Integer(),
    lines_cents: centsField(),
    fee_cents: centsField(),
    credit_cents: centsField(),
    total_cents: centsField('Commissions and fees minus credit, without later credit notes'),
  }),
  async handle({ db, ids, query }) {
    const filter = readInvoiceFilter(query);
    if (isRefusal(filter)) return filter;
    const { count, linesCents, feeCents, creditCents, totalCents } = await sumInvoices(db, ids.store, filter);
    return {
      count: Number(count),
      lines_cents: linesCents,
      fee_cents: feeCents,
      credit_cents: creditCents,
      total_cents: totalCents,
    };
  },
});

const forms = ['application/json', 'text/csv', 'application/pdf'] as const;

export const getInvoiceEndpoint = endpoint({
  summary: 'Get an invoice with a page of its lines; all lines with Accept: text/csv; a document with Accept: application/pdf',
  access,
  ids: { invoice: 'inv' },
  query: T.Object(pageFields, { additionalProperties: false }),
  files: ['text/csv', 'application/pdf'],
  reply: wholeInvoiceJson,
  async handle({ platform, db, ids, query, request }) {
    const invoice = await findInvoice(db, { storeId: ids.store, invoiceId: ids.invoice });
    if (invoice === null) return notFound;
    const form = chooseType(request.accept, forms);
    const refused = form === 'application/json' ? null : rejectPaging(query);
    if (refused !== null) return refused;
    if (form === 'text/csv') return csvOf(db, invoice);
    if (form === 'application/pdf') return pdfOf(db, invoice, platform.config.baseUrl);
    const page = readPage(query, [uuidShape]);
    if (isRefusal(page)) return page;
    const lines = await listInvoiceLines(db, invoice, page);
    const { data, next_cursor: cursor } = pageReply(lines, page, await showingLines(db, lines), ({ commissionId }) => [commissionId]);
    const [credited, charges] = [await sumCredits(db, invoice), await listChargesOfInvoice(db, invoice)];
    return { ...showInvoiceStatus(invoice, credited, charges), lines: data, next_cursor: cursor };
  },
});

async function showingLines(db: Queryable, lines: readonly InvoiceLine[]): Promise<(line: InvoiceLine) => LineJson> {
  const names = await creatorNames(db, [...new Set(lines.map(({ creatorId }) => creatorId))]);
  return (line) => showLine(line, names.get(line.creatorId) ?? '');
}

const csvOf = (db: Queryable, invoice: Invoice) => csvDownload(`${invoiceName(invoice.number)}.csv`, lineColumns, allLines(db, invoice));

async function* allLines(db: Queryable, invoice: Invoice): AsyncGenerator<readonly LineJson[]> {
  const pages = readAllPages(
    (page) => listInvoiceLines(db, invoice, page),
    ({ commissionId }) => [commissionId],
  );
  for await (const lines of pages) yield lines.map(await showingLines(db, lines));
}

/** Further creators share one line; the CSV names each. */
const sharesOnPage = 15;

async function pdfOf(db: Queryable, invoice: Invoice, issuer: string) {
  const store = await findStore(db, invoice.storeId);
  invariant(store, 'stores are never deleted');
  const shares = await listCreatorShares(db, invoice, sharesOnPage);
  const names = await creatorNames(
    db,
    shares.map(({ creatorId }) => creatorId),
  );
  const named = shares.map(({ creatorId, count, cents }) => ({ name: names.get(creatorId) ?? '', count, cents }));
  const credited = await sumCredits(db, invoice);
  const body = await invoicePdf({ invoice, credited, store, issuer, shares: named });
  const name = invoiceName(invoice.number);
  return sent({ 'content-type': 'application/pdf', 'content-disposition': `inline; filename="${name}.pdf"` }, body);
}
