import { afterAll, expect, test } from 'vitest';
import { deliverEarnings } from '../../src/payouts/deliver-earnings.ts';
import { billerOf, differences, expectSuccess } from '../support/billing.ts';
import { expectShown, openMerchantDashboard, type Visitor } from '../support/dashboard.ts';
import { merchantIn, type Json } from '../support/merchant.ts';
import { emailsTo } from '../support/portal.ts';
import { axeViolations } from '../support/axe-violations.ts';

/** Problems between stores and creators that need an operator, and how a visitor becomes one of them. */
const { dashboard, merchant } = await openMerchantDashboard();
afterAll(() => dashboard.stop());
const biller = billerOf(merchant);
const olive = await dashboard.visitor();
await olive.signIn(merchant.world.logins.operator);
const cora = await dashboard.visitor({ scheme: 'dark', width: 360 });
await cora.signIn(merchant.world.logins.creator);

const dialog = (visitor: Visitor) => visitor.page.getByRole('dialog');
const row = (visitor: Visitor, text: string) => visitor.page.getByRole('row').filter({ hasText: text });

test('a charge with an unknown result links from the overview to the checks, and cannot be recorded as never made too early', async () => {
  await biller.billable(2_000);
  await biller.setPaymentMethod('timeout_not_done');
  expect(await biller.run()).toMatchObject([{ state: 'unknown' }]);
  await olive.open('/operator');
  await olive.page.getByRole('link', { name: '1 charge with unknown result' }).click();
  await olive.page.waitForURL((url) => url.pathname === '/operator/charges' && url.searchParams.get('state') === 'unknown');
  const [charge] = expectSuccess(await merchant.api('GET', '/charges')).json.data;
  await olive.page.getByRole('button', { name: /^Set result of \d+\.\d\d USD from Shop/ }).click();
  await expectShown(dialog(olive).getByText(charge.id));
  await expectShown(dialog(olive).getByText('“Tributary INV-00001”'));
  await dialog(olive).getByRole('radio', { name: 'Not found' }).check();
  await dialog(olive).getByLabel('Source').fill('The list of today');
  expect(await axeViolations(olive)).toEqual([]);
  await dialog(olive).getByRole('button', { name: 'Set result' }).click();
  await expectShown(dialog(olive).getByText('The charge may still be retried'));
  expect(await biller.invoices()).toMatchObject([{ state: 'unknown' }]);

  await dialog(olive).getByRole('radio', { name: 'Declined' }).check();
  await dialog(olive).getByLabel('Source').fill('Declined, in the list of today');
  await dialog(olive).getByRole('button', { name: 'Set result' }).click();
  await expect.poll(() => dialog(olive).count()).toBe(0);
  expect(await biller.invoices()).toMatchObject([{ state: 'retrying' }]);
  const { data: log } = expectSuccess(await merchant.api('GET', `/stores/${merchant.world.store.id}/audit-log`)).json;
  expect(log.find(({ action }: Json) => action === 'charge.settled_by_hand')).toMatchObject({ actor_name: 'Olive Operator' });
  expect(await differences(merchant)).toEqual([]);
});

test('open commissions of all stores are on one page, oldest first, with the filter in the URL and links to their stores', async () => {
  const { json: sold } = await merchant.convert(await merchant.order({ order_id: 'waits-long' }));
  const other = merchantIn(dashboard.service, await dashboard.service.seed());
  const { json: held } = await other.convert(await other.order({ order_id: 'is-held' }));
  expectSuccess(
    await other.api('POST', `/stores/${other.world.store.id}/commissions/hold`, { ids: [held.conversion_id], reason: 'fraud_review' }),
  );
  await olive.open('/operator/review');
  await expectShown(row(olive, 'waits-long').filter({ hasText: 'Review' }));
  await expectShown(row(olive, 'is-held').filter({ hasText: 'It is under review.' }));
  expect(await axeViolations(olive)).toEqual([]);
  await olive.page.getByLabel('Status', { exact: true }).selectOption('fraud_review');
  await olive.page.waitForURL((url) => url.searchParams.get('held') === 'fraud_review');
  await row(olive, 'waits-long').waitFor({ state: 'detached' });
  await olive.page.getByLabel('Status', { exact: true }).selectOption('merchant_request');
  await expectShown(olive.page.getByText('No matching commissions'));
  await olive.page.getByRole('link', { name: 'Show all' }).click();
  await row(olive, 'is-held')
    .getByRole('link', { name: /^Open in store: is-held/ })
    .click();
  await olive.page.waitForURL((url) => url.pathname === `/stores/${other.world.store.id}/conversions`);
  await dialog(olive).getByRole('button', { name: 'Release' }).click();
  await expectShown(olive.page.getByRole('alert').filter({ hasText: 'Released: 1.' }));
  await olive.open('/operator/review');
  await row(olive, 'waits-long')
    .getByRole('link', { name: /^Open in store: waits-long/ })
    .click();
  await dialog(olive).getByRole('button', { name: 'Approve' }).click();
  await expectShown(olive.page.getByRole('alert').filter({ hasText: 'Approved: 1.' }));
  const waiting = expectSuccess(await merchant.api('GET', '/waiting-commissions?limit=200')).json.data.map(({ id }: Json) => id);
  expect(waiting).not.toContain(sold.conversion_id);
  expect(expectSuccess(await merchant.api('GET', '/waiting-commissions?held=true&limit=200')).json.data).toEqual([]);
});

