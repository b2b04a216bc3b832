import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, expect, onTestFinished, test, vi } from 'vitest';
import { launchBrowser } from '../support/browser.ts';
import { freePort } from '../support/main-process.ts';
import { merchantIn, type Json, type Merchant } from '../support/merchant.ts';
import { picture } from '../support/picture.ts';
import { startTestServiceOn } from '../support/service.ts';
import { expectStatementsToAgree, moveToNextMonth } from '../support/statements.ts';
import { arriveByLink, openShopperPage, openStoreOfPlugin } from './plugin-store.ts';
import { buyInBlockCheckout, buyInClassicCheckout, openAdmin, signIn, submit } from './woocommerce-pages.ts';
import { hasSubscriptions, isInstalled, openShop, type Shop, type Storage } from './woocommerce-shop.ts';

if (!isInstalled) process.stdout.write('WORDPRESS_FOLDER is not set: the plugin for WooCommerce is not tested.\n');

vi.setConfig({ testTimeout: 300_000 });

const storages: readonly Storage[] = ['order tables', 'posts'];

let merchant: Merchant;
let apiKey: string;
let servicePort: number;
let shop: Shop;
let browser: Browser;
/** A second creator of the program. */
let ben: string;

const storePath = (): string => `/stores/${merchant.world.store.id}`;
const ownerOf = (creator: string): string => `${merchant.world.program.id} ${creator}`;
const cora = (): string => merchant.world.creator.id;

async function api(method: string, path: string, body?: object): Promise<Json> {
  const { status, json, text } = await merchant.api(method, path, body);
  if (status >= 300) throw new Error(`${method} ${path}: ${text}`);
  return json;
}
async function codeNamed(name: string): Promise<Json> {
  const { data } = await api('GET', `${storePath()}/codes?limit=200`);
  return data.find(({ code }: Json) => code === name) ?? null;
}
const createCode = (code: string, creator = cora(), fields: object = {}): Promise<Json> =>
  api('POST', `${storePath()}/programs/${merchant.world.program.id}/codes`, { code, creator_id: creator, ...fields });
const changeCode = ({ id }: Json, change: object): Promise<Json> => api('PATCH', `${storePath()}/codes/${id}`, change);
const couponNamed = (name: string): Promise<Json> => shop.step('coupon-named', name);

async function startService(): Promise<void> {
  const { databaseUrl } = merchant.service;
  merchant = merchantIn(await startTestServiceOn(databaseUrl, { PORT: String(servicePort) }), merchant.world);
}

beforeAll(async () => {
  if (!isInstalled) return;
  servicePort = await freePort();
  shop = await openShop();
  const opened = await openStoreOfPlugin({ name: 'WooCommerce', port: servicePort, siteUrl: shop.url });
  ({ merchant, apiKey } = opened);
  ben = (await api('POST', '/creators', { name: 'Ben Codes', email: 'ben-codes@example.com' })).id;
  await api('POST', `${storePath()}/programs/${merchant.world.program.id}/members`, { creator_id: ben });
  await shop.step('activate');
  await shop.start();
  const problem = await shop.step('connect', merchant.service.url, apiKey);
  if (problem !== null) throw new Error(JSON.stringify(problem));
  browser = await launchBrowser();
}, 300_000);
afterAll(async () => {
  if (!isInstalled) return;
  await browser?.close();
  await shop?.stop();
  await merchant?.service.stop();
});

test.skipIf(!isInstalled).each(storages)(
  'with orders in %s, verifies tracking with a test order, and deletes the order',
  async (storage) => {
    await shop.store(storage);
    expect(await shop.step('test-order')).toBe('test_verified');
    const checks: Json = await shop.step('checks');
    const passed = checks.filter((check: Json) => check.is_passed).map((check: Json) => check.title);
    expect(passed).toEqual(expect.arrayContaining(['Postback key used', 'Test order posted', 'Tracking on', 'Refund tested']));
  },
);

