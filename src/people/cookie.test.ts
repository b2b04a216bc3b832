import { expect, test } from 'vitest';
import { expiredSessionCookie, sessionCookie, readSessionToken } from './cookie.ts';

const https = 'https://partners.example';
const http = 'http://localhost:3000';

test('over https the cookie is limited to this host, is sent over https only, and is hidden from scripts', () => {
  expect(sessionCookie(https, 'abc')).toBe('__Host-tributary=abc; Path=/; Max-Age=7776000; HttpOnly; SameSite=Lax; Secure');
});

test('over http, for trying out, the cookie is sent without encryption and is still hidden from scripts', () => {
  expect(sessionCookie(http, 'abc')).toBe('tributary_session=abc; Path=/; Max-Age=7776000; HttpOnly; SameSite=Lax');
});

test('sign-out removes the cookie', () => {
  expect(expiredSessionCookie(https)).toBe('__Host-tributary=; Path=/; Max-Age=0; HttpOnly; SameSite=Lax; Secure');
});

test.each([
  [https, '__Host-tributary=abc', 'abc'],
  [https, 'a=b; __Host-tributary=abc ;c=d', 'abc'],
  [https, 'tributary_session=abc', null],
  [https, 'x__Host-tributary=abc', null],
  [http, 'tributary_session=abc=def', 'abc=def'],
  [http, 'tributary_session', null],
  [http, '', null],
  [http, undefined, null],
])('of the cookies at %s, "%s" carries the token %s', (baseUrl, header, token) => {
  expect(readSessionToken(baseUrl, header)).toBe(token);
});
