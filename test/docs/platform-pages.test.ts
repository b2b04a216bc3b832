import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { text } from 'node:stream/consumers';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { invariant } from '../../src/core/invariant.ts';
import { openForBusiness, tag } from '../capture/shopper.ts';
import { openMerchant, type Json, type Merchant } from '../support/merchant.ts';
import { blocksOf, has } from './blocks.ts';

/** What docs/platforms.md puts into pages, in a browser; and its plugin, in PHP, on stand-ins of what WordPress gives it. */
const blocks = blocksOf('docs/platforms.md');
function block(file: string): string {
  const found = blocks.find((one) => one.file === file);
  invariant(found, `docs/platforms.md has ${file}`);
  return found.text;
}

const newShopper = openForBusiness();

test('the blocks that are tried here and in platforms.test.ts are all of the page', () => {
  expect(blocks.map(({ file, language }) => `${language} ${file}`).sort()).toEqual([
    'html paddle-checkout',
    'html shopify-theme',
    'php tributary.php',
    'ts medusa-storefront.ts',
    'ts paddle-webhook.ts',
    'ts shopify-webhook.ts',
    'ts src/subscribers/report-orders.ts',
    'ts stripe-billing.ts',
    'ts stripe-checkout.ts',
    'ts stripe-webhook.ts',
    'ts tributary.ts',
  ]);
});

test('Shopify: the cart stores the click of a visitor who came through a link, and of no other visitor', async () => {
  const shopper = await newShopper();
  const shown: Array<string | null> = [];
  await shopper.page.route('**/cart/update.js', (route) => {
    shown.push(route.request().postData());
    return route.fulfill({ json: {} });
  });
  const page = `${tag('defer')}<script>window.Shopify = { routes: { root: '/en/' } };</script>${block('shopify-theme')}`;
  await shopper.land(page);
  expect(shown).toEqual([]);
  const query = shopper.page.waitForRequest(/\/en\/cart\/update\.js$/);
  await shopper.land(page, '?rm_click=rmc_a');
  expect((await query).headers()['content-type']).toBe('application/json');
  await expect.poll(() => shown).toEqual(['{"attributes":{"rm_click":"rmc_a"}}']);
});

/** The recipes of docs/capture.md for a theme of a store that asks for consent. */
const consentBlocks = ['Consent managers', 'Shopify'].map((section) => {
  const found = blocksOf('docs/capture.md').find((one) => one.section === section && one.language === 'html');
  invariant(found, `docs/capture.md has a recipe under "${section}"`);
  return found.text.replace('https://partners.example/api/pn/sdk/v1.js', '{script}');
});
/** The store's own consent state, which is known some time after the page has loaded. */
const shopifyConsent = (isAllowed: boolean) => `<script>
  window.Shopify = { routes: { root: '/' }, loadFeatures: function (features, ready) {
    window.addEventListener('load', function () { setTimeout(function () {
      Shopify.customerPrivacy = { marketingAllowed: function () { return ${isAllowed}; } };
      ready();
      window.isDecided = true;
    }, 50); });
  } };
  window.tell = function (word) {
    document.dispatchEvent(new CustomEvent('visitorConsentCollected', { detail: { marketingAllowed: word } }));
  };
</script>`;

test('Shopify: with consent required, the cart stores the click right after the grant, and not before', async () => {
  const shopper = await newShopper();
  const shown: Array<string | null> = [];
  await shopper.page.route('**/cart/update.js', (route) => {
    shown.push(route.request().postData());
    return route.fulfill({ json: {} });
  });
  // In both orders within the theme.
  const theme = [...consentBlocks, block('shopify-theme')];
  for (const order of [theme, theme.toReversed()]) {
    await shopper.context.clearCookies();
    for (const [isAllowed, word, query, expected] of [
      [false, 'tell(false)', '?rm_click=rmc_a', []],
      [false, 'tell(true)', '?rm_click=rmc_a', ['{"attributes":{"rm_click":"rmc_a"}}']],
      [true, '0', '', ['{"attributes":{"rm_click":"rmc_a"}}']],
      [false, 'ServiceCapture.grantConsent(), updateCart()', '', ['{"attributes":{"rm_click":"rmc_a"}}']],
    ] as const) {
      shown.splice(0);
      await shopper.land(shopifyConsent(isAllowed) + order.join(''), query);
      await shopper.page.waitForFunction('window.isDecided');
      if (!isAllowed) expect(shown).toEqual([]);
      await shopper.run(`void (${word})`);
      await shopper.page.waitForLoadState('networkidle');
      await expect.poll(() => [word, ...shown]).toEqual([word, ...expected]);
    }
  }
});

