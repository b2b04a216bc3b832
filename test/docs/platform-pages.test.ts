import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { text } from 'node:stream/consumers';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { must } from '../../src/platform/must.ts';
import { openForBusiness, tag } from '../capture/shopper.ts';
import { openMerchant, type Json, type Merchant } from '../support/merchant.ts';
import { blocksOf, has } from './blocks.ts';

/** What docs/platforms.md puts into pages, in a browser; and its plugin, in PHP, on stand-ins of what WordPress gives it. */
const blocks = blocksOf('docs/platforms.md');
function block(file: string): string {
  const found = blocks.find((one) => one.file === file);
  must(found, `docs/platforms.md has ${file}`);
  return found.text;
}

const newShopper = openForBusiness();

test('the blocks that are tried here and in platforms.test.ts are all of the page', () => {
  expect(blocks.map(({ file, language }) => `${language} ${file}`).sort()).toEqual([
    'html paddle-checkout',
    'html shopify-theme',
    'php tributary.php',
    'ts medusa-storefront.ts',
    'ts medusa-subscriber.ts',
    'ts paddle-webhook.ts',
    'ts shopify-webhook.ts',
    'ts stripe-checkout.ts',
    'ts stripe-webhook.ts',
    'ts tributary.ts',
  ]);
});

test('Shopify: the cart is told the click of a visitor who came by a link, and no other', async () => {
  const shopper = await newShopper();
  const told: Array<string | null> = [];
  await shopper.page.route('**/cart/update.js', (route) => {
    told.push(route.request().postData());
    return route.fulfill({ json: {} });
  });
  const page = `${tag('defer')}<script>window.Shopify = { routes: { root: '/en/' } };</script>${block('shopify-theme')}`;
  await shopper.land(page);
  expect(told).toEqual([]);
  const asked = shopper.page.waitForRequest(/\/en\/cart\/update\.js$/);
  await shopper.land(page, '?rm_click=rmc_a');
  expect((await asked).headers()['content-type']).toBe('application/json');
  await expect.poll(() => told).toEqual(['{"attributes":{"rm_click":"rmc_a"}}']);
});

test('Paddle: the checkout is opened with the click, and without custom data where there is none', async () => {
  const shopper = await newShopper();
  const stub = '<script>window.Paddle = { Checkout: { open: function (asked) { window.asked = asked; } } };</script>';
  for (const [query, expected] of [
    ['', undefined],
    ['?rm_click=rmc_a', { rm_click: 'rmc_a' }],
  ] as const) {
    await shopper.land(tag('defer') + stub + block('paddle-checkout'), query);
    await shopper.page.click('#buy');
    expect((await shopper.run<Json>('window.asked')).customData).toEqual(expected);
  }
});

const php = 'php';
const isPhpThere = has(php);
let merchant: Merchant;
let folder = '';
beforeAll(async () => {
  if (!isPhpThere) return;
  merchant = await openMerchant();
  folder = await mkdtemp(join(tmpdir(), 'tributary-php-'));
  await writeFile(join(folder, 'tributary.php'), block('tributary.php'));
});
afterAll(async () => {
  if (!isPhpThere) return;
  await merchant.service.stop();
  await rm(folder, { recursive: true, force: true });
});

async function wordpress(steps: readonly object[], url = merchant.service.url): Promise<Json> {
  const { tracking_key, postback_key } = merchant.world.store;
  const constants = { TRIBUTARY_URL: url, TRIBUTARY_TRACKING_KEY: tracking_key, TRIBUTARY_POSTBACK_KEY: postback_key };
  const child = spawn(php, ['-d', 'display_errors=stderr', resolve('test/docs/wordpress.php')], { stdio: ['pipe', 'pipe', 'pipe'] });
  child.stdin.end(JSON.stringify({ plugin: join(folder, 'tributary.php'), constants, steps }));
  const [out, errors] = await Promise.all([text(child.stdout), text(child.stderr), once(child, 'close')]);
  expect(errors).toBe('');
  return JSON.parse(out);
}

const paidOrder = (id: number) => ({
  id,
  total: '120.05',
  tax: '10.00',
  shipping: '10.00',
  paid: Math.floor(Date.parse(merchant.at()) / 1_000) + 1,
});
const checkouts = ['woocommerce_checkout_create_order', 'woocommerce_store_api_checkout_update_order_meta'] as const;

test.skipIf(!isPhpThere)('WooCommerce: an order of either checkout is reported when it is paid, once, and its refund', async () => {
  const steps = [];
  for (const [place, by] of checkouts.entries()) {
    const id = 100 + place;
    steps.push({ do: 'order', by, cookie: await merchant.click(), fields: paidOrder(id) });
    for (const name of ['woocommerce_payment_complete', 'woocommerce_order_status_completed'])
      steps.push({ do: 'action', name, id }, { do: 'scheduled' });
    steps.push({ do: 'action', name: 'woocommerce_order_fully_refunded', id }, { do: 'scheduled' });
  }
  const { orders, scheduled, head } = await wordpress(steps);
  const notes = ['conversions 200 recorded', 'conversions 200 duplicate_order', 'reversals 200 recorded'].map(
    (note) => `Tributary: ${note}`,
  );
  expect([orders[100].notes, orders[101].notes, scheduled]).toEqual([notes, notes, []]);
  expect([orders[100].saved, orders[101].saved]).toEqual([0, 1]);
  expect((await merchant.commissionOf('100')).eligibleCents).toBe(10_005n);
  expect(head).toBe(`<script defer src="${merchant.service.url}/api/pn/sdk/v1.js"></script>\n`);
});

test.skipIf(!isPhpThere)('WooCommerce: what carries no click, a strange one, or is not paid, is not reported', async () => {
  const [by] = checkouts;
  const name = 'woocommerce_payment_complete';
  const { orders, scheduled } = await wordpress([
    { do: 'order', by, cookie: null, fields: paidOrder(1) },
    { do: 'order', by, cookie: 'a b;', fields: paidOrder(2) },
    { do: 'order', by, cookie: await merchant.click(), fields: { ...paidOrder(3), paid: 0 } },
    ...[1, 2, 3].map((id) => ({ do: 'action', name, id })),
  ]);
  expect(scheduled).toEqual([]);
  expect([orders[1].meta, orders[2].meta]).toEqual([[], []]);
});

test.skipIf(!isPhpThere)('WooCommerce: with the service away the report is tried again later, and later still', async () => {
  const [by] = checkouts;
  const retries = [{ do: 'scheduled' }, { do: 'scheduled' }];
  const step = { do: 'action', name: 'woocommerce_payment_complete', id: 7 };
  const order = { do: 'order', by, cookie: 'rmc_a', fields: paidOrder(7) };
  const { scheduled } = await wordpress([order, step, ...retries], 'http://127.0.0.1:9');
  expect(scheduled).toEqual([{ in: expect.any(Number), hook: 'tributary_send', given: ['conversions', 7, 2] }]);
  expect(scheduled[0].in).toBeGreaterThan(100);
});
