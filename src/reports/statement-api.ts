import { Type as T } from 'typebox';
import { storesOfCreator } from '../creators/members-sql.ts';
import { findCreator } from '../creators/creators-sql.ts';
import { findStore } from '../merchants/stores-sql.ts';
import { endpoint } from '../people/endpoint.ts';
import type { Queryable } from '../platform/database/database.ts';
import { atOneMoment } from '../platform/database/snapshot.ts';
import { isRefusal, notFound, sent, type Sent } from '../platform/http/answers.ts';
import { csvDownload, csvKept, everyPage, pagesInFile, type CsvColumn } from '../platform/http/csv.ts';
import { chooseType } from '../platform/http/media-type.ts';
import { pageFields, pageReply, readPage, uuidShape, type Page } from '../platform/http/page.ts';
import type { Platform } from '../platform/platform.ts';
import { creatorPlaceOf } from './creator-ledger-sql.ts';
import { creatorBalancesAt, creatorStatementLines } from './creator-statement.ts';
import { periodOf, periodShape, type Period } from './period.ts';
import {
  creatorColumns,
  creatorStatementJson,
  showBalances,
  showCreatorBalances,
  showCreatorLine,
  showPeriod,
  showSold,
  showStoreLine,
  storeColumns,
  storeStatementJson,
} from './statement-json.ts';
import { soldByCreator, soldByStore } from './sold-of-month-sql.ts';
import { accountsOf, statementPdf, sumsOf } from './statement-pdf.ts';
import { statementLines, storeBalancesAt } from './statement.ts';
import { placeOf } from './store-ledger-sql.ts';

const forms = ['application/json', 'text/csv', 'application/pdf'] as const;
const query = T.Object(
  { period: T.String({ pattern: periodShape, description: 'A month, such as 2026-03' }), ...pageFields },
  { additionalProperties: false },
);
const placeShapes = [/^\d{1,14}$/, uuidShape, uuidShape, /^\w{1,20}$/, /^\w{1,20}$/];

export const storeStatementEndpoint = endpoint({
  summary: "A month of the store's book: opening, every line, closing; also as text/csv and application/pdf",
  access: { who: 'store', permission: 'store:read' },
  query,
  files: ['text/csv', 'application/pdf'],
  reply: storeStatementJson,
  async handle({ platform, ids, query: asked, request, now }) {
    const form = chooseType(request.accept, forms);
    const period = periodOf(asked.period);
    const read = (db: Queryable) => (page: Page) => statementLines(db, ids.store, period, page);
    if (form === 'application/json') {
      const page = readPage(asked, placeShapes);
      if (isRefusal(page)) return page;
      return atOneMoment(platform.database, async (tx) => {
        const { data, next_cursor: cursor } = pageReply(await read(tx)(page), page, showStoreLine, placeOf);
        const opening = showBalances(await storeBalancesAt(tx, ids.store, period.from));
        const closing = showBalances(await storeBalancesAt(tx, ids.store, period.to));
        const sold = showSold(await soldByStore(tx, ids.store, period));
        return { ...showPeriod(period, now), sold, opening, lines: data, closing, next_cursor: cursor };
      });
    }
    const refused = pagesInFile(asked);
    if (refused !== null) return refused;
    if (form === 'text/csv')
      return csvOf(platform, { period, isFinal: period.to <= now }, storeColumns, (db) =>
        shownPages(everyPage(read(db), placeOf), showStoreLine),
      );
    const store = await findStore(platform.database, ids.store);
    if (store === null) return notFound;
    const { from, to } = period;
    const statement = await atOneMoment(platform.nightDatabase, async (tx) => ({
      accounts: accountsOf(await storeBalancesAt(tx, ids.store, from), await storeBalancesAt(tx, ids.store, to)),
      sums: await sumsOf(everyPage(read(tx), placeOf)),
    }));
    return printed(platform, { whose: store.name, period: period.name, isFinal: to <= now, ...statement });
  },
});

export const creatorStatementEndpoint = endpoint({
  summary: "A month of the creator's book: opening, every line, closing; also as text/csv and application/pdf",
  access: { who: 'creator', permission: 'creator:read' },
  query,
  files: ['text/csv', 'application/pdf'],
  reply: creatorStatementJson,
  async handle({ platform, ids, query: asked, request, now }) {
    const form = chooseType(request.accept, forms);
    const period = periodOf(asked.period);
    const read = (db: Queryable) => (page: Page) => creatorStatementLines(db, ids.creator, period, page);
    if (form === 'application/json') {
      const page = readPage(asked, placeShapes);
      if (isRefusal(page)) return page;
      return atOneMoment(platform.database, async (tx) => {
        const { data, next_cursor: cursor } = pageReply(await read(tx)(page), page, showCreatorLine, creatorPlaceOf);
        const opening = showCreatorBalances(await creatorBalancesAt(tx, ids.creator, period.from));
        const closing = showCreatorBalances(await creatorBalancesAt(tx, ids.creator, period.to));
        const creator = { creatorId: ids.creator, storeIds: await storesOfCreator(tx, ids.creator) };
        const sold = showSold(await soldByCreator(tx, creator, period));
        return { ...showPeriod(period, now), sold, opening, lines: data, closing, next_cursor: cursor };
      });
    }
    const refused = pagesInFile(asked);
    if (refused !== null) return refused;
    if (form === 'text/csv')
      return csvOf(platform, { period, isFinal: period.to <= now }, creatorColumns, (db) =>
        shownPages(everyPage(read(db), creatorPlaceOf), showCreatorLine),
      );
    const creator = await findCreator(platform.database, ids.creator);
    if (creator === null) return notFound;
    const { from, to } = period;
    const statement = await atOneMoment(platform.nightDatabase, async (tx) => ({
      accounts: accountsOf(await creatorBalancesAt(tx, ids.creator, from), await creatorBalancesAt(tx, ids.creator, to)),
      sums: await sumsOf(everyPage(read(tx), creatorPlaceOf)),
    }));
    return printed(platform, { whose: creator.name, period: period.name, isFinal: to <= now, ...statement });
  },
});

type Asked = { readonly period: Period; readonly isFinal: boolean };
type Pages<Row> = (db: Queryable) => AsyncIterable<readonly Row[]>;

/** A month that is over does not change while it is sent. The running one is read as it is at one moment. */
const csvOf = async <Row>(
  { nightDatabase }: Platform,
  { period, isFinal }: Asked,
  columns: ReadonlyArray<CsvColumn<Row>>,
  pages: Pages<Row>,
): Promise<Sent> => {
  const name = `statement-${period.name}.csv`;
  if (isFinal) return csvDownload(name, columns, pages(nightDatabase));
  return atOneMoment(nightDatabase, (tx) => csvKept(name, columns, pages(tx)));
};

async function printed({ config }: Platform, statement: Omit<Parameters<typeof statementPdf>[0], 'issuer'>): Promise<Sent> {
  const body = await statementPdf({ ...statement, issuer: config.baseUrl });
  const name = `statement-${statement.period}.pdf`;
  return sent({ 'content-type': 'application/pdf', 'content-disposition': `inline; filename="${name}"` }, body);
}

async function* shownPages<Row, Shown>(pages: AsyncIterable<readonly Row[]>, show: (row: Row) => Shown): AsyncGenerator<readonly Shown[]> {
  for await (const rows of pages) yield rows.map(show);
}
