import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { request } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { brotliDecompressSync, gunzipSync } from 'node:zlib';
import { afterAll, expect, test } from 'vitest';
import { createServer } from './server.ts';
import { registerDashboards } from './dashboards.ts';

const html = '<!doctype html><meta name="tributary-mode" content="__mode__" /><title>Tributary</title>';
const script = 'console.log("a script long enough to be worth packing");\n'.repeat(40);

const folder = mkdtempSync(join(tmpdir(), 'tributary-web-'));
mkdirSync(join(folder, 'assets'));
writeFileSync(join(folder, 'index.html'), html);
writeFileSync(join(folder, '.built-from'), 'a mark of the builder');
writeFileSync(join(folder, 'icon.svg'), '<svg xmlns="http://www.w3.org/2000/svg"/>');
writeFileSync(join(folder, 'assets', 'index-abc123.js'), script);
const app = createServer({ trustedProxies: [], problemFormats: [], isTemporary: () => false, onError: () => {} });
app.get('/things', async () => ({ ok: true, reason: 'found' }));
app.post('/made', async () => ({ ok: true, reason: 'made' }));
registerDashboards(app, folder, 'sandbox');
const port = Number(new URL(await app.listen({ host: '127.0.0.1', port: 0 })).port);
afterAll(async () => {
  await app.close();
  rmSync(folder, { recursive: true, force: true });
});

type Came = { readonly status: number; readonly headers: Readonly<Record<string, string | string[] | undefined>>; readonly bytes: Buffer };

/** Node's own client: it unpacks nothing and mends no path. */
function ask(path: string, headers: Readonly<Record<string, string>> = {}, method = 'GET'): Promise<Came> {
  return new Promise((resolve, reject) => {
    const asking = request({ host: '127.0.0.1', port, path, method, headers }, (answer) => {
      const chunks: Buffer[] = [];
      answer.on('data', (chunk: Buffer) => chunks.push(chunk));
      answer.on('end', () => resolve({ status: answer.statusCode ?? 0, headers: answer.headers, bytes: Buffer.concat(chunks) }));
    });
    asking.on('error', reject).end();
  });
}

const browser = { accept: 'text/html,application/xhtml+xml,*/*;q=0.8' };

test('a page contains the mode of the service', async () => {
  expect((await ask('/sign-in', browser)).bytes.toString()).toContain('name="tributary-mode" content="sandbox"');
});

test.each(['/', '/sign-in', '/stores', '/stores/store_x/programs/new', '/operator/mails?a=b', '/link'])(
  'a browser that opens %s gets the page, and revalidates a cached copy',
  async (path) => {
    const { status, headers, bytes } = await ask(path, browser);
    expect(status).toBe(200);
    expect(headers['content-type']).toBe('text/html; charset=utf-8');
    expect(headers['cache-control']).toBe('no-cache');
    expect(bytes.toString()).toContain('<title>Tributary</title>');
  },
);

test('the page lets no other script and no inline style sheet in, and no other page around it', async () => {
  const { headers } = await ask('/', browser);
  const policy = String(headers['content-security-policy']);
  expect(policy).toContain("default-src 'none'; script-src 'self'; style-src 'self';");
  expect(policy).toContain("frame-ancestors 'none'");
  expect(policy).not.toContain('unsafe');
  expect(headers).toMatchObject({
    'x-content-type-options': 'nosniff',
    'x-frame-options': 'DENY',
    'referrer-policy': 'same-origin',
    'cross-origin-opener-policy': 'same-origin',
    'permissions-policy': expect.stringContaining('camera=(), display-capture=()'),
  });
});

test('a mistyped address is 404 also where a browser is shown the page that says so', async () => {
  const { status, bytes } = await ask('/storess', browser);
  expect(status).toBe(404);
  expect(bytes.toString()).toContain('<title>Tributary</title>');
});

test.each([
  ['/sign-in', { accept: 'application/json' }],
  ['/sign-in', {}],
  ['/api/v1/nothing', browser],
  ['/.built-from', {}],
  ['/assets/', {}],
  ['/assets/../../package.json', {}],
  ['/assets/%2e%2e/index.html', {}],
  ['/index.html', {}],
])('%s asked with %j is the JSON of what is not there', async (path, headers) => {
  const { status, bytes } = await ask(path, headers);
  expect(status).toBe(404);
  expect(JSON.parse(bytes.toString())).toMatchObject({ ok: false, reason: 'not_found' });
});

test('a file is packed as the browser likes it, and is the same unpacked', async () => {
  const path = '/assets/index-abc123.js';
  const plain = await ask(path);
  expect(plain.bytes.toString()).toBe(script);
  expect(plain.headers['content-encoding']).toBeUndefined();
  const br = await ask(path, { 'accept-encoding': 'gzip, deflate, br' });
  expect(br.headers).toMatchObject({ 'content-encoding': 'br', vary: 'Accept-Encoding' });
  expect(brotliDecompressSync(br.bytes).toString()).toBe(script);
  const gzip = await ask(path, { 'accept-encoding': 'gzip' });
  expect(gunzipSync(gzip.bytes).toString()).toBe(script);
});

test('what has a hash in its name is kept for ever, all else is asked for again and 304 while it is the same', async () => {
  const asset = await ask('/assets/index-abc123.js');
  expect(asset.headers).toMatchObject({
    'content-type': 'text/javascript; charset=utf-8',
    'cache-control': 'public, max-age=31536000, immutable',
    'x-content-type-options': 'nosniff',
  });
  const icon = await ask('/icon.svg');
  expect(icon.headers).toMatchObject({ 'content-type': 'image/svg+xml', 'cache-control': 'no-cache' });
  const again = await ask('/icon.svg', { 'if-none-match': String(icon.headers['etag']) });
  expect([again.status, again.bytes.length]).toEqual([304, 0]);
});

test('HEAD answers like GET without the bytes', async () => {
  const head = await ask('/assets/index-abc123.js', {}, 'HEAD');
  expect([head.status, head.bytes.length]).toEqual([200, 0]);
  expect(head.headers['content-type']).toBe('text/javascript; charset=utf-8');
});

test('the pages take nothing from the addresses beside them', async () => {
  expect((await ask('/things', browser)).bytes.toString()).toContain('found');
  expect((await ask('/made', { accept: 'application/json' })).status).toBe(405);
  expect((await ask('/stores', {}, 'POST')).status).toBe(404);
});

test('a folder without the page fails the start', () => {
  const empty = mkdtempSync(join(tmpdir(), 'tributary-web-'));
  expect(() =>
    registerDashboards(
      createServer({ trustedProxies: [], problemFormats: [], isTemporary: () => false, onError: () => {} }),
      empty,
      'live',
    ),
  ).toThrow('the dashboards were built');
  rmSync(empty, { recursive: true });
});
