import { inflateSync } from 'node:zlib';
import { expect, test } from 'vitest';
import { drawPdf } from './pdf.ts';

/** The text on the pages in the standard fonts. */
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

test('writes Western European characters in a standard font that is not embedded', async () => {
  const pdf = await drawPdf('Letters', (page) => page.text('Müller €, 山田'));
  expect(textsOf(pdf)).toContain('M\u00fcller \u0080, ??');
  expect(pdf.includes('DejaVu')).toBe(false);
});

/** The text that a program copies from the file: the characters behind the glyphs of embedded fonts. */
function charactersOf(pdf: Buffer): string {
  const maps = inflatedOf(pdf).filter((stream) => stream.includes('beginbfrange'));
  const codes = maps.flatMap((map) => [...map.matchAll(/<([0-9a-f]{4,8})>(?=[ \]])/g)].map(([, hex = '']) => hex));
  return codes.map((hex) => Buffer.from(hex, 'hex').swap16().toString('utf16le')).join('');
}

test.each([
  ['Polish', 'Zażółć gęślą jaźń Łódź'],
  ['Czech', 'Příliš žluťoučký kůň'],
  ['Greek', 'Ξεσκεπάζω την ψυχοφθόρα'],
  ['Cyrillic', 'Съешь ещё этих мягких булок'],
  ['a name on an invoice, beside Western ones', 'Müller & Дмитро Ґудзь'],
])('writes every character of %s, also in bold and in a table', async (_what, text) => {
  const pdf = await drawPdf('Letters', (page) => {
    page.title('Statement', text, text);
    page.table(['Name', 'Amount'], [{ cells: [text, '12.00 USD'] }]);
  });
  const written = charactersOf(pdf);
  for (const character of text.replaceAll(' ', '')) expect(written).toContain(character);
  expect(textsOf(pdf)).not.toContain('?');
  expect(pdf.byteLength).toBeLessThan(60_000);
});

test('continues a long table on the next pages, with every row', async () => {
  const rows = Array.from({ length: 100 }, (_none, place) => ({ cells: [`row ${place}`, String(place)] }));
  const pdf = await drawPdf('Rows', (page) => page.table(['Name', 'Number'], rows));
  expect(pagesOf(pdf)).toBe(3);
  for (const { cells } of rows) expect(textsOf(pdf)).toContain(cells[0]);
});

test('truncates text that does not fit its cell with an ellipsis', async () => {
  const long = 'a very long name '.repeat(20);
  const texts = textsOf(await drawPdf('Long', (page) => page.table(['Name', 'Number'], [{ cells: [long, '12.00 USD'] }])));
  expect(texts).toMatch(/a very long name.*\u0085/);
  expect(texts).toContain('12.00 USD');
  expect(texts.length).toBeLessThan(long.length);
});
