import fc from 'fast-check';
import { expect, test } from 'vitest';
import { cpuMsOf } from '../../test/support/cpu-time.ts';
import { neutralizeCell, originalCell } from './csv-cell.ts';

test.each([
  ['=1+1', "'=1+1"],
  ["'=1", "''=1"],
  ['x;=1', "x;'=1"],
  ['x; \t =1', "x; \t '=1"],
  ['x\t@SUM(A1)', "x\t'@SUM(A1)"],
  ['x|-1', "x|'-1"],
  ['x,＝1', "x,'＝1"],
  ['x\r\n+1', "x\r\n'+1"],
  ['x;"=1', `x;"'=1`],
  ['x;\u00a0=1', "x;\u00a0'=1"],
  ['x;\u200b=1', "x;\u200b'=1"],
  [';;=1;-2', ";;'=1;'-2"],
  ["x;''@a", "x;'''@a"],
  [' =1', " '=1"],
  ['\t=1', "'\t'=1"],
  ['\r\n=1', "'\r\n'=1"],
])('no spreadsheet evaluates any part of %j', (cell, written) => {
  expect(neutralizeCell(cell)).toBe(written);
  expect(originalCell(written)).toBe(cell);
});

test.each(['', 'a-b', 'a=b', '2026-03-01T12:00:00.000Z', 'a - b', 'a;b', "it's", "';a", 'x;y-1', "x;'y", 'ünïcode 日本 🛒'])(
  'leaves the text %j unchanged',
  (cell) => {
    expect(neutralizeCell(cell)).toBe(cell);
    expect(originalCell(cell)).toBe(cell);
  },
);

const pieces = fc.array(fc.constantFrom(...'=+-@＝＠;,|\t\r\n \'"a1'), { maxLength: 12 }).map((characters) => characters.join(''));
const texts = fc.oneof(pieces, fc.string({ unit: 'binary' }));

/** The cells that a spreadsheet reads from a line, with any list separator and with or without quoting. */
function cellsOf(line: string): readonly string[] {
  return [',', ';', '|', '\t', '\n', '\r'].flatMap((separator) => line.split(separator)).map((cell) => cell.replace(/^[\s"]+/, ''));
}

test('no cell begins with a formula character, whatever the list separator is', () => {
  fc.assert(
    fc.property(texts, (text) => {
      for (const cell of cellsOf(neutralizeCell(text))) expect(cell).not.toMatch(/^[=+\-@＝＋－＠]/);
    }),
  );
});

test('reads every text back unchanged', () => {
  fc.assert(
    fc.property(texts, (text) => {
      expect(originalCell(neutralizeCell(text))).toBe(text);
    }),
  );
});

test.each(['\t', ' ', "'", ';', '"', ';='])('handles a megabyte of %j in linear time', (piece) => {
  expect(cpuMsOf(() => neutralizeCell(piece.repeat(1_000_000 / piece.length)))).toBeLessThan(5_000);
});
