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
import { arriveByLink, openShopperPage, openStoreOfPlugin, shapeOf, storefront } from './plugin-store.ts';
import { login, openShop, shopFolder, type Bought, type Shop, type Shopper } from './vendure-shop.ts';

/** `npm run test:vendure` runs these tests in order, against a real Vendure server and worker with the installed plugin. */
const isInstalled = shopFolder !== '';
const wait = { timeout: 100_000, interval: 250 };

let merchant: Merchant;
let shop: Shop;
let browser: Browser;
let page: Page;
let landing: LandingPage;
let servicePort: number;
/** The click of the shopper in the browser, and the order that it earned with. */
let firstClick: string;
let first: Bought;
/** What the tests bought, and what each commission must be in the end. */
const expected = new Map<string, number>();
/** Orders that test/packages/vendure-orders.json has too. */
const named = new Map<string, string>();

const storePath = (): string => `/stores/${merchant.world.store.id}`;
const reportsOf = (code: string) =>
  shop.sql('select operation, status, reason, body from tributary_report where order_id = $1 order by number', [code]);
const countOf = async (table: string): Promise<number> => (await shop.sql(`select count(*)::int as count from ${table}`))[0]?.count;

async function untilReported({ code }: Bought, operations: readonly string[]): Promise<void> {
  await vi.waitFor(async () => {
    const reports = await reportsOf(code);
    expect(reports.map(({ operation, status }) => `${operation} ${status}`)).toEqual(
      operations.map((operation) => `${operation} accepted`),
    );
  }, wait);
}

const bodyOf = async ({ code }: Bought, operation: string): Promise<Json> =>
  JSON.parse((await reportsOf(code)).find((report) => report.operation === operation)?.body ?? 'null');

async function stateOf({ orderId }: Bought): Promise<Json> {
  const { tributaryOrder } = await shop.admin(
    `query ($id: ID!) { tributaryOrder(orderId: $id) {
      reports { orderCode operation status } commission { creatorName amountCents state creditedCode explanation } problem } }`,
    { id: orderId },
  );
  return tributaryOrder;
}

async function healthOf(): Promise<Json> {
  const { tributary } = await shop.admin(
    '{ tributary { problem url storeId storeName checks { check passed } waiting refused accepted open { orderCode reason message } } }',
  );
  return tributary;
}

async function startService(): Promise<void> {
  const { databaseUrl } = merchant.service;
  merchant = merchantIn(await startTestServiceOn(databaseUrl, { PORT: String(servicePort) }), merchant.world);
}

beforeAll(async () => {
  if (!isInstalled) return;
  servicePort = await freePort();
  landing = await openLandingPage();
  const opened = await openStoreOfPlugin({ name: 'Vendure', port: servicePort, siteUrl: landing.url });
  merchant = opened.merchant;
  landing.showHtml(storefront(merchant.service.url));
  shop = await openShop({ url: merchant.service.url, apiKey: opened.apiKey });
  await shop.start();
  browser = await launchBrowser();
  page = await openShopperPage(browser);
}, 600_000);

afterAll(async () => {
  if (!isInstalled) return;
  await browser?.close();
  await landing?.close();
  await shop?.close();
  await merchant?.service.stop();
});

test.skipIf(!isInstalled)('one generated migration has all of the plugin', async () => {
  expect(await shop.command(['migrate.js', 'again'])).toContain('MIGRATION none');
});

test.skipIf(!isInstalled)('one mutation runs a test order, verifies tracking, and leaves no order behind', async () => {
  expect(await shop.admin('mutation { runTributaryTestOrder }')).toEqual({ runTributaryTestOrder: 'test_verified' });
  const health = await healthOf();
  expect(health).toMatchObject({ problem: null, storeId: merchant.world.store.id, waiting: 0, refused: 0, accepted: 0 });
  const passed = health.checks.filter((check: Json) => check.passed).map((check: Json) => check.check);
  expect(passed).toEqual(expect.arrayContaining(['key_used', 'link_opened', 'test_order', 'tracking_on', 'refund_tested']));
  expect(await countOf('"order"')).toBe(0);
});

