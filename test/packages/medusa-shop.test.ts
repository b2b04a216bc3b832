import { readFile, writeFile } from 'node:fs/promises';
import { env } from 'node:process';
import { setTimeout as pause } from 'node:timers/promises';
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { launchBrowser } from '../support/browser.ts';
import { openLandingPage, type LandingPage } from '../support/landing-page.ts';
import { freePort } from '../support/main-process.ts';
import { merchantIn, type Json, type Merchant } from '../support/merchant.ts';
import { picture } from '../support/picture.ts';
import { startTestServiceOn } from '../support/service.ts';
import { expectStatementsToAgree, moveToNextMonth } from '../support/statements.ts';
import { openShop, shopFolder, type Bought, type Shop } from './medusa-shop.ts';
import { arriveByLink, openShopperPage, openStoreOfPlugin, shapeOf, storefront } from './plugin-store.ts';

/** `npm run test:medusa` runs these tests in order, against a real Medusa server with the installed plugin. */
const isInstalled = shopFolder !== '';
const wait = { timeout: 100_000, interval: 250 };

let merchant: Merchant;
let shop: Shop;
let browser: Browser;
let page: Page;
/** Medusa's dashboard. */
let dashboard: Page;
let landing: LandingPage;
let servicePort: number;
/** The click of the shopper in the browser. */
let firstClick: string;
/** What the tests bought, and what each commission must be in the end. */
const expected = new Map<string, number>();
/** Orders that test/packages/medusa-orders.json has too. */
const named = new Map<string, string>();

const storePath = (): string => `/stores/${merchant.world.store.id}`;
const reportsOf = (orderId: string) =>
  shop.sql('select operation, status, reason, body from tributary_report where order_id = $1 order by number', [orderId]);
const stateOf = async (orderId: string): Promise<Json> => shop.admin('GET', `/tributary/orders/${orderId}`);

async function untilReported(orderId: string, operations: readonly string[]): Promise<void> {
  await vi.waitFor(async () => {
    const reports = await reportsOf(orderId);
    expect(reports.map(({ operation, status }) => `${operation} ${status}`)).toEqual(
      operations.map((operation) => `${operation} accepted`),
    );
  }, wait);
}

const bodyOf = async (orderId: string, operation: string): Promise<Json> =>
  JSON.parse((await reportsOf(orderId)).find((report) => report.operation === operation)?.body ?? 'null');

async function startService(): Promise<void> {
  const { databaseUrl } = merchant.service;
  merchant = merchantIn(await startTestServiceOn(databaseUrl, { PORT: String(servicePort) }), merchant.world);
}

beforeAll(async () => {
  if (!isInstalled) return;
  servicePort = await freePort();
  landing = await openLandingPage();
  const opened = await openStoreOfPlugin({ name: 'Medusa', port: servicePort, siteUrl: landing.url });
  merchant = opened.merchant;
  landing.showHtml(storefront(merchant.service.url));
  shop = await openShop({ url: merchant.service.url, apiKey: opened.apiKey });
  await shop.start();
  browser = await launchBrowser();
  page = await openShopperPage(browser);
  dashboard = await browser.newPage({ viewport: { width: 1280, height: 900 } });
}, 600_000);

afterAll(async () => {
  if (!isInstalled) return;
  await browser?.close();
  await landing?.close();
  await shop?.close();
  await merchant?.service.stop();
});

test.skipIf(!isInstalled)(
  'one click on the page of the plugin runs a test order, verifies tracking, and leaves no order behind',
  async () => {
    expect(await shop.admin('POST', '/tributary/test-order')).toEqual({ reason: 'test_verified' });
    const health = await shop.admin('GET', '/tributary');
    expect(health).toMatchObject({ problem: null, store: { id: merchant.world.store.id }, queue: { waiting: 0, refused: 0, accepted: 0 } });
    const passed = health.checks.filter((check: Json) => check.passed).map((check: Json) => check.check);
    expect(passed).toEqual(expect.arrayContaining(['key_used', 'link_opened', 'test_order', 'tracking_on', 'refund_tested']));
    for (const table of ['"order"', 'payment_collection', 'payment', 'order_payment_collection'])
      expect([table, (await shop.sql(`select count(*)::int as count from ${table}`))[0]?.count]).toEqual([table, 0]);
  },
);

