import { afterAll, beforeEach, expect, test } from 'vitest';
import { sql } from '../../src/db/sql.ts';
import { openLandingPage, pageWithTag } from '../support/landing-page.ts';
import { merchantIn, type ApiResponse, type Json, type Merchant } from '../support/merchant.ts';
import { startTestService } from '../support/service.ts';

const aPersonsBrowser = { 'user-agent': 'Mozilla/5.0 (X11; Linux x64; rv:140.0) Gecko/20100101 Firefox/140.0' };

let store: Json;
let server: Merchant;

const page = await openLandingPage();
const service = await startTestService({ OUTGOING_ALLOW: page.hostAndPort });
const merchant = merchantIn(service, await service.seed());
afterAll(async () => {
  await service.stop();
  await page.close();
});

/** Each test has its own store without any event. */
beforeEach(async () => {
  store = (await merchant.api('POST', '/stores', { name: 'Tea', site_url: page.url })).json;
  const { json: key } = await merchant.api('POST', `/stores/${store.id}/postback-keys`);
  const world = { ...merchant.world, store: { ...merchant.world.store, ...store, postback_key: key.key } };
  server = merchantIn(service, world);
  page.showHtml(pageWithTag(service.platform.config.baseUrl));
});

const call = (method: string, path: string, body?: unknown): Promise<ApiResponse> =>
  merchant.api(method, `/stores/${store.id}${path}`, body);
const check = (body: object = {}) => call('POST', '/integration/check-page', body);
const integration = async (): Promise<Json> => (await call('GET', '/integration')).json;
const passedChecks = async (): Promise<string[]> =>
  (await integration()).lights.filter((light: Json) => light.is_on).map((light: Json) => light.light);
const lightOf = async (name: string): Promise<Json> => (await integration()).lights.find(({ light }: Json) => light === name);
const testLink = async (): Promise<Json> => (await call('POST', '/test-links', {})).json;
const orderOf = (clickId: string, fields: object = {}) => ({
  order_id: 'T-1',
  click_id: clickId,
  currency: 'USD',
  order_subtotal_cents: 1_000,
  occurred_at: server.at(),
  test: true,
  ...fields,
});
const openAs = (url: string, headers: Readonly<Record<string, string>>, method = 'GET') =>
  fetch(new URL(new URL(url).pathname, service.url), { redirect: 'manual', headers, method });

test('a new store has six integration checks, none passed, and each says what is missing', async () => {
  const { lights, go_live: goLive, is_ready: isReady } = await integration();
  expect(lights.map(({ light, is_on: isOn, at }: Json) => [light, isOn, at])).toEqual(
    ['key_used', 'tag_found', 'link_opened', 'test_order', 'tracking_on', 'refund_tested'].map((light) => [light, false, null]),
  );
  expect(lights.every(({ seen }: Json) => /^[A-Z].*\.$/.test(seen))).toBe(true);
  expect([isReady, goLive.filter((item: Json) => item.is_done).map(({ item }: Json) => item)]).toEqual([false, ['store_open']]);
});

test("authenticating with a key passes the key check, whatever the postback's result", async () => {
  expect((await server.convert({})).status).toBe(400);
  await expect.poll(passedChecks).toEqual(['key_used']);
});

test('a postback without a valid key passes no check', async () => {
  await server.convert({}, { authorization: 'Bearer pbk_wrong' });
  expect(await passedChecks()).toEqual([]);
});

test('from a test order to its refund, every check passes through its own event and no other', async () => {
  const link = await testLink();
  expect((await check()).json).toMatchObject({ is_working: true, tag: { is_in_head: true, loads: 'defer', consent_mode: 'granted' } });
  expect(await passedChecks()).toEqual(['tag_found']);

  expect((await server.convert(orderOf(link.click_id, { test: false }))).json.reason).toBe('test_click_not_allowed');
  expect(await passedChecks()).not.toContain('test_order');
  expect((await server.convert(orderOf(link.click_id))).json.reason).toBe('test_verified');
  expect((await passedChecks()).filter((light) => light !== 'key_used')).toEqual(['tag_found', 'test_order', 'tracking_on']);
  expect((await lightOf('link_opened')).seen).toContain('T-1 contained a copied click ID');
  expect((await lightOf('test_order')).seen).toContain('T-1');

  expect((await server.reverse({ order_id: 'T-2' })).status).toBe(404);
  expect(await passedChecks()).not.toContain('refund_tested');
  expect((await server.reverse({ order_id: 'T-1' })).status).toBe(200);
  await expect.poll(passedChecks).toHaveLength(5);
  const [made] = (await call('GET', '/test-links')).json.data;
  await openAs(made.open_url, aPersonsBrowser);
  expect(await passedChecks()).toHaveLength(6);
  expect((await lightOf('refund_tested')).seen).toContain('T-1');
});

