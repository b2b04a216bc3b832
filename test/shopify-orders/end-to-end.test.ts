import { readFileSync } from 'node:fs';
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { sql } from '../../src/db/sql.ts';
import { hourMs, minuteMs, realNow } from '../../src/core/time.ts';
import { compareShopifyOrders } from '../../src/shopify-orders/compare-orders.ts';
import { closePages, sharedBrowser } from '../support/browser.ts';
import { expectSuccess } from '../support/billing.ts';
import { merchantIn, openMerchant, visitLink, type Json, type Merchant } from '../support/merchant.ts';
import { startTestService, startTestServiceOn } from '../support/service.ts';
import { startShopify, type StandInShop } from '../support/shopify-server.ts';
import { expectStatementsToAgree } from '../support/statements.ts';
import { connectOwnApp, deliver, processed, sell, shopName } from './shopify-shop.ts';

const folder = 'packages/shopify/extensions';
const themeScript = readFileSync(`${folder}/tributary-theme/assets/tributary.js`, 'utf8');
const pixelScript = readFileSync(`${folder}/tributary-pixel/src/watch-checkouts.js`, 'utf8');
let browser: Browser;
let shopify: Awaited<ReturnType<typeof startShopify>>;
let shop: StandInShop;
let merchant: Merchant;

beforeAll(async () => {
  [browser, shopify] = await Promise.all([sharedBrowser(), startShopify()]);
  shop = shopify.addShop(shopName);
  merchant = await openMerchant(await startTestService({ SHOPIFY_API: shopify.host }));
  await merchant.moveToSpring();
  const { world, api } = merchant;
  const program = `/stores/${world.store.id}/programs/${world.program.id}`;
  expectSuccess(await api('POST', `${program}/terms`, { order_rules: [{ basis_points: 1_000 }], codes: 'when_no_click' }));
  expectSuccess(await api('POST', `${program}/codes`, { code: 'SPRING10', creator_id: world.creator.id }));
  await merchant.moveClock('1h');
  expectSuccess(await connectOwnApp(merchant));
});
afterAll(async () => {
  await closePages(browser);
  shopify.close();
  await merchant.service.stop();
});

const now = (): Date => new Date(merchant.at());

/** Another process on the same database, as after a restart. */
async function restart(environment: Readonly<Record<string, string>> = {}): Promise<void> {
  const { service, world } = merchant;
  await service.stop();
  merchant = merchantIn(await startTestServiceOn(service.databaseUrl, { SHOPIFY_API: shopify.host, ...environment }), world);
}

/** What the shop's theme and pixel left behind: attributes of the cart, and the properties of the product that "Buy it now" sends. */
type Visit = { readonly cart: readonly Json[]; readonly property: string | null; readonly posted: Json | null };

/**
 * A shopper follows the creator's link, answers the request for consent, uses "Buy it now", and completes the checkout. The extensions run
 * in a browser with stand-ins for the objects that Shopify gives them.
 */
async function shopAs(answer: 'agree' | 'decline' | 'agree, then withdraw', checkoutToken: string): Promise<Visit> {
  const context = await browser.newContext();
  const page = await context.newPage();
  const capture = await (await fetch(`${merchant.service.url}/api/pn/sdk/v1.js`)).text();
  const address = `${merchant.service.url}/api/v1/providers/shopify/stores/${merchant.world.store.id}/clicks`;
  const [cart, posts]: [Json[], Json[]] = [[], []];
  const html = `<!doctype html><title>A store</title>
    <script>
      var allowed = false;
      window.Shopify = {
        routes: { root: '/' },
        customerPrivacy: { marketingAllowed: function () { return allowed; } },
        loadFeatures: function (features, done) { setTimeout(done); },
      };
      function answer(marketingAllowed) {
        allowed = marketingAllowed;
        document.dispatchEvent(new CustomEvent('visitorConsentCollected', { detail: { marketingAllowed: marketingAllowed } }));
      }
    </script>
    <script src="https://partners.example/v1.js" data-rm-consent-mode="explicit"></script>
    <script src="https://partners.example/tributary.js"></script>
    <button onclick="answer(true)">Agree</button> <button onclick="answer(false)">Decline</button>
    <form action="/cart/add" method="post" onsubmit="return false"><input name="id" value="1"><button>Buy it now</button></form>`;
  await context.route(/^https:\/\//, async (route) => {
    const { pathname } = new URL(route.request().url());
    if (pathname === '/cart/update.js') cart.push(JSON.parse(route.request().postData() ?? '{}'));
    const script = pathname === '/v1.js' ? capture : pathname === '/tributary.js' ? themeScript : null;
    await route.fulfill(script === null ? { contentType: 'text/html', body: html } : { contentType: 'text/javascript', body: script });
  });
  // A secure page may not post to the plain HTTP of the test service.
  await page.exposeFunction('post', async (url: string, body: string) => {
    posts.push(JSON.parse(body));
    const response = await fetch(url, { method: 'POST', headers: { 'content-type': 'text/plain' }, body });
    return response.status;
  });
  // The browser cannot replace the page that a redirect leads to, so the redirect is followed here.
  const { headers } = await visitLink(merchant.service.url, merchant.world.link.url.split('/').at(-1) ?? '');
  await page.goto(headers.get('location') ?? '');
  if (answer !== 'decline') await page.getByRole('button', { name: 'Agree' }).click();
  if (answer !== 'agree') await page.getByRole('button', { name: 'Decline' }).click();
  await page.getByRole('button', { name: 'Buy it now' }).click();
  const property = page.locator('input[name="properties[_rm_click]"]');
  const kept = (await property.count()) === 0 ? null : await property.inputValue();
  await completeCheckout(page, { address, token: checkoutToken, isAllowed: answer === 'agree' });
  await context.close();
  return { cart, property: kept, posted: posts[0] ?? null };
}