test.skipIf(!isInstalled)("a creator's discount code becomes a promotion, and a promotion becomes the code of a creator", async () => {
  expect(await shop.admin('POST', '/tributary/codes')).toEqual({ linked: 0, created: 1, changed: 0 });
  expect(await shop.admin('POST', '/tributary/codes')).toEqual({ linked: 0, created: 0, changed: 0 });
  const method = { type: 'fixed', value: 5, target_type: 'items', allocation: 'across', currency_code: 'usd' };
  const friends = { code: 'FRIENDS', type: 'standard', status: 'active', is_automatic: false, application_method: method };
  const { promotion } = await shop.admin('POST', '/promotions', friends);
  const { code, creators } = await shop.admin('GET', `/tributary/promotions/${promotion.id}`);
  expect(code).toBeNull();
  const owner = creators.find((creator: Json) => creator.program_id === merchant.world.program.id);
  expect(owner.creator_name).toBe('Cora Creator');
  const given = await shop.admin('POST', `/tributary/promotions/${promotion.id}`, owner);
  expect(given.code).toMatchObject({ code: 'FRIENDS', status: 'active', creator_name: 'Cora Creator' });
  const { json } = await merchant.api('GET', `${storePath()}/codes`);
  expect(json.data.map((one: Json) => one.code).toSorted()).toEqual(['CORA10', 'FRIENDS']);
});

test.skipIf(!isInstalled)(
  'a shopper who arrives by a link and consents late buys with a code, and the order page shows the creator, the commission, and its explanation',
  async () => {
    firstClick = await arriveByLink(page, merchant);
    const cart = await newCart(2);
    expect(await keepClick(cart)).toBeNull();
    expect((await shop.store('GET', `/carts/${cart}?fields=metadata`)).cart.metadata).toEqual({ gift: 'yes' });
    await page.evaluate('window.ServiceCapture.grantConsent()');
    expect(await keepClick(cart)).toBe(firstClick);
    expect((await shop.store('GET', `/carts/${cart}?fields=metadata`)).cart.metadata).toEqual({ gift: 'yes', rm_click: firstClick });

    const bought = await shop.buy({ cart, code: 'CORA10' });
    await pause(1_500);
    // It is authorized, and not paid.
    expect(await reportsOf(bought.orderId)).toEqual([]);
    await shop.capture(bought);
    await untilReported(bought.orderId, ['conversion']);
    // Two aprons of 48.00 USD with 10% off.
    expect(await bodyOf(bought.orderId, 'conversion')).toMatchObject({
      order_id: bought.orderId,
      click_id: firstClick,
      currency: 'USD',
      order_subtotal_cents: 8_640,
      line_items: [{ product_id: 'apron', amount_minor_units: 8_640, quantity: 2 }],
      discount_codes: ['CORA10'],
      country: 'US',
    });
    expect((await stateOf(bought.orderId)).commission).toMatchObject({ creator_name: 'Cora Creator', amount_cents: 864, state: 'pending' });

    await shop.refund(bought, 20);
    await untilReported(bought.orderId, ['conversion', 'order_refund']);
    // 20.00 of 104.11 USD, of which 86.40 USD are the aprons: 16.59 USD.
    expect(await bodyOf(bought.orderId, 'order_refund')).toMatchObject({
      amount_cents: 1_659,
      line_items: [{ product_id: 'apron', amount_minor_units: 1_659 }],
    });
    const { commission } = await stateOf(bought.orderId);
    expect(commission).toMatchObject({ amount_cents: 698, state: 'pending' });
    expect(commission.explanation).toContain('Its commission fell from 8.64 USD to 6.98 USD: 10% of 69.81 USD is 6.98 USD.');
    expected.set(bought.orderId, 698);
    named.set('refunded in part', bought.orderId);

    await openDashboard(`/orders/${bought.orderId}`);
    await dashboard.getByText('Cora Creator').first().waitFor();
    await dashboard.getByText('$6.98').first().waitFor();
    await dashboard.getByText('Partial refund', { exact: true }).first().scrollIntoViewIfNeeded();
    await picture(dashboard.locator('body'), 'medusa-order');
  },
);

