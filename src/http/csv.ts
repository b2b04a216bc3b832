import { Readable } from 'node:stream';
import { promisify } from 'node:util';
import { deflateRaw, inflateRaw } from 'node:zlib';
import { neutralizeCell } from '../core/csv-cell.ts';
import { invariant } from '../core/invariant.ts';
import { refuse, sent, type Refusal, type Sent } from './responses.ts';
import type { Page, PageQuery } from './page.ts';
import { apiMessage } from '../messages/api-message.ts';

/** `null` is an empty cell. Times are ISO 8601 in UTC and amounts are whole cents, as in JSON. */
export type CsvCell = string | number | bigint | boolean | null;

/** One line as in RFC 4180, including the line break. */
export const csvLine = (cells: readonly CsvCell[]): string => `${cells.map(cellText).join(',')}\r\n`;

/** Includes the separators that spreadsheets use in other locales. */
const needsQuotes = /[",;|\r\n\t]|^\s|\s$/;

function cellText(cell: CsvCell): string {
  if (cell === null) return '';
  if (typeof cell !== 'string') return String(cell);
  // Numbers are safe, including negative ones. Text may come from strangers, so formulas are neutralized.
  const text = neutralizeCell(cell);
  return needsQuotes.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}

export type CsvColumn<Row> = { readonly title: string; readonly cell: (row: Row) => CsvCell };

/** Columns with the titles and values of fields. */
export const fieldColumns = <Name extends string>(
  ...names: readonly Name[]
): ReadonlyArray<CsvColumn<{ readonly [Field in Name]: CsvCell }>> => names.map((name) => ({ title: name, cell: (row) => row[name] }));

type Columns<Row> = ReadonlyArray<CsvColumn<Row>>;

/** Streams the file page by page, so that a hundred thousand rows are never in memory at the same time. */
export const csvDownload = <Row>(name: string, columns: Columns<Row>, pages: AsyncIterable<readonly Row[]>): Download =>
  download(name, csvPages(columns, pages));

/**
 * Reads all pages before it sends the file, for pages that must come from one snapshot: the transaction must not stay open while a slow
 * client downloads. The text is held compressed, at about a tenth of its size, until the body closes: the caller limits how many files
 * are in memory at the same time.
 */
export async function bufferedCsvDownload<Row>(
  name: string,
  columns: Columns<Row>,
  pages: AsyncIterable<readonly Row[]>,
): Promise<Download> {
  const compressed: Buffer[] = [];
  for await (const text of csvPages(columns, pages)) compressed.push(await compress(text));
  return download(name, decompressAll(compressed));
}

const compress = promisify<string, Buffer>(deflateRaw);
const decompress = promisify<Buffer, Buffer>(inflateRaw);

async function* decompressAll(pages: readonly Buffer[]): AsyncGenerator<Buffer> {
  for (const page of pages) yield await decompress(page);
}

type Download = Sent & { readonly body: Readable };

function download(name: string, content: AsyncGenerator<string | Buffer>): Download {
  invariant(/^[\w.-]+\.csv$/.test(name), 'a file name is safe in a header');
  const headers = { 'content-type': 'text/csv; charset=utf-8', 'content-disposition': `attachment; filename="${name}"` };
  const body = Readable.from(content, { objectMode: false });
  return { ...sent(headers, body), body };
}

/** Sends the titles with the first rows, so that an error in the first query becomes an error response, not an empty file. */
async function* csvPages<Row>(columns: ReadonlyArray<CsvColumn<Row>>, pages: AsyncIterable<readonly Row[]>): AsyncGenerator<string> {
  let titles = csvLine(columns.map(({ title }) => title));
  for await (const rows of pages) {
    yield titles + rows.map((row) => csvLine(columns.map(({ cell }) => cell(row)))).join('');
    titles = '';
  }
}

/** Rejects a request for one page of a file: its sender might take that page for the whole list. */
export function rejectPaging({ cursor, limit }: PageQuery): Refusal | null {
  if (cursor === undefined && limit === undefined) return null;
  return refuse('invalid_request', apiMessage('shared.query_invalid'), [
    { field: cursor === undefined ? 'limit' : 'cursor', message: apiMessage('csv.not_supported_for_files_which') },
  ]);
}

const rowsPerPage = 1_000;
const pagesMax = 100_000;

/**
 * Reads all rows of a list by keyset pagination. `read` returns one row more than the limit if there are more, as for pageReply. Yields
 * at least one page, which may be empty. A list that is too long for a file throws an error; it is never silently cut.
 */
export async function* readAllPages<Row>(
  read: (page: Page) => Promise<readonly Row[]>,
  positionOf: (row: Row) => readonly string[],
): AsyncGenerator<readonly Row[]> {
  let after: Page['after'] = null;
  for (let page = 0; page < pagesMax; page++) {
    const rows: readonly Row[] = await read({ after, limit: rowsPerPage });
    const last = rows.length > rowsPerPage ? rows[rowsPerPage - 1] : undefined;
    yield rows.slice(0, rowsPerPage);
    if (last === undefined) return;
    after = positionOf(last);
  }
  invariant(false, `a list has at most ${pagesMax * rowsPerPage} rows`);
}