test('opening a test link records the first time and redirects to the page with the click', async () => {
  const made = await testLink();
  expect(Object.keys(made).toSorted()).toEqual(['click_id', 'expires_at', 'url']);
  const [link] = (await call('GET', '/test-links')).json.data;
  expect(link).toMatchObject({ ...made, opened_at: null });

  const answer = await openAs(link.open_url, aPersonsBrowser);
  expect([answer.status, answer.headers.get('location'), answer.headers.get('cache-control')]).toEqual([302, made.url, 'no-store']);
  const { opened_at: at } = (await call('GET', '/test-links')).json.data[0];
  expect(at).not.toBeNull();
  expect(await passedChecks()).toEqual(['link_opened']);
  await merchant.moveClock('1m');
  await openAs(link.open_url, aPersonsBrowser);
  expect((await call('GET', '/test-links')).json.data[0].opened_at).toBe(at);
});

test.each<[what: string, headers: Readonly<Record<string, string>>, method: string, status: number]>([
  ['the preview of a chat', { 'user-agent': 'Slackbot-LinkExpanding 1.0' }, 'GET', 302],
  ['a look at the headers', aPersonsBrowser, 'HEAD', 302],
  ['a browser that fetches ahead', { ...aPersonsBrowser, 'sec-purpose': 'prefetch' }, 'GET', 503],
])('%s opens no test link', async (_what, headers, method, status) => {
  await testLink();
  const [link] = (await call('GET', '/test-links')).json.data;
  expect((await openAs(link.open_url, headers, method)).status).toBe(status);
  expect(await passedChecks()).toEqual([]);
});

test('an expired or unknown test link is a readable page for people and JSON for programs', async () => {
  await testLink();
  const [{ open_url: url }] = (await call('GET', '/test-links')).json.data;
  await merchant.moveClock('25h');
  expect((await call('GET', '/test-links')).json.data).toEqual([]);
  for (const gone of [url, url.replace(/.{4}$/, '0000'), 'http://x/t/x', 'http://x/t/%00']) {
    const asPerson = await openAs(gone, { ...aPersonsBrowser, accept: 'text/html' });
    expect([asPerson.status, asPerson.headers.get('content-type')]).toEqual([404, 'text/html; charset=utf-8']);
    expect(await asPerson.text()).toContain('This test link leads nowhere');
    expect(await (await openAs(gone, aPersonsBrowser)).json()).toMatchObject({ ok: false, reason: 'unknown_link' });
  }
});

test.each<[what: string, show: () => void, code: string]>([
  ['without the tag', () => page.showHtml('<!doctype html><head></head><body>Tea</body>'), 'tag_missing'],
  [
    'whose policy blocks the tag',
    () =>
      page.show((_request, response) => {
        response.setHeader('content-type', 'text/html').setHeader('content-security-policy', "script-src 'self'");
        response.end(pageWithTag(service.platform.config.baseUrl));
      }),
    'blocked_by_policy',
  ],
  [
    'behind a redirect that drops the click',
    () =>
      page.show((request, response) => {
        if (request.url?.includes('rm_click')) return void response.writeHead(302, { location: '/' }).end();
        return void response.setHeader('content-type', 'text/html').end(pageWithTag(service.platform.config.baseUrl));
      }),
    'click_lost',
  ],
  ['that is broken', () => page.show((_request, response) => void response.writeHead(500).end('oh')), 'not_ok'],
  ['that hangs up', () => page.show((request) => void request.socket.destroy()), 'not_reached'],
])('a landing page %s does not pass the check, and the check says why', async (_what, show, code) => {
  show();
  const { json } = await check();
  expect(json.is_working).toBe(false);
  expect(json.findings.map((finding: Json) => finding.code)).toContain(code);
  const light = await lightOf('tag_found');
  expect(light).toMatchObject({ is_on: false, at: json.at });
  expect(json.findings.map(({ message }: Json) => message)).toContain(light.seen);
});

test('a page with characters that the database cannot store is checked like any other', async () => {
  page.showHtml(pageWithTag(service.platform.config.baseUrl).replace('<script', '<script data-tea="gr\u0000een"'));
  const looked = await check();
  expect([looked.status, looked.json.is_working]).toEqual([200, true]);
  expect(await passedChecks()).toEqual(['tag_found']);
});

test('the latest page check counts: a removed tag fails the check again', async () => {
  await check();
  expect(await passedChecks()).toEqual(['tag_found']);
  page.showHtml('<!doctype html>');
  await check();
  expect(await passedChecks()).toEqual([]);
});

test('checks only the page that the program’s links lead to, or a page of the store that the request names', async () => {
  await call('POST', '/programs', { name: 'P', landing_url: `${page.url}/spring` });
  expect((await check()).json.page_url).toBe(`${page.url}/spring`);
  expect((await check({ url: `${page.url}/autumn` })).json.page_url).toBe(`${page.url}/autumn`);
  const requestCount = page.requestedPaths.length;
  for (const url of ['http://169.254.169.254/', 'file:///etc/passwd', 'https://elsewhere.example/']) {
    expect(await check({ url })).toMatchObject({ status: 422, json: { errors: [{ field: 'url' }] } });
  }
  expect(page.requestedPaths.length).toBe(requestCount);
});