test('Paddle: the checkout opens with the click, and without custom data if there is no click', async () => {
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

/** `consent`: the shopper's consent in the plugin WP Consent API; omitted for a store without that plugin. */
type Site = { readonly url?: string; readonly consent?: boolean };

async function wordpress(steps: readonly object[], { url = merchant.service.url, consent }: Site = {}): Promise<Json> {
  const { tracking_key, postback_key } = merchant.world.store;
  const constants = { TRIBUTARY_URL: url, TRIBUTARY_TRACKING_KEY: tracking_key, TRIBUTARY_POSTBACK_KEY: postback_key };
  const child = spawn(php, ['-d', 'display_errors=stderr', resolve('test/docs/wordpress.php')], { stdio: ['pipe', 'pipe', 'pipe'] });
  child.stdin.end(JSON.stringify({ plugin: join(folder, 'tributary.php'), constants, consent, steps }));
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
const notesOf = (...notes: readonly string[]) => notes.map((note) => `Tributary: ${note}`);
const checkouts = ['woocommerce_checkout_create_order', 'woocommerce_store_api_checkout_update_order_meta'] as const;

test.skipIf(!isPhpThere)('WooCommerce: an order of either checkout is reported once when it is paid, and so is its refund', async () => {
  const steps = [];
  for (const [place, by] of checkouts.entries()) {
    const id = 100 + place;
    steps.push({ do: 'order', by, cookie: await merchant.click(), fields: paidOrder(id) });
    for (const name of ['woocommerce_payment_complete', 'woocommerce_order_status_completed'])
      steps.push({ do: 'action', name, id }, { do: 'scheduled' });
    steps.push({ do: 'action', name: 'woocommerce_order_fully_refunded', id }, { do: 'scheduled' });
  }
  const { orders, scheduled, head } = await wordpress(steps);
  const notes = notesOf('conversions 200 recorded', 'conversions 200 duplicate_order', 'reversals 200 recorded');
  expect([orders[100].notes, orders[101].notes, scheduled]).toEqual([notes, notes, []]);
  expect([orders[100].saved, orders[101].saved]).toEqual([0, 1]);
  expect((await merchant.commissionOf('100')).eligibleCents).toBe(10_005n);
  expect(head).toBe(`<script defer src="${merchant.service.url}/api/pn/sdk/v1.js"></script>\n`);
});

test.skipIf(!isPhpThere)('WooCommerce: an order without a valid click or without payment is not reported', async () => {
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
  const { scheduled } = await wordpress([order, step, ...retries], { url: 'http://127.0.0.1:9' });
  expect(scheduled).toEqual([{ in: expect.any(Number), hook: 'tributary_send', given: ['conversions', 7, 2] }]);
  expect(scheduled[0].in).toBeGreaterThan(100);
});

test.skipIf(!isPhpThere)('WooCommerce: a refund that arrives before its order is retried until the order exists', async () => {
  const [by] = checkouts;
  const id = 200;
  const { orders, scheduled } = await wordpress([
    { do: 'order', by, cookie: await merchant.click(), fields: paidOrder(id) },
    { do: 'action', name: 'woocommerce_payment_complete', id },
    { do: 'action', name: 'woocommerce_order_fully_refunded', id },
    { do: 'scheduled', only: 'reversals' },
    { do: 'scheduled', only: 'reversals' },
    { do: 'scheduled', only: 'conversions' },
    { do: 'scheduled', atLeast: 100 },
  ]);
  // The second 404 says nothing new.
  expect(orders[id].notes).toEqual(notesOf('reversals 404 unknown_order', 'conversions 200 recorded', 'reversals 200 recorded'));
  expect(scheduled).toEqual([]);
  expect((await merchant.commissionOf(String(id))).state).toBe('reversed');
});

test.skipIf(!isPhpThere)('WooCommerce: a paid order that is cancelled is taken back, and its refund changes nothing more', async () => {
  const [by] = checkouts;
  const name = 'woocommerce_order_status_cancelled';
  const { orders, scheduled } = await wordpress([
    { do: 'order', by, cookie: await merchant.click(), fields: paidOrder(201) },
    { do: 'action', name: 'woocommerce_payment_complete', id: 201 },
    { do: 'scheduled' },
    { do: 'action', name, id: 201 },
    { do: 'scheduled' },
    { do: 'action', name: 'woocommerce_order_fully_refunded', id: 201 },
    { do: 'scheduled' },
    { do: 'order', by, cookie: await merchant.click(), fields: { ...paidOrder(202), paid: 0 } },
    { do: 'action', name, id: 202 },
    { do: 'action', name: 'woocommerce_order_partially_refunded', id: 201 },
  ]);
  expect(orders[201].notes).toEqual(notesOf('conversions 200 recorded', 'reversals 200 recorded', 'reversals 200 duplicate_order'));
  expect((await merchant.commissionOf('201')).state).toBe('reversed');
  expect(scheduled).toEqual([]);
});

test.skipIf(!isPhpThere)('WooCommerce: with WP Consent API, the cookie is read only after consent', async () => {
  for (const consent of [false, true]) {
    const click = await merchant.click();
    const steps = checkouts.map((by, place) => ({ do: 'order', by, cookie: click, fields: paidOrder(place) }));
    const { orders } = await wordpress(steps, { consent });
    const meta = consent ? { _rm_click: click } : [];
    expect([consent, orders[0].meta, orders[1].meta]).toEqual([consent, meta, meta]);
  }
});

/** As much of WP Consent API as its pages have: a type that may be defined late, a decision, and their events. */
const wpConsent = (type: string, decision: string) => `<script>
  var type = '${type}', decision = '${decision}';
  window.waitfor_consent_hook = type === '';
  window.wp_has_consent = function (category) {
    if (category !== 'marketing') return true;
    return type === '' || (type === 'optout' ? decision !== 'deny' : decision === 'allow');
  };
  window.define = function (name) { type = name; document.dispatchEvent(new CustomEvent('wp_consent_type_defined')); };
  window.decide = function (word) { decision = word; document.dispatchEvent(new CustomEvent('wp_listen_for_consent_change')); };
</script>`;

test.skipIf(!isPhpThere)(
  "WooCommerce: with WP Consent API the script waits for the shopper's yes, or for a region that needs none",
  async () => {
    const { head } = await wordpress([], { consent: false });
    const tagAndListener = String(head).replace(`${merchant.service.url}/api/pn/sdk/v1.js`, '{script}');
    for (const [type, decision, steps] of [
      ['optin', '', ["decide('deny')", null, "decide('allow')", 'rmc_a']],
      ['optin', 'allow', ['0', 'rmc_a']],
      ['optout', '', ['0', 'rmc_a']],
      ['', '', ['0', null, "define('optin')", null, "decide('allow')", 'rmc_a']],
      ['', '', ['0', null, "define('optout')", 'rmc_a']],
    ] as const) {
      const shopper = await newShopper();
      await shopper.land(tagAndListener + wpConsent(type, decision), '?rm_click=rmc_a');
      for (let at = 0; at < steps.length; at += 2) {
        await shopper.run(String(steps[at]));
        expect([type, decision, steps[at], await shopper.getClick()]).toEqual([type, decision, steps[at], steps[at + 1]]);
      }
    }
  },
);