test('disputes of all stores are on one page, with the filter in the URL and links to their stores', async () => {
  const { json: sold } = await merchant.convert(await merchant.order({ order_subtotal_cents: 20_000 }));
  const { store, creator } = merchant.world;
  expectSuccess(await merchant.api('POST', `/stores/${store.id}/commissions/reject`, { ids: [sold.conversion_id], reason: 'own order' }));
  const body = { store_id: store.id, commission_id: sold.conversion_id, text: 'My sister bought it.' };
  expect((await merchant.api('POST', `/creators/${creator.id}/disputes`, body)).status).toBe(201);
  await olive.open('/operator');
  await olive.page.getByRole('link', { name: '1 dispute is open' }).click();
  await expectShown(row(olive, 'My sister bought it.').filter({ hasText: 'Open' }));
  expect(await axeViolations(olive)).toEqual([]);
  await olive.page.getByLabel('Status').selectOption('declined');
  await expectShown(olive.page.getByText('No dispute has this status.'));
  await olive.page.waitForURL((url) => url.searchParams.get('state') === 'declined');
  await olive.open('/operator/disputes?state=open');
  await row(olive, 'My sister bought it.').getByRole('link', { name: 'Open in store' }).click();
  await olive.page.getByRole('button', { name: /^Accept the dispute of/ }).click();
  await dialog(olive).getByRole('button', { name: 'Accept' }).click();
  await expect.poll(() => dialog(olive).count()).toBe(0);
  expect(expectSuccess(await merchant.api('GET', '/disputes?state=open')).json.data).toEqual([]);
});

test('the ledger page shows the scheduled verification with each of its checks', async () => {
  await merchant.moveClock('1d');
  await olive.open('/operator/ledger');
  await expectShown(olive.page.getByText(/^No differences on/));
  await olive.page.getByText('All checks').click();
  const [scheduled] = expectSuccess(await merchant.api('GET', '/ledger/verifications')).json.data;
  const checks = olive.page.getByRole('table', { name: 'Checks of the last verification' }).getByRole('row');
  await expect.poll(() => checks.count()).toBe(scheduled.checks.length + 1);
  await olive.page.getByText('The last verification', { exact: true }).click();
  await expectShown(row(olive, 'the scheduled job').filter({ hasText: 'Passed' }));
  expect(await axeViolations(olive)).toEqual([]);
});

test('a creator sees the results of each sub-ID for the date range in the URL', async () => {
  for (const sub of ['newsletter', 'newsletter', 'video']) await merchant.click(`${merchant.world.link.url}?sub=${sub}`);
  await cora.open('/creator/links');
  const table = cora.page.getByRole('table', { name: 'Results by sub-ID' });
  await expectShown(table.getByRole('row').filter({ hasText: /newsletter.*2/s }));
  expect(await axeViolations(cora)).toEqual([]);
  expect(await cora.page.evaluate('document.documentElement.scrollWidth')).toBe(360);
  await cora.open('/creator/links?from=2026-01-01&to=2026-01-31');
  await expectShown(cora.page.getByText('No activity on these days'));
});