async function newCart(quantity: number): Promise<string> {
  const { cart } = await shop.store('POST', '/carts', { region_id: shop.region, metadata: { gift: 'yes' } });
  const { products } = await shop.store('GET', `/products?region_id=${shop.region}&handle=apron`);
  await shop.store('POST', `/carts/${cart.id}/line-items`, { variant_id: products[0].variants[0].id, quantity });
  return cart.id;
}

/** What the storefront runs after each grant of consent; as in docs/platforms.md. */
const keepClick = (cartId: string): Promise<string | null> =>
  page.evaluate(
    async ({ url, key }) => {
      const click = (globalThis as unknown as { ServiceCapture: { getClick(): string | null } }).ServiceCapture.getClick();
      if (click === null) return null;
      const headers = { 'content-type': 'application/json', 'x-publishable-api-key': key };
      const response = await fetch(url, { method: 'POST', headers, body: JSON.stringify({ click_id: click }) });
      return ((await response.json()) as { click_id: string }).click_id;
    },
    { url: `${shop.url}/store/carts/${cartId}/click`, key: shop.publishableKey },
  );

async function openDashboard(path: string): Promise<void> {
  await dashboard.context().clearCookies();
  await dashboard.goto(`${shop.url}/app/login`);
  await dashboard.locator('input[name=email]').fill(shop.login.email);
  await dashboard.locator('input[name=password]').fill(shop.login.password);
  await dashboard.locator('button[type=submit]').click();
  await dashboard.waitForURL(/\/app\/orders/);
  await dashboard.goto(`${shop.url}/app${path}`);
}

test.skipIf(!isInstalled)(
  'the settings page shows the checks and runs the test order, and the page of a promotion shows its creator',
  async () => {
    await openDashboard('/settings/tributary');
    await dashboard.getByText(`Connected to ${(await merchant.api('GET', storePath())).json.name}`).waitFor();
    await dashboard.getByText('Test order posted').waitFor();
    await dashboard.getByRole('button', { name: 'Run test order' }).click();
    await dashboard.getByText('The test order was accepted. Tracking is on.').waitFor();
    expect(await dashboard.getByText('Not yet', { exact: true }).count()).toBe(1);
    await picture(dashboard.locator('body'), 'medusa-health');
    const { promotions } = await shop.admin('GET', '/promotions?code=FRIENDS');
    await dashboard.goto(`${shop.url}/app/promotions/${promotions[0].id}`);
    await dashboard.getByText('This is a discount code of Cora Creator.').waitFor();
  },
);

test.skipIf(!isInstalled)(
  'after a restart of Medusa, the shopper buys again: the click earns nothing twice, and a code earns for its creator',
  async () => {
    await shop.stop('SIGTERM');
    await shop.start();
    const shopAgain = async (code?: string): Promise<Bought> => {
      const cart = await newCart(1);
      // The browser still has it.
      expect(await keepClick(cart)).toBe(firstClick);
      const bought = await shop.buy({ cart, ...(code !== undefined && { code }) });
      await shop.capture(bought);
      return bought;
    };
    const withCode = await shopAgain('FRIENDS');
    await untilReported(withCode.orderId, ['conversion']);
    // One apron of 48.00 USD minus 5.00 USD.
    expect((await stateOf(withCode.orderId)).commission).toMatchObject({ amount_cents: 430, credited_code: 'FRIENDS' });
    expected.set(withCode.orderId, 430);
    const again = await shopAgain();
    await vi.waitFor(
      async () => expect(await reportsOf(again.orderId)).toMatchObject([{ status: 'refused', reason: 'referral_click_already_converted' }]),
      wait,
    );
    // The service does not know the order.
    await shop.refund(again, 10);
    await vi.waitFor(
      async () => expect(await reportsOf(again.orderId)).toMatchObject([{}, { status: 'refused', reason: 'unknown_order' }]),
      wait,
    );
    expect(await stateOf(again.orderId)).toMatchObject({ commission: null, problem: null });
  },
);

test.skipIf(!isInstalled)('a code without a click earns for its creator, and a cart without both is not reported', async () => {
  const withCode = await shop.buy({ code: 'FRIENDS' });
  const without = await shop.buy({});
  await shop.capture(without);
  await shop.capture(withCode);
  await untilReported(withCode.orderId, ['conversion']);
  expect((await stateOf(withCode.orderId)).commission).toMatchObject({ amount_cents: 430, credited_code: 'FRIENDS' });
  expect(await stateOf(without.orderId)).toMatchObject({ reports: [], commission: null });
  expected.set(withCode.orderId, 430);
  named.set('with a code', withCode.orderId).set('without a creator', without.orderId);
});

