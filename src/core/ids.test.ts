import fc from 'fast-check';
import { expect, test } from 'vitest';
import { consecutiveIds, newId, publicId, readPublicId, timeOfId, type Id } from './ids.ts';

test('an ID is a UUIDv7: it contains its creation time and is unique', () => {
  const at = new Date('2026-03-01T12:00:00.123Z');
  const ids = Array.from({ length: 1_000 }, () => newId(at));
  expect(new Set(ids).size).toBe(1_000);
  for (const id of ids) {
    expect(id).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/);
    expect(timeOfId(id)).toEqual(at);
  }
});

test('consecutive IDs have no gap and contain their creation time', () => {
  const at = new Date('2026-03-01T12:00:00.123Z');
  for (let round = 0; round < 100; round++) {
    const idAt = consecutiveIds(at);
    const ids = Array.from({ length: 300 }, (_, place) => idAt(place));
    const [first = 0n, ...next] = ids.map((id) => BigInt(`0x${id.replaceAll('-', '')}`));
    expect(next).toEqual(next.map((_, place) => first + BigInt(place) + 1n));
    expect(ids.map(timeOfId)).toEqual(ids.map(() => at));
    for (const id of ids) expect(id).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/);
  }
});

test('reads the public form of an ID back, and preserves the sort order', () => {
  fc.assert(
    fc.property(fc.uuid(), fc.uuid(), (one, other) => {
      const [a, b] = [one as Id<'store'>, other as Id<'store'>];
      expect(readPublicId('store', publicId('store', a))).toBe(a);
      expect(publicId('store', a) < publicId('store', b)).toBe(a < b);
    }),
  );
});

test.each([
  ['another prefix', 'prog_01jn8qz8v3e9r9h2k4m6p8s0tv'],
  ['no prefix', '01jn8qz8v3e9r9h2k4m6p8s0tv'],
  ['upper case', 'store_01JN8QZ8V3E9R9H2K4M6P8S0TV'],
  ['too short', 'store_01jn8qz8v3e9r9h2k4m6p8s0t'],
  ['a character that is not in the alphabet', 'store_01jn8qz8v3e9r9h2k4m6p8s0ti'],
  ['more than 128 bits', 'store_81jn8qz8v3e9r9h2k4m6p8s0tv'],
  ['a plain UUID', '01890a5d-ac96-774b-bcce-b302099a8057'],
])('accepts one spelling of an ID only: rejects %s', (_what, text) => {
  expect(readPublicId('store', text)).toBe(null);
});