test.skipIf(!isInstalled)('only administrators see the integration', async () => {
  const query = '{ tributary { problem } }';
  const request = { method: 'POST', headers: { 'content-type': 'application/json' }, body: JSON.stringify({ query }) };
  const { errors, data }: Json = await (await fetch(`${shop.url}/admin-api`, request)).json();
  expect([errors[0].extensions.code, data]).toEqual(['FORBIDDEN', null]);
});

test.skipIf(!isInstalled)("a creator's discount code becomes a promotion, and a promotion becomes the code of a creator", async () => {
  const check = 'mutation { checkTributaryCodes { linked created changed } }';
  // The worker looks at the codes after its start, and may have created it already.
  await shop.admin(check);
  expect(await shop.admin(check)).toEqual({ checkTributaryCodes: { linked: 0, created: 0, changed: 0 } });
  expect(await shop.sql('select "couponCode", enabled from promotion')).toEqual([{ couponCode: 'CORA10', enabled: true }]);
  const { createPromotion } = await shop.admin(`mutation { createPromotion(input: {
    enabled: true, couponCode: "FRIENDS", conditions: [], translations: [{ languageCode: en, name: "Friends" }],
    actions: [{ code: "order_fixed_discount", arguments: [{ name: "discount", value: "500" }] }]
  }) { ... on Promotion { id } } }`);
  const query = `query ($id: ID!) { tributaryPromotion(promotionId: $id) {
    code { code status creatorName } creators { creatorId creatorName programId } } }`;
  const { code, creators } = (await shop.admin(query, createPromotion)).tributaryPromotion;
  expect(code).toBeNull();
  const owner = creators.find((creator: Json) => creator.programId === merchant.world.program.id);
  expect(owner.creatorName).toBe('Cora Creator');
  const give = `mutation ($id: ID!, $creatorId: String!, $programId: String!) {
    giveTributaryCode(promotionId: $id, creatorId: $creatorId, programId: $programId) { code status } }`;
  const { creatorId, programId } = owner;
  const given = await shop.admin(give, { ...createPromotion, creatorId, programId });
  expect(given).toEqual({ giveTributaryCode: { code: 'FRIENDS', status: 'active' } });
  expect((await shop.admin(query, createPromotion)).tributaryPromotion).toMatchObject({
    code: { code: 'FRIENDS', creatorName: 'Cora Creator' },
    creators: [],
  });
  const { json } = await merchant.api('GET', `${storePath()}/codes`);
  expect(json.data.map((one: Json) => one.code).toSorted()).toEqual(['CORA10', 'FRIENDS']);
});

test.skipIf(!isInstalled)('a paused code deactivates its promotion, and an active one activates it again', async () => {
  const { json } = await merchant.api('GET', `${storePath()}/codes`);
  const { id } = json.data.find((one: Json) => one.code === 'CORA10');
  for (const [status, enabled] of [
    ['paused', false],
    ['active', true],
  ] as const) {
    await merchant.api('PATCH', `${storePath()}/codes/${id}`, { status });
    await shop.admin('mutation { checkTributaryCodes { changed } }');
    expect(await shop.sql(`select enabled from promotion where "couponCode" = 'CORA10'`)).toEqual([{ enabled }]);
  }
});