test.skipIf(!isInstalled)(
  'a wrong click in a header does not keep anyone from buying, and a withdrawn consent removes the click',
  async () => {
    const bought = await shop.buy({ click: 'not a click' });
    expect(bought.total).toBe(62.64);
    named.set('authorized', bought.orderId);
    const { cart } = await shop.store('POST', '/carts', { region_id: shop.region, metadata: { gift: 'yes' } });
    const path = `/carts/${cart.id}/click`;
    const click = await merchant.click();
    expect(await shop.store('POST', path, { click_id: click })).toEqual({ click_id: click });
    expect(await shop.store('POST', path, { click_id: null })).toEqual({ click_id: null });
    expect((await shop.store('GET', `/carts/${cart.id}?fields=metadata`)).cart.metadata).toEqual({ gift: 'yes' });
    await expect(shop.store('POST', path, { click_id: 'not a click' })).rejects.toThrow('400');
  },
);

test.skipIf(!isInstalled)('a report waits while the service is away and Medusa is restarted, and is sent once', async () => {
  const bought = await shop.buy({ click: await merchant.click() });
  await merchant.service.stop();
  await shop.capture(bought);
  await vi.waitFor(async () => expect(await reportsOf(bought.orderId)).toMatchObject([{ status: 'waiting' }]), wait);
  await shop.stop('SIGTERM');
  await startService();
  expect(await reportsOf(bought.orderId)).toMatchObject([{ operation: 'conversion', status: 'waiting' }]);
  await shop.start();
  // The attempt may be in its pause, or another process may have had it when it was stopped.
  await shop.admin('POST', '/tributary/retry');
  await untilReported(bought.orderId, ['conversion']);
  expect((await stateOf(bought.orderId)).commission).toMatchObject({ amount_cents: 480 });
  expected.set(bought.orderId, 480);
});

test.skipIf(!isInstalled)(
  'an order whose event was lost, because Medusa was killed between the payment and the report, is reported after the start',
  async () => {
    const bought = await shop.buy({ click: await merchant.click() });
    await captureAndKill(bought);
    expect(
      await shop.sql('select count(*)::int as count from capture c join payment p on p.id = c.payment_id where p.id = $1', [
        bought.paymentId,
      ]),
    ).toEqual([{ count: 1 }]);
    expect(await reportsOf(bought.orderId)).toEqual([]);
    await shop.start();
    await untilReported(bought.orderId, ['conversion']);
    expect((await stateOf(bought.orderId)).commission).toMatchObject({ amount_cents: 480 });
    expected.set(bought.orderId, 480);
  },
);

/** The lock keeps the report from being stored until Medusa is dead. */
async function captureAndKill(bought: Bought): Promise<void> {
  const other = await shop.database();
  try {
    await other.query('begin; lock table tributary_report in access exclusive mode');
    await shop.capture(bought);
    await vi.waitFor(async () => {
      const { rows } = await other.query(
        `select count(*)::int as count from pg_locks where relation = 'tributary_report'::regclass and not granted`,
      );
      expect(rows[0].count).toBeGreaterThan(0);
    }, wait);
    await shop.stop('SIGKILL');
  } finally {
    await other.end();
  }
}

test.skipIf(!isInstalled)(
  'a full refund and a canceled order are reversed, and what was reported before is not reported again',
  async () => {
    const refunded = await shop.buy({ click: await merchant.click() });
    const canceled = await shop.buy({ click: await merchant.click() });
    await shop.capture(refunded);
    await shop.capture(canceled);
    await shop.refund(refunded, 10);
    await shop.refund(refunded, refunded.total - 10);
    await shop.admin('POST', `/orders/${canceled.orderId}/cancel`, {});
    await untilReported(refunded.orderId, ['conversion', 'order_refund', 'reversal']);
    await untilReported(canceled.orderId, ['conversion', 'reversal']);
    for (const { orderId } of [refunded, canceled]) expect((await stateOf(orderId)).commission).toMatchObject({ state: 'reversed' });
    named.set('refunded', refunded.orderId).set('canceled', canceled.orderId);
    const count = async () => (await shop.sql('select count(*)::int as count from tributary_report'))[0]?.count;
    const before = await count();
    const [{ checked_until: checked }] = (await shop.sql('select checked_until from tributary_connection')) as readonly [Json];
    await vi.waitFor(
      async () => expect((await shop.sql('select checked_until from tributary_connection'))[0]?.checked_until).not.toEqual(checked),
      wait,
    );
    expect(await count()).toBe(before);
  },
);

