import { afterAll, expect, test } from 'vitest';
import { expectSuccess } from '../support/billing.ts';
import { addTeamMember } from '../support/isolation-world.ts';
import { merchantIn, otherMerchant } from '../support/merchant.ts';
import { startTestService } from '../support/service.ts';
import { ownApp, startShopify } from '../support/shopify-server.ts';
import { connectOwnApp, deliver, postClick, postTo, processed, sell, shopName, signature } from './shopify-shop.ts';

const shopify = await startShopify();
const [shop, otherShop] = [shopify.addShop(shopName), shopify.addShop('other.myshopify.com')];
const service = await startTestService({ SHOPIFY_API: shopify.host, TRUSTED_PROXIES: '127.0.0.1' });
const merchant = merchantIn(service, await service.seed());
const other = otherMerchant(merchant);
await merchant.moveClock('2d');
expectSuccess(await connectOwnApp(merchant));
expectSuccess(await connectOwnApp(other, { shop: otherShop.name }));
afterAll(async () => {
  shopify.close();
  await merchant.service.stop();
});

const path = () => `/stores/${merchant.world.store.id}/shopify`;
const now = () => new Date(merchant.at());
const clickEarlier = () => merchant.clickAt(new Date(merchant.at(-60_000)));
const stored = async (): Promise<number> => (await merchant.api('GET', `${path()}/orders`)).json.data.length;
const becomes = async (orderId: string) => (await processed(merchant)).find(({ order_id: id }) => id === orderId);

test('only webhooks that the secret of the app signed, byte by byte, are stored', async () => {
  const { paid } = sell(shop, { at: now(), click: await clickEarlier() });
  const { raw, topic } = paid();
  expect(await deliver(merchant, paid(), { secret: 'shpss_other' })).toBe(401);
  expect(await deliver(merchant, paid(), { headers: { 'x-shopify-hmac-sha256': '' } })).toBe(401);
  expect(
    await deliver(merchant, { topic, raw: `${raw} ` }, { headers: { 'x-shopify-hmac-sha256': signature(raw, ownApp.clientSecret) } }),
  ).toBe(401);
  expect(await deliver(merchant, paid(), { shop: otherShop.name })).toBe(401);
  expect(await stored()).toBe(0);
  const { health } = (await merchant.api('GET', path())).json;
  expect(health).toContainEqual({ check: 'signatures', is_ok: false, message: expect.stringContaining('client secret') });
  expect(await deliver(merchant, paid())).toBe(200);
  expect(await stored()).toBe(1);
});

test('a webhook of another shop of the same app, replayed with forged headers, names an order that this shop does not have', async () => {
  const theirs = sell(otherShop, { at: now(), click: await clickEarlier() });
  expect(await deliver(merchant, theirs.paid())).toBe(200);
  expect(await becomes(theirs.id)).toMatchObject({ state: 'waiting', reason: 'shopify_order_missing' });
  const uninstalled = { topic: 'app/uninstalled', raw: JSON.stringify({ id: 1, myshopify_domain: otherShop.name }) };
  expect(await deliver(merchant, uninstalled)).toBe(400);
  expect(await deliver(merchant, { topic: 'app/uninstalled', raw: theirs.paid().raw })).toBe(400);
  expect((await merchant.api('GET', path())).json.is_connected).toBe(true);
});

test('a replayed webhook records nothing, and another store sees nothing of it', async () => {
  const order = sell(shop, { at: now(), click: await clickEarlier() });
  for (let times = 0; times < 4; times += 1) expect(await deliver(merchant, order.paid())).toBe(200);
  await processed(merchant);
  for (let times = 0; times < 4; times += 1) expect(await deliver(merchant, order.paid())).toBe(200);
  expect(await becomes(order.id)).toMatchObject({ state: 'done' });
  expect(await merchant.commissionOf(order.id)).toMatchObject({ state: 'pending', amountCents: 1_000n });
  expect((await other.api('GET', `/stores/${other.world.store.id}/shopify/orders`)).json.data).toEqual([]);
});

test('a huge body, a topic that is not used, and signed bytes that name no order are rejected or ignored', async () => {
  const count = await stored();
  const huge = JSON.stringify({ id: 1, padding: 'a'.repeat(2_000_000) });
  expect(await deliver(merchant, { topic: 'orders/paid', raw: huge })).toBe(413);
  for (const topic of ['orders/create', '', 'ORDERS_PAID', '__proto__', 'constructor'])
    expect([topic, await deliver(merchant, { topic, raw: '{"id":1}' })]).toEqual([topic, 200]);
  for (const raw of ['{', '[]', 'null', '{}', '{"id":-1}', '{"id":1.5}', '{"id":"a"}', '{"id":null}', '{"id":{"id":1}}', '\ufeff{"id":1}'])
    expect([raw, await deliver(merchant, { topic: 'orders/paid', raw })]).toEqual([raw, 400]);
  expect(await stored()).toBe(count);
  const unknown = {
    ...merchant,
    world: { ...merchant.world, store: { ...merchant.world.store, id: `${merchant.world.store.id.slice(0, -6)}000000` } },
  };
  expect(await deliver(unknown, { topic: 'orders/paid', raw: '{"id":1}' })).toBe(404);
  expect(await postTo(merchant, '/api/v1/providers/shopify/privacy', { raw: '{}', headers: {} })).toBe(404);
});

