import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { sql } from '../../src/db/sql.ts';
import { newId, timeOfId, type Id } from '../../src/core/ids.ts';
import { invariant } from '../../src/core/invariant.ts';
import { clickIn, openMerchant, type Merchant } from '../support/merchant.ts';
import { startTestService, startTestServiceOn, type TestService } from '../support/service.ts';
import { within } from '../support/size.ts';
import { browser, clickCounts, visit, type VisitResponse } from '../support/link-visitor.ts';

let service: TestService;
/** A second service on the same database, as another process would be. */
let beside: TestService;
let merchant: Merchant;
let path: string;
beforeAll(async () => {
  service = await startTestService();
  beside = await startTestServiceOn(service.databaseUrl);
});
afterAll(() => Promise.all([service, beside].map((each) => each.stop())));
beforeEach(async () => {
  merchant = await openMerchant(service);
  path = `/r/${merchant.world.link.code}`;
});

type Row = {
  readonly clickId: Id<'click'>;
  readonly subId: string | null;
  readonly referrerHost: string | null;
  readonly addressHash: Buffer;
  readonly code: string;
};
const clicks = () =>
  merchant.database.all<Row>(sql`
    select click_id, sub_id, referrer_host, address_hash, code from clicks join links using (store_id, link_number)
    where store_id = ${merchant.storeId} order by click_id`);

test('redirects a person with a click that is committed before the reply', async () => {
  const began = Date.now();
  const arrived = await visit(service.url, path);
  const [row, ...others] = await clicks();
  expect(arrived.status).toBe(302);
  expect(arrived.location).toMatch(/^https:\/\/shop-[0-9a-f]{8}\.example\/\?rm_click=rmc_[\w-]{43}$/);
  expect(arrived.headers).toMatchObject({ 'cache-control': 'no-store', 'referrer-policy': 'strict-origin-when-cross-origin' });
  expect(arrived.headers).not.toHaveProperty('set-cookie');
  invariant(row, 'the click was written');
  expect(others).toEqual([]);
  expect(row).toMatchObject({ code: merchant.world.link.code, subId: null, referrerHost: null });
  expect(timeOfId(row.clickId).getTime()).toBeGreaterThanOrEqual(began);
  expect(await clickCounts(merchant.database, merchant.storeId)).toEqual({ click: 1 });
});

test('a click keeps the sub-id and the host of the referrer, and never an address', async () => {
  await visit(service.url, `${path}?sub=newsletter-12&rm_click=nothing`, { headers: { referer: 'https://blog.example/a/secret?q=1' } });
  await visit(service.url, `${path}?sub=${encodeURIComponent('<script>')}`, { headers: { referer: 'no address' } });
  const [first, second] = await clicks();
  expect(first).toMatchObject({ subId: 'newsletter-12', referrerHost: 'blog.example' });
  expect(second).toMatchObject({ subId: null, referrerHost: null });
  expect(first?.addressHash.length).toBe(16);
  expect(first?.addressHash).toEqual(second?.addressHash);
});

test('two people behind one address never share a click', async () => {
  const arrived = await Promise.all(Array.from({ length: 50 }, () => visit(service.url, path)));
  expect(new Set(arrived.map(({ location }) => clickIn(location))).size).toBe(50);
  // On a busy machine a visit may be redirected before its click is written.
  await expect.poll(clicks).toHaveLength(50);
});

test.each([
  ['/p?a=1&b=%20x+y', '/p?a=1&b=%20x+y&rm_click='],
  ['/p?a=%C3%A9#part/two?x=1', '/p?a=%C3%A9&rm_click=|#part/two?x=1'],
  ['/caf%C3%A9?rm_click=old&a=1&rm%5Fclick=older#top', '/caf%C3%A9?a=1&rm_click=|#top'],
])('keeps the query and fragment of a destination %s, and replaces an old click', async (destination, landing) => {
  const { site_url, id } = merchant.world.store;
  const made = await merchant.api('POST', `/stores/${id}/programs/${merchant.world.program.id}/links`, {
    creator_id: merchant.world.creator.id,
    destination_url: `${site_url}${destination}`,
  });
  expect(made.status).toBe(201);
  const arrived = await visit(service.url, `/r/${made.json.code}`);
  const clickId = clickIn(arrived.location);
  const [before = '', after = ''] = landing.split('|');
  expect(arrived.location).toBe(`${site_url}${before}${clickId}${after}`);
});