test.skipIf(!isInstalled).each(storages)(
  'with orders in %s, reports an order with a coupon, a partial refund, and the refund of the rest, also across a restart and an outage',
  async (storage) => {
    await shop.store(storage);
    const coupon = await shop.step('coupon', `spring-${storage.length}`);
    const order = await shop.sell({ click: await merchant.click(), coupons: [`spring-${storage.length}`] });
    const isOrderTable = storage === 'order tables';
    expect(await shop.step('click-tables', order)).toEqual({ orders: isOrderTable ? 1 : 0, posts: isOrderTable ? 0 : 1 });
    const [report]: Json = await shop.reportsOf(order);
    // Two aprons of 48.00 with 10% off.
    const amounts = { order_id: String(order), order_subtotal_cents: 8_640, currency: 'USD', country: 'US' };
    const body = { ...amounts, discount_code: `spring-${storage.length}` };
    expect(report).toMatchObject({ operation: 'conversion', status: 'waiting', body });
    expect(report.body).not.toHaveProperty('discount_codes');
    expect(report.body.line_items).toEqual([{ product_id: 'apron', amount_minor_units: 8_640, quantity: 2 }]);

    await shop.stop();
    await shop.start();
    await shop.step('work');
    expect(await shop.reportsOf(order)).toMatchObject([{ status: 'accepted', reason: 'recorded' }]);
    expect(await merchant.commissionOf(String(order))).toMatchObject({ state: 'pending', amountCents: 864n });

    // The same event again: WooCommerce raises it for each of the statuses processing and completed.
    await shop.step('status', order, 'completed');
    await shop.step('work');
    expect(await shop.reportsOf(order)).toHaveLength(1);

    await shop.step('refund', order, '20.00', true);
    await shop.step('work');
    const refund = { operation: 'order_refund', status: 'accepted', body: { amount_cents: 2_000 } };
    expect((await shop.reportsOf(order)).at(-1)).toMatchObject(refund);
    expect(await merchant.commissionOf(String(order))).toMatchObject({ amountCents: 664n });

    await shop.step('refund', order, '66.40', true);
    await shop.step('work');
    expect((await shop.reportsOf(order)).at(-1)).toMatchObject({ operation: 'reversal', status: 'accepted' });
    expect(await merchant.commissionOf(String(order))).toMatchObject({ state: 'reversed' });
    await shop.step('delete', coupon);
  },
);

test.skipIf(!isInstalled).each(storages)(
  'with orders in %s, reports an order without a click by the coupon of a creator, and its refunds',
  async (storage) => {
    await shop.store(storage);
    const name = `podcast-${storage.length}`;
    await shop.step('give', await shop.step('coupon', name), ownerOf(cora()));
    await shop.step('work');
    const order = await shop.sell({ coupons: [name.toUpperCase()] });
    await shop.step('refund', order, '20.00', true);
    await shop.step('work');
    await shop.step('refund', order, '66.40', true);
    await shop.step('work');
    await shop.step('work');
    const reports = await shop.reportsOf(order);
    expect(reports.map(({ operation, status }: Json) => `${operation} ${status}`)).toEqual([
      'conversion accepted',
      'order_refund accepted',
      'reversal accepted',
    ]);
    expect(reports[0].body).toMatchObject({ discount_codes: [name], order_subtotal_cents: 8_640 });
    expect(reports[0].body).not.toHaveProperty('click_id');
    expect(await merchant.commissionOf(String(order))).toMatchObject({ state: 'reversed' });
  },
);

test.skipIf(!isInstalled).each(storages)(
  'with orders in %s, reports nothing for an order without a click and a creator’s coupon, unless every order is to be reported',
  async (storage) => {
    await shop.store(storage);
    const order = await shop.sell({});
    expect(await shop.step('order', order)).toEqual({ click: '', reports: [] });
    await shop.step('settings', true, null);
    const other = await shop.sell({});
    await shop.step('refund', other, '20.00', true);
    await shop.step('settings', false, null);
    for (const _ of [1, 2]) await shop.step('work');
    // No creator earns it, so the service does not know the order, and its refund is not sent.
    expect(await shop.reportsOf(other)).toMatchObject([
      { operation: 'conversion', status: 'no_creator', reason: 'missing_referral_click', body: { discount_codes: [] } },
      { operation: 'order_refund', status: 'no_creator' },
    ]);
  },
);

