import { inflateSync } from 'node:zlib';
import { expect, test } from 'vitest';
import { fillOutlines } from './fill-outlines.ts';
import { drawPreviewImage } from './preview-image.ts';

const texts = { program: 'Friends of the boot maker', store: 'Müller & Дмитро', host: 'boots.example', rate: '10% of each order' };

/** The palette indexes of an image, by its rows. */
function pixelsOf(png: Buffer): readonly Buffer[] {
  const start = png.indexOf('IDAT');
  const bytes = inflateSync(png.subarray(start + 4, start + 4 + png.readUInt32BE(start - 4)));
  return Array.from({ length: 630 }, (_none, y) => bytes.subarray(y * 1_201 + 1, (y + 1) * 1_201));
}

test('an image is a PNG of 1200 × 630 pixels with text inside its margins', async () => {
  const png = await drawPreviewImage(texts, '#ffd400');
  expect([png.subarray(0, 8).toString('hex'), png.readUInt32BE(16), png.readUInt32BE(20)]).toEqual(['89504e470d0a1a0a', 1_200, 630]);
  const palette = png.subarray(png.indexOf('PLTE') + 4);
  expect(palette.subarray(0, 3).toString('hex')).toBe('ffd400');
  expect(palette.subarray(255 * 3, 256 * 3).toString('hex')).toBe('000000');
  const inked = pixelsOf(png).map((row) => row.some((shade) => shade === 255));
  expect([inked.slice(0, 80).some(Boolean), inked.slice(120, 200).some(Boolean), inked.slice(600).some(Boolean)]).toEqual([
    false,
    true,
    false,
  ]);
});

test('a name that is too long is shortened, and a name without glyphs in the font is replaced by the host', async () => {
  const long = pixelsOf(await drawPreviewImage({ ...texts, program: 'W'.repeat(200) }, '#0d6475'));
  expect(long.some((row) => row.subarray(1_130).some((shade) => shade > 0))).toBe(false);
  const japanese = await drawPreviewImage({ ...texts, program: 'ブーツの友' }, '#0d6475');
  expect(japanese).toEqual(await drawPreviewImage({ ...texts, program: texts.host }, '#0d6475'));
});

test('an outline is filled exactly, and a hole of the other direction stays empty', () => {
  const box = (from: number, to: number) => [
    { fromX: from, fromY: from, toX: to, toY: from },
    { fromX: to, fromY: from, toX: to, toY: to },
    { fromX: to, fromY: to, toX: from, toY: to },
    { fromX: from, fromY: to, toX: from, toY: from },
  ];
  const reversed = box(2, 4).map(({ fromX, fromY, toX, toY }) => ({ fromX: toX, fromY: toY, toX: fromX, toY: fromY }));
  const coverage = { width: 8, height: 8, shares: new Float32Array(64) };
  fillOutlines(coverage, [...box(1, 5.5), ...reversed]);
  expect(coverage.shares.reduce((total, share) => total + share)).toBeCloseTo(4.5 ** 2 - 4);
  expect([coverage.shares[3 * 8 + 3], coverage.shares[1 * 8 + 1], coverage.shares[1 * 8 + 5]]).toEqual([0, 1, 0.5]);
});
