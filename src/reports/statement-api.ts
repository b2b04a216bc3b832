import { Type as T } from 'typebox';
import { createConcurrencyLimiter } from '../contract/concurrency-limiter.ts';
import type { Id } from '../core/ids.ts';
import { listStoresOfCreator } from '../creators/members-sql.ts';
import { findCreator } from '../creators/creators-sql.ts';
import { findStore } from '../merchants/stores-sql.ts';
import { endpoint } from '../people/endpoint.ts';
import type { Queryable } from '../db/database.ts';
import { inReadSnapshot } from '../db/snapshot.ts';
import { isRefusal, notFound, refuse, sent, type Refusal, type Sent } from '../http/responses.ts';
import { csvDownload, bufferedCsvDownload, readAllPages, rejectPaging, type CsvColumn } from '../http/csv.ts';
import { chooseType } from '../http/content-negotiation.ts';
import { pageFields, pageReply, readPage, uuidShape, type Page } from '../http/page.ts';
import type { Platform } from '../runtime/platform.ts';
import { creatorTransferCursor } from './creator-statement-sql.ts';
import { creatorBalancesAt, listCreatorStatementLines } from './creator-statement.ts';
import { parsePeriod, periodShape, type Period } from './period.ts';
import {
  creatorColumns,
  creatorStatementJson,
  showBalances,
  showCreatorBalances,
  showCreatorLine,
  showPeriod,
  showMonthlySales,
  showStoreLine,
  storeColumns,
  storeStatementJson,
} from './statement-json.ts';
import { monthlySalesOfCreator, monthlySalesOfStore } from './monthly-sales-sql.ts';
import { accountRows, statementPdf, sumByKind } from './statement-pdf.ts';
import { listStoreStatementLines, storeBalancesAt } from './store-statement.ts';
import { storeTransferCursor } from './store-statement-sql.ts';
import { apiMessage } from '../messages/api-message.ts';

const mediaTypes = ['application/json', 'text/csv', 'application/pdf'] as const;
const query = T.Object(
  { period: T.String({ pattern: periodShape, description: 'A month, such as 2026-03' }), ...pageFields },
  { additionalProperties: false },
);
const cursorShapes = [/^\d{1,14}$/, uuidShape, uuidShape, /^\w{1,20}$/, /^\w{1,20}$/];

export const storeStatementEndpoint = endpoint({
  summary: 'Get a monthly statement of the store: opening balance, lines, closing balance; also as text/csv and application/pdf',
  access: { allow: 'store', permission: 'store:read' },
  query,
  files: ['text/csv', 'application/pdf'],
  reply: storeStatementJson,
  async handle({ platform, ids, query: params, request, now }) {
    const form = chooseType(request.accept, mediaTypes);
    const period = parsePeriod(params.period);
    const read = (db: Queryable) => (page: Page) => listStoreStatementLines(db, ids.store, period, page);
    if (form === 'application/json') {
      const page = readPage(params, cursorShapes);
      if (isRefusal(page)) return page;
      return inReadSnapshot(platform.tenants.nodeOf(ids.store).database, async (tx) => {
        const { data, next_cursor: cursor } = pageReply(await read(tx)(page), page, showStoreLine, storeTransferCursor);
        const opening = showBalances(await storeBalancesAt(tx, ids.store, period.from));
        const closing = showBalances(await storeBalancesAt(tx, ids.store, period.to));
        const sold = showMonthlySales(await monthlySalesOfStore(tx, ids.store, period));
        return { ...showPeriod(period, now), sold, opening, lines: data, closing, next_cursor: cursor };
      });
    }
    const refused = rejectPaging(params);
    if (refused !== null) return refused;
    if (form === 'text/csv')
      return exportCsv(platform, { account: ids.store, period, isFinal: period.to <= now }, storeColumns, (db) =>
        renderPages(readAllPages(read(db), storeTransferCursor), showStoreLine),
      );
    const store = await findStore(platform.database, ids.store);
    if (store === null) return notFound;
    const { from, to } = period;
    const statement = await inReadSnapshot(platform.jobsDatabase, async (tx) => ({
      accounts: accountRows(await storeBalancesAt(tx, ids.store, from), await storeBalancesAt(tx, ids.store, to)),
      sums: await sumByKind(readAllPages(read(tx), storeTransferCursor)),
    }));
    return sendPdf(platform, { whose: store.name, period, isFinal: to <= now, ...statement });
  },
});