test.skipIf(!isInstalled).each(storages)(
  'with orders in %s, keeps reports during an outage, and sends them in order afterward',
  async (storage) => {
    await shop.store(storage);
    const order = await shop.buy({ click: await merchant.click() });
    await merchant.api('POST', `${storePath()}/integration/disable`);
    await shop.step('pay', order);
    await shop.step('status', order, 'cancelled');
    await shop.step('work');
    expect((await shop.reportsOf(order)).map((report: Json) => report.status)).toEqual(['waiting', 'waiting']);
    await merchant.api('POST', `${storePath()}/integration/enable`);
    await shop.step('work');
    await shop.step('work');
    expect(await shop.reportsOf(order)).toMatchObject([
      { operation: 'conversion', status: 'accepted' },
      { operation: 'reversal', status: 'accepted' },
    ]);
  },
);

const checkouts = storages.flatMap((storage) => (['block', 'classic'] as const).map((kind) => [storage, kind] as const));

test.skipIf(!isInstalled).each(checkouts)(
  'with orders in %s, the %s checkout keeps the click of a shopper in a browser',
  async (storage, kind) => {
    await shop.store(storage);
    const page = await (await browser.newContext()).newPage();
    const click = await merchant.click();
    await land(page, click);
    await page.waitForFunction('window.ServiceCapture?.getClick()');
    const order = await (kind === 'block' ? buyInBlockCheckout : buyInClassicCheckout)(shop, page);
    expect((await shop.step('order', order)).click).toBe(click);
    await shop.step('status', order, 'processing');
    await shop.step('work');
    expect(await shop.reportsOf(order)).toMatchObject([{ operation: 'conversion', status: 'accepted', body: { click_id: click } }]);
    expect(await merchant.commissionOf(String(order))).toMatchObject({ amountCents: 480n });
    await page.context().close();
  },
);

async function land(page: Page, click: string): Promise<void> {
  await page.goto(`${shop.url}/?product=apron&rm_click=${click}`);
  await page.waitForFunction('window.ServiceCapture !== undefined');
}

test.skipIf(!isInstalled)('a coupon that is given to a creator becomes their code, and follows the coupon', async () => {
  const id = await shop.step('coupon', 'Summer');
  await shop.step('give', id, ownerOf(cora()));
  expect(await couponNamed('SUMMER')).toMatchObject({ is_pending: true, code_id: null });
  await shop.step('work');
  const code = await codeNamed('summer');
  expect(code).toMatchObject({ creator_id: cora(), status: 'active', valid_until: null });
  expect(await couponNamed('summer')).toMatchObject({ is_pending: false, code_id: code.id, state: 'The discount code is active.' });

  await shop.step('change-coupon', id, { date_expires: '2040-01-01T00:00:00Z' });
  await shop.step('work');
  expect(await codeNamed('summer')).toMatchObject({ status: 'active', valid_until: '2040-01-01T00:00:00.000Z' });
  await shop.step('trash', id);
  await shop.step('work');
  expect(await codeNamed('summer')).toMatchObject({ status: 'paused' });
  await shop.step('publish', id);
  await shop.step('work');
  expect(await codeNamed('summer')).toMatchObject({ status: 'active' });

  // A coupon with another name is another code.
  await shop.step('change-coupon', id, { code: 'summer2' });
  await shop.step('work');
  expect([(await codeNamed('summer')).status, (await codeNamed('summer2')).status]).toEqual(['paused', 'active']);
  await shop.step('give', id, '');
  await shop.step('work');
  expect((await codeNamed('summer2')).status).toBe('paused');
  expect(await shop.step('compare-codes')).toMatchObject({ linked: 0 });
  expect(await couponNamed('summer2')).toMatchObject({ owner: '', code_id: null, status: 'publish' });
  // Given again, the code continues; a deleted coupon pauses it.
  await shop.step('give', id, ownerOf(cora()));
  await shop.step('work');
  expect((await codeNamed('summer2')).status).toBe('active');
  await shop.step('delete', id);
  await shop.step('work');
  expect((await codeNamed('summer2')).status).toBe('paused');
});

test.skipIf(!isInstalled)('a code of another creator, in any case, and an ended code keep their creator', async () => {
  const taken = await createCode('BENS', ben);
  const id = await shop.step('coupon', 'bens');
  await shop.step('give', id, ownerOf(cora()));
  await shop.step('work');
  const state = expect.stringContaining('The code BENS belongs to Ben Codes');
  expect(await couponNamed('bens')).toMatchObject({ owner: ownerOf(ben), code_id: taken.id, state });
  const ended = await createCode('OVER', cora());
  await changeCode(ended, { status: 'ended' });
  await shop.step('give', await shop.step('coupon', 'over'), ownerOf(cora()));
  await shop.step('work');
  expect(await couponNamed('over')).toMatchObject({ owner: '', code_id: null, state: expect.stringContaining('has ended') });
  expect(await codeNamed('OVER')).toMatchObject({ status: 'ended' });
});

