import Fastify, { type InjectOptions } from 'fastify';
import { createHash } from 'node:crypto';
import { brotliDecompressSync, gunzipSync } from 'node:zlib';
import { expect, test } from 'vitest';
import { etagOf } from '../http/static-content.ts';
import { captureScript, registerCapture } from './serve.ts';

const { path, immutablePath, integrity, content } = captureScript();
const hourAndGrace = 'public, max-age=3600, stale-while-revalidate=86400, stale-if-error=604800';
const forEver = 'public, max-age=31536000, immutable';

const app = Fastify();
registerCapture(app);
const ask = (url: string, headers: Readonly<Record<string, string>> = {}, method: InjectOptions['method'] = 'GET') =>
  app.inject({ method, url, headers });

test('v1 weighs at most 1,024 bytes gzipped', async () => {
  expect((await content.encoded('gzip')).bytes.length).toBeLessThanOrEqual(1_024);
});

// To add to v1: keep the bytes that are served now as v1.<hash>.min.js, name that file after v1.min.js in serve.ts, build, and
// write the new hash here.
test('the bytes of v1 are frozen', () => {
  expect(integrity).toBe('sha384-j1iU2aMnuKNWXRJhUYFpYSvtCLlMa7JVBcAHlhAOF75+8DoCCDE00nWfftrz4eKp');
});

test('the first release of v1 is still served to the stores that have pinned it', async () => {
  const { rawPayload } = await ask('/api/pn/sdk/v1.be2a625de53cfbaa.js');
  const pinned = 'sha384-1i2ZRYJ+F9+bCEfq5fNAvUwZcrpSiek3GY1yVY2hpYA+Wji7r0AXeOdnbdh8UJii';
  expect(`sha384-${createHash('sha384').update(rawPayload).digest('base64')}`).toBe(pinned);
});

test('the integrity on the setup page matches the served bytes', async () => {
  const { rawPayload } = await ask(immutablePath);
  expect(integrity).toBe(`sha384-${createHash('sha384').update(rawPayload).digest('base64')}`);
});

for (const [url, cacheControl] of [
  [path, hourAndGrace],
  [`${path}?consent-mode=explicit`, hourAndGrace],
  [immutablePath, forEver],
] as const) {
  test(`${url} is answered with these headers and no others, to GET and HEAD alike`, async () => {
    const expected = {
      'access-control-allow-origin': '*',
      'cache-control': cacheControl,
      'content-length': String(content.bytes.length),
      'content-type': 'text/javascript; charset=utf-8',
      'cross-origin-resource-policy': 'cross-origin',
      etag: etagOf(content.bytes),
      vary: 'Accept-Encoding',
      'x-content-type-options': 'nosniff',
    };
    for (const method of ['GET', 'HEAD'] as const) {
      const answer = await ask(url, {}, method);
      const { date, connection, ...headers } = answer.headers;
      expect([answer.statusCode, headers], method).toEqual([200, expected]);
      expect([date, connection]).toEqual([expect.any(String), 'keep-alive']);
      expect(answer.rawPayload, method).toEqual(method === 'GET' ? content.bytes : Buffer.alloc(0));
    }
  });
}

for (const [encoding, unpack] of [
  ['br', brotliDecompressSync],
  ['gzip', gunzipSync],
] as const) {
  test(`packed with ${encoding} it is the same script, with an ETag of its own`, async () => {
    const packed = await content.encoded(encoding);
    for (const method of ['GET', 'HEAD'] as const) {
      const answer = await ask(path, { 'accept-encoding': encoding }, method);
      expect(answer.headers).toMatchObject({
        'content-encoding': encoding,
        'content-length': String(packed.bytes.length),
        etag: packed.etag,
        vary: 'Accept-Encoding',
      });
      if (method === 'GET') expect(unpack(answer.rawPayload)).toEqual(content.bytes);
    }
    expect(packed.etag).not.toBe(etagOf(content.bytes));
  });
}

test('answers 304 without a body to a client that has the script', async () => {
  const { etag } = await content.encoded('gzip');
  for (const [url, cacheControl] of [
    [path, hourAndGrace],
    [immutablePath, forEver],
  ] as const) {
    for (const header of [etag, `W/${etag}`, `"other", ${etag}`, '*']) {
      const answer = await ask(url, { 'accept-encoding': 'gzip', 'if-none-match': header });
      expect([answer.statusCode, answer.body], header).toEqual([304, '']);
      expect(answer.headers).toMatchObject({ etag, 'cache-control': cacheControl, vary: 'Accept-Encoding' });
      expect(answer.headers).toMatchObject({ 'access-control-allow-origin': '*', 'cross-origin-resource-policy': 'cross-origin' });
      expect(answer.headers).not.toHaveProperty('content-length');
      expect(answer.headers).not.toHaveProperty('content-type');
    }
  }
});

test('sends the script to a client that has another encoding or an older release', async () => {
  const { etag } = await content.encoded('gzip');
  for (const header of [etagOf(content.bytes), (await content.encoded('br')).etag, '"older"', etag.replaceAll('"', '')]) {
    expect((await ask(path, { 'accept-encoding': 'gzip', 'if-none-match': header })).statusCode, header).toBe(200);
  }
});

for (const method of ['POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS'] as const) {
  test(`${method} is 405, says what is allowed, and does not look at the body`, async () => {
    for (const url of [path, `${path}?a=b`, immutablePath]) {
      const answer = await app.inject({ method, url, headers: { 'content-type': 'application/json' }, payload: 'x'.repeat(2_000_000) });
      expect([answer.statusCode, answer.headers['allow']], url).toEqual([405, 'GET, HEAD']);
      expect(answer.json(), url).toEqual({ ok: false, reason: 'method_not_allowed', message: expect.any(String) });
    }
  });
}

const unknown = ['/api/pn/sdk/v1.0123456789abcdef.js', `${immutablePath}/`, '/api/pn/sdk/v1.min.js', '/api/pn/sdk/v2.js', '/api/pn/sdk/'];

test('another hash, and any other path beside the script, is 404 in JSON that is not cached', async () => {
  for (const url of unknown) {
    for (const method of ['GET', 'POST'] as const) {
      const answer = await ask(url, {}, method);
      expect([answer.statusCode, answer.headers['cache-control']], url).toEqual([404, 'no-store']);
      expect(answer.json(), url).toEqual({ ok: false, reason: 'not_found', message: expect.any(String) });
    }
  }
});

test('sets no cookie and reads no key', async () => {
  for (const url of [path, immutablePath, ...unknown]) {
    const answer = await ask(url, { authorization: 'Bearer wrong', cookie: 'a=b', origin: 'https://shop.example' });
    expect(answer.headers, url).not.toHaveProperty('set-cookie');
    expect(answer.statusCode, url).toBe(unknown.includes(url) ? 404 : 200);
  }
});
