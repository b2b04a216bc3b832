import { Readable } from 'node:stream';
import { text } from 'node:stream/consumers';
import { expect, test } from 'vitest';
import { invariant } from '../core/invariant.ts';
import { csvDownload, csvLine, readAllPages, type CsvCell } from './csv.ts';
import type { Page } from './page.ts';

test.each([
  ['=1+1', "'=1+1"],
  ['+1', "'+1"],
  ['-1', "'-1"],
  ['@SUM(A1)', "'@SUM(A1)"],
  ['\t=1', `"'\t'=1"`],
  ['\r=1', `"'\r'=1"`],
  ['\n=1', `"'\n'=1"`],
  ['x;=1', `"x;'=1"`],
  ['x\t+1', `"x\t'+1"`],
  ['＝1', "'＝1"],
  ['=cmd|"/c calc"!A1', `"'=cmd|""/c calc""!A1"`],
])('the text %j, which a spreadsheet would run, is text in it', (cell, written) => {
  expect(csvLine([cell])).toBe(`${written}\r\n`);
});

test.each<readonly [what: string, cells: readonly CsvCell[], line: string]>([
  ['plain text', ['a', 'b'], 'a,b\r\n'],
  ['what ends a cell', ['a,b', 'a"b', 'a\nb', 'a;b'], '"a,b","a""b","a\nb","a;b"\r\n'],
  ['spaces at the edge', [' a', 'a '], '" a","a "\r\n'],
  ['nothing, numbers and claims', [null, '', 0, -5, 9_007_199_254_740_993n, true], ',,0,-5,9007199254740993,true\r\n'],
  ['other characters', ['a-b', 'a=b', 'ünïcode 日本'], 'a-b,a=b,ünïcode 日本\r\n'],
  ['no cell', [], '\r\n'],
])('%s is written by RFC 4180', (_what, cells, line) => {
  expect(csvLine(cells)).toBe(line);
});

const numbers = (count: number) => Array.from({ length: count }, (_, place) => place);

/** A list like those of the modules: `limit` rows after a position, and one more. */
function listOf(count: number) {
  const pagesRead: Page[] = [];
  const read = async (page: Page): Promise<readonly number[]> => {
    pagesRead.push(page);
    const from = page.after === null ? 0 : Number(page.after[0]) + 1;
    return numbers(count).slice(from, from + page.limit + 1);
  };
  return { pagesRead, pages: readAllPages(read, (row) => [String(row)]) };
}

test.each([0, 1, 999, 1_000, 1_001, 2_000, 2_500])('of %i rows a file holds each once, in their order', async (count) => {
  const { body } = csvDownload('rows.csv', [{ title: 'n', cell: (row: number) => row }], listOf(count).pages);
  invariant(body instanceof Readable, 'it is written while it is read');
  expect(await text(body)).toBe(['n', ...numbers(count)].map((cell) => `${cell}\r\n`).join(''));
});

test('no more than a page and one row is pagesRead for at once, and nothing before the former page was taken', async () => {
  const { pagesRead, pages } = listOf(2_500);
  await pages.next();
  expect(pagesRead).toEqual([{ after: null, limit: 1_000 }]);
  await pages.next();
  expect(pagesRead).toEqual([
    { after: null, limit: 1_000 },
    { after: ['999'], limit: 1_000 },
  ]);
});

test('an error in the first query sends no bytes, not even the titles', async () => {
  const pages = readAllPages<number>(
    () => Promise.reject(new Error('away')),
    (row) => [String(row)],
  );
  const { body } = csvDownload('rows.csv', [{ title: 'n', cell: (row: number) => row }], pages);
  invariant(body instanceof Readable, 'it is written while it is read');
  let written = '';
  body.on('data', (chunk) => (written += String(chunk)));
  await expect(new Promise((_, reject) => body.on('error', reject))).rejects.toThrow('away');
  expect(written).toBe('');
});