test.skipIf(!isInstalled)('a shopper who arrives by a link and consents late buys with a code, and is refunded in part', async () => {
  firstClick = await arriveByLink(page, merchant);
  const shopper = shop.shopper();
  const item = 'mutation { addItemToOrder(productVariantId: "1", quantity: 2) { __typename } }';
  await shopper.query(item);
  expect(await keepClick(shopper)).toBeNull();
  const stored = async () => (await shop.sql('select "customFieldsRmclick" as click from "order" order by id desc limit 1'))[0];
  expect(await stored()).toEqual({ click: null });
  await page.evaluate('window.ServiceCapture.grantConsent()');
  expect(await keepClick(shopper)).toBe(firstClick);
  expect(await stored()).toEqual({ click: firstClick });

  const bought = await shop.buy({ shopper, quantity: 0, code: 'CORA10' });
  await pause(1_500);
  // It is authorized, and not paid.
  expect(await reportsOf(bought.code)).toEqual([]);
  await shop.settle(bought);
  await untilReported(bought, ['conversion']);
  // Two aprons of 48.00 USD with 10% off.
  expect(await bodyOf(bought, 'conversion')).toMatchObject({
    order_id: bought.code,
    click_id: firstClick,
    currency: 'USD',
    order_subtotal_cents: 8_640,
    line_items: [{ product_id: 'apron', amount_minor_units: 8_640, quantity: 2 }],
    discount_codes: ['CORA10'],
    country: 'US',
  });
  expect((await stateOf(bought)).commission).toMatchObject({ creatorName: 'Cora Creator', amountCents: 864, state: 'pending' });

  // One apron with tax.
  await shop.refund(bought, 4_666, { units: 1 });
  await untilReported(bought, ['conversion', 'order_refund']);
  expect(await bodyOf(bought, 'order_refund')).toMatchObject({
    amount_cents: 4_320,
    line_items: [{ product_id: 'apron', amount_minor_units: 4_320, quantity: 1 }],
  });
  const { commission } = await stateOf(bought);
  expect(commission).toMatchObject({ amountCents: 432, state: 'pending' });
  expect(commission.explanation).toContain('Its commission fell from 8.64 USD to 4.32 USD: 10% of 43.20 USD is 4.32 USD.');
  expected.set(bought.code, 432);
  named.set('refunded in part', bought.code);
  first = bought;
});

/** What the storefront runs after each grant of consent; as in docs/platforms.md. */
async function keepClick(shopper: Shopper): Promise<string | null> {
  return page.evaluate(
    async ({ url, token }) => {
      const click = (globalThis as unknown as { ServiceCapture: { getClick(): string | null } }).ServiceCapture.getClick();
      if (click === null) return null;
      const headers = { 'content-type': 'application/json', authorization: `Bearer ${token}` };
      const query = 'mutation ($click: String) { setTributaryClick(clickId: $click) }';
      const response = await fetch(url, { method: 'POST', headers, body: JSON.stringify({ query, variables: { click } }) });
      return ((await response.json()) as { data: { setTributaryClick: string } }).data.setTributaryClick;
    },
    { url: `${shop.url}/shop-api`, token: shopper.token() },
  );
}

test.skipIf(!isInstalled)(
  'the dashboard shows the checks, runs the test order, and shows the creator and the commission of an order',
  async () => {
    const dashboard = await browser.newPage({ viewport: { width: 1280, height: 900 } });
    const failures: string[] = [];
    dashboard.on('pageerror', ({ message }) => failures.push(message));
    await dashboard.goto(`${shop.url}/dashboard/login`);
    await dashboard.locator('input[name=username]').fill(login.username);
    await dashboard.locator('input[name=password]').fill(login.password);
    await dashboard.locator('button[type=submit]').click();
    await dashboard.getByRole('button', { name: 'Settings', exact: true }).click();
    await dashboard.getByRole('link', { name: 'Tributary', exact: true }).click();
    await dashboard.getByText((await merchant.api('GET', storePath())).json.name).waitFor();
    await dashboard.getByText('Test order posted').waitFor();
    await dashboard.getByRole('button', { name: 'Check discount codes' }).click();
    await dashboard.getByText('Promotions linked: 0, created: 0, changed: 0.').waitFor();
    await dashboard.getByRole('button', { name: 'Run test order' }).click();
    await dashboard.getByText('The test order was accepted. Tracking is on.').waitFor();
    expect(await dashboard.getByText('Not yet', { exact: true }).count()).toBe(1);
    await picture(dashboard.locator('body'), 'vendure-health');
    await dashboard.goto(`${shop.url}/dashboard/orders/${first.orderId}`);
    await dashboard.getByText('Cora Creator').first().waitFor();
    await dashboard.getByText('$4.32', { exact: true }).waitFor();
    await dashboard.getByText('Partial refund', { exact: true }).waitFor();
    await picture(dashboard.locator('body'), 'vendure-order');
    expect(failures).toEqual([]);
    await dashboard.close();
  },
);