test.skipIf(!isInstalled)('a change of a coupon survives an outage of the service', async () => {
  await merchant.service.stop();
  const id = await shop.step('coupon', 'patience');
  await shop.step('give', id, ownerOf(cora()));
  await shop.step('work');
  const state = expect.stringMatching(/The change waits to be sent\. The service at .+ does not respond/);
  expect(await couponNamed('patience')).toMatchObject({ is_pending: true, state });
  await startService();
  await shop.step('compare-codes');
  expect(await couponNamed('patience')).toMatchObject({
    is_pending: false,
    owner: ownerOf(cora()),
    state: 'The discount code is active.',
  });
  expect(await codeNamed('patience')).toMatchObject({ status: 'active' });
});

test.skipIf(!isInstalled)('a code becomes a coupon only if the shop owner sets a discount, and the coupon follows its code', async () => {
  const code = await createCode('CORA15');
  await shop.step('settings', false, null);
  expect(await shop.step('compare-codes')).toMatchObject({ created: 0 });
  expect(await couponNamed('cora15')).toBeNull();
  await shop.step('settings', false, { type: 'percent', amount: '15' });
  expect((await shop.step('compare-codes')).created).toBeGreaterThan(0);
  const coupon = await couponNamed('cora15');
  expect(coupon).toMatchObject({ status: 'publish', discount: 'percent 15', expires: null, code_id: code.id, owner: ownerOf(cora()) });
  expect(await shop.step('compare-codes')).toEqual({ linked: 0, created: 0, changed: 0 });

  await changeCode(code, { status: 'paused', valid_until: '2041-01-01T00:00:00Z' });
  expect(await shop.step('compare-codes')).toEqual({ linked: 0, created: 0, changed: 1 });
  expect(await couponNamed('cora15')).toMatchObject({ status: 'draft', expires: Date.UTC(2041, 0) / 1_000, is_pending: false });
  await changeCode(code, { status: 'active', valid_until: null });
  expect(await shop.step('compare-codes')).toMatchObject({ changed: 1 });
  expect(await couponNamed('cora15')).toMatchObject({ status: 'publish', expires: null, is_pending: false });

  const order = await shop.sell({ coupons: ['cora15'] });
  await shop.step('work');
  // Two aprons of 48.00 with 15% off.
  expect(await merchant.commissionOf(String(order))).toMatchObject({ eligibleCents: 8_160n, amountCents: 816n });

  // The shop owner removes the coupon: its code is paused, and the coupon is not created again.
  await shop.step('delete', coupon.id);
  await shop.step('work');
  expect(await codeNamed('CORA15')).toMatchObject({ status: 'paused' });
  expect(await shop.step('compare-codes')).toMatchObject({ created: 0 });
  await changeCode(code, { status: 'active' });
  expect(await shop.step('compare-codes')).toMatchObject({ created: 1 });
  await changeCode(code, { status: 'ended' });
  expect(await shop.step('compare-codes')).toMatchObject({ changed: 1 });
  expect(await couponNamed('cora15')).toMatchObject({ status: 'draft' });
  await shop.step('settings', false, null);
});

test.skipIf(!isInstalled)(
  'an order reports all of its coupons, and one with a coupon that becomes a code later is reported then',
  async () => {
    for (const name of ['one', 'two']) await shop.step('coupon', name);
    const order = await shop.sell({ click: await merchant.click(), coupons: ['one', 'two'] });
    const [report] = await shop.reportsOf(order);
    expect(report.body.discount_codes).toEqual(['one', 'two']);
    expect(report.body).not.toHaveProperty('discount_code');

    const byCoupon = await shop.sell({ coupons: ['two', 'one'] });
    expect(await shop.reportsOf(byCoupon)).toEqual([]);
    await createCode('ONE', ben, { valid_from: '2020-01-01T00:00:00Z' });
    await shop.step('work');
    await shop.step('work');
    expect(await shop.reportsOf(byCoupon)).toMatchObject([{ status: 'accepted', body: { discount_codes: ['two', 'one'] } }]);
    // Two aprons of 48.00 with 10% off, twice.
    expect(await merchant.commissionOf(String(byCoupon))).toMatchObject({ eligibleCents: 7_680n, amountCents: 768n });
  },
);

