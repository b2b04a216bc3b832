import { readFile } from 'node:fs/promises';
import { expect, test } from 'vitest';
import { invariant } from '../../src/core/invariant.ts';
import { openForBusiness, tag } from '../capture/shopper.ts';
import type { Json } from '../support/merchant.ts';
import { blocksOf } from './blocks.ts';

/** What docs/platforms.md puts into pages, in a browser. */
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
    'ts medusa-storefront.ts',
    'ts paddle-webhook.ts',
    'ts shopify-webhook.ts',
    'ts stripe-billing.ts',
    'ts stripe-checkout.ts',
    'ts stripe-webhook.ts',
    'ts tributary.ts',
    'ts vendure-storefront.ts',
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

test('WooCommerce: with WP Consent API the capture script waits for consent, or for a region that needs none', async () => {
  const listener = await readFile('packages/woocommerce/assets/consent.js', 'utf8');
  const script = '<script defer src="{script}" data-rm-consent-mode="explicit"></script>';
  for (const [type, decision, steps] of [
    ['optin', '', ["decide('deny')", null, "decide('allow')", 'rmc_a']],
    ['optin', 'allow', ['0', 'rmc_a']],
    ['optout', '', ['0', 'rmc_a']],
    ['', '', ['0', null, "define('optin')", null, "decide('allow')", 'rmc_a']],
    ['', '', ['0', null, "define('optout')", 'rmc_a']],
  ] as const) {
    const shopper = await newShopper();
    await shopper.land(`${script}<script>${listener}</script>${wpConsent(type, decision)}`, '?rm_click=rmc_a');
    for (let at = 0; at < steps.length; at += 2) {
      await shopper.run(String(steps[at]));
      expect([type, decision, steps[at], await shopper.getClick()]).toEqual([type, decision, steps[at], steps[at + 1]]);
    }
  }
});
