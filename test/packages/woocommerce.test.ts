import { execFile, spawn, type ChildProcess } from 'node:child_process';
import { createServer } from 'node:net';
import { env } from 'node:process';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { invariant } from '../../src/core/invariant.ts';
import { openMerchant, type Json, type Merchant } from '../support/merchant.ts';

/** A folder with an installed WordPress and WooCommerce, whose plugins folder contains packages/woocommerce (its README says how). */
const wordpress = env['WORDPRESS_FOLDER'] ?? '';
if (wordpress === '') process.stdout.write('WORDPRESS_FOLDER is not set: the plugin for WooCommerce is not tested.\n');

const run = promisify(execFile);
let merchant: Merchant;
let server: ChildProcess;
let url = '';

async function step(name: string, ...words: readonly unknown[]): Promise<Json> {
  const { stdout } = await run('php', ['test/packages/wordpress.php', wordpress, name, JSON.stringify(words)], {
    env: { ...env, WORDPRESS_URL: url },
    timeout: 100_000,
  });
  return JSON.parse(stdout.trim().split('\n').at(-1) ?? '');
}

async function freePort(): Promise<number> {
  const probe = createServer();
  await new Promise<void>((resolve) => probe.listen(0, '127.0.0.1', resolve));
  const address = probe.address();
  invariant(typeof address === 'object' && address !== null, 'the probe listens on a port');
  await new Promise((resolve) => probe.close(resolve));
  return address.port;
}

/** The server of WordPress. Restarting it is a restart of the web store. */
async function startWordPress(): Promise<ChildProcess> {
  const child = spawn('php', ['-S', new URL(url).host, '-t', wordpress], { stdio: 'ignore' });
  await vi.waitFor(async () => expect((await fetch(`${url}/wp-json/`)).status).toBe(200), { timeout: 60_000, interval: 300 });
  return child;
}

async function stopWordPress(): Promise<void> {
  const ended = new Promise((resolve) => server.once('exit', resolve));
  server.kill();
  await ended;
}

/** Buys one apron in the block checkout, whose requests go through the Store API. */
async function buy(clickId: string | null, coupon?: string): Promise<number> {
  const cookie = clickId === null ? '' : `_service_click=${clickId}`;
  const first = await fetch(`${url}/wp-json/wc/store/v1/cart`);
  const session = first.headers.get('cart-token') ?? '';
  const headers = { 'content-type': 'application/json', 'cart-token': session, cookie };
  const call = async (path: string, body: object): Promise<Json> => {
    const response = await fetch(`${url}/wp-json/wc/store/v1/${path}`, { method: 'POST', headers, body: JSON.stringify(body) });
    const json: Json = await response.json();
    if (!response.ok) throw new Error(`${path}: ${JSON.stringify(json)}`);
    return json;
  };
  const [product]: Json = await (await fetch(`${url}/wp-json/wc/store/v1/products`)).json();
  await call('cart/add-item', { id: product.id, quantity: 2 });
  if (coupon !== undefined) await call('cart/apply-coupon', { code: coupon });
  const address = {
    first_name: 'Ada',
    last_name: 'Lee',
    address_1: '1 Main St',
    city: 'Portland',
    state: 'OR',
    postcode: '97201',
    country: 'US',
  };
  const person = { ...address, email: 'ada@example.com', phone: '5035550100' };
  const order = await call('checkout', { billing_address: person, shipping_address: address, payment_method: 'bacs' });
  return order.order_id;
}

const reportsOf = async (order: number): Promise<Json> => (await step('order', order)).reports;

const isConfigured = wordpress !== '';

beforeAll(async () => {
  if (!isConfigured) return;
  merchant = await openMerchant();
  url = `http://127.0.0.1:${await freePort()}`;
  await step('activate');
  server = await startWordPress();
  const { json: key } = await merchant.api('POST', `/stores/${merchant.world.store.id}/api-keys`, {
    name: 'WooCommerce',
    scopes: ['store:read', 'integration:write'],
  });
  const problem = await step('connect', merchant.service.url, key.key);
  if (problem !== null) throw new Error(JSON.stringify(problem));
});
afterAll(async () => {
  if (!isConfigured) return;
  await stopWordPress();
  await merchant.service.stop();
});