test.skipIf(!isInstalled)('the recorded orders of the unit tests have the shape of the orders of this server', async () => {
  const printed = await shop.command('exec', './src/scripts/record-orders.js');
  const orders: readonly Json[] = JSON.parse(/RECORDED (.*)/.exec(printed)?.[1] ?? '[]');
  const used = Object.fromEntries([...named].map(([name, id]) => [name, usedOf(orders.find((order) => order.id === id))]));
  const file = 'test/packages/medusa-orders.json';
  if (env['MEDUSA_RECORD'] === '1') await writeFile(file, `${JSON.stringify(used, null, 2)}\n`);
  expect(shapeOf(used)).toEqual(shapeOf(JSON.parse(await readFile(file, 'utf8'))));
});

/** The fields that the reports are made from. */
function usedOf({ id, display_id, currency_code, customer_id, canceled_at, metadata, ...order }: Json): Json {
  const movement = ({ id: of, amount, created_at }: Json) => ({ id: of, amount, created_at });
  return {
    id,
    display_id,
    currency_code,
    customer_id,
    canceled_at,
    metadata,
    shipping_address: order.shipping_address,
    items: order.items.map(({ product_id, variant_sku, quantity, total, tax_total }: Json) => ({
      product_id,
      variant_sku,
      quantity,
      total,
      tax_total,
    })),
    promotions: order.promotions.map(({ code, is_automatic, metadata: fields }: Json) => ({ code, is_automatic, metadata: fields })),
    payment_collections: order.payment_collections.map(({ amount, payments }: Json) => ({
      amount,
      payments: payments.map(({ captures, refunds }: Json) => ({ captures: captures.map(movement), refunds: refunds.map(movement) })),
    })),
  };
}

test.skipIf(!isInstalled)('nothing was lost or doubled: each commission and the statement of the month are right', async () => {
  const { json } = await merchant.api('GET', `${storePath()}/commissions?limit=100`);
  const earned = json.data.filter((one: Json) => one.state !== 'reversed').map((one: Json) => [one.order_id, one.amount_cents]);
  expect(new Map(earned)).toEqual(expected);
  expect(json.data).toHaveLength(expected.size + 2);
  // What no creator earns needs no attention.
  expect((await shop.admin('GET', '/tributary')).queue).toMatchObject({ waiting: 0, refused: 0, accepted: 11, open: [] });
  const total = [...expected.values()].reduce((sum, amount) => sum + amount, 0);
  const { store, creator } = await expectStatementsToAgree(merchant, await moveToNextMonth(merchant));
  expect(store.sold.earned_cents).toBe(total);
  expect(creator.sold.earned_cents).toBe(total);
});

test.skipIf(!isInstalled)('removal leaves nothing behind', async () => {
  await shop.stop('SIGTERM');
  const keys = async (): Promise<number> => (await merchant.api('GET', `${storePath()}/postback-keys`)).json.data.length;
  const before = await keys();
  await shop.command('exec', './node_modules/@tributary/medusa/.medusa/server/src/scripts/remove.js');
  await shop.command('db:rollback', 'tributary');
  expect(await keys()).toBe(before - 1);
  const tables = await shop.sql(`select quote_ident(table_name) as name from information_schema.tables
    where table_schema = 'public' and table_type = 'BASE TABLE'`);
  const left: string[] = [];
  // Medusa deletes its records of completed carts, which have the metadata of the cart, after three days.
  await shop.sql(`delete from workflow_execution where workflow_id = 'complete-cart'`);
  for (const { name } of tables) {
    const [found] = await shop.sql(`select count(*)::int as count from ${name} as one where one::text ~* 'tributary|rm_click|rmc_|rmv_'`);
    if (found?.count > 0 || name.includes('tributary')) left.push(`${name}: ${found?.count}`);
  }
  expect(left).toEqual([]);
});
