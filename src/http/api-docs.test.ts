import Fastify from 'fastify';
import { brotliDecompressSync, gunzipSync } from 'node:zlib';
import { expect, test } from 'vitest';
import { describedApi } from '../../test/support/described-routes.ts';
import { registerDocs } from './api-docs.ts';

function served() {
  const app = Fastify();
  registerDocs(app, describedApi);
  return app;
}

test('the description and the page are served, each as what it is', async () => {
  const app = served();
  const json = await app.inject('/openapi.json');
  expect(json.headers['content-type']).toBe('application/json; charset=utf-8');
  expect(json.json()).toEqual(JSON.parse(JSON.stringify(describedApi())));
  const page = await app.inject('/docs');
  expect(page.headers['content-type']).toBe('text/html; charset=utf-8');
  expect(page.headers['content-security-policy']).toContain("default-src 'none'");
  expect(page.headers).toMatchObject({
    'permissions-policy': expect.stringContaining('geolocation=()'),
    'cross-origin-opener-policy': 'same-origin',
    'referrer-policy': 'no-referrer',
    'x-frame-options': 'DENY',
  });
  expect(page.body).toMatch(/^<!doctype html>/);
});

test.each(['/openapi.json', '/docs'])('%s is compressed for clients that accept it, with the same content', async (url) => {
  const app = served();
  const plain = await app.inject(url);
  const gzip = await app.inject({ url, headers: { 'accept-encoding': 'gzip' } });
  const brotli = await app.inject({ url, headers: { 'accept-encoding': 'br, gzip' } });
  expect([plain, gzip, brotli].map(({ headers }) => headers['content-encoding'])).toEqual([undefined, 'gzip', 'br']);
  expect(gunzipSync(gzip.rawPayload).equals(plain.rawPayload)).toBe(true);
  expect(brotliDecompressSync(brotli.rawPayload).equals(plain.rawPayload)).toBe(true);
  expect(new Set([plain, gzip, brotli].map(({ headers }) => headers.etag)).size).toBe(3);
});

test.each(['/openapi.json', '/docs'])('%s is sent again only when it changed', async (url) => {
  const app = served();
  const first = await app.inject(url);
  expect(first.headers['cache-control']).toBe('no-cache');
  const again = await app.inject({ url, headers: { 'if-none-match': String(first.headers.etag) } });
  expect({ status: again.statusCode, body: again.body }).toEqual({ status: 304, body: '' });
  const other = await app.inject({ url, headers: { 'if-none-match': '"other"' } });
  expect(other.statusCode).toBe(200);
});