test('an ID beyond 2^53, as in Shopify’s examples, keeps all its digits', async () => {
  expect(await deliver(merchant, { topic: 'orders/paid', raw: '{"id":820982911946154508}' })).toBe(200);
  expect(await becomes('820982911946154508')).toMatchObject({ state: 'waiting', reason: 'shopify_order_missing' });
});

test('a posted click earns only for a checkout token that Shopify signed, within an hour, and not if two browsers disagree', async () => {
  const guessed = sell(shop, { at: now() });
  expect(await postClick(merchant, guessed.id, await clickEarlier())).toBe(204);
  expect(await postClick(merchant, 'a'.repeat(40), await clickEarlier())).toBe(204);
  expect(await deliver(merchant, guessed.paid())).toBe(200);
  expect(await becomes(guessed.id)).toMatchObject({ state: 'ignored', reason: 'no_click' });

  const own = sell(shop, { at: now(), click: await clickEarlier() });
  const stolen = await clickEarlier();
  expect(await postClick(merchant, own.checkoutToken, stolen)).toBe(204);
  expect(await deliver(merchant, own.paid())).toBe(200);
  expect((await becomes(own.id))?.click_id).not.toBe(stolen);

  const disputed = sell(shop, { at: now() });
  for (const click of [await clickEarlier(), await clickEarlier()])
    expect(await postClick(merchant, disputed.checkoutToken, click)).toBe(204);
  expect(await deliver(merchant, disputed.paid())).toBe(200);
  expect(await becomes(disputed.id)).toMatchObject({ state: 'ignored' });

  const old = sell(shop, { at: new Date(merchant.at(-2 * 3_600_000)) });
  expect(await postClick(merchant, old.checkoutToken, await merchant.clickAt(new Date(merchant.at(-3 * 3_600_000))))).toBe(204);
  expect(await deliver(merchant, old.paid())).toBe(200);
  expect(await becomes(old.id)).toMatchObject({ state: 'ignored' });

  const forged = sell(shop, { at: now() });
  expect(await postClick(merchant, forged.checkoutToken, `rmc_${'A'.repeat(43)}`)).toBe(204);
  expect(await deliver(merchant, forged.paid())).toBe(200);
  expect(await becomes(forged.id)).toMatchObject({ state: 'failed', reason: 'unknown_referral_click' });
});

test('posts of clicks are small and few, and the answer reveals nothing', async () => {
  const clicks = `/api/v1/providers/shopify/stores/${merchant.world.store.id}/clicks`;
  const post = (raw: string) => postTo(merchant, clicks, { raw, headers: { 'content-type': 'text/plain' } });
  expect(await post('a'.repeat(1_100))).toBe(413);
  for (const raw of ['{', '[]', '{"checkout_token":5}', '{"checkout_token":"\u0000","click_id":"x"}']) expect(await post(raw)).toBe(204);
  const answers = await Promise.all(Array.from({ length: 40 }, () => post('{}')));
  expect(answers).toContain(429);
});

test('posts of clicks from all addresses of one IPv6 network share a limit', async () => {
  const clicks = `/api/v1/providers/shopify/stores/${merchant.world.store.id}/clicks`;
  const post = (place: number) =>
    postTo(merchant, clicks, { raw: '{}', headers: { 'content-type': 'text/plain', 'x-forwarded-for': `2001:db8:1:2::${place}` } });
  const answers = await Promise.all(Array.from({ length: 40 }, (_none, place) => post(place)));
  expect(answers.filter((status) => status === 429)).toHaveLength(10);
});

test('only those who may change the integration connect a shop, and no response or audit entry contains a secret', async () => {
  const viewer = await addTeamMember(merchant, 'viewer');
  const body = { shop: shopName, client_id: ownApp.clientId, client_secret: ownApp.clientSecret };
  expect((await viewer('PUT', path(), body)).status).toBe(403);
  expect((await viewer('DELETE', path())).status).toBe(403);
  expect((await viewer('POST', `${path()}/install`, { shop: shopName })).status).toBe(403);
  const answers = [expectSuccess(await connectOwnApp(merchant)), expectSuccess(await viewer('GET', path()))];
  const audit = expectSuccess(await merchant.api('GET', `/stores/${merchant.world.store.id}/audit-log`));
  for (const { text } of [...answers, audit]) expect(text).not.toMatch(/shp(at|rt|ss)_/);
});