test.skipIf(!isConfigured)('verifies tracking with a test order, and deletes the order', async () => {
  expect(await step('hpos')).toBe(true);
  expect(await step('test-order')).toBe('test_verified');
  const checks: Json = await step('checks');
  const passed = checks.filter((check: Json) => check.is_passed).map((check: Json) => check.title);
  expect(passed).toEqual(expect.arrayContaining(['Postback key used', 'Test order posted', 'Tracking on', 'Refund tested']));
});

test.skipIf(!isConfigured)(
  'reports an order with a coupon, a partial refund, and the refund of the rest, also across a restart and an outage',
  async () => {
    await step('coupon', 'spring');
    const order = await buy(await merchant.click(), 'spring');
    await step('pay', order);
    const [report]: Json = await reportsOf(order);
    // Two aprons of 48.00 with 10% off.
    expect(report).toMatchObject({
      operation: 'conversion',
      status: 'waiting',
      body: { order_id: String(order), order_subtotal_cents: 8_640, discount_code: 'spring', currency: 'USD' },
    });
    expect(report.body.line_items).toEqual([{ product_id: 'apron', amount_minor_units: 8_640, quantity: 2 }]);

    await stopWordPress();
    server = await startWordPress();
    await step('work');
    expect(await reportsOf(order)).toMatchObject([{ status: 'accepted', reason: 'recorded' }]);
    expect(await merchant.commissionOf(String(order))).toMatchObject({ state: 'pending', amountCents: 864n });

    // The same event again: WooCommerce raises it for each of the statuses processing and completed.
    await step('status', order, 'completed');
    await step('work');
    expect(await reportsOf(order)).toHaveLength(1);

    await step('refund', order, '20.00', true);
    await step('work');
    expect((await reportsOf(order)).at(-1)).toMatchObject({ operation: 'order_refund', status: 'accepted', body: { amount_cents: 2_000 } });
    expect(await merchant.commissionOf(String(order))).toMatchObject({ amountCents: 664n });

    await step('refund', order, '66.40', true);
    await step('work');
    expect((await reportsOf(order)).at(-1)).toMatchObject({ operation: 'reversal', status: 'accepted' });
    expect(await merchant.commissionOf(String(order))).toMatchObject({ state: 'reversed' });
  },
);

test.skipIf(!isConfigured)('reports nothing for an order without a click', async () => {
  const order = await buy(null);
  await step('pay', order);
  expect(await step('order', order)).toEqual({ click: '', reports: [] });
});

test.skipIf(!isConfigured)('adds the script to every page, and waits for consent if it is set to', async () => {
  const page = await (await fetch(`${url}/`)).text();
  expect(page).toContain(`src="${merchant.service.url}/api/pn/sdk/v1.js"`);
  expect(page).toMatch(/<script[^>]*defer[^>]*v1\.js/);
});

test.skipIf(!isConfigured)('keeps reports during an outage, and sends them in order afterward', async () => {
  const order = await buy(await merchant.click());
  await merchant.api('POST', `/stores/${merchant.world.store.id}/integration/disable`);
  await step('pay', order);
  await step('status', order, 'cancelled');
  await step('work');
  expect((await reportsOf(order)).map((report: Json) => report.status)).toEqual(['waiting', 'waiting']);
  await merchant.api('POST', `/stores/${merchant.world.store.id}/integration/enable`);
  await step('work');
  await step('work');
  expect(await reportsOf(order)).toMatchObject([
    { operation: 'conversion', status: 'accepted' },
    { operation: 'reversal', status: 'accepted' },
  ]);
});

test.skipIf(!isConfigured)('leaves no table, option, or action behind when it is deleted', async () => {
  expect(await step('uninstall')).toEqual({ tables: [], options: [], actions: 0 });
  const { json } = await merchant.api('GET', `/stores/${merchant.world.store.id}/postback-keys`);
  expect(json.data.filter((key: Json) => key.revoked_at === null || key.revoked_at === undefined)).toHaveLength(1);
});
