import fc from 'fast-check';
import { createSecretKey, randomBytes } from 'node:crypto';
import { expect, test } from 'vitest';
import { clickIdLength, mintClickId, readClickId, type ClickKind, type SigningKey } from './click-id.ts';

const keyFrom = (time: string): SigningKey => ({ signsFrom: new Date(time), key: createSecretKey(randomBytes(32)) });
const first = keyFrom('2026-01-01T00:00:00Z');
const second = keyFrom('2026-02-01T00:00:00Z');
const keys = [first, second];
const at = new Date('2026-03-01T12:00:00.123Z');
const mint = (kind: ClickKind, time: Date = at, linkNumber = 42n) => mintClickId({ kind, at: time, linkNumber, keys });

const someClick = fc.record({
  kind: fc.constantFrom<ClickKind>('referral', 'test'),
  time: fc.date({ min: first.signsFrom, max: new Date('9999-12-31T23:59:59.999Z'), noInvalidDate: true }),
  linkNumber: fc.bigInt({ min: 0n, max: 2n ** 64n - 1n }),
});

test('an ID contains its kind, time, and link', () => {
  fc.assert(
    fc.property(someClick, ({ kind, time, linkNumber }) => {
      const { text, clickId } = mint(kind, time, linkNumber);
      expect(text).toMatch(kind === 'referral' ? /^rmc_[A-Za-z0-9_-]{43}$/ : /^rmv_[A-Za-z0-9_-]{43}$/);
      expect(text).toHaveLength(clickIdLength);
      expect(clickId).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/);
      expect(readClickId(text, keys)).toEqual({ is: 'genuine', kind, clickId, at: time, linkNumber });
    }),
  );
});

test('two clicks at the same time on the same link have different IDs', () => {
  expect(new Set(Array.from({ length: 1_000 }, () => mint('referral').text)).size).toBe(1_000);
});

test('rejects an ID with any one character changed', () => {
  const alphabet = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_+/= .é';
  fc.assert(
    fc.property(someClick, fc.nat(46), fc.constantFrom(...alphabet), ({ kind, time, linkNumber }, place, character) => {
      const { text } = mint(kind, time, linkNumber);
      fc.pre(text[place] !== character);
      expect(readClickId(text.slice(0, place) + character + text.slice(place + 1), keys).is).not.toBe('genuine');
    }),
    { numRuns: 2_000 },
  );
});

test('rejects an ID with the prefix of the other kind', () => {
  expect(readClickId(mint('test').text.replace('rmv_', 'rmc_'), keys)).toEqual({ is: 'forged' });
  expect(readClickId(mint('referral').text.replace('rmc_', 'rmv_'), keys)).toEqual({ is: 'forged' });
});

test('rejects a second spelling of the last character', () => {
  const { text } = mint('referral');
  const alphabet = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_';
  const last = alphabet.indexOf(text.slice(-1));
  for (const spare of [1, 2, 3]) {
    const respelled = text.slice(0, -1) + alphabet[last + spare];
    expect(Buffer.from(respelled.slice(4), 'base64url')).toEqual(Buffer.from(text.slice(4), 'base64url'));
    expect(readClickId(respelled, keys)).toEqual({ is: 'forged' });
  }
});

const noIds = [
  '',
  'rmc_',
  'rmc',
  'null',
  'undefined',
  '{click_id}',
  'a'.repeat(47),
  `rmx_${'A'.repeat(43)}`,
  `rmc_${'A'.repeat(42)}`,
  `rmc_${'A'.repeat(44)}`,
  `RMC_${'A'.repeat(43)}`,
];
for (const text of noIds) test(`${JSON.stringify(text)} is forged`, () => expect(readClickId(text, keys)).toEqual({ is: 'forged' }));

test('reading an ID never throws', () => {
  fc.assert(
    fc.property(
      fc.oneof(
        fc.string(),
        fc.string({ minLength: 43, maxLength: 43 }).map((text) => `rmc_${text}`),
      ),
      (text) => void expect(readClickId(text, keys).is).not.toBe('genuine'),
    ),
  );
});

test('the key is chosen by the time in the ID: a later key changes nothing about earlier clicks', () => {
  const early = mintClickId({ kind: 'referral', at: new Date('2026-01-31T23:59:59.999Z'), linkNumber: 1n, keys: [first] });
  const late = mintClickId({ kind: 'referral', at: second.signsFrom, linkNumber: 1n, keys });
  expect(readClickId(early.text, keys).is).toBe('genuine');
  expect(readClickId(late.text, keys).is).toBe('genuine');
  expect(readClickId(late.text, [second]).is).toBe('genuine');
  expect(readClickId(early.text, [second])).toEqual({ is: 'key missing' });
  // Not read yet, or a forger's: the caller reads the keys again before it believes this.
  expect(readClickId(late.text, [first])).toEqual({ is: 'forged' });
});

test('mints no ID without a key in force', () => {
  expect(() => mintClickId({ kind: 'referral', at: new Date('2025-12-31T23:59:59.999Z'), linkNumber: 1n, keys })).toThrow('impossible');
});