test('never fetches an address of our own network, and the response says so', async () => {
  const inside = (await merchant.api('POST', '/stores', { name: 'Inside', site_url: 'http://127.0.0.1:9' })).json;
  const { json } = await merchant.api('POST', `/stores/${inside.id}/integration/check-page`, {});
  expect(json).toMatchObject({ is_working: false, status: null, findings: [{ code: 'not_reached' }] });
  expect(json.findings[0].message).toContain('not on the public internet');
});

test('checks one page at a time and ten an hour, and answers the next request with Retry-After', async () => {
  const held: Array<() => void> = [];
  const release = () => held.splice(0).forEach((end) => end());
  page.show((_request, response) => void held.push(() => void response.end('tea')));
  const ended: ApiResponse[] = [];
  const atOnce = Array.from({ length: 8 }, async () => void ended.push(await check()));
  await expect.poll(() => ended.length).toBe(7);
  release();
  await Promise.all(atOnce);
  expect(ended.map(({ status }) => status).toSorted()).toEqual([200, 429, 429, 429, 429, 429, 429, 429]);
  const [second] = ended;
  expect([second?.json.reason, Number(second?.headers.get('retry-after')) > 0]).toEqual(['too_many_requests', true]);

  page.showHtml('tea');
  for (let more = 2; more <= 10; more++) expect((await check()).status).toBe(200);
  const eleventh = await check();
  expect([eleventh.status, Number(eleventh.headers.get('retry-after')) > 60]).toEqual([429, true]);
  const { count } = await merchant.database.one<{ count: bigint }>(
    sql`select count(*) as count from integration_checks where page_url = ${page.url}`,
  );
  expect(Number(count)).toBeGreaterThanOrEqual(10);
});

test('terms that begin later are not in force: the go-live list marks the program as done on the day they begin, not before', async () => {
  const programItem = async () => (await integration()).go_live.find(({ item }: Json) => item === 'program').is_done;
  await server.convert(orderOf((await testLink()).click_id));
  const { json: program } = await call('POST', '/programs', { name: 'Spring', landing_url: page.url });
  const tomorrow = server.at(25 * 3_600_000);
  await call('POST', `/programs/${program.id}/terms`, { order_rules: [{ basis_points: 1_000 }], effective_from: tomorrow });
  expect((await call('POST', `/programs/${program.id}/publish`)).status).toBe(200);
  expect(await programItem()).toBe(false);
  await merchant.moveClock('26h');
  expect(await programItem()).toBe(true);
});

test('the go-live list marks its items from the actual state', async () => {
  const done = async () => (await integration()).go_live.filter((item: Json) => item.is_done).map(({ item }: Json) => item);
  await call('PUT', '/payment-method', { sandbox: 'ok' });
  expect(await done()).toEqual(['store_open', 'payment_method']);
  await call('POST', '/integration/disable');
  expect(await done()).toEqual(['payment_method']);
  await call('POST', '/integration/enable');

  await server.convert(orderOf((await testLink()).click_id));
  await expect.poll(done).toEqual(['one_key', 'store_open', 'payment_method']);
  const { json: program } = await call('POST', '/programs', { name: 'P', landing_url: page.url });
  await call('POST', `/programs/${program.id}/terms`, { order_rules: [{ basis_points: 1_000 }], subscription_rules: [], pays: 'order' });
  expect(await done()).not.toContain('program');
  await call('POST', `/programs/${program.id}/publish`);
  expect(await done()).toContain('program');

  const creatorId = merchant.world.creator.id;
  const { json: member } = await call('POST', `/programs/${program.id}/members`, { creator_id: creatorId });
  if (member.status !== 'approved') await call('PATCH', `/programs/${program.id}/members/${member.id}`, { status: 'approved' });
  expect(await done()).not.toContain('link');
  await call('POST', `/programs/${program.id}/links`, { creator_id: creatorId });
  expect(await done()).toContain('link');

  await call('POST', '/postback-keys');
  expect(await done()).not.toContain('one_key');
  const { is_ready: isReady } = await integration();
  expect(isReady).toBe(false);
});

test('a person outside the store sees nothing of its integration, and a reader cannot start a page check', async () => {
  const { url } = service;
  const as = (key: string, method: string, path: string) =>
    fetch(`${url}/api/v1/stores/${store.id}${path}`, { method, headers: { authorization: `Bearer ${key}` } });
  const { json: others } = await merchant.api('POST', `/stores/${merchant.world.store.id}/api-keys`, { name: 'k', scopes: ['store:read'] });
  for (const [method, path] of [
    ['GET', '/integration'],
    ['POST', '/integration/check-page'],
    ['GET', '/test-links'],
    ['POST', '/lint'],
  ] as const) {
    expect((await as(others.key, method, path)).status).toBe(404);
  }
  const { json: readers } = await call('POST', '/api-keys', { name: 'k', scopes: ['store:read'] });
  expect((await as(readers.key, 'GET', '/integration')).status).toBe(200);
  expect((await as(readers.key, 'POST', '/integration/check-page')).status).toBe(403);
});
