import { createHmac } from 'node:crypto';
import { afterAll, expect, test } from 'vitest';
import { axeViolations } from '../support/axe-violations.ts';
import { openMerchantDashboard } from '../support/dashboard.ts';
import { picture } from '../support/picture.ts';
import { installationApp, startShopify } from '../support/shopify-server.ts';
import { deliver, processed, sell, shopName } from '../shopify-orders/shopify-shop.ts';

// The tests of this file run in order: each continues where the previous one ended.
const shopify = await startShopify();
const shop = shopify.addShop(shopName);
const { clientId, clientSecret } = installationApp;
const { dashboard, merchant } = await openMerchantDashboard({
  SHOPIFY_API: shopify.host,
  SHOPIFY_CLIENT_ID: clientId,
  SHOPIFY_CLIENT_SECRET: clientSecret,
});
const mara = await dashboard.visitor();
await mara.signIn(merchant.world.logins.merchant);
afterAll(async () => {
  await dashboard.stop();
  shopify.close();
});

const button = (name: string) => mara.page.getByRole('button', { name, exact: true });
const text = (part: string) => mara.page.getByText(part, { exact: false }).first().waitFor();

/** Shopify's page, where the owner confirms. */
async function confirmInShopify(address: URL): Promise<string> {
  shop.codes.add('123e5');
  const query = new URLSearchParams([
    // A code that looks like a number, which must arrive as it is.
    ['code', '123e5'],
    ['shop', shopName],
    ['state', address.searchParams.get('state') ?? ''],
    ['timestamp', String(Math.floor(Date.now() / 1_000))],
  ]).toString();
  const hmac = createHmac('sha256', installationApp.clientSecret).update(query.replaceAll('+', '%20')).digest('hex');
  return `/shopify/callback?${query}&hmac=${hmac}`;
}

test('a person who comes from Shopify selects a store, confirms there, and is back with a connected shop', async () => {
  const store = (await merchant.api('GET', `/stores/${merchant.world.store.id}`)).json;
  await mara.open(`/shopify/install?shop=${shopName}`);
  expect(await axeViolations(mara)).toEqual([]);
  await mara.page.getByRole('link', { name: store.name }).click();
  await mara.page.getByRole('heading', { level: 1, name: 'Shopify' }).waitFor();
  expect(await axeViolations(mara)).toEqual([]);
  await mara.page.route('https://cora-goods.myshopify.com/**', (route) => route.fulfill({ body: 'Shopify' }));
  await mara.page.getByLabel('Shopify store', { exact: true }).first().waitFor();
  await button('Continue in Shopify').click();
  await mara.page.waitForURL('https://cora-goods.myshopify.com/**');
  await mara.open(await confirmInShopify(new URL(mara.page.url())));
  await text('The Shopify store delivers its webhooks here.');
  await mara.page.waitForURL(`**/stores/${merchant.world.store.id}/integration/shopify`);
  expect(shop.webhooks).toHaveLength(4);
});

test('orders appear with what became of them, a failed one can be read again, and disconnecting asks first', async () => {
  const at = new Date(merchant.at());
  const [good, bad] = [sell(shop, { at, click: await merchant.click() }), sell(shop, { at, click: 'rmc_unknown' })];
  for (const order of [good, bad]) expect(await deliver(merchant, order.paid(), { secret: installationApp.clientSecret })).toBe(200);
  await processed(merchant);
  await mara.open(`/stores/${merchant.world.store.id}/integration/shopify`);
  await mara.page.getByRole('row').filter({ hasText: good.id }).getByRole('button', { name: 'Reported' }).waitFor();
  await mara.page.getByRole('row').filter({ hasText: bad.id }).getByRole('button', { name: 'Failed' }).waitFor();
  expect(await axeViolations(mara)).toEqual([]);
  await picture(mara.page.locator('main'), 'shopify');
  await mara.page.getByRole('row').filter({ hasText: bad.id }).getByRole('button', { name: 'Read again' }).click();
  await button('Disconnect').click();
  await button('Disconnect Shopify').click();
  await button('Connect Shopify').waitFor();
  expect([shop.webhooks, shop.isInstalled]).toEqual([[], false]);
  expect(mara.complaints).toEqual([]);
});

test('a callback that Shopify did not sign shows why nothing was connected', async () => {
  await mara.open(`/shopify/callback?state=${merchant.world.store.id}.a&shop=${shopName}&code=a&timestamp=1&hmac=00`);
  await text('Shopify did not sign this address.');
  expect(new URL(mara.page.url()).pathname).toBe('/shopify/callback');
});