test.skipIf(!isInstalled)(
  'after a restart of Vendure, the shopper buys again: the click earns nothing twice, and a code earns for its creator',
  async () => {
    await shop.stop('SIGTERM');
    await shop.start();
    const shopAgain = async (code?: string): Promise<Bought> => {
      const shopper = shop.shopper();
      await shopper.query('mutation { addItemToOrder(productVariantId: "1", quantity: 1) { __typename } }');
      // The browser still has it.
      expect(await keepClick(shopper)).toBe(firstClick);
      const bought = await shop.buy({ shopper, quantity: 0, ...(code !== undefined && { code }) });
      await shop.settle(bought);
      return bought;
    };
    const withCode = await shopAgain('FRIENDS');
    await untilReported(withCode, ['conversion']);
    // One apron of 48.00 USD minus 5.00 USD.
    expect((await stateOf(withCode)).commission).toMatchObject({ amountCents: 430, creditedCode: 'FRIENDS' });
    expected.set(withCode.code, 430);
    const again = await shopAgain();
    await vi.waitFor(
      async () => expect(await reportsOf(again.code)).toMatchObject([{ status: 'refused', reason: 'referral_click_already_converted' }]),
      wait,
    );
    // The service does not know the order.
    await shop.refund(again, 1_000);
    await vi.waitFor(
      async () => expect(await reportsOf(again.code)).toMatchObject([{}, { status: 'refused', reason: 'unknown_order' }]),
      wait,
    );
    expect(await stateOf(again)).toMatchObject({ commission: null, problem: null });
  },
);

test.skipIf(!isInstalled)('a code without a click earns for its creator, and an order without both is not reported', async () => {
  const withCode = await shop.buy({ code: 'FRIENDS' });
  const without = await shop.buy({});
  await shop.settle(without);
  await shop.settle(withCode);
  await untilReported(withCode, ['conversion']);
  expect((await stateOf(withCode)).commission).toMatchObject({ amountCents: 430, creditedCode: 'FRIENDS' });
  expect(await stateOf(without)).toEqual({ reports: [], commission: null, problem: null });
  expected.set(withCode.code, 430);
  named.set('with a code', withCode.code).set('without a creator', without.code);
});

test.skipIf(!isInstalled)('a refund that an administrator settles by hand is reported when it is settled', async () => {
  const bought = await shop.buy({ click: await merchant.click() });
  await shop.settle(bought);
  const id = await shop.refund(bought, 1_000, { reason: 'by hand' });
  await untilReported(bought, ['conversion']);
  await pause(1_500);
  await untilReported(bought, ['conversion']);
  await shop.admin('mutation ($id: ID!) { settleRefund(input: { id: $id, transactionId: "by hand" }) { __typename } }', { id });
  await untilReported(bought, ['conversion', 'order_refund']);
  // 10.00 of 61.84 USD, of which 48.00 USD are the apron: 7.76 USD.
  expect(await bodyOf(bought, 'order_refund')).toMatchObject({
    amount_cents: 776,
    line_items: [{ product_id: 'apron', amount_minor_units: 776 }],
  });
  expect((await stateOf(bought)).commission).toMatchObject({ amountCents: 402 });
  expected.set(bought.code, 402);
});

test.skipIf(!isInstalled)('a wrong click is not kept, and a withdrawn consent removes the click', async () => {
  const shopper = shop.shopper();
  const set = (click: string | null) => shopper.query('mutation ($click: String) { setTributaryClick(clickId: $click) }', { click });
  const click = await merchant.click();
  // Without an order there is nothing to keep it with.
  expect(await set(click)).toEqual({ setTributaryClick: null });
  await shopper.query('mutation { addItemToOrder(productVariantId: "1", quantity: 1) { __typename } }');
  expect(await set(click)).toEqual({ setTributaryClick: click });
  await expect(set('not a click')).rejects.toThrow('clickId must be a click ID or null.');
  expect(await set(null)).toEqual({ setTributaryClick: null });
  const bought = await shop.buy({ shopper, quantity: 0 });
  expect(bought.totalCents).toBe(6_184);
  expect(await shop.sql('select "customFieldsRmclick" as click from "order" where code = $1', [bought.code])).toEqual([{ click: null }]);
  named.set('authorized', bought.code);
});

