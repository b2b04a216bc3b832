import fc from 'fast-check';
import { expect, test } from 'vitest';
import { parseCsv } from './parse-csv.ts';

// The rules of RFC 4180, section 2, by their numbers, and what spreadsheets write beyond them.
test.each([
  [
    '1: records end with CRLF',
    'aaa,bbb\r\nzzz,yyy\r\n',
    [
      ['aaa', 'bbb'],
      ['zzz', 'yyy'],
    ],
  ],
  [
    '2: the last record may have no line break',
    'aaa,bbb\r\nzzz,yyy',
    [
      ['aaa', 'bbb'],
      ['zzz', 'yyy'],
    ],
  ],
  ['4: spaces are part of a cell, and the last cell is not followed by a comma', ' a , b \r\n', [[' a ', ' b ']]],
  [
    '5: cells may be in quotes',
    '"aaa","bbb"\r\nzzz,"yyy"',
    [
      ['aaa', 'bbb'],
      ['zzz', 'yyy'],
    ],
  ],
  [
    '6: quoted cells may have line breaks, quotes, and commas',
    '"a\r\nb",","\r\nz,y',
    [
      ['a\r\nb', ','],
      ['z', 'y'],
    ],
  ],
  ['7: a quote in a cell is doubled', '"a""b",""""', [['a"b', '"']]],
  [
    'empty cells',
    ',\r\n"",x,',
    [
      ['', ''],
      ['', 'x', ''],
    ],
  ],
  ['line feeds, carriage returns, and empty lines', 'a\n\nb\rc\n\n', [['a'], ['b'], ['c']]],
  ['a byte order mark', '\u{feff}a,b', [['a', 'b']]],
  [
    'semicolons',
    'email;name\r\na@b.example;"x;y, z"',
    [
      ['email', 'name'],
      ['a@b.example', 'x;y, z'],
    ],
  ],
  [
    'tabs',
    'email\tname\nx\ty',
    [
      ['email', 'name'],
      ['x', 'y'],
    ],
  ],
  [
    'a separator in quotes in the first line does not count',
    '"a;b;c",d\n1,2',
    [
      ['a;b;c', 'd'],
      ['1', '2'],
    ],
  ],
  ['records of different lengths', 'a,b\r\nc\r\nd,e,f', [['a', 'b'], ['c'], ['d', 'e', 'f']]],
  ['a quote within an unquoted cell is text', 'a"b,c', [['a"b', 'c']]],
  ['nothing', '', []],
] as const)('parses %s', (_rule, text, records) => {
  expect(parseCsv(text)).toEqual({ ok: true, records });
});

test('names the record with a quote that is never closed, or with text after a quote', () => {
  expect(parseCsv('a\r\nb\r\n"c')).toEqual({ ok: false, record: 3, reason: 'open_quote' });
  expect(parseCsv('a\r\n"b"c\r\n')).toEqual({ ok: false, record: 2, reason: 'text_after_quote' });
});

test('reads every table back that was written with quotes', () => {
  const cell = fc.string({ unit: 'grapheme', maxLength: 12 });
  const quoted = (text: string) => `"${text.replaceAll('"', '""')}"`;
  fc.assert(
    fc.property(fc.array(fc.array(cell, { minLength: 2, maxLength: 5 }), { maxLength: 8 }), (records) => {
      const text = records.map((cells) => cells.map(quoted).join(',')).join('\r\n');
      expect(parseCsv(text)).toEqual({ ok: true, records });
    }),
  );
});
