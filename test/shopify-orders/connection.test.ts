import { createHmac } from 'node:crypto';
import { afterAll, beforeEach, expect, test } from 'vitest';
import { sql } from '../../src/db/sql.ts';
import { realNow } from '../../src/core/time.ts';
import { expectSuccess } from '../support/billing.ts';
import { merchantIn, otherMerchant } from '../support/merchant.ts';
import { signIn, type ApiClient } from '../support/portal.ts';
import { startTestService } from '../support/service.ts';
import { installationApp, startShopify, type StandInShop } from '../support/shopify-server.ts';
import { connectOwnApp, deliver, postTo, processed, sell, shopName, signature } from './shopify-shop.ts';

let shop: StandInShop;

const shopify = await startShopify();
const { clientId, clientSecret } = installationApp;
const service = await startTestService({
  SHOPIFY_API: shopify.host,
  SHOPIFY_CLIENT_ID: clientId,
  SHOPIFY_CLIENT_SECRET: clientSecret,
  BASE_URL: 'https://partners.example',
});
const merchant = merchantIn(service, await service.seed());
const other = otherMerchant(merchant);
await merchant.moveClock('2d');
const owner = await signIn(service, merchant.world.logins.merchant);
beforeEach(async () => {
  await owner('DELETE', path());
  shop = shopify.addShop(shopName);
});
afterAll(async () => {
  shopify.close();
  await merchant.service.stop();
});

const path = () => `/stores/${merchant.world.store.id}/shopify`;
const webhooksUrl = () => `https://partners.example/api/v1/providers/shopify/stores/${merchant.world.store.id}`;
const ofInstallation = { secret: installationApp.clientSecret };
const nowSeconds = () => String(Math.floor(realNow().getTime() / 1_000));

/** The query that Shopify adds to the callback URL. */
function callback(state: string, changed: Readonly<Record<string, string>> = {}, secret = installationApp.clientSecret): string {
  const code = `code-${Math.random()}`;
  shop.codes.add(code);
  const query = { code, host: 'YWRtaW4', shop: shopName, state, timestamp: nowSeconds(), ...changed };
  const text = new URLSearchParams(Object.entries(query).toSorted()).toString().replaceAll('+', '%20');
  return `${text}&hmac=${createHmac('sha256', secret).update(text).digest('hex')}`;
}

const begin = async (client: ApiClient = owner) => expectSuccess(await client('POST', `${path()}/install`, { shop: shopName })).json;
const complete = (query: string, client: ApiClient = owner) => client('POST', `${path()}/install/complete`, { query });

test('a person installs the app: the shop gets only the webhooks that are needed, and the pixel its address', async () => {
  const { url, state } = await begin();
  const authorize = new URL(url);
  expect(`${authorize.origin}${authorize.pathname}`).toBe(`https://${shopName}/admin/oauth/authorize`);
  expect(Object.fromEntries(authorize.searchParams)).toEqual({
    client_id: installationApp.clientId,
    scope: 'read_orders,write_discounts,write_pixels,read_customer_events',
    redirect_uri: 'https://partners.example/shopify/callback',
    state,
  });
  const { json, text } = expectSuccess(await complete(callback(state)));
  expect(json).toMatchObject({ is_connected: true, shop: shopName, app: 'installation' });
  expect(json.health.filter((one: { is_ok: boolean }) => !one.is_ok)).toEqual([]);
  expect(text).not.toMatch(/shp(at|rt|ss)_/);
  expect(shop.webhooks.map(({ topic, uri, includeFields }) => [topic, uri, includeFields])).toEqual([
    ['ORDERS_PAID', webhooksUrl(), ['id', 'checkout_token']],
    ['ORDERS_CANCELLED', webhooksUrl(), ['id', 'checkout_token']],
    ['REFUNDS_CREATE', webhooksUrl(), ['id', 'order_id']],
    ['APP_UNINSTALLED', webhooksUrl(), ['id', 'myshopify_domain']],
  ]);
  expect(shop.pixel?.settings).toBe(JSON.stringify({ address: `${webhooksUrl()}/clicks` }));
  const sealed = await merchant.database.one<{ row: string }>(sql`
    select to_jsonb(c)::text as row from shopify_connections c where store_id = ${merchant.storeId}`);
  expect(sealed.row).not.toContain([...shop.tokens][0]);
});