test.skipIf(!isInstalled)('a report waits while the service is away and Vendure is restarted, and is sent once', async () => {
  const bought = await shop.buy({ click: await merchant.click() });
  await merchant.service.stop();
  await shop.settle(bought);
  await vi.waitFor(async () => expect(await reportsOf(bought.code)).toMatchObject([{ status: 'waiting' }]), wait);
  await shop.stop('SIGTERM');
  await startService();
  expect(await reportsOf(bought.code)).toMatchObject([{ operation: 'conversion', status: 'waiting' }]);
  await shop.start();
  // The attempt may be in its pause, or another process may have had it when it was stopped.
  await shop.admin('mutation { sendTributaryReports }');
  await untilReported(bought, ['conversion']);
  expect((await stateOf(bought)).commission).toMatchObject({ amountCents: 480 });
  expected.set(bought.code, 480);
});

test.skipIf(!isInstalled)(
  'an order whose event was lost, because Vendure was killed between the payment and the report, is reported after the start',
  async () => {
    const bought = await shop.buy({ click: await merchant.click() });
    await settleAndKill(bought);
    expect(await shop.sql('select state from payment where id = $1', [bought.paymentId])).toEqual([{ state: 'Settled' }]);
    expect(await reportsOf(bought.code)).toEqual([]);
    await shop.start();
    await untilReported(bought, ['conversion']);
    expect((await stateOf(bought)).commission).toMatchObject({ amountCents: 480 });
    expected.set(bought.code, 480);
  },
);

/** The lock keeps the report from being stored until Vendure is dead. */
const settleAndKill = (bought: Bought): Promise<void> => killWhileLocked('tributary_report', 'access exclusive', () => shop.settle(bought));

/** Kills Vendure when what it was made to do waits for the table. */
async function killWhileLocked(table: string, mode: string, act: () => Promise<unknown>): Promise<void> {
  const other = await shop.database();
  try {
    await other.query(`begin; lock table ${table} in ${mode} mode`);
    await act();
    await vi.waitFor(async () => {
      const { rows } = await other.query(`select count(*)::int as count from pg_locks where relation = $1::regclass and not granted`, [
        table,
      ]);
      expect(rows[0].count).toBeGreaterThan(0);
    }, wait);
    await shop.stop('SIGKILL');
  } finally {
    await other.end();
  }
}

test.skipIf(!isInstalled)(
  'leaves no promotion without its code when Vendure is killed between creating the promotion and linking it',
  async () => {
    const { program, creator } = merchant.world;
    await merchant.api('POST', `${storePath()}/programs/${program.id}/codes`, { code: 'CORA20', creator_id: creator.id });
    // Reads pass the lock, and the link waits.
    await killWhileLocked('tributary_code', 'share', async () => {
      shop.admin('mutation { checkTributaryCodes { created } }').catch(() => {});
    });
    const promotions = () => shop.sql(`select id from promotion where "couponCode" = 'CORA20'`);
    const links = () => shop.sql(`select is_created from tributary_code where code = 'CORA20'`);
    // PostgreSQL may need a moment to see that the process is gone.
    await vi.waitFor(async () => expect([await promotions(), await links()]).toEqual([[], []]), wait);
    await shop.start();
    await shop.admin('mutation { checkTributaryCodes { created } }');
    expect(await promotions()).toHaveLength(1);
    expect(await links()).toEqual([{ is_created: true }]);
  },
);

