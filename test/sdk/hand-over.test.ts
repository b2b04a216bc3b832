import { describe, expect, test } from 'vitest';
import { clickFromCookie, clickSetCookie } from '../../sdk/src/click.ts';
import { createHandOver, handOverParameter, handOverUrl, readHandOver } from '../../sdk/src/hand-over.ts';
import { clickIdAt } from '../capture/click-id.ts';

const nowMs = Date.parse('2026-03-10T12:00:00Z');
const click = clickIdAt(nowMs);
const options = { secret: 'sample-secret-of-32-characters-0', trackingKey: 'tk_sample', checkoutHost: 'pay.example', nowMs };
const value = createHandOver(click, options) ?? '';
const later = (seconds: number) => ({ ...options, nowMs: nowMs + seconds * 1_000 });
const withPart = (index: number, part: string): string => {
  const [expires = '', signature = '', ...rest] = value.split('.');
  return [expires, signature, rest.join('.')].map((now, at) => (at === index ? part : now)).join('.');
};
const part = (index: number): string => value.split('.')[index] ?? '';

test('the checkout reads the click that the shop handed over', () => {
  expect(value).toMatch(/^\d{10}\.[\w-]{43}\.rmc_/);
  expect(readHandOver(value, options)).toBe(click);
  expect(readHandOver(value, { ...options, checkoutHost: 'PAY.example' })).toBe(click);
});

test('a URL of the checkout carries the hand-over, or is left as it is without a click', () => {
  const { checkoutHost: _host, ...shop } = options;
  const url = new URL(handOverUrl('https://pay.example/cart?id=7&rm_handover=old', click, shop));
  expect(url.searchParams.get('id')).toBe('7');
  expect(url.searchParams.getAll(handOverParameter)).toEqual([value]);
  expect(handOverUrl('https://pay.example/cart?id=7', null, shop)).toBe('https://pay.example/cart?id=7');
  expect(createHandOver('not a click; Domain=x', options)).toBeNull();
  expect(() => handOverUrl('http://pay.example/', click, shop)).toThrow(/https/);
});

describe('a hand-over is not accepted', () => {
  test('after it expires, also when it is replayed', () => {
    expect(readHandOver(value, later(299))).toBe(click);
    expect(readHandOver(value, later(299))).toBe(click);
    expect(readHandOver(value, later(300))).toBeNull();
    expect(readHandOver(value, later(86_400))).toBeNull();
  });

  test('with another click, time, or signature', () => {
    expect(readHandOver(withPart(2, clickIdAt(nowMs + 1)), options)).toBeNull();
    expect(readHandOver(withPart(2, `${click}x`), options)).toBeNull();
    expect(readHandOver(withPart(0, String(Number(part(0)) + 1)), options)).toBeNull();
    for (let at = 0; at < 43; at++) {
      const signature = part(1);
      const changed = signature.slice(0, at) + (signature[at] === 'A' ? 'B' : 'A') + signature.slice(at + 1);
      expect(readHandOver(withPart(1, changed), options)).toBeNull();
    }
  });

  test('with another spelling of the same signature', () => {
    const alphabet = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_';
    const signature = part(1);
    const place = alphabet.indexOf(signature.at(-1) ?? '');
    for (const other of [place ^ 1, place ^ 2, place ^ 3]) {
      const spelled = signature.slice(0, -1) + alphabet[other];
      expect(Buffer.from(spelled, 'base64url')).toEqual(Buffer.from(signature, 'base64url'));
      expect(readHandOver(withPart(1, spelled), options)).toBeNull();
    }
  });

  test('by another store, for another checkout, or with another secret', () => {
    expect(readHandOver(value, { ...options, trackingKey: 'tk_other' })).toBeNull();
    expect(readHandOver(value, { ...options, checkoutHost: 'pay.example.evil.example' })).toBeNull();
    expect(readHandOver(value, { ...options, secret: 'another-secret-of-32-characters-' })).toBeNull();
  });

  test('with a life that is longer than a hand-over can have', () => {
    expect(readHandOver(value, { ...options, nowMs: nowMs - 3_600_000 })).toBeNull();
    expect(() => createHandOver(click, { ...options, lifeSeconds: 901 })).toThrow(RangeError);
  });

  test.each([
    null,
    undefined,
    '',
    '.',
    '..',
    value.slice(1),
    `${value}\n`,
    ` ${value}`,
    `${value};x`,
    value.replace('.', '%2E'),
    'x'.repeat(10_000),
  ])('in a malformed form: %j', (malformed) => {
    expect(readHandOver(malformed, options)).toBeNull();
  });
});

test('during a rotation, both secrets are accepted, and the first one signs', () => {
  const rotated = { ...options, secret: ['another-secret-of-32-characters-', options.secret] };
  expect(readHandOver(value, rotated)).toBe(click);
  const fresh = createHandOver(click, rotated);
  expect(readHandOver(fresh, rotated)).toBe(click);
  expect(readHandOver(fresh, options)).toBeNull();
});

test.each([
  [{ secret: 'short' }, /at least 32/],
  [{ secret: [] }, /at least 32/],
  [{ trackingKey: '' }, /trackingKey/],
  [{ trackingKey: 'tk\nx' }, /trackingKey/],
  [{ checkoutHost: 'https://pay.example' }, /checkoutHost/],
  [{ checkoutHost: 'pay.example\n' }, /checkoutHost/],
])('an invalid configuration throws: %j', (wrong, message) => {
  expect(() => createHandOver(click, { ...options, ...wrong })).toThrow(message);
  expect(() => readHandOver(value, { ...options, ...wrong })).toThrow(message);
});

test('the cookie is the one of the capture script', () => {
  const cookie = clickSetCookie(click, { isSecure: true });
  expect(cookie).toBe(`_service_click=${click}; Path=/; Max-Age=2592000; SameSite=Lax; Secure`);
  expect(clickSetCookie(click, { isSecure: false, maxAgeDays: 7 })).toBe(`_service_click=${click}; Path=/; Max-Age=604800; SameSite=Lax`);
  expect(clickFromCookie(cookie.split(';')[0])).toBe(click);
  expect(() => clickSetCookie('x; Domain=evil.example', { isSecure: true })).toThrow(/click ID/);
  expect(() => clickSetCookie(click, { isSecure: true, maxAgeDays: 366 })).toThrow(RangeError);
});
