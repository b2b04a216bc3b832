import { inflateSync } from 'node:zlib';
import { expect, test } from 'vitest';
import { drawPdf } from './pdf.ts';

/** What is written on the pages, letter by letter, as far as the standard fonts write it. */
function textsOf(pdf: Buffer): string {
  const streams = [...pdf.toString('latin1').matchAll(/stream\r?\n([\s\S]*?)\r?\nendstream/g)].map(([, bytes = '']) =>
    Buffer.from(bytes, 'latin1'),
  );
  const drawn = streams.flatMap((stream) => {
    try {
      return [inflateSync(stream).toString('latin1')];
    } catch {
      return [];
    }
  });
  return [...drawn.join('\n').matchAll(/<([0-9a-f]+)>/g)].map(([, hex = '']) => Buffer.from(hex, 'hex').toString('latin1')).join('');
}

const pagesOf = (pdf: Buffer): number => pdf.toString('latin1').match(/\/Type \/Page\b/g)?.length ?? 0;

test('letters that every reader knows are written as they are, others without their marks, other scripts as question marks', async () => {
  const pdf = await drawPdf('Letters', (page) => page.text('Müller €, Łódź, Žižka, 山田'));
  expect(textsOf(pdf)).toContain('M\u00fcller \u0080, L\u00f3dz, \u008ei\u009eka, ??');
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