test.skipIf(!isInstalled)('adds the script to every page', async () => {
  const page = await (await fetch(`${shop.url}/`)).text();
  expect(page).toContain(`src="${merchant.service.url}/api/pn/sdk/v1.js"`);
  expect(page).toMatch(/<script[^>]*defer[^>]*v1\.js/);
  expect(page).not.toContain('data-rm-consent-mode');
});

const grants = [
  ['optin', "wp_set_consent('marketing', 'allow')"],
  ['optout', 'null'],
] as const;
test.skipIf(!isInstalled)('with the WP Consent API, the click is kept after a late grant, and not after a withdrawal', async () => {
  for (const [type, grant] of grants) {
    await shop.step('consent-api', type);
    expect(await shop.step('is-consent-registered')).toBe(true);
    const page = await (await browser.newContext()).newPage();
    const click = await merchant.click();
    await land(page, click);
    if (type === 'optin') expect(await page.evaluate('ServiceCapture.getClick()')).toBeNull();
    await page.evaluate(`void (${grant})`);
    await page.waitForFunction('ServiceCapture.getClick()');
    const order = await buyInClassicCheckout(shop, page);
    expect([type, (await shop.step('order', order)).click]).toEqual([type, click]);

    // The cookie is still there, and must not be read.
    await page.goto(`${shop.url}/?product=apron`);
    await page.evaluate("wp_set_consent('marketing', 'deny')");
    expect((await page.context().cookies()).map(({ name }) => name)).toContain('_service_click');
    const denied = await buyInClassicCheckout(shop, page);
    expect([type, (await shop.step('order', denied)).click]).toEqual([type, '']);
    await page.context().close();
  }
  const click = await merchant.click();
  await shop.step('consent-api', 'optin');
  for (const [cookies, expected] of [
    ['', ''],
    ['wp_consent_marketing=deny', ''],
    ['wp_consent_marketing=allow', click],
  ] as const)
    expect([cookies, (await shop.step('order', await shop.buy({ click, cookies }))).click]).toEqual([cookies, expected]);
  await shop.step('no-consent-api');
});

/** The coupon of a code that exists already. A comparison of an earlier test may have created it, with another discount. */
async function addCouponOfCora(): Promise<void> {
  const coupon = await couponNamed('cora10');
  await (coupon === null ? shop.step('coupon', 'cora10') : shop.step('change-coupon', coupon.id, { amount: '10' }));
  await shop.step('compare-codes');
}

