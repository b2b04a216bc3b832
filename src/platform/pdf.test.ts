import { inflateSync } from 'node:zlib';
import { expect, test } from 'vitest';
import { drawPdf } from './pdf.ts';

/** What is written on the pages, letter by letter, as far as the standard fonts write it. */
const textsOf = (pdf: Buffer): string =>
  [
    ...inflatedOf(pdf)
      .join('\n')
      .matchAll(/<([0-9a-f]+)>/g),
  ]
    .map(([, hex = '']) => Buffer.from(hex, 'hex').toString('latin1'))
    .join('');

function inflatedOf(pdf: Buffer): readonly string[] {
  const streams = [...pdf.toString('latin1').matchAll(/stream\r?\n([\s\S]*?)\r?\nendstream/g)].map(([, bytes = '']) =>
    Buffer.from(bytes, 'latin1'),
  );
  return streams.flatMap((stream) => {
    try {
      return [inflateSync(stream).toString('latin1')];
    } catch {
      return [];
    }
  });
}

const pagesOf = (pdf: Buffer): number => pdf.toString('latin1').match(/\/Type \/Page\b/g)?.length ?? 0;

test('letters of Western Europe are written as they are, in a font that every reader has, and none goes into the file', async () => {
  const pdf = await drawPdf('Letters', (page) => page.text('Müller €, 山田'));
  expect(textsOf(pdf)).toContain('M\u00fcller \u0080, ??');
  expect(pdf.includes('DejaVu')).toBe(false);
});

/** What a program reads that copies the text: the letters behind the shapes of the fonts that are in the file. */
function lettersOf(pdf: Buffer): string {
  const maps = inflatedOf(pdf).filter((stream) => stream.includes('beginbfrange'));
  const letters = maps.flatMap((map) => [...map.matchAll(/<([0-9a-f]{4,8})>(?=[ \]])/g)].map(([, hex = '']) => hex));
  return letters.map((hex) => Buffer.from(hex, 'hex').swap16().toString('utf16le')).join('');
}

test.each([
  ['Polish', 'Zażółć gęślą jaźń Łódź'],
  ['Czech', 'Příliš žluťoučký kůň'],
  ['Greek', 'Ξεσκεπάζω την ψυχοφθόρα'],
  ['Cyrillic', 'Съешь ещё этих мягких булок'],
  ['a name on an invoice, beside Western ones', 'Müller & Дмитро Ґудзь'],
])('%s is written letter by letter, also in bold and in a table', async (_what, text) => {
  const pdf = await drawPdf('Letters', (page) => {
    page.title('Statement', text, text);
    page.table(['Name', 'Amount'], [{ cells: [text, '12.00 USD'] }]);
  });
  const written = lettersOf(pdf);
  for (const letter of text.replaceAll(' ', '')) expect(written).toContain(letter);
  expect(textsOf(pdf)).not.toContain('?');
  expect(pdf.byteLength).toBeLessThan(60_000);
});

test('a table that is longer than a page goes on on the next ones, with every row', async () => {
  const rows = Array.from({ length: 100 }, (_none, place) => ({ cells: [`row ${place}`, String(place)] }));
  const pdf = await drawPdf('Rows', (page) => page.table(['Name', 'Number'], rows));
  expect(pagesOf(pdf)).toBe(3);
  for (const { cells } of rows) expect(textsOf(pdf)).toContain(cells[0]);
});

test('what does not fit into its cell ends in dots, and pushes nothing aside', async () => {
  const long = 'a very long name '.repeat(20);
  const texts = textsOf(await drawPdf('Long', (page) => page.table(['Name', 'Number'], [{ cells: [long, '12.00 USD'] }])));
  expect(texts).toMatch(/a very long name.*\u0085/);
  expect(texts).toContain('12.00 USD');
  expect(texts.length).toBeLessThan(long.length);
});
