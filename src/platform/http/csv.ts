import { Readable } from 'node:stream';
import { promisify } from 'node:util';
import { deflateRaw, inflateRaw } from 'node:zlib';
import { neutralizeCell } from '../csv-cell.ts';
import { must } from '../must.ts';
import { refuse, sent, type Refusal, type Sent } from './answers.ts';
import type { Page, PageQuery } from './page.ts';

/** `null` is an empty cell. Times come as ISO 8601 in UTC, amounts as whole cents, like in JSON. */
export type CsvCell = string | number | bigint | boolean | null;

/** One line of RFC 4180, with its end. */
export const csvLine = (cells: readonly CsvCell[]): string => `${cells.map(cellText).join(',')}\r\n`;

/** Also what separates cells in a spreadsheet of another country. */
const needsQuotes = /[",;|\r\n\t]|^\s|\s$/;

function cellText(cell: CsvCell): string {
  if (cell === null) return '';
  if (typeof cell !== 'string') return String(cell);
  // Numbers of ours stay numbers, also negative ones; text was chosen by a customer's server.
  const text = neutralizeCell(cell);
  return needsQuotes.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}

export type CsvColumn<Row> = { readonly title: string; readonly cell: (row: Row) => CsvCell };

type Columns<Row> = ReadonlyArray<CsvColumn<Row>>;

/** A download that is written while it is read, page by page: a hundred thousand rows are never in memory at once. */
export const csvDownload = <Row>(name: string, columns: Columns<Row>, pages: AsyncIterable<readonly Row[]>): Sent =>
  download(name, csvPages(columns, pages));

/**
 * The same, read to its end before it is sent: for pages that must be of one moment. The transaction that sees it must not last as
 * long as somebody takes to receive it. Until then it is kept packed, which for lines of a table is about a tenth.
 */
export async function csvKept<Row>(name: string, columns: Columns<Row>, pages: AsyncIterable<readonly Row[]>): Promise<Sent> {
  const packed: Buffer[] = [];
  for await (const text of csvPages(columns, pages)) packed.push(await pack(text));
  return download(name, unpacked(packed));
}

const pack = promisify<string, Buffer>(deflateRaw);
const unpack = promisify<Buffer, Buffer>(inflateRaw);

async function* unpacked(packed: readonly Buffer[]): AsyncGenerator<Buffer> {
  for (const page of packed) yield await unpack(page);
}

function download(name: string, content: AsyncGenerator<string | Buffer>): Sent {
  must(/^[\w.-]+\.csv$/.test(name), 'a name of a download ends nothing and quotes nothing');
  const headers = { 'content-type': 'text/csv; charset=utf-8', 'content-disposition': `attachment; filename="${name}"` };
  return sent(headers, Readable.from(content, { objectMode: false }));
}

/** The titles go out with the first rows: a fault in finding these is still answered as a fault, not as an empty file. */
async function* csvPages<Row>(columns: ReadonlyArray<CsvColumn<Row>>, pages: AsyncIterable<readonly Row[]>): AsyncGenerator<string> {
  let titles = csvLine(columns.map(({ title }) => title));
  for await (const rows of pages) {
    yield titles + rows.map((row) => csvLine(columns.map(({ cell }) => cell(row)))).join('');
    titles = '';
  }
}

/** Who asks for a page of a file has misunderstood something, and would take a part for the whole. */
export function pagesInFile({ cursor, limit }: PageQuery): Refusal | null {
  if (cursor === undefined && limit === undefined) return null;
  return refuse('invalid_request', 'The query is not right; see errors.', [
    { field: cursor === undefined ? 'limit' : 'cursor', message: 'a file has no pages: it holds all that match' },
  ]);
}

const rowsPerPage = 1_000;
const pagesMax = 100_000;

/**
 * All rows of a list, by position as its pages are read: `read` gives one row more than asked for where there are more, as for
 * pageReply. Gives at least one page, perhaps an empty one. What is too long for a file is cut off as a fault, never silently.
 */
export async function* everyPage<Row>(
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
  must(false, `a list has at most ${pagesMax * rowsPerPage} rows`);
}