const noPersons: ReadonlyArray<readonly [kind: string, coming: Parameters<typeof visit>[2], status: number]> = [
  ['head', { method: 'HEAD' }, 302],
  ['bot', { headers: { 'user-agent': 'Mozilla/5.0 (compatible; Googlebot/2.1; +http://www.google.com/bot.html)' } }, 302],
  ['bot', { headers: { 'user-agent': 'WhatsApp/2.23.20.0' } }, 302],
  ['bot', { headers: { 'user-agent': null } }, 302],
  ['prefetch', { headers: { 'sec-purpose': 'prefetch' } }, 503],
  ['prefetch', { headers: { 'sec-purpose': 'prefetch;prerender' } }, 503],
  ['prefetch', { headers: { purpose: 'preview' } }, 503],
  ['prefetch', { headers: { 'x-moz': 'prefetch' } }, 503],
  ['subresource', { headers: { 'sec-fetch-dest': 'image' } }, 302],
  ['subresource', { headers: { 'sec-fetch-dest': 'iframe' } }, 302],
];
test.each(noPersons)('a request from %s %o gets no click, and is counted by its kind', async (kind, coming, status) => {
  const arrived = await visit(service.url, path, coming);
  expect(arrived.status).toBe(status);
  expect(arrived.headers['cache-control']).toBe('no-store');
  expect(arrived.text).not.toContain('rm_click');
  if (status === 302) expect(arrived.location).toBe(`${merchant.world.store.site_url}/`);
  else expect(arrived.location).toBeNull();
  await expect.poll(() => clickCounts(merchant.database, merchant.storeId)).toEqual({ [kind]: 1 });
  expect(await clicks()).toEqual([]);
});

const member = async () => {
  const { store, program } = merchant.world;
  const { json } = await merchant.api('GET', `/stores/${store.id}/programs/${program.id}/members`);
  return `/stores/${store.id}/programs/${program.id}/members/${json.data[0].id}`;
};
const closings: ReadonlyArray<readonly [string, () => Promise<{ readonly status: number }>]> = [
  ['its member is paused', async () => merchant.api('PATCH', await member(), { status: 'paused' })],
  ['its member is removed', async () => merchant.api('PATCH', await member(), { status: 'removed' })],
  ['its program is paused', () => merchant.api('POST', `/stores/${merchant.world.store.id}/programs/${merchant.world.program.id}/pause`)],
  ['its store is archived', () => merchant.api('POST', `/stores/${merchant.world.store.id}/archive`)],
];
test.each(closings)(
  'a link still redirects to the store, without a click, when %s; another process applies it within 2 s',
  async (_when, close) => {
    const both = [service, beside];
    for (const { url } of both) expect((await visit(url, path)).location).toContain('rm_click=');
    expect((await close()).status).toBe(200);
    const closedAt = performance.now();
    for (const { url } of both) {
      await expect.poll(async () => (await visit(url, path)).location).toBe(`${merchant.world.store.site_url}/`);
    }
    expect(performance.now() - closedAt).toBeLessThan(within(2_000));
    await expect.poll(async () => (await clickCounts(merchant.database, merchant.storeId))['paused']).toBeGreaterThanOrEqual(2);
    expect((await clickCounts(merchant.database, merchant.storeId))['click']).toBe((await clicks()).length);
  },
);

test('removes an old click from the destination if the link earns nothing', async () => {
  const { store, program, creator } = merchant.world;
  const made = await merchant.api('POST', `/stores/${store.id}/programs/${program.id}/links`, {
    creator_id: creator.id,
    destination_url: `${store.site_url}/?a=1&rm_click=old`,
  });
  const arrived = await visit(service.url, `/r/${made.json.code}`, { method: 'HEAD' });
  expect(arrived.location).toBe(`${store.site_url}/?a=1`);
});

test('raw and filtered counts are exact while two processes count concurrently, and after they are merged', async () => {
  const second = await startTestServiceOn(service.databaseUrl);
  const day = new Date(merchant.at()).toISOString().slice(0, 10);
  try {
    const comings = Array.from({ length: 400 }, (_none, place) => ({
      url: place % 2 === 0 ? service.url : second.url,
      userAgent: place % 5 === 0 ? 'curl/8.5.0' : browser,
    }));
    const arrived = await Promise.all(comings.map(({ url, userAgent }) => visit(url, path, { headers: { 'user-agent': userAgent } })));
    const withClick = (all: readonly VisitResponse[]) => all.filter(({ location }) => location?.includes('rm_click=')).length;
    expect(withClick(arrived)).toBe(320);
    expect(await clicks()).toHaveLength(320);
    await expect.poll(() => clickCounts(merchant.database, merchant.storeId)).toEqual({ bot: 80, click: 320 });
  } finally {
    await second.stop();
  }
  await merchant.moveClock('2d');
  expect(await clickCounts(merchant.database, merchant.storeId)).toEqual({ bot: 80, click: 320 });
  const slots = await merchant.database.all<{ slot: number; what: string }>(sql`
    select slot, what from link_days where store_id = ${merchant.storeId} and day = ${day}::date order by what`);
  expect(slots).toEqual([
    { slot: -1, what: 'bot' },
    { slot: -1, what: 'click' },
  ]);
});

test('each click has its own ID, also within one millisecond', () => {
  const at = new Date();
  expect(new Set(Array.from({ length: 10_000 }, () => newId<'click'>(at))).size).toBe(10_000);
});
