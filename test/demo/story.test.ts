import type { BrowserContext, Page } from 'playwright-core';
import { afterAll, afterEach, expect, test } from 'vitest';
import { setUpStore } from '../../demo/set-up.ts';
import { startShop } from '../../demo/shop.ts';
import { invariant } from '../../src/core/invariant.ts';
import { closePages, sharedBrowser } from '../support/browser.ts';
import type { Json } from '../support/merchant.ts';
import { startTestService } from '../support/service.ts';

const contexts: BrowserContext[] = [];
const service = await startTestService();
const world = await service.seed();
const merchant = await startShop({
  port: 0,
  now: () => service.platform.clock.now(),
  connect: (shopUrl) => setUpStore({ serviceUrl: service.url, shopUrl, merchant: world.logins.merchant, creatorId: world.creator.id }),
});
const browser = await sharedBrowser();
afterEach(async () => {
  for (const context of contexts.splice(0)) await context.close();
});
afterAll(async () => {
  await closePages(browser);
  await merchant?.stop();
  await service?.stop();
});

/** A shopper with a separate browser profile; every error on a page is recorded. */
async function shopper(): Promise<{ readonly page: Page; readonly noise: readonly string[] }> {
  const context = await browser.newContext({
    userAgent: 'Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/153.0 Safari/537.36',
  });
  contexts.push(context);
  const page = await context.newPage();
  const noise: string[] = [];
  page.on('pageerror', (error) => noise.push(error.message));
  page.on('console', (message) => {
    if (message.type() === 'error' && !message.location().url.endsWith('/favicon.ico')) noise.push(message.text());
  });
  return { page, noise };
}

const linkUrl = () => `${service.url}/r/${merchant.settings.linkUrl.split('/').at(-1)}`;
/** Answers the consent banner, which sends no request. */
const answer = (page: Page, name: 'Yes' | 'No') => page.getByRole('button', { name, exact: true }).click();
/** Each other button of the shop leads to a page, its own or another. */
const press = async (page: Page, name: string): Promise<void> => {
  const isThere = page.waitForEvent('load');
  await page.getByRole('button', { name, exact: true }).click();
  await isThere;
};
const answers = (page: Page) => page.locator('.answer').allInnerTexts();

async function asMerchant(path: string): Promise<Json> {
  const response = await fetch(`${service.url}/api/v1/stores/${merchant.settings.storeId}${path}`, {
    headers: { authorization: `Bearer ${world.operator_key}` },
  });
  invariant(response.ok, 'the operator sees every store');
  return response.json();
}
const commissionOf = async (field: 'order_id' | 'invoice_id', id: string): Promise<Json> =>
  (await asMerchant('/commissions')).data.find((one: Json) => one[field] === id);
const idIn = (page: Page): string => new URL(page.url()).pathname.split('/')[2] ?? '';

test('a creator’s link, consent, an order, its commission, and the refund that takes it back', async () => {
  const { page, noise } = await shopper();
  await page.goto(linkUrl());
  expect(new URL(page.url()).searchParams.get('rm_click')).toMatch(/^rmc_/);
  expect(await page.context().cookies()).toEqual([]);
  await answer(page, 'Yes');
  await page.goto(merchant.url);
  await press(page, 'Buy Copper kettle');
  const id = idIn(page);
  expect(await answers(page)).toEqual(['recorded']);
  expect(await commissionOf('order_id', id)).toMatchObject({ state: 'pending', amount_cents: 1_290, creator_id: world.creator.id });
  await press(page, 'Refund');
  expect(await answers(page)).toEqual(['recorded', 'recorded']);
  expect(await commissionOf('order_id', id)).toMatchObject({ state: 'reversed', reversal_reason: 'refunded' });
  expect(noise).toEqual([]);
});

test('who does not consent is not followed: nothing is kept and nothing is reported', async () => {
  const { page } = await shopper();
  await page.goto(linkUrl());
  await answer(page, 'No');
  await page.goto(merchant.url);
  await press(page, 'Buy River mug');
  expect(await answers(page)).toEqual(['not_sent: missing_referral_click']);
  expect((await page.context().cookies()).map(({ name }) => name)).toEqual(['shop_consent']);
  expect(await commissionOf('order_id', idIn(page))).toBeUndefined();
});

test('without a banner the click is kept at once; consent once given is asked for again where the banner comes back', async () => {
  const { page } = await shopper();
  await page.goto(merchant.url);
  await press(page, 'Switch it off');
  await page.goto(linkUrl());
  expect((await page.context().cookies()).map(({ name }) => name)).toContain('_service_click');
  await page.goto(merchant.url);
  await press(page, 'Buy Tea of the season');
  expect(await answers(page)).toEqual(['recorded']);
  await page.goto(merchant.url);
  await press(page, 'Switch it on');
  await press(page, 'Buy Tea of the season');
  expect(await answers(page)).toEqual(['not_sent: missing_referral_click']);
});

test('a subscription: its first invoice, a renewal, a refund of one of them, and its end', async () => {
  const { page } = await shopper();
  await page.goto(linkUrl());
  await answer(page, 'Yes');
  await page.goto(merchant.url);
  await press(page, 'Subscribe');
  const id = idIn(page);
  expect(await answers(page)).toEqual(['recorded', 'recorded']);
  await press(page, 'Renew');
  await press(page, `Refund ${id}-1`);
  await press(page, 'Cancel');
  expect(await answers(page)).toEqual(['recorded', 'recorded', 'recorded', 'recorded', 'recorded']);
  expect(await commissionOf('invoice_id', `${id}-1`)).toMatchObject({ state: 'reversed', amount_cents: 480 });
  expect(await commissionOf('invoice_id', `${id}-2`)).toMatchObject({ state: 'pending', amount_cents: 480 });
  expect(await page.getByRole('button', { name: 'Renew' }).count()).toBe(0);
});

test('the shop was set up by the management API alone: its integration is proved like any other', async () => {
  const { lights } = await asMerchant('/integration');
  const on = lights.filter((light: Json) => light.is_on).map(({ light }: Json) => light);
  expect(on).toEqual(expect.arrayContaining(['key_used', 'test_order', 'tracking_on']));
});

test('what a shopper types is text on its pages, and a wrong address is answered', async () => {
  const response = await fetch(`${merchant.url}/orders/${encodeURIComponent('<script>alert(1)</script>')}`);
  expect(response.status).toBe(404);
  expect(await response.text()).not.toContain('alert(1)');
  for (const form of ['product=none&quantity=1', 'product=mug&quantity=0', 'product=mug&quantity=1e9', 'product=mug'])
    expect((await fetch(`${merchant.url}/buy`, { method: 'POST', body: new URLSearchParams(form), redirect: 'manual' })).status).toBe(404);
});
