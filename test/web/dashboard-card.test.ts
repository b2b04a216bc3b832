import { afterAll, expect, test } from 'vitest';
import { invariant } from '../../src/core/invariant.ts';
import { openDashboard, type Visitor } from '../support/dashboard.ts';
import { merchantIn } from '../support/merchant.ts';
import { axeViolations } from '../support/axe-violations.ts';
import { startFakeStripe } from '../support/stripe-server.ts';

/** A merchant who pays by card. The card is entered on Stripe's page, which a fake server plays. */
const standIn = await startFakeStripe();
const { host, port, secretKey, webhookSecret } = standIn;
const dashboard = await openDashboard({
  STRIPE_SECRET_KEY: secretKey,
  STRIPE_WEBHOOK_SECRET: webhookSecret,
  STRIPE_API: `${host}:${port}`,
});
const merchant = merchantIn(dashboard.service, await dashboard.service.seed());
const mara = await dashboard.visitor();
await mara.signIn(merchant.world.logins.merchant);
afterAll(async () => {
  await dashboard.stop();
  await standIn.close();
  invariant(standIn.problems.length === 0, `Stripe understands every request; not these: ${standIn.problems.join('; ')}`);
});

/** The outcome of Stripe's page: a card is entered or not, and it redirects back. */
async function onStripesPage(visitor: Visitor, does: 'enters a card' | 'goes back'): Promise<void> {
  await visitor.page.unroute('https://checkout.stripe.example/**');
  await visitor.page.route('https://checkout.stripe.example/**', async (route) => {
    const id = route.request().url().split('/').at(-1) ?? '';
    const session = standIn.book.find(id);
    if (does === 'enters a card') standIn.book.change(String(session?.['setup_intent']), { status: 'succeeded', payment_method: 'pm_ok' });
    const back = String(session?.[does === 'enters a card' ? 'success_url' : 'cancel_url']).replace('{CHECKOUT_SESSION_ID}', id);
    const { pathname, search } = new URL(back);
    await route.fulfill({ status: 303, headers: { location: `${dashboard.service.url}${pathname}${search}` } });
  });
}
const part = (name: string) => mara.page.getByRole('region', { name, exact: true });

test('a card entered on Stripe’s page becomes the payment method on return; a backup card likewise', async () => {
  const billing = `/stores/${merchant.world.store.id}/billing`;
  await mara.open(billing);
  await onStripesPage(mara, 'goes back');
  // The redirect leads to the current path, so the page must show the result.
  const isBack = mara.page.waitForEvent('load');
  await mara.page.getByRole('button', { name: 'Replace the card with Stripe' }).click();
  await isBack;
  await mara.settled();
  expect(new URL(mara.page.url()).pathname).toBe(billing);
  expect((await merchant.api('GET', `/stores/${merchant.world.store.id}/payment-method`)).json.payment_method.provider).toBe('sandbox');

  await onStripesPage(mara, 'enters a card');
  await mara.page.getByRole('button', { name: 'Replace the card with Stripe' }).click();
  await mara.page.getByText('Card saved. Outstanding invoices are being charged.').waitFor();
  await part('Payment method').getByText('stripe', { exact: true }).waitFor();
  await mara.page.waitForURL((address) => address.search === '');
  await mara.page.getByRole('button', { name: 'Add a backup card with Stripe' }).click();
  await part('Backup payment method').getByText('stripe', { exact: true }).waitFor();
  expect((await merchant.api('GET', `/stores/${merchant.world.store.id}/payment-method`)).json).toMatchObject({
    payment_method: { provider: 'stripe' },
    backup_payment_method: { provider: 'stripe' },
  });
  expect(await axeViolations(mara)).toEqual([]);
  expect(mara.complaints).toEqual([]);
});

test('a URL with another store’s card saves nothing and shows an error', async () => {
  await mara.open(`/stores/${merchant.world.store.id}/billing?card=cs_test_of_nobody`);
  await expect.poll(() => mara.page.getByText('This setup does not exist at Stripe for this store').count()).toBeGreaterThan(0);
});
