import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { sql } from '../../src/db/sql.ts';
import { realNow, minuteMs } from '../../src/core/time.ts';
import { closePages, sharedBrowser } from '../support/browser.ts';
import { expectSuccess } from '../support/billing.ts';
import { merchantIn, openMerchant, visitLink, type Json, type Merchant } from '../support/merchant.ts';
import { startTestService, startTestServiceOn } from '../support/service.ts';
import { expectStatementsToAgree } from '../support/statements.ts';
import { apiKey, connect, deliver, paymentLinkOrder, processed, signingSecret, startStripeAccount } from './stripe-account.ts';

vi.setConfig({ testTimeout: 120_000, hookTimeout: 120_000 });

const paymentLink = 'https://buy.stripe.com/test_1';
let browser: Browser;
let stripe: Awaited<ReturnType<typeof startStripeAccount>>;
let merchant: Merchant;

beforeAll(async () => {
  [browser, stripe] = await Promise.all([sharedBrowser(), startStripeAccount()]);
  stripe.keep({ id: 'promo_spring', object: 'promotion_code', code: 'SPRING10' });
  merchant = await openMerchant(await startTestService({ STRIPE_API: stripe.host }));
  await merchant.moveToSpring();
  const { world, api } = merchant;
  const program = `/stores/${world.store.id}/programs/${world.program.id}`;
  expectSuccess(await api('POST', `${program}/terms`, { order_rules: [{ basis_points: 1_000 }], codes: 'when_no_click' }));
  expectSuccess(await api('POST', `${program}/codes`, { code: 'SPRING10', creator_id: world.creator.id }));
  await merchant.moveClock('1h');
  expectSuccess(await connect(merchant, { signing_secret: signingSecret, api_key: apiKey }));
});
afterAll(async () => {
  await closePages(browser);
  stripe.close();
  await merchant.service.stop();
});

const now = (): Date => new Date(merchant.at());

/** Another process on the same database, as after a restart. */
async function restart(environment: Readonly<Record<string, string>> = {}): Promise<void> {
  const { service, world } = merchant;
  await service.stop();
  merchant = merchantIn(await startTestServiceOn(service.databaseUrl, { STRIPE_API: stripe.host, ...environment }), world);
}

/** A shopper follows the creator's link, agrees late, and pays by the Payment Link. Returns the reference that Stripe receives. */
async function followLinkAndPay(): Promise<string | null> {
  const context = await browser.newContext();
  const page = await context.newPage();
  const script = await (await fetch(`${merchant.service.url}/api/pn/sdk/v1.js`)).text();
  const tag =
    '<script src="https://partners.example/v1.js" data-rm-consent-mode="explicit" data-rm-payment-links="buy.stripe.com"></script>';
  const html = `<!doctype html><title>A store</title>${tag}
    <button onclick="ServiceCapture.grantConsent()">Agree</button> <a href="${paymentLink}">Buy</a>`;
  await context.route(/^https:\/\//, (route) => {
    const isScript = route.request().url().endsWith('/v1.js');
    return route.fulfill(isScript ? { contentType: 'text/javascript', body: script } : { contentType: 'text/html', body: html });
  });
  // The browser cannot replace the page that a redirect leads to, so the redirect is followed here.
  const { headers } = await visitLink(merchant.service.url, merchant.world.link.url.split('/').at(-1) ?? '');
  await page.goto(headers.get('location') ?? '');
  await page.getByRole('button', { name: 'Agree' }).click();
  await page.getByRole('link', { name: 'Buy' }).click();
  await page.waitForURL(`${paymentLink}*`);
  const reference = new URL(page.url()).searchParams.get('client_reference_id');
  await context.close();
  return reference;
}

async function commissionIn(orderId: string): Promise<Json> {
  const { data } = (await merchant.api('GET', `/stores/${merchant.world.store.id}/commissions?order_id=${orderId}`)).json;
  expect(data).toHaveLength(1);
  return (await merchant.api('GET', `/stores/${merchant.world.store.id}/commissions/${data[0].id}`)).json;
}

