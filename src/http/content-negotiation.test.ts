import { expect, test } from 'vitest';
import { chooseType, chooseEncoding, matchesEtag, type Encoding } from './content-negotiation.ts';

const choices: readonly (readonly [header: string | undefined, chosen: Encoding])[] = [
  [undefined, 'identity'],
  ['', 'identity'],
  ['gzip, deflate, br, zstd', 'br'],
  ['gzip, deflate', 'gzip'],
  ['br', 'br'],
  ['GZIP', 'gzip'],
  ['deflate, zstd', 'identity'],
  ['*', 'br'],
  ['br;q=0, *', 'gzip'],
  ['br;q=0, gzip;q=0, *', 'identity'],
  ['br;q=0.5, gzip', 'gzip'],
  ['br;q=0.8,gzip;q=0.8', 'br'],
  ['gzip ; q=0.001', 'gzip'],
  ['gzip;q=0', 'identity'],
  ['gzip;q=0.000', 'identity'],
  ['gzip;q=0.5, identity', 'identity'],
  ['gzip;q=0.5, identity;q=0.5', 'gzip'],
  ['identity;q=0', 'identity'],
  ['*;q=0', 'identity'],
  ['identity;q=0, gzip;q=0.1', 'gzip'],
  ['gzip;q=2', 'identity'],
  ['gzip;q=high', 'identity'],
  ['gzip;level=9;q=1', 'gzip'],
  [',,;q=1,', 'identity'],
  [`${'a,'.repeat(200)}br`, 'identity'],
];

for (const [header, chosen] of choices) {
  test(`the encoding for ${JSON.stringify(header?.slice(0, 40))} is ${chosen}`, () => expect(chooseEncoding(header)).toBe(chosen));
}

const named = ['"a"', ' "a" ', 'W/"a"', '"x", "a"', '"x",W/"a","y"', '*', ' * ', '"x,y", "a"'];
const unnamed = [undefined, '', '"b"', 'a', '"A"', 'w/"a"', 'W/ "a"', '"a', '"x"a"', '"*"', `${'"b",'.repeat(200)}"a"`];

test('an If-None-Match names an ETag alone, in a list, weakly or by a star', () => {
  for (const header of named) expect(matchesEtag('"a"', header), header).toBe(true);
  for (const header of unnamed) expect(matchesEtag('"a"', header), header).toBe(false);
});

const offered = ['application/json', 'text/csv', 'application/pdf'] as const;

test.each([
  ['', 'application/json'],
  ['*/*', 'application/json'],
  ['text/html,application/xhtml+xml,*/*;q=0.8', 'application/json'],
  ['application/json', 'application/json'],
  ['text/csv', 'text/csv'],
  ['Text/CSV; header=present', 'text/csv'],
  ['text/csv, application/json', 'text/csv'],
  ['text/csv;q=0.5, application/json', 'application/json'],
  ['text/csv;q=0', 'application/json'],
  ['text/csv;q=2', 'application/json'],
  ['application/pdf', 'application/pdf'],
  ['application/pdf;q=0.5, text/csv;q=0.9', 'text/csv'],
])('"Accept: %s" is answered as %s', (accept, type) => {
  expect(chooseType(accept, offered)).toBe(type);
});