type Completed = { readonly address: string; readonly token: string; readonly isAllowed: boolean };

/** Runs the pixel in the page, with stand-ins for the objects that Shopify gives it, and completes a checkout. */
async function completeCheckout(page: Page, { address, token, isAllowed }: Completed): Promise<void> {
  await page.addScriptTag({
    type: 'module',
    content: `${pixelScript}
window.watchCheckouts = watchCheckouts;`,
  });
  await page.waitForFunction('window.watchCheckouts !== undefined');
  await page.evaluate(
    async ({ settings, token: completed, isAllowed: allowed }) => {
      const watchCheckouts: (api: object) => void = Reflect.get(globalThis, 'watchCheckouts');
      const handlers = new Map<string, (event: unknown) => unknown>();
      const subscribe = (name: string, handler: (event: unknown) => unknown) => void handlers.set(name, handler);
      globalThis.fetch = async (to, options) => {
        await Reflect.get(globalThis, 'post')(to, options?.body);
        return new Response();
      };
      const cookie = {
        get: async (name: string) =>
          new RegExp(`(?:^|; )${name}=([^;]*)`).exec(String(Reflect.get(Reflect.get(globalThis, 'document'), 'cookie')))?.[1] ?? '',
      };
      const init = { customerPrivacy: { marketingAllowed: false } };
      watchCheckouts({ analytics: { subscribe }, browser: { cookie }, customerPrivacy: { subscribe }, init, settings });
      handlers.get('visitorConsentCollected')?.({ customerPrivacy: { marketingAllowed: allowed } });
      await handlers.get('checkout_completed')?.({ data: { checkout: { token: completed } } });
    },
    { settings: { address }, token, isAllowed },
  );
}

async function commissionIn(orderId: string): Promise<Json> {
  const { data } = (await merchant.api('GET', `/stores/${merchant.world.store.id}/commissions?order_id=${orderId}`)).json;
  expect(data).toHaveLength(1);
  return (await merchant.api('GET', `/stores/${merchant.world.store.id}/commissions/${data[0].id}`)).json;
}

test('without consent, and after it is withdrawn, neither the theme nor the pixel passes a click on', async () => {
  const declined = await shopAs('decline', 'a'.repeat(32));
  expect(declined).toEqual({ cart: [], property: null, posted: null });
  const withdrawn = await shopAs('agree, then withdraw', 'b'.repeat(32));
  expect(withdrawn).toMatchObject({ property: null, posted: null });
  expect(withdrawn.cart.at(-1)).toEqual({ attributes: { rm_click: '' } });
});

