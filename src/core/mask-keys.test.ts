import { randomBytes } from 'node:crypto';
import { expect, test } from 'vitest';
import { cpuMsOf } from '../../test/support/cpu-time.ts';
import { maskKeys, maskKeysIn, maskKeysInBytes } from './mask-keys.ts';

/** Same shapes as src/people/tokens.ts and src/webhooks/signatures.ts; test/postbacks/key-in-body.test.ts uses the real functions. */
const tokenOf = (prefix: string): string => prefix + randomBytes(32).toString('base64url');
const key = tokenOf('pbk_');
const stars = `${'*'.repeat(key.length - 4)}${key.slice(-4)}`;

test.each([
  ['alone', key, stars],
  ['within a sentence', `Bearer ${key}.`, `Bearer ${stars}.`],
  ['within another word', `x${key}y`, `x${stars}y`],
  ['twice', `${key} ${key}`, `${stars} ${stars}`],
  ['beside other escapes', `"caf\\u00e9 ${key}\\n"`, `"caf\\u00e9 ${stars}\\n"`],
  ['beside a percent sign', `100% ${key}`, `100% ${stars}`],
])('masks a postback key %s to its last four characters', (_where, text, masked) => {
  expect(maskKeys(text)).toEqual({ text: masked, kinds: ['postback key'] });
});

const json = (backslashes: string) => [...key].map((character) => `${backslashes}u00${character.charCodeAt(0).toString(16)}`).join('');
const upper = [...key].map((character) => `\\u00${character.charCodeAt(0).toString(16).toUpperCase()}`).join('');
const percent = key.replaceAll('_', '%5F').replaceAll('-', '%2d');

test.each([
  ['every character as a JSON escape', json('\\')],
  ['JSON escapes in upper case', upper],
  ['JSON escapes that were escaped again', json('\\\\')],
  ['only its prefix as a JSON escape', `\\u0070bk_${key.slice(4)}`],
  ['percent-encoded', percent],
  ['UTF-16 with the low byte first', [...key].map((character) => `${character}\0`).join('')],
  ['UTF-16 with the high byte first', [...key].map((character) => `\0${character}`).join('')],
])('masks a key that is written as %s', (_how, written) => {
  const { text, kinds } = maskKeys(`{"a":"${written}"}`);
  expect(kinds).toEqual(['postback key']);
  expect(text).toContain('*'.repeat(20));
  const read = text
    .replace(/\\+u00(..)/g, (_all, code: string) => String.fromCharCode(Number.parseInt(code, 16)))
    .replace(/%(..)/g, (_all, code: string) => String.fromCharCode(Number.parseInt(code, 16)))
    .replaceAll('\0', '');
  expect(read).toBe(`{"a":"${stars}"}`);
});

test('masks API keys and webhook secrets, and names the kind of each', () => {
  const api = tokenOf('trb_');
  const secret = `whsec_${randomBytes(32).toString('base64')}`;
  const { text, kinds } = maskKeys(`${secret} ${api}`);
  expect(kinds).toEqual(['webhook secret', 'API key']);
  expect(text).toBe(`${'*'.repeat(secret.length - 4)}${secret.slice(-4)} ${'*'.repeat(api.length - 4)}${api.slice(-4)}`);
  expect(maskKeys(secret.replaceAll('/', '\\/')).text).not.toContain('whsec');
});

test.each(['', 'pbk_', 'pbk_short', 'rmc_0123456789012345678901234567890123456789012', 'whsec_x', `pb_${key.slice(4)}`])(
  'leaves %j unchanged',
  (text) => {
    expect(maskKeys(text)).toEqual({ text, kinds: [] });
  },
);

test('masks values and member names at any depth, and returns a value without a key itself', () => {
  const at = new Date();
  const value = { at, n: 5n, list: [1, { deep: [`a ${key}`] }], [key]: null };
  expect(maskKeysIn(value)).toEqual({ at, n: 5n, list: [1, { deep: [`a ${stars}`] }], [stars]: null });
  const without = { a: ['b', { c: 'd' }] };
  expect(maskKeysIn(without)).toBe(without);
});

test('keeps every other byte of a body as it was', () => {
  const [before, after] = [Buffer.from([0xff, 0xfe, 0x00, 0x80]), Buffer.from('ünï')];
  const { bytes } = maskKeysInBytes(Buffer.concat([before, Buffer.from(key), after]));
  expect(bytes.equals(Buffer.concat([before, Buffer.from(stars), after]))).toBe(true);
});

test.each([
  ['backslashes', '\\'.repeat(65_536)],
  ['beginnings of keys', 'pbk_'.repeat(16_384)],
  ['percent signs', '%'.repeat(65_536)],
  ['escaped beginnings', '\\u0070bk_'.repeat(6_553)],
  ['NULs', '\0'.repeat(65_536)],
])('reads 64 KiB of %s in a time that grows with its length only', (_what, text) => {
  expect(cpuMsOf(() => maskKeys(text))).toBeLessThan(1_500);
});

test.each([
  ['a body of 600 bytes', 600],
  ['the largest body', 16_384],
])('finds a key that is written in every way among the escapes of %s', (_what, size) => {
  const example = `pbk_${'k'.repeat(43)}`;
  const filler = String.raw`https:\/\/shop.example\/a%20b `.repeat(Math.ceil(size / 32)).slice(0, size);
  const ways: ReadonlyArray<(character: string, hex: string) => string> = [
    (character) => character,
    (_, hex) => `%${hex}`,
    (_, hex) => `%${hex.toUpperCase()}`,
    (_, hex) => String.raw`\u00${hex}`,
    (_, hex) => String.raw`\\\u00${hex}`,
    (character) => `\0${character}`,
  ];
  for (const one of ways)
    for (const other of ways) {
      const written = [...example].map((character, place) =>
        (place % 2 === 0 ? one : other)(character, character.charCodeAt(0).toString(16)),
      );
      const { text, kinds } = maskKeys(`${filler}${written.join('')}${filler}`);
      expect(kinds).toEqual(['postback key']);
      expect(text).not.toContain(written.join(''));
    }
});
