import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import fastify from 'fastify';
import { afterEach, describe, expect, test } from 'vitest';
import { captureForExpress, captureForFastify, captureForWeb } from '../../sdk/src/capture.ts';
import { clickFromCookie } from '../../sdk/src/click.ts';
import { clickIdAt } from '../capture/click-id.ts';

const ends: Array<() => unknown> = [];
afterEach(async () => {
  for (const end of ends.splice(0)) await end();
});

type Options = { readonly consent?: boolean; readonly maxAgeDays?: number };
type Fields = Readonly<Record<string, string>>;
/** Opens a page of a store and returns the cookies it set. */
type StartStore = (
  path: string,
  headers?: Fields,
  method?: string,
) => Promise<{ readonly cookies: readonly string[]; readonly cache: string | null; readonly page: string }>;
type Open = (options: Options) => Promise<StartStore>;

const consentOf = ({ consent = true, ...rest }: Options) => ({ consent: async () => consent, ...rest });

const overHttp =
  (url: string): StartStore =>
  async (path, headers = {}, method = 'GET') => {
    const response = await fetch(url + path, { method, headers });
    return { cookies: response.headers.getSetCookie(), cache: response.headers.get('cache-control'), page: await response.text() };
  };

const openFastify: Open = async (options) => {
  const app = fastify({ trustProxy: true });
  app.addHook('onRequest', captureForFastify(consentOf(options)));
  app.get('/*', async (_request, reply) => reply.header('set-cookie', 'own=1').send('a page'));
  ends.push(() => app.close());
  return overHttp(await app.listen({ port: 0 }));
};

/** The two methods that Express adds to Node's response, and the two properties that it adds to the request. */
const openExpress: Open = async (options) => {
  const capture = captureForExpress(consentOf(options));
  const server = createServer((request: IncomingMessage, response: ServerResponse) => {
    const expressRequest = Object.assign(request, {
      originalUrl: request.url ?? '',
      secure: request.headers['x-forwarded-proto'] === 'https',
    });
    const answer = Object.assign(response, {
      append: (name: string, value: string) => response.appendHeader(name, value),
      set: (name: string, value: string) => response.setHeader(name, value),
    });
    capture(expressRequest, answer, () => response.appendHeader('set-cookie', 'own=1').end('a page'));
  });
  await new Promise<void>((resolve) => server.listen(0, resolve));
  ends.push(() => server.close());
  const address = server.address();
  return overHttp(`http://127.0.0.1:${typeof address === 'object' ? address?.port : 0}`);
};

const openWeb: Open = async (options) => {
  const capture = captureForWeb(consentOf(options));
  return async (path, headers = {}, method = 'GET') => {
    const response = await capture(
      new Request(`http://shop.example${path}`, { headers, method }),
      new Response('a page', { headers: { 'set-cookie': 'own=1' } }),
    );
    return { cookies: response.headers.getSetCookie(), cache: response.headers.get('cache-control'), page: await response.text() };
  };
};

const click = clickIdAt(86_400_000);
const earlier = clickIdAt(0);
const landing = `/shoes?utm=1&rm_click=${click}`;
const ours = (cookies: readonly string[]) => cookies.filter((cookie) => cookie.startsWith('_service_click'));

describe.each([
  ['Fastify', openFastify],
  ['Express', openExpress],
  ['the web (Next)', openWeb],
])('the capture for %s', (_name, open) => {
  test('stores the click as the script does, keeps other cookies, and keeps the answer out of shared caches', async () => {
    const store = await open({});
    const { cookies, cache, page } = await store(landing);
    expect(cookies.toSorted()).toEqual([`_service_click=${click}; Path=/; Max-Age=2592000; SameSite=Lax`, 'own=1']);
    expect([cache, page]).toEqual(['private, no-store', 'a page']);
    expect(ours((await store(landing, { 'x-forwarded-proto': 'https' })).cookies)).toEqual([
      `_service_click=${click}; Path=/; Max-Age=2592000; SameSite=Lax; Secure`,
    ]);
  });

  test('stores nothing without consent, and stores the click for as long as the store configures', async () => {
    const { cookies, cache } = await (await open({ consent: false }))(landing);
    expect([ours(cookies), cache]).toEqual([[], null]);
    expect(ours((await (await open({ maxAgeDays: 7 }))(landing)).cookies)[0]).toContain('Max-Age=604800;');
  });

  test.each<readonly [string, string, Fields, string]>([
    ['a page without a click', '/shoes', {}, 'GET'],
    ['a click in the path', `/rm_click=${click}`, {}, 'GET'],
    ['a value that would end the cookie and start another', '/?rm_click=x%3B%20Domain%3Dshop.example', {}, 'GET'],
    ['a line break', '/?rm_click=x%0d%0aSet-Cookie:%20a=b', {}, 'GET'],
    ['a click that is too long', `/?rm_click=${'x'.repeat(201)}`, {}, 'GET'],
    ['a valid click after an invalid one', `/?rm_click=%20&rm_click=${click}`, {}, 'GET'],
    ['a form', landing, {}, 'POST'],
    ['an image', landing, { 'sec-fetch-dest': 'image' }, 'GET'],
    ['a prefetched page', landing, { 'sec-purpose': 'prefetch;prerender' }, 'GET'],
    ['the same page again', landing, { cookie: `a=b; _service_click=${click}` }, 'GET'],
    ['an old tab', `/?rm_click=${earlier}`, { cookie: `_service_click=${click}` }, 'GET'],
  ])('stores nothing: %s', async (_what, path, headers, method) => {
    expect(ours((await (await open({}))(path, headers, method)).cookies)).toEqual([]);
  });

  test.each<readonly [string, string]>([
    ['an earlier click', earlier],
    ['a click that shows no time', 'abc'],
    ['a value that is not a click', 'a|b'],
  ])('the last click wins over %s', async (_what, stored) => {
    expect(
      ours((await (await open({}))(landing, { cookie: `_service_click=${stored}`, 'sec-fetch-dest': 'document' })).cookies),
    ).toHaveLength(1);
  });
});

test('rejects an invalid cookie lifetime or missing consent option at setup', () => {
  for (const maxAgeDays of [0, 366, 1.5, Number.NaN])
    expect(() => captureForWeb({ consent: () => true, maxAgeDays })).toThrow('from 1 to 365');
  expect(() => captureForWeb(Object.create(null))).toThrow('consent');
});

test('requires explicit consent: a truthy value is not enough', async () => {
  const capture = captureForWeb(Object.assign(Object.create(null), { consent: () => 'denied' }));
  const response = await capture(new Request(`http://shop.example${landing}`), new Response());
  expect(response.headers.getSetCookie()).toEqual([]);
});

test.each([
  [`_service_click=${click}`, click],
  [`a=1; _service_click=${click}; b=2`, click],
  [`x_service_click=no;_service_click=${click}`, click],
  ['_service_click=', null],
  ['_service_click=a|b', null],
  [`_service_click=a|b; _service_click=${click}`, click],
  ['_service_click', null],
  ['', null],
  [undefined, null],
])('reads the cookies "%s" as the click %s', (header, found) => expect(clickFromCookie(header)).toBe(found));
