import { Readable } from 'node:stream';
import { must } from '../must.ts';
import { sent, type Sent } from './answers.ts';
import type { Page } from './page.ts';

/** `null` is an empty cell. Times come as ISO 8601 in UTC, amounts as whole cents, like in JSON. */
export type CsvCell = string | number | bigint | boolean | null;

/** One line of RFC 4180, with its end. */
export const csvLine = (cells: readonly CsvCell[]): string => `${cells.map(cellText).join(',')}\r\n`;

/**
 * Spreadsheets run a text that begins so as a formula, and a customer's server chose that text: an apostrophe before it makes
 * it text again. Numbers of ours stay numbers, also negative ones.
 */
const runsAsFormula = /^[=+\-@\t\r\n＝＋－＠]/;
const needsQuotes = /[",\r\n\t]|^\s|\s$/;

function cellText(cell: CsvCell): string {
  if (cell === null) return '';
  if (typeof cell !== 'string') return String(cell);
  const text = runsAsFormula.test(cell) ? `'${cell}` : cell;
  return needsQuotes.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}

export type CsvColumn<Row> = { readonly title: string; readonly cell: (row: Row) => CsvCell };

/** A download that is written while it is read, page by page: a hundred thousand rows are never in memory at once. */
export function csvDownload<Row>(name: string, columns: ReadonlyArray<CsvColumn<Row>>, pages: AsyncIterable<readonly Row[]>): Sent {
  must(/^[\w.-]+\.csv$/.test(name), 'a name of a download ends nothing and quotes nothing');
  const headers = { 'content-type': 'text/csv; charset=utf-8', 'content-disposition': `attachment; filename="${name}"` };
  return sent(headers, Readable.from(csvPages(columns, pages), { objectMode: false }));
}

/** The titles go out with the first rows: a fault in finding these is still answered as a fault, not as an empty file. */
async function* csvPages<Row>(columns: ReadonlyArray<CsvColumn<Row>>, pages: AsyncIterable<readonly Row[]>): AsyncGenerator<string> {
  let titles = csvLine(columns.map(({ title }) => title));
  for await (const rows of pages) {
    yield titles + rows.map((row) => csvLine(columns.map(({ cell }) => cell(row)))).join('');
    titles = '';
  }
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