test('an express checkout with late consent, its refund, and a second order survive two restarts, until the app is removed', async () => {
  const first = sell(shop, { at: now(), codes: ['SPRING10'] });
  const visit = await shopAs('agree', first.checkoutToken);
  expect(visit.cart).toEqual([{ attributes: { rm_click: expect.stringMatching(/^rmc_/) } }]);
  expect(visit.property).toBe(visit.cart[0]?.attributes.rm_click);
  expect(visit.posted).toEqual({ checkout_token: first.checkoutToken, click_id: visit.property });
  expect(await deliver(merchant, first.paid())).toBe(200);
  expect(await processed(merchant)).toMatchObject([{ state: 'done', click_id: visit.property }]);

  // This process only stores: what it has acknowledged is processed after the next restart.
  await restart({ ROLE: 'web' });
  const second = sell(shop, { at: now() });
  const secondVisit = await shopAs('agree', 'c'.repeat(32));
  second.change({ lineItems: { nodes: [{ customAttributes: [{ key: '_rm_click', value: secondVisit.property }] }] } });
  const refund = first.refund(2_000);
  for (const webhook of [refund, second.paid(), first.paid(), refund, second.paid()]) expect(await deliver(merchant, webhook)).toBe(200);
  const { data: stored } = (await merchant.api('GET', `/stores/${merchant.world.store.id}/shopify/orders?state=waiting`)).json;
  expect(stored).toHaveLength(2);

  await restart();
  expect((await processed(merchant)).map(({ state }) => state)).toEqual(['done', 'done']);
  const [refunded, whole] = [await commissionIn(first.id), await commissionIn(second.id)];
  expect([refunded.amount_cents, whole.amount_cents]).toEqual([800, 1_000]);
  expect(refunded).toMatchObject({ state: 'pending', attributed_by: 'click', discount_codes: ['SPRING10'] });
  expect(refunded.explanation).toContain('The order earns 10.00 USD: 10% of 100.00 USD is 10.00 USD.');
  expect(refunded.explanation).toContain('20.00 USD of the order was refunded. Its commission fell from 10.00 USD to 8.00 USD');

  shop.isInstalled = false;
  expect(await deliver(merchant, { topic: 'app/uninstalled', raw: JSON.stringify({ id: 1, myshopify_domain: shopName }) })).toBe(200);
  const isConnected = async () => (await merchant.api('GET', `/stores/${merchant.world.store.id}/shopify`)).json.is_connected;
  await expect.poll(isConnected, { timeout: 20_000 }).toBe(false);
  const { data } = (await merchant.api('GET', `/stores/${merchant.world.store.id}/commissions?limit=100`)).json;
  expect(data.map(({ order_id: order }: Json) => order).toSorted()).toEqual([first.id, second.id].toSorted());

  shop.isInstalled = true;
  expectSuccess(await connectOwnApp(merchant));
});

test('an order whose process ends between its report and its result is read again, and records nothing twice', async () => {
  const order = sell(shop, { at: now(), click: await merchant.clickAt(new Date(merchant.at(-60_000))) });
  const { crashPoints } = merchant.service.platform;
  crashPoints.onReached = (point) => {
    if (point === 'shopify orders: order handled') throw new Error('the process ends here');
  };
  expect(await deliver(merchant, order.paid())).toBe(200);
  await expect.poll(() => merchant.commissionOf(order.id).catch(() => null), { timeout: 20_000 }).not.toBeNull();
  await restart();
  // The lease of the ended process is over.
  await merchant.database.run(sql`
    update shopify_orders set try_at = ${new Date(realNow().getTime() - minuteMs)}
    where store_id = ${merchant.storeId} and state = 'waiting'`);
  expect(await deliver(merchant, order.paid())).toBe(200);
  const stateOf = async () => {
    const { state } = await merchant.database.one<{ state: string }>(sql`
      select state from shopify_orders where store_id = ${merchant.storeId} and order_name = ${order.id}`);
    return state;
  };
  await expect.poll(stateOf, { timeout: 20_000 }).toBe('done');
  expect((await commissionIn(order.id)).amount_cents).toBe(1_000);
});

test('the daily comparison finds the orders whose webhooks were lost, over several pages, and reports each once', async () => {
  await merchant.database.run(sql`
    update shopify_connections set compared_until = ${new Date(realNow().getTime() - hourMs)} where store_id = ${merchant.storeId}`);
  for (let number = 0; number < 110; number += 1) sell(shop, { at: now() });
  const lost = sell(shop, { at: now(), click: await merchant.clickAt(new Date(merchant.at(-60_000))) });
  // Shopify removes webhooks that it could not deliver for hours.
  shop.webhooks = [];
  await compareShopifyOrders(merchant.service.platform);
  expect(shop.webhooks).toHaveLength(4);
  await expect.poll(() => merchant.commissionOf(lost.id).catch(() => null), { timeout: 60_000 }).toMatchObject({ amountCents: 1_000n });
  const requests = () =>
    shopify.calls.filter(({ name, variables }) => name === 'OrderToReport' && String(variables['id']).endsWith(lost.id));
  const before = requests().length;
  // As on the next day: nothing has changed since.
  await merchant.database.run(sql`
    update shopify_orders set requested_at = ${new Date(realNow().getTime() + 11 * minuteMs)} where store_id = ${merchant.storeId}`);
  await compareShopifyOrders(merchant.service.platform);
  expect(requests()).toHaveLength(before);
  shop.status = 403;
  await compareShopifyOrders(merchant.service.platform);
  const { health } = (await merchant.api('GET', `/stores/${merchant.world.store.id}/shopify`)).json;
  expect(health).toContainEqual({ check: 'comparison', is_ok: false, message: expect.stringContaining('access scope') });
  shop.status = 200;
});

test('the statements of the store and the creator agree with what the shop sold', async () => {
  const month = merchant.at().slice(0, 7);
  const next = new Date(Date.UTC(Number(month.slice(0, 4)), Number(month.slice(5)), 1, 12));
  await merchant.moveClock(`${Math.ceil((next.getTime() - Date.parse(merchant.at())) / 3_600_000)}h`);
  const { creator } = await expectStatementsToAgree(merchant, month);
  expect(creator).toBeDefined();
});
