import { Type as T } from 'typebox';
import { namesOfCreators } from '../creators/creators-sql.ts';
import { findStore } from '../merchants/stores-sql.ts';
import { endpoint } from '../people/endpoint.ts';
import type { Queryable } from '../platform/database/database.ts';
import { isRefusal, notFound, sent } from '../platform/http/answers.ts';
import { csvDownload, everyPage, pagesInFile } from '../platform/http/csv.ts';
import { chooseType } from '../platform/http/media-type.ts';
import { pageFields, pageOf, pageReply, readPage, uuidShape } from '../platform/http/page.ts';
import { must } from '../platform/must.ts';
import { chargesOfInvoice } from './charges-sql.ts';
import { creditedSoFar } from './credit-notes-sql.ts';
import { invoiceFilterFields, readInvoiceFilter } from './invoice-filter.ts';
import {
  invoiceColumnsOfFile,
  invoiceJson,
  lineColumns,
  showInvoice,
  showLine,
  showStanding,
  wholeInvoiceJson,
  type InvoiceJson,
  type LineJson,
} from './invoice-json.ts';
import { invoicePdf } from './invoice-pdf.ts';
import { invoiceName, type Invoice } from './invoice.ts';
import { findInvoice } from './invoices-sql.ts';
import { linesOfInvoice, listInvoices, sharesOfInvoice, totalsOfInvoices, type InvoiceLine } from './list-sql.ts';
import { centsField } from '../platform/http/fields.ts';

const access = { who: 'store', permission: 'store:read' } as const;
const numberShape = /^\d{1,18}$/;

export const listInvoicesEndpoint = endpoint({
  summary: 'What the store was billed, the latest first; all of them as a file with Accept: text/csv',
  access,
  query: T.Object({ ...invoiceFilterFields, ...pageFields }, { additionalProperties: false }),
  files: ['text/csv'],
  reply: pageOf(invoiceJson),
  async handle({ db, ids, query, request }) {
    const filter = readInvoiceFilter(query);
    if (isRefusal(filter)) return filter;
    if (chooseType(request.accept, ['application/json', 'text/csv']) === 'text/csv') {
      const pages = everyPage((page) => listInvoices(db, ids.store, filter, page), positionOf);
      return pagesInFile(query) ?? csvDownload('invoices.csv', invoiceColumnsOfFile, shownPages(pages));
    }
    const page = readPage(query, [numberShape]);
    if (isRefusal(page)) return page;
    return pageReply(await listInvoices(db, ids.store, filter, page), page, showInvoice, positionOf);
  },
});

const positionOf = ({ number }: Invoice) => [String(number)];

async function* shownPages(pages: AsyncIterable<readonly Invoice[]>): AsyncGenerator<readonly InvoiceJson[]> {
  for await (const invoices of pages) yield invoices.map(showInvoice);
}

export const invoiceTotalsEndpoint = endpoint({
  summary: 'How many invoices match, and what they come to as issued',
  access,
  query: T.Object(invoiceFilterFields, { additionalProperties: false }),
  reply: T.Object({
    count: T.Integer(),
    lines_cents: centsField(),
    fee_cents: centsField(),
    credit_cents: centsField(),
    total_cents: centsField('Commissions and fees less credit; credit notes that came later are not in it'),
  }),
  async handle({ db, ids, query }) {
    const filter = readInvoiceFilter(query);
    if (isRefusal(filter)) return filter;
    const { count, linesCents, feeCents, creditCents, totalCents } = await totalsOfInvoices(db, ids.store, filter);
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
  summary: 'One invoice with a page of its lines; all of them with Accept: text/csv; to print with application/pdf',
  access,
  ids: { invoice: 'inv' },
  query: T.Object(pageFields, { additionalProperties: false }),
  files: ['text/csv', 'application/pdf'],
  reply: wholeInvoiceJson,
  async handle({ platform, db, ids, query, request }) {
    const invoice = await findInvoice(db, { storeId: ids.store, invoiceId: ids.invoice });
    if (invoice === null) return notFound;
    const form = chooseType(request.accept, forms);
    const refused = form === 'application/json' ? null : pagesInFile(query);
    if (refused !== null) return refused;
    if (form === 'text/csv') return csvOf(db, invoice);
    if (form === 'application/pdf') return pdfOf(db, invoice, platform.config.baseUrl);
    const page = readPage(query, [uuidShape]);
    if (isRefusal(page)) return page;
    const lines = await linesOfInvoice(db, invoice, page);
    const { data, next_cursor: cursor } = pageReply(lines, page, await showingLines(db, lines), ({ commissionId }) => [commissionId]);
    const [credited, charges] = [await creditedSoFar(db, invoice), await chargesOfInvoice(db, invoice)];
    return { ...showStanding(invoice, credited, charges), lines: data, next_cursor: cursor };
  },
});

async function showingLines(db: Queryable, lines: readonly InvoiceLine[]): Promise<(line: InvoiceLine) => LineJson> {
  const names = await namesOfCreators(db, [...new Set(lines.map(({ creatorId }) => creatorId))]);
  return (line) => showLine(line, names.get(line.creatorId) ?? '');
}

const csvOf = (db: Queryable, invoice: Invoice) => csvDownload(`${invoiceName(invoice.number)}.csv`, lineColumns, allLines(db, invoice));

async function* allLines(db: Queryable, invoice: Invoice): AsyncGenerator<readonly LineJson[]> {
  const pages = everyPage(
    (page) => linesOfInvoice(db, invoice, page),
    ({ commissionId }) => [commissionId],
  );
  for await (const lines of pages) yield lines.map(await showingLines(db, lines));
}

/** More creators are one line together; the CSV names each. */
const sharesOnPage = 15;

async function pdfOf(db: Queryable, invoice: Invoice, issuer: string) {
  const store = await findStore(db, invoice.storeId);
  must(store, 'stores are never deleted');
  const shares = await sharesOfInvoice(db, invoice, sharesOnPage);
  const names = await namesOfCreators(
    db,
    shares.map(({ creatorId }) => creatorId),
  );
  const named = shares.map(({ creatorId, count, cents }) => ({ name: names.get(creatorId) ?? '', count, cents }));
  const credited = await creditedSoFar(db, invoice);
  const body = await invoicePdf({ invoice, credited, store, issuer, shares: named });
  const name = invoiceName(invoice.number);
  return sent({ 'content-type': 'application/pdf', 'content-disposition': `inline; filename="${name}.pdf"` }, body);
}