test.skipIf(!isInstalled)(
  'a shopper who arrives by a link and consents late buys with a code, is refunded in part, and buys again after a restart and an outage',
  async () => {
    await shop.store('order tables');
    await shop.step('consent-api', 'optin');
    onTestFinished(() => shop.step('no-consent-api'));
    await addCouponOfCora();
    const { program } = merchant.world;
    const destination = { creator_id: cora(), destination_url: `${shop.url}/?product=apron` };
    const link = await api('POST', `${storePath()}/programs/${program.id}/links`, destination);
    const page = await openShopperPage(browser);
    const click = await arriveByLink(page, merchant, link.url);
    expect(await page.evaluate('ServiceCapture.getClick()')).toBeNull();
    await page.evaluate("wp_set_consent('marketing', 'allow')");
    await page.waitForFunction('ServiceCapture.getClick()');
    const first = await buyInBlockCheckout(shop, page, { coupon: 'cora10' });
    expect(await shop.step('order', first)).toEqual({ click, reports: [] });
    await shop.step('pay', first);
    await shop.step('work');
    // An apron of 48.00 with 10% off.
    expect(await shop.reportsOf(first)).toMatchObject([{ status: 'accepted', body: { click_id: click, discount_code: 'cora10' } }]);
    await shop.step('refund', first, '20.00', true);

    // The refund waits while the service is away and the shop is restarted, and the shopper buys again.
    await merchant.service.stop();
    await shop.step('work');
    await shop.stop();
    await shop.start();
    const second = await buyInBlockCheckout(shop, page, { coupon: 'cora10', isKnown: true });
    const third = await buyInBlockCheckout(shop, page, { isKnown: true });
    for (const order of [second, third]) await shop.step('pay', order);
    await shop.step('work');
    expect((await shop.reportsOf(first)).map(({ status }: Json) => status)).toEqual(['accepted', 'waiting']);
    await startService();
    for (const _ of [1, 2]) await shop.step('work');
    expect(await shop.reportsOf(first)).toMatchObject([{ status: 'accepted' }, { status: 'accepted', body: { amount_cents: 2_000 } }]);
    const earned = async (order: number): Promise<Json> => (await api('GET', `${storePath()}/commissions?order_id=${order}`)).data;
    const [commission, ...others] = await earned(first);
    expect(others).toEqual([]);
    expect(commission).toMatchObject({ creator_name: 'Cora Creator', amount_cents: 232, state: 'pending' });
    expect(commission.explanation).toContain('Its commission fell from 4.32 USD to 2.32 USD: 10% of 23.20 USD is 2.32 USD.');
    // The click has earned; the code earns for its creator.
    expect(await earned(second)).toMatchObject([{ creator_name: 'Cora Creator', amount_cents: 432, credited_code: 'CORA10' }]);
    // Without a code, no creator earns the order, which is no error and needs no attention.
    const unearned = { status: 'no_creator', reason: 'referral_click_already_converted' };
    expect(await shop.reportsOf(third)).toMatchObject([{ operation: 'conversion', ...unearned }]);
    expect(await earned(third)).toEqual([]);
    await shop.step('refund', third, '20.00', true);
    await shop.step('work');
    expect(await shop.reportsOf(third)).toMatchObject([unearned, { operation: 'order_refund', status: 'no_creator' }]);
    await page.context().close();
  },
);

test.skipIf(!isInstalled || !hasSubscriptions)('a subscription earns with each payment; its refunds and its end are reported', async () => {
  await shop.store('order tables');
  await shop.step('subscriptions');
  onTestFinished(() => shop.step('no-subscriptions'));
  const first = await shop.buy({ click: await merchant.click() });
  const subscription = String(await shop.step('subscribe', first));
  await shop.step('pay', first);
  await shop.step('work');
  const renewal = await shop.step('renew', subscription, true);
  const early = await shop.step('renew', subscription, false);
  for (const _ of [1, 2]) await shop.step('work');
  const reports = async (): Promise<Json> =>
    (await shop.reportsOf(first)).map(({ operation, status, body }: Json) => [operation, status, body.invoice_id ?? null]);
  const paid = [
    ['relationship', 'accepted', null],
    ...[first, renewal, early].map((order) => ['billing_event', 'accepted', String(order)]),
  ];
  expect(await reports()).toEqual(paid);
  const earned = async (): Promise<Json> =>
    Object.fromEntries(
      (await api('GET', `${storePath()}/commissions?limit=200`)).data
        .filter(({ invoice_id: invoice }: Json) => [first, renewal, early].map(String).includes(invoice))
        .map(({ invoice_id: invoice, state, amount_cents: amount }: Json) => [invoice, `${state} ${amount}`]),
    );
  // Two aprons of 48.00, of which the subscription pays 20%.
  expect(await earned()).toEqual({ [first]: 'pending 1920', [renewal]: 'pending 1920', [early]: 'pending 1920' });
  await shop.step('refund', renewal, '20.00', true);
  await shop.step('work');
  await shop.step('refund', first, '96.00', true);
  await shop.step('cancel', subscription);
  for (const _ of [1, 2]) await shop.step('work');
  expect(await reports()).toEqual([
    ...paid,
    ['invoice_refund', 'accepted', String(renewal)],
    ['invoice_reversal', 'accepted', String(first)],
    ['relationship_end', 'accepted', null],
  ]);
  expect(await earned()).toEqual({ [first]: 'reversed 1920', [renewal]: 'pending 1520', [early]: 'pending 1920' });
});