test('an order, its partial refund, and a second order are neither lost nor doubled by restarts, and all amounts agree', async () => {
  const click = await followLinkAndPay();
  expect(click).toMatch(/^rmc_/);
  const first = paymentLinkOrder({ at: now(), click: click ?? '', codes: ['promo_spring'] });
  expect(await deliver(merchant, first.completed())).toBe(200);
  expect(await processed(merchant)).toMatchObject([{ state: 'done' }]);

  // This process only stores: what it has acknowledged is processed after the next restart.
  await restart({ ROLE: 'web' });
  const secondClick = await followLinkAndPay();
  const second = paymentLinkOrder({ at: now(), click: secondClick ?? '' });
  const events = [first.refunded(2_300), second.completed(), first.completed()];
  for (const event of [...events, ...events]) expect(await deliver(merchant, event)).toBe(200);
  const { data: stored } = (await merchant.api('GET', `/stores/${merchant.world.store.id}/stripe/events?state=waiting`)).json;
  expect(stored).toHaveLength(3);

  await restart();
  expect((await processed(merchant)).map(({ state }) => state)).toEqual(['done', 'done', 'done', 'done']);

  const [refunded, whole] = [await commissionIn(first.id), await commissionIn(second.id)];
  expect([refunded.amount_cents, whole.amount_cents]).toEqual([800, 1_000]);
  expect(refunded).toMatchObject({ state: 'pending', attributed_by: 'click', discount_codes: ['SPRING10'] });
  expect(refunded.explanation).toContain('The order earns 10.00 USD: 10% of 100.00 USD is 10.00 USD.');
  expect(refunded.explanation).toContain('20.00 USD of the order was refunded. Its commission fell from 10.00 USD to 8.00 USD');
  const { data } = (await merchant.api('GET', `/stores/${merchant.world.store.id}/commissions?limit=100`)).json;
  expect(data.map(({ order_id: order }: Json) => order).toSorted()).toEqual([first.id, second.id].toSorted());

  const month = merchant.at().slice(0, 7);
  const next = new Date(Date.UTC(Number(month.slice(0, 4)), Number(month.slice(5)), 1, 12));
  await merchant.moveClock(`${Math.ceil((next.getTime() - Date.parse(merchant.at())) / 3_600_000)}h`);
  const { creator } = await expectStatementsToAgree(merchant, month);
  expect(creator).toBeDefined();
});

test('an event whose process ends between its report and its result is processed again, and records nothing twice', async () => {
  const order = paymentLinkOrder({ at: now(), click: await merchant.clickAt(new Date(merchant.at(-60_000))) });
  const { crashPoints } = merchant.service.platform;
  crashPoints.onReached = (point) => {
    if (point === 'stripe orders: event handled') throw new Error('the process ends here');
  };
  expect(await deliver(merchant, order.completed())).toBe(200);
  await expect.poll(() => merchant.commissionOf(order.id).catch(() => null), { timeout: 20_000 }).not.toBeNull();
  const stateOf = async (): Promise<string> => {
    const { data } = (await merchant.api('GET', `/stores/${merchant.world.store.id}/stripe/events`)).json;
    return data[0].state;
  };
  expect(await stateOf()).toBe('waiting');
  await restart();
  // The lease of the ended process is over.
  await merchant.database.run(sql`
    update stripe_events set try_at = ${new Date(realNow().getTime() - minuteMs)}
    where store_id = ${merchant.storeId} and state = 'waiting'`);
  const [event] = (await merchant.api('GET', `/stores/${merchant.world.store.id}/stripe/events`)).json.data;
  expectSuccess(await merchant.api('POST', `/stores/${merchant.world.store.id}/stripe/events/${event.id}/retry`));
  await expect.poll(stateOf, { timeout: 20_000 }).toBe('done');
  expect((await commissionIn(order.id)).amount_cents).toBe(1_000);
});