test.skipIf(!isInstalled)(
  'a full refund and a canceled order are reversed, and what was reported before is not reported again',
  async () => {
    const refunded = await shop.buy({ click: await merchant.click() });
    const canceled = await shop.buy({ click: await merchant.click() });
    await shop.settle(refunded);
    await shop.settle(canceled);
    await shop.refund(refunded, 1_000);
    await shop.refund(refunded, refunded.totalCents - 1_000);
    const cancel = 'mutation ($id: ID!) { cancelOrder(input: { orderId: $id }) { ... on ErrorResult { errorCode message } } }';
    await shop.admin(cancel, { id: canceled.orderId });
    await untilReported(refunded, ['conversion', 'order_refund', 'reversal']);
    await untilReported(canceled, ['conversion', 'reversal']);
    for (const one of [refunded, canceled]) expect((await stateOf(one)).commission).toMatchObject({ state: 'reversed' });
    named.set('refunded', refunded.code).set('canceled', canceled.code);
    // The refund of a canceled order is not reported.
    await shop.refund(canceled, 1_000);
    const before = await countOf('tributary_report');
    const checked = async () => (await shop.sql('select checked_until from tributary_connection'))[0]?.checked_until;
    const earlier = await checked();
    await vi.waitFor(async () => expect(await checked()).not.toEqual(earlier), wait);
    expect(await countOf('tributary_report')).toBe(before);
  },
);

test.skipIf(!isInstalled)('the recorded orders of the unit tests have the shape of the orders of this server', async () => {
  const printed = await shop.command(['record-orders.js']);
  const orders: readonly Json[] = JSON.parse(/RECORDED (.*)/.exec(printed)?.[1] ?? '[]');
  const used = Object.fromEntries([...named].map(([name, code]) => [name, orders.find((order) => order.code === code)]));
  const file = 'test/packages/vendure-orders.json';
  if (env['VENDURE_RECORD'] === '1') await writeFile(file, `${JSON.stringify(used, null, 2)}\n`);
  expect(shapeOf(used)).toEqual(shapeOf(JSON.parse(await readFile(file, 'utf8'))));
});

test.skipIf(!isInstalled)('nothing was lost or doubled: each commission and the statement of the month are right', async () => {
  const { json } = await merchant.api('GET', `${storePath()}/commissions?limit=100`);
  const earned = json.data.filter((one: Json) => one.state !== 'reversed').map((one: Json) => [one.order_id, one.amount_cents]);
  expect(new Map(earned)).toEqual(expected);
  expect(json.data).toHaveLength(expected.size + 2);
  // What no creator earns needs no attention.
  expect(await healthOf()).toMatchObject({ waiting: 0, refused: 0, accepted: 13, open: [] });
  const total = [...expected.values()].reduce((sum, amount) => sum + amount, 0);
  const { store, creator } = await expectStatementsToAgree(merchant, await moveToNextMonth(merchant));
  expect(store.sold.earned_cents).toBe(total);
  expect(creator.sold.earned_cents).toBe(total);
});

test.skipIf(!isInstalled)('removal leaves nothing behind, and no change of the schema', async () => {
  await shop.stop('SIGTERM');
  const keys = async (): Promise<number> => (await merchant.api('GET', `${storePath()}/postback-keys`)).json.data.length;
  const before = await keys();
  await shop.command(['node_modules/.bin/tributary-vendure-remove', 'vendure-config.js']);
  expect(await keys()).toBe(before - 1);
  expect(await shop.command(['migrate.js', 'nothing'], { PLUGIN: 'none' })).toContain('MIGRATION none');
  const tables = await shop.sql(`select quote_ident(table_name) as name from information_schema.tables
    where table_schema = 'public' and table_type = 'BASE TABLE'`);
  const left: string[] = [];
  for (const { name } of tables) {
    const [found] = await shop.sql(`select count(*)::int as count from ${name} as one where one::text ~* 'tributary|rm_?click|rmc_|rmv_'`);
    if (found?.count > 0 || name.includes('tributary')) left.push(`${name}: ${found?.count}`);
  }
  expect(left).toEqual([]);
  const kept = await shop.sql('select "couponCode" as code from promotion where "deletedAt" is null');
  expect(kept).toEqual([{ code: 'FRIENDS' }]);
});