test('a callback is accepted once, from the person who began, for the shop, signed by Shopify, and within 90 seconds', async () => {
  const { state } = await begin();
  const stale = String(Number(nowSeconds()) - 120);
  for (const query of [
    callback(state, {}, 'shpss_other'),
    callback(state).replace(shopName, 'evil.myshopify.com'),
    callback(state, { timestamp: stale }),
    callback(state, { timestamp: '' }),
    callback(`${state}x`),
    '',
  ])
    expect((await complete(query)).status).toBe(422);
  expect((await complete(callback(state), merchant.api)).status).toBe(422);
  const again = await begin();
  shopify.addShop('evil.myshopify.com');
  expect((await complete(callback(again.state, { shop: 'evil.myshopify.com' }))).status).toBe(422);
  const third = await begin();
  expect(
    (await other.api('POST', `/stores/${other.world.store.id}/shopify/install/complete`, { query: callback(third.state) })).status,
  ).toBe(422);
  const query = callback(third.state);
  expectSuccess(await complete(query));
  expect((await complete(query)).status).toBe(422);
  shop.scope = 'read_orders';
  const fourth = await begin();
  expect((await complete(callback(fourth.state))).json.message).toContain('write_discounts, write_pixels, read_customer_events');
});

test('a token that expires is renewed, and a shop belongs to one store', async () => {
  shop.expiresInSeconds = 60;
  expectSuccess(await complete(callback((await begin()).state)));
  const refreshTokens = new Set(shop.refreshTokens);
  const order = sell(shop, { at: new Date(merchant.at()), click: await merchant.clickAt(new Date(merchant.at(-60_000))) });
  expect(await deliver(merchant, order.paid(), ofInstallation)).toBe(200);
  expect((await processed(merchant))[0]).toMatchObject({ state: 'done' });
  expect(shop.refreshTokens).not.toEqual(refreshTokens);
  expect((await connectOwnApp(other)).status).toBe(409);
  shopify.addShop('second.myshopify.com');
  expect((await connectOwnApp(merchant, { shop: 'second.myshopify.com' })).status).toBe(409);
  expect((await connectOwnApp(other, { shop: 'evil.example' })).status).toBe(422);
  expect((await connectOwnApp(other, { shop: 'second.myshopify.com', secret: 'shpss_wrongOfTheTests' })).status).toBe(422);
});

const rowsLeft = async (): Promise<number> => {
  const { count } = await merchant.database.one<{ count: bigint }>(sql`
    select (select count(*) from shopify_connections where store_id = ${merchant.storeId})
      + (select count(*) from shopify_orders where store_id = ${merchant.storeId})
      + (select count(*) from shopify_clicks where store_id = ${merchant.storeId})
      + (select count(*) from shopify_installs where store_id = ${merchant.storeId})
      + (select count(*) from shopify_shops where store_id = ${merchant.storeId}) as count`);
  return Number(count);
};

test('disconnecting leaves nothing, here or in the shop, and a webhook that is still under way is not found', async () => {
  expectSuccess(await complete(callback((await begin()).state)));
  shop.webhooks.push({ id: 'gid://shopify/WebhookSubscription/0', topic: 'ORDERS_PAID', uri: 'https://other.example', includeFields: [] });
  const order = sell(shop, { at: new Date(merchant.at()), click: await merchant.clickAt(new Date(merchant.at(-60_000))) });
  expect(await deliver(merchant, order.paid(), ofInstallation)).toBe(200);
  await processed(merchant);
  expectSuccess(await owner('DELETE', path()));
  expect(await rowsLeft()).toBe(0);
  expect(shop.webhooks.map(({ uri }) => uri)).toEqual(['https://other.example']);
  expect([shop.pixel, shop.isInstalled]).toEqual([null, false]);
  expect(await deliver(merchant, order.paid(), ofInstallation)).toBe(404);
  expect((await merchant.commissionOf(order.id)).state).toBe('pending');
  expect((await owner('GET', path())).json).toMatchObject({ is_connected: false, shop: null });
});

