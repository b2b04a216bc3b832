import { expect, test } from 'vitest';
import { dialectFindings, sourcePatterns, wordsOfIdentifier } from './dialect.ts';
import { dialectWords, exceptions } from './dialect-words.ts';
import { readSources } from './source.ts';

const sources = readSources(...sourcePatterns);

const wordsIn = (text: string, path = 'src/core/a.ts') => dialectFindings({ path, text }).map(({ kind, word }) => `${kind} ${word}`);

test('no identifier, comment, or sentence contains a dialect word', () => {
  const words = sources.flatMap(dialectFindings);
  expect(words.map(({ location, word }) => `${location} ${word}`)).toEqual([]);
});

test.each<[string, string, readonly string[], string?]>([
  ['an identifier', 'export const keepLetter = 1;', ['identifier letter']],
  ['a member', 'type A = { readonly faultOf: string };', ['identifier fault']],
  ['a private member', 'class A { #hasRoom = 1; }', ['identifier room']],
  ['a phrase in an identifier', 'function carryOutAll() {}', ['identifier carry out']],
  ['a comment', '// Whoever calls this holds the lock.', ['comment whoever']],
  ['a phrase across two lines of a comment', '/** The sender comes\n * again later. */', ['comment comes again']],
  ['a sentence', "log('the shop is gone');", ['string shop']],
  ['a sentence in a template', 'log(`${count} bills are due`);', ['string bills']],
  ['text on a page', 'const a = <p>Nobody is invited yet</p>;', ['string nobody'], 'web/src/app/a.tsx'],
  ['an attribute of a page', 'const a = <p title="Your bill is due" />;', ['string bill'], 'web/src/app/a.tsx'],
])('finds a word in %s', (_where, text, expected, path = 'src/core/a.ts') => {
  expect(wordsIn(text, path)).toEqual(expected);
});

test.each([
  ['a part of a longer word', 'const billing = 1; // standings, roommate, faulty'],
  ['a name in quotes', "const column = 'night';"],
  ['a column in SQL', 'const query = sql`select fault from news where a = ${b}`;'],
  ['a house number', "const label = 'House number and street';"],
  ['an example host', "const url = 'see https://shop.example for it';"],
])('ignores %s', (_what, text) => {
  expect(wordsIn(text)).toEqual([]);
});

test('counts an identifier once per file, and every word of a comment', () => {
  expect(wordsIn('const night = 1; use(night, night); // night, night')).toEqual(['identifier night', 'comment night', 'comment night']);
});

test('the demo may be a shop', () => {
  expect(wordsIn('const shop = 1;', 'demo/main.ts')).toEqual([]);
  expect(wordsIn('const shop = 1;', 'src/core/main.ts')).toEqual(['identifier shop']);
});

test('splits identifiers into words', () => {
  expect(['keepLetter', 'URLNews', 'GATE_door', '$room2Door'].map((name) => wordsOfIdentifier(name).trim())).toEqual([
    'keep Letter',
    'URL News',
    'GATE door',
    'room2 Door',
  ]);
});

test('every word is listed once, and every exception names a listed word', () => {
  const words = dialectWords.map(({ word }) => word);
  expect(words.length).toBe(new Set(words).size);
  expect(exceptions.map(({ word }) => word).filter((word) => word !== '*' && !words.includes(word))).toEqual([]);
});