test.skipIf(!isInstalled)(
  'an administrator connects the shop, runs a test order, and sees orders and coupons with their creator',
  async () => {
    await shop.store('order tables');
    await addCouponOfCora();
    const order = await shop.sell({ click: await merchant.click(), coupons: ['cora10'] });
    await shop.step('work');
    const page = await (await browser.newContext({ viewport: { width: 1280, height: 900 } })).newPage();
    const failures: string[] = [];
    page.on('pageerror', ({ message }) => failures.push(message));
    await signIn(shop, page);
    await openAdmin(shop, page, 'admin.php?page=tributary&tab=settings');
    await page.getByLabel('Report orders without a click').check();
    await page.getByLabel('Coupons for discount codes').selectOption('percent');
    await page.getByLabel('Discount', { exact: true }).fill('150');
    await submit(page, 'Save Changes', 'at most 100 percent');
    await page.getByLabel('Report orders without a click').check();
    await submit(page, 'Save Changes', 'Settings saved.');
    expect(await page.getByLabel('Report orders without a click').isChecked()).toBe(true);
    await picture(page.locator('.wrap'), 'woocommerce-settings');
    await page.getByLabel('Report orders without a click').uncheck();
    await submit(page, 'Save Changes', 'Settings saved.');

    const { name } = await api('GET', storePath());
    await page.getByText(`Connected to the store ${name}`).waitFor();
    await submit(page, 'Disconnect', 'The shop is disconnected.');
    await picture(page.locator('.wrap'), 'woocommerce-connect');
    await page.getByLabel('Service URL').fill(merchant.service.url);
    await page.getByLabel('API key').fill('trb_wrong');
    await submit(page, 'Connect', 'API key');
    await page.getByLabel('Service URL').fill(merchant.service.url);
    await page.getByLabel('API key').fill(apiKey);
    await submit(page, 'Connect', 'The shop is connected.');
    await submit(page, 'Run test order', 'The test order was verified. Tracking is on.');
    await submit(page, 'Compare discount codes', 'Discount codes were compared');
    await page.getByRole('row', { name: 'Refund tested ✓ Passed' }).waitFor();
    await picture(page.locator('.wrap'), 'woocommerce-status');
    await openAdmin(shop, page, `admin.php?page=wc-orders&action=edit&id=${order}`);
    await page.locator('#tributary').getByText('Creator: Cora Creator').waitFor();
    await page.locator('#tributary').getByText('Commission: $8.64, Pending').waitFor();
    await picture(page.locator('#tributary'), 'woocommerce-order');
    const coupon = await couponNamed('cora10');
    await openAdmin(shop, page, `post.php?post=${coupon.id}&action=edit`);
    await page.getByText('The discount code is active.').waitFor();
    expect(await page.locator('#tributary_owner option:checked').textContent()).toContain('Cora Creator');
    await picture(page.locator('#woocommerce-coupon-data'), 'woocommerce-coupon');
    await openAdmin(shop, page, 'site-health.php');
    await page.getByText('Orders are reported to Tributary').waitFor({ state: 'attached' });
    expect(failures).toEqual([]);
    await page.context().close();
  },
);

test.skipIf(!isInstalled)('Site Health says whether orders are reported', async () => {
  const { site } = await shop.step('health');
  expect(site).toMatchObject({ label: 'Orders are reported to Tributary', status: 'good' });
});

test.skipIf(!isInstalled)('nothing was doubled, and the statement of the month agrees with the commissions', async () => {
  const { data } = await api('GET', `${storePath()}/commissions?limit=200`);
  const sales = data.map(({ order_id: order, invoice_id: invoice }: Json) => order ?? invoice);
  expect(new Set(sales).size).toBe(sales.length);
  const kept = data.filter(({ state }: Json) => state !== 'reversed');
  const sum = kept.reduce((total: number, { amount_cents: amount }: Json) => total + amount, 0);
  const { store } = await expectStatementsToAgree(merchant, await moveToNextMonth(merchant));
  expect(store.sold.earned_cents).toBe(sum);
});

test.skipIf(!isInstalled)('leaves no table, option, mark, or action behind when it is deleted', async () => {
  expect(await shop.step('uninstall')).toEqual({ tables: [], options: [], coupons: [], actions: 0 });
  const { json } = await merchant.api('GET', `${storePath()}/postback-keys`);
  expect(json.data.filter((key: Json) => key.revoked_at === null || key.revoked_at === undefined)).toHaveLength(1);
});
