import { afterAll, expect, test } from 'vitest';
import { axeViolations } from '../support/axe-violations.ts';
import { openMerchantDashboard } from '../support/dashboard.ts';
import { picture } from '../support/picture.ts';
import { apiKey, deliver, paymentLinkOrder, processed, signingSecret, startStripeAccount } from '../stripe-orders/stripe-account.ts';

// The tests of this file run in order: each continues where the previous one ended.
const stripe = await startStripeAccount();
const { dashboard, merchant } = await openMerchantDashboard({ STRIPE_API: stripe.host });
const mara = await dashboard.visitor();
await mara.signIn(merchant.world.logins.merchant);
afterAll(async () => {
  await dashboard.stop();
  stripe.close();
});

const open = (path: string) => mara.open(`/stores/${merchant.world.store.id}/${path}`);
const button = (name: string) => mara.page.getByRole('button', { name, exact: true });
const text = (part: string) => mara.page.getByText(part, { exact: false }).first().waitFor();

test('the integration page leads to Stripe, where the URL and the events are to copy', async () => {
  await open('integration');
  await mara.page.getByRole('link', { name: 'Open Stripe' }).click();
  await mara.page.getByRole('heading', { level: 1, name: 'Stripe' }).waitFor();
  await text(`/api/v1/providers/stripe/stores/${merchant.world.store.id}`);
  await text('checkout.session.completed');
  await text('data-rm-payment-links="buy.stripe.com"');
  expect(await axeViolations(mara)).toEqual([]);
});

test('a wrong secret is shown beside its field, and a right one connects', async () => {
  await mara.page.getByLabel('Signing secret').fill('pk_wrong');
  await button('Connect Stripe').click();
  await mara.page.getByRole('textbox', { name: 'Signing secret' }).and(mara.page.locator('[aria-invalid="true"]')).waitFor();
  await mara.page.getByLabel('Signing secret').fill(signingSecret);
  await mara.page.getByLabel('Restricted API key').fill(apiKey);
  await button('Connect Stripe').click();
  await text('Stripe has not delivered an event yet.');
  expect(await mara.page.content()).not.toContain(apiKey);
});

test('events appear with what became of them, and a failed one can be processed again', async () => {
  const at = new Date(merchant.at());
  const [good, bad] = [paymentLinkOrder({ at, click: await merchant.click() }), paymentLinkOrder({ at, codes: ['promo_gone'] })];
  stripe.account.status = 403;
  for (const order of [good, bad]) expect(await deliver(merchant, order.completed())).toBe(200);
  await processed(merchant);
  await open('integration/stripe');
  await text('Stripe delivers events.');
  await mara.page.getByRole('row').filter({ hasText: good.id }).getByRole('button', { name: 'Reported' }).waitFor();
  await text('The API key has no permission to read what is needed.');
  expect(await axeViolations(mara)).toEqual([]);
  await picture(mara.page.locator('main'), 'stripe');
  stripe.account.status = 200;
  stripe.keep({ id: 'promo_gone', object: 'promotion_code', code: 'GONE' });
  await mara.page.getByRole('row').filter({ hasText: bad.id }).getByRole('button', { name: 'Process again' }).click();
  await mara.page.getByRole('row').filter({ hasText: bad.id }).getByRole('button', { name: 'Ignored' }).waitFor();
  expect(mara.complaints).toEqual([]);
});

test('the key can be removed, and the account disconnected', async () => {
  await button('Remove API key').click();
  await button('Remove key').click();
  await text('There is no API key.');
  await button('Disconnect').click();
  await button('Disconnect Stripe').click();
  await button('Connect Stripe').waitFor();
  expect((await merchant.api('GET', `/stores/${merchant.world.store.id}/stripe`)).json.is_connected).toBe(false);
});