test('a sign-up from a program’s page returns to it and applies; the store is notified', async () => {
  const stranger = await dashboard.visitor();
  const email = 'stranger@people.example';
  await stranger.open(`/programs/${merchant.world.program.id}`);
  await stranger.page.getByRole('link', { name: 'Create an account' }).click();
  await stranger.page.getByLabel('Email').fill(email);
  await stranger.page.getByRole('button', { name: 'Send link' }).click();
  await expectShown(stranger.page.getByText('The link works once and takes you back to the program.'));
  await expect.poll(async () => (await emailsTo(merchant.service, email)).length).toBe(1);
  const [mail] = await emailsTo(merchant.service, email);
  await stranger.open(/\/link\?\S+/.exec(mail?.text ?? '')?.[0] ?? '');
  await stranger.page.getByLabel('Your name').fill('Stella Stranger');
  await stranger.page.getByRole('textbox', { name: 'Password' }).fill('leaves in hot water');
  await stranger.page.getByRole('button', { name: 'Create account' }).click();
  await expectShown(stranger.page.getByRole('heading', { name: 'Friends of the shop', level: 1 }));
  await stranger.page.getByRole('button', { name: 'Create creator account and apply' }).click();
  await expectShown(stranger.page.getByRole('button', { name: 'Applied' }));
  const lastSubject = async () => (await emailsTo(merchant.service, merchant.world.logins.merchant.email))[0]?.subject;
  await expect.poll(lastSubject).toMatch(/: Stella Stranger applied to Friends of the shop$/);
  expect(stranger.complaints).toEqual([]);
});

test('a team member chooses which emails about the store they get', async () => {
  const mara = await dashboard.visitor();
  await mara.signIn(merchant.world.logins.merchant);
  await mara.open('/account');
  await mara.page.getByLabel('A creator applies to a program').uncheck();
  await mara.page.getByRole('button', { name: 'Save notifications' }).click();
  await expectShown(mara.page.getByText('Email notifications saved'));
  await mara.open('/account');
  await expect.poll(() => mara.page.getByLabel('A creator applies to a program').isChecked()).toBe(false);
  expect(await axeViolations(mara)).toEqual([]);
});

test('a refund of one product after the payout is credited by the rate of the product', async () => {
  const sold = merchantIn(dashboard.service, await dashboard.service.seed());
  const billerOfSold = billerOf(sold);
  const order_rules = [{ product_id: 'tea', basis_points: 2_000 }, { basis_points: 1_000 }];
  expectSuccess(await sold.api('POST', `${billerOfSold.store}/programs/${sold.world.program.id}/terms`, { pays: 'product', order_rules }));
  const line_items = [
    { product_id: 'tea', quantity: 2, amount_minor_units: 60_000 },
    { product_id: 'mug', quantity: 1, amount_minor_units: 40_000 },
  ];
  expectSuccess(await sold.convert(await sold.order({ order_id: 'two-products', order_subtotal_cents: 100_000, line_items })));
  expectSuccess(await sold.api('POST', `${billerOfSold.store}/commissions/approve`, { filter: { state: 'pending' } }));
  await billerOfSold.setPaymentMethod('ok');
  await sold.moveClock('31d');
  await billerOfSold.run();
  const { platform } = dashboard.service;
  await deliverEarnings(platform, platform.clock.now());
  expectSuccess(await sold.api('POST', '/payout-runs', { creator_id: sold.world.creator.id, minimum_cents: 0 }));
  expect((await sold.commissionOf('two-products')).state).toBe('paid');

  const { page } = olive;
  await olive.open(`/operator/stores/${sold.world.store.id}`);
  await page.getByRole('button', { name: /^Credit lines of INV-/ }).click();
  await page.getByRole('checkbox', { name: /two-products/ }).check();
  await expectShown(page.getByText('20% of 600.00 USD for tea is 120.00 USD'));
  await page.getByLabel('Refund', { exact: true }).fill('r-tea');
  await page.getByLabel('Refunded amount, USD').fill('300');
  await page.getByLabel('Why it was refunded').fill('One box was crushed');
  await page.getByRole('button', { name: 'Credit refund' }).click();
  await expectShown(page.getByRole('alert').filter({ hasText: 'the program paid for each product' }));
  await page.getByRole('button', { name: 'Add product' }).click();
  await page.getByLabel('Product ID').fill('cup');
  await page.getByLabel('Refunded amount, USD').fill('300.00');
  await page.getByLabel('Units returned').fill('1');
  await page.getByRole('button', { name: 'Credit refund' }).click();
  await expectShown(page.getByRole('alert').filter({ hasText: 'product_id cup' }));
  expect(await axeViolations(olive)).toEqual([]);
  await page.getByLabel('Product ID').fill('tea');
  await page.getByRole('button', { name: 'Credit refund' }).click();
  await expectShown(page.getByText(/^Issued CN-00001: 60\.00 USD of the commission\.$/));
  expect(await differences(sold)).toEqual([]);
});

test('no page logs an error or a policy violation', () => {
  expect([...olive.complaints, ...cora.complaints]).toEqual([]);
});