test('an uninstalled app is disconnected, and an old message about it changes nothing after the app was installed again', async () => {
  expectSuccess(await complete(callback((await begin()).state)));
  const uninstalled = { topic: 'app/uninstalled', raw: JSON.stringify({ id: 1, myshopify_domain: shopName }) };
  const state = async () => (await owner('GET', path())).json.is_connected;
  expect(await deliver(merchant, uninstalled, ofInstallation)).toBe(200);
  await expect
    .poll(async () => {
      const row = await merchant.database.find<{ at: Date | null }>(sql`
        select uninstall_reported_at as at from shopify_connections where store_id = ${merchant.storeId}`);
      return row?.at;
    })
    .toBeNull();
  expect(await state()).toBe(true);
  shop.isInstalled = false;
  expect(
    await deliver(merchant, { ...uninstalled, raw: JSON.stringify({ id: 1, myshopify_domain: 'b.myshopify.com' }) }, ofInstallation),
  ).toBe(400);
  expect(await deliver(merchant, uninstalled, ofInstallation)).toBe(200);
  await expect.poll(state).toBe(false);
  expect(await rowsLeft()).toBe(0);
});

test("a creator's code is added to the shop, once, and only while it is active", async () => {
  const program = `/stores/${merchant.world.store.id}/programs/${merchant.world.program.id}`;
  const body = { code: 'CORA20', creator_id: merchant.world.creator.id };
  const code = expectSuccess(await merchant.api('POST', `${program}/codes`, body)).json;
  expect((await owner('POST', `${path()}/codes`, { code_id: code.id, percent_off: 20 })).status).toBe(404);
  expectSuccess(await complete(callback((await begin()).state)));
  const added = expectSuccess(await owner('POST', `${path()}/codes`, { code_id: code.id, percent_off: 20 })).json;
  expect(added).toMatchObject({ code: 'CORA20', discount_id: expect.stringMatching(/^gid:\/\/shopify\/DiscountCodeNode\/\d+$/) });
  expect(shop.discounts[0]?.input).toMatchObject({
    code: 'CORA20',
    context: { all: 'ALL' },
    customerGets: { value: { percentage: 0.2 }, items: { all: true } },
  });
  expect((await owner('POST', `${path()}/codes`, { code_id: code.id, percent_off: 20 })).json.message).toContain('Code must be unique');
  expectSuccess(await merchant.api('PATCH', `/stores/${merchant.world.store.id}/codes/${code.id}`, { status: 'ended' }));
  expect((await owner('POST', `${path()}/codes`, { code_id: code.id, percent_off: 20 })).status).toBe(422);
});

test('a failed order is read again on request', async () => {
  expectSuccess(await complete(callback((await begin()).state)));
  const order = sell(shop, { at: new Date(merchant.at()), click: 'rmc_unknown' });
  expect(await deliver(merchant, order.paid(), ofInstallation)).toBe(200);
  const [failed] = await processed(merchant);
  expect(failed).toMatchObject({ state: 'failed', reason: 'unknown_referral_click' });
  expectSuccess(await owner('POST', `${path()}/orders/${failed?.id}/retry`));
  expect((await processed(merchant))[0]).toMatchObject({ state: 'failed' });
  expect((await owner('GET', path())).json.health).toContainEqual({ check: 'results', is_ok: false, message: expect.any(String) });
});

test('Shopify’s requests about personal data are verified, and delete what is stored of a customer’s orders', async () => {
  expectSuccess(await complete(callback((await begin()).state)));
  const order = sell(shop, { at: new Date(merchant.at()) });
  expect(await deliver(merchant, order.paid(), ofInstallation)).toBe(200);
  await processed(merchant);
  const send = (topic: string, body: object, secret = installationApp.clientSecret) => {
    const raw = JSON.stringify(body);
    const headers = { 'x-shopify-topic': topic, 'x-shopify-shop-domain': shopName, 'x-shopify-hmac-sha256': signature(raw, secret) };
    return postTo(merchant, '/api/v1/providers/shopify/privacy', { raw, headers });
  };
  const customer = { id: 191_167, email: 'john@example.com', phone: '555-625-1199' };
  const subject = { shop_id: 954_889, shop_domain: shopName, customer };
  expect(await send('customers/data_request', { ...subject, orders_requested: [Number(order.id)] })).toBe(200);
  expect(await send('customers/redact', { ...subject, orders_to_redact: [Number(order.id)] }, 'shpss_other')).toBe(401);
  expect((await processed(merchant)).map(({ order_id: id }) => id)).toEqual([order.id]);
  expect(await send('customers/redact', { ...subject, orders_to_redact: [Number(order.id)] })).toBe(200);
  expect(await processed(merchant)).toEqual([]);
  expect(await send('shop/redact', { shop_id: 954_889, shop_domain: 'unknown.myshopify.com' })).toBe(200);
  expect(await send('customers/redact', {})).toBe(400);
});
