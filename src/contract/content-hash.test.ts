import fc from 'fast-check';
import { expect, test } from 'vitest';
import { cents } from '../core/money.ts';
import { canonical, contentHash, isSameContent, type Content, type FieldList } from './content-hash.ts';
import { readTimestamp } from './timestamp.ts';

const list: FieldList = {
  operation: 'conversion',
  version: 1,
  names: ['order_id', 'occurred_at', 'eligible', 'line_items', 'metadata', 'test'],
};
const content: Content = {
  order_id: 'A-1',
  occurred_at: readTimestamp('2026-03-01T12:00:00Z'),
  eligible: cents(1_000),
  line_items: [
    { productId: 'a', amount: cents(400), quantity: 1n },
    { productId: 'b', amount: cents(600), quantity: 2n },
  ],
  metadata: JSON.parse('{"b":[1,2],"a":{"x":10.0,"y":"é"}}'),
  test: null,
};
const kept = contentHash(list, content);

test('a hash is the version of its field list and 32 bytes', () => {
  expect([kept.length, kept[0]]).toEqual([33, 1]);
});

test('the hash of a report never changes, or every replay would become a conflict', () => {
  expect(kept.toString('hex')).toBe('01940dcdce02e39f82d4f8d9d1d895d55af4ddd02f559f691da5d6c2384a8c1d59');
});

const same: ReadonlyArray<readonly [what: string, other: Content]> = [
  ['key order', Object.fromEntries(Object.entries(content).toReversed())],
  ['key order in metadata', { ...content, metadata: JSON.parse('{"a":{"y":"é","x":10.0},"b":[1,2]}') }],
  ['absent for null', Object.fromEntries(Object.entries(content).filter(([name]) => name !== 'test'))],
  ['number spelling', { ...content, eligible: cents(1e3), metadata: JSON.parse('{"b":[1.0,2e0],"a":{"x":10,"y":"\\u00e9"}}') }],
  ['the offset of the time', { ...content, occurred_at: readTimestamp('2026-03-01T17:30:00.000999+05:30') }],
  ['an unknown field', { ...content, utm_source: 'news' }],
];
for (const [what, other] of same) test(`${what} does not matter`, () => expect(isSameContent(kept, [list], other)).toBe(true));

const different: ReadonlyArray<readonly [what: string, other: Content]> = [
  ['white space in a text', { ...content, order_id: 'A-1 ' }],
  ['the case of a text', { ...content, order_id: 'a-1' }],
  ['another normal form of a text', { ...content, metadata: JSON.parse('{"b":[1,2],"a":{"x":10,"y":"e\u0301"}}') }],
  ['a cent', { ...content, eligible: cents(1_001) }],
  ['a millisecond', { ...content, occurred_at: readTimestamp('2026-03-01T12:00:00.001Z') }],
  ['a time that cannot be read', { ...content, occurred_at: '2026-03-01T12:00:00' }],
  ['the order of lines', { ...content, line_items: [content['line_items']].flat().toReversed() }],
  ['the order of an array in metadata', { ...content, metadata: JSON.parse('{"b":[2,1],"a":{"x":10,"y":"é"}}') }],
  ['a number for a text in metadata', { ...content, metadata: JSON.parse('{"b":["1",2],"a":{"x":10,"y":"é"}}') }],
  ['a null in metadata', { ...content, metadata: JSON.parse('{"b":[1,2],"a":{"x":10,"y":"é","z":null}}') }],
  ['no metadata', { ...content, metadata: null }],
  ['a field more', { ...content, test: true }],
];
for (const [what, other] of different) test(`${what} is other content`, () => expect(isSameContent(kept, [list], other)).toBe(false));

test('the same fields in another operation have another hash', () => {
  expect(contentHash({ ...list, operation: 'reversal' }, content).equals(kept)).toBe(false);
});

test('recognizes a replay of a report that was stored with an older field list', () => {
  const newer: FieldList = { ...list, version: 2, names: [...list.names, 'coupon'] };
  const repeated = { ...content, coupon: 'SPRING' };
  expect(isSameContent(kept, [newer, list], repeated)).toBe(true);
  expect(isSameContent(contentHash(newer, repeated), [newer, list], repeated)).toBe(true);
  expect(isSameContent(contentHash(newer, repeated), [newer, list], content)).toBe(false);
});

const plain = fc.jsonValue({ maxDepth: 3 });
const shuffled = (value: unknown): unknown => {
  if (Array.isArray(value)) return value.map(shuffled);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value)
      .toReversed()
      .map(([name, member]) => [name, shuffled(member)]),
  );
};

test('two JSON values have one canonical text exactly when they are equal, whatever the order of their keys', () => {
  fc.assert(fc.property(plain, (value) => void expect(canonical(shuffled(value))).toBe(canonical(value))));
  fc.assert(
    fc.property(plain, plain, (one, other) => {
      expect(canonical(one) === canonical(other)).toBe(JSON.stringify(sorted(one)) === JSON.stringify(sorted(other)));
    }),
  );
});

function sorted(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sorted);
  if (typeof value !== 'object' || value === null) return value;
  // As pairs, since an object would put keys that look like numbers first.
  return {
    pairs: Object.entries(value)
      .sort(([one], [other]) => (one < other ? -1 : 1))
      .map(([name, member]) => [name, sorted(member)]),
  };
}

test('zero has no sign, and infinity is not null', () => {
  expect(canonical(JSON.parse('[-0, -0.0, 0e9]'))).toBe('[0,0,0]');
  expect(canonical(JSON.parse('[1e400, -1e400]'))).toBe('[Infinity,-Infinity]');
  expect(canonical(JSON.parse('{"__proto__":{"a":1}}'))).toBe('{"__proto__":{"a":1}}');
});