export const creatorStatementEndpoint = endpoint({
  summary: 'Get a monthly statement of the creator: opening balance, lines, closing balance; also as text/csv and application/pdf',
  access: { allow: 'creator', permission: 'creator:read' },
  query,
  files: ['text/csv', 'application/pdf'],
  reply: creatorStatementJson,
  async handle({ platform, ids, query: params, request, now }) {
    const form = chooseType(request.accept, mediaTypes);
    const period = parsePeriod(params.period);
    const read = (db: Queryable) => (page: Page) => listCreatorStatementLines(db, ids.creator, period, page);
    if (form === 'application/json') {
      const page = readPage(params, cursorShapes);
      if (isRefusal(page)) return page;
      return inReadSnapshot(platform.database, async (tx) => {
        const { data, next_cursor: cursor } = pageReply(await read(tx)(page), page, showCreatorLine, creatorTransferCursor);
        const opening = showCreatorBalances(await creatorBalancesAt(tx, ids.creator, period.from));
        const closing = showCreatorBalances(await creatorBalancesAt(tx, ids.creator, period.to));
        const creator = { creatorId: ids.creator, storeIds: await listStoresOfCreator(tx, ids.creator) };
        const sold = showMonthlySales(await monthlySalesOfCreator(tx, creator, period));
        return { ...showPeriod(period, now), sold, opening, lines: data, closing, next_cursor: cursor };
      });
    }
    const refused = rejectPaging(params);
    if (refused !== null) return refused;
    if (form === 'text/csv')
      return exportCsv(platform, { account: ids.creator, period, isFinal: period.to <= now }, creatorColumns, (db) =>
        renderPages(readAllPages(read(db), creatorTransferCursor), showCreatorLine),
      );
    const creator = await findCreator(platform.database, ids.creator);
    if (creator === null) return notFound;
    const { from, to } = period;
    const statement = await inReadSnapshot(platform.jobsDatabase, async (tx) => ({
      accounts: accountRows(await creatorBalancesAt(tx, ids.creator, from), await creatorBalancesAt(tx, ids.creator, to)),
      sums: await sumByKind(readAllPages(read(tx), creatorTransferCursor)),
    }));
    return sendPdf(platform, { whose: creator.name, period, isFinal: to <= now, ...statement });
  },
});

/** Files of the current month: each is in memory until it has been sent. An account gets half, so that others can download theirs. */
const bufferedFilesMax = 8;
const bufferedFilesPerAccountMax = 4;
const bufferedFiles = createConcurrencyLimiter(bufferedFilesMax, bufferedFilesPerAccountMax);

const tooManyFiles: Refusal = {
  ...refuse('temporarily_unavailable', apiMessage('statement_api.too_many_statements_downloaded')),
  retryAfterSeconds: 5,
};

type StatementFile = { readonly account: Id<'store'> | Id<'crt'>; readonly period: Period; readonly isFinal: boolean };
type Pages<Row> = (db: Queryable) => AsyncIterable<readonly Row[]>;

/** A past month does not change while it is sent. The current month is read from one snapshot. */
async function exportCsv<Row>(
  { jobsDatabase }: Platform,
  { account, period, isFinal }: StatementFile,
  columns: ReadonlyArray<CsvColumn<Row>>,
  pages: Pages<Row>,
): Promise<Sent | Refusal> {
  const name = `statement-${period.name}.csv`;
  if (isFinal) return csvDownload(name, columns, pages(jobsDatabase));
  const release = bufferedFiles.take(account);
  if (release === null) return tooManyFiles;
  try {
    const file = await inReadSnapshot(jobsDatabase, (tx) => bufferedCsvDownload(name, columns, pages(tx)));
    file.body.once('close', release);
    return file;
  } catch (error) {
    release();
    throw error;
  }
}

async function sendPdf({ config }: Platform, statement: Omit<Parameters<typeof statementPdf>[0], 'issuer'>): Promise<Sent> {
  const body = await statementPdf({ ...statement, issuer: config.baseUrl });
  const name = `statement-${statement.period.name}.pdf`;
  return sent({ 'content-type': 'application/pdf', 'content-disposition': `inline; filename="${name}"` }, body);
}

async function* renderPages<Row, Shown>(pages: AsyncIterable<readonly Row[]>, show: (row: Row) => Shown): AsyncGenerator<readonly Shown[]> {
  for await (const rows of pages) yield rows.map(show);
}
