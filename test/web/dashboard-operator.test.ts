import { afterAll, expect, test } from 'vitest';
import { handlePayoutEvent } from '../../src/payouts/send-payout.ts';
import { sql } from '../../src/db/sql.ts';
import { publicId } from '../../src/core/ids.ts';
import { openProviders } from '../../src/payments/providers.ts';
import { billerOf, differences, expectSuccess } from '../support/billing.ts';
import { createCollectedCommissions, createPayee } from '../support/collected-commissions.ts';
import { expectShown, openMerchantDashboard, type Visitor } from '../support/dashboard.ts';
import { axeViolations } from '../support/axe-violations.ts';

const { dashboard, merchant } = await openMerchantDashboard();
afterAll(() => dashboard.stop());
const biller = billerOf(merchant);
await biller.billable(12_000, 3_005);
const olive = await dashboard.visitor();
await olive.signIn(merchant.world.logins.operator);
const second = await dashboard.visitor();
await second.signIn((await dashboard.service.seed()).logins.operator);

const button = (visitor: Visitor, name: string | RegExp) => visitor.page.getByRole('button', { name, exact: typeof name === 'string' });
const dialog = (visitor: Visitor) => visitor.page.getByRole('dialog');
const region = (visitor: Visitor, name: string) => visitor.page.getByRole('region', { name, exact: true });
const expectNoFormWorks = async () => {
  await expectShown(olive.page.locator('form button[type=submit]').first());
  await expect.poll(() => olive.page.locator('form button[type=submit]:enabled').count()).toBe(0);
};
const storePage = () => `/operator/stores/${merchant.world.store.id}`;

test('the payout settings are saved and take effect', async () => {
  await olive.open('/operator/settings');
  await olive.page.getByLabel('Second person required above, USD').fill('50');
  await button(olive, 'Save payouts').click();
  await expectShown(olive.page.getByText('Saved. Effective immediately.'));
  expect(expectSuccess(await merchant.api('GET', '/payout-settings')).json).toMatchObject({ second_person_above_cents: 5_000 });
  await olive.page.getByLabel('Platform fee, %').fill('a lot');
  await button(olive, 'Save billing').click();
  await expectShown(olive.page.getByText('Must be a number such as 25 or 12.50.'));
});

test('a dry run shows what would be issued, and issues nothing', async () => {
  await olive.open('/operator/billing-runs');
  await button(olive, 'Dry run').click();
  await expectShown(region(olive, 'Dry run').getByText('1 invoice, 150.05 USD'));
  await expectShown(region(olive, 'Dry run').getByRole('link', { name: /^Shop/ }));
  await expectShown(region(olive, 'Dry run').getByRole('button', { name: 'Would be issued' }));
  expect(await biller.invoices()).toEqual([]);
  expect(await axeViolations(olive)).toEqual([]);
});

test('a past run replaces the shown dry run, which is listed immediately', async () => {
  const past = region(olive, 'Manual runs').getByRole('row').filter({ hasText: 'Dry run' });
  await past.getByRole('button', { name: /^Open the run of \w{3} \d+, \d{4}, / }).click();
  await expectShown(region(olive, 'Result of the dry run').getByRole('button', { name: 'Would be issued' }));
  await region(olive, 'Dry run').waitFor({ state: 'detached' });
  await region(olive, 'Manual run').getByRole('button', { name: 'Dry run' }).click();
  await expectShown(region(olive, 'Dry run'));
});

test('a confirmed run issues and charges, and shows the result', async () => {
  await button(olive, 'Issue and charge').click();
  await dialog(olive).getByRole('button', { name: 'Start run' }).click();
  await expectShown(region(olive, 'Result of the run').getByRole('button', { name: 'Paid' }));
  const [invoice] = await biller.invoices();
  expect(invoice).toMatchObject({ state: 'paid', total_cents: 15_005 });
  expect(await biller.chargedAmounts()).toEqual([15_005]);
});

test('a payout run pays creators, and payouts above the limit wait for a second person', async () => {
  await olive.open('/operator/payouts');
  await button(olive, 'Dry run').click();
  await expectShown(region(olive, 'Dry run').getByText('1 payout, 150.05 USD'));
  await expectShown(region(olive, 'Dry run').getByRole('button', { name: 'Would need a second person' }));
  expect(expectSuccess(await merchant.api('GET', '/payouts')).json.data).toEqual([]);
  await button(olive, 'Send payouts').click();
  await expectShown(dialog(olive).getByText('About 150.05 USD is above the limit and not sent yet'));
  expect(await dialog(olive).getByText('sent now').count()).toBe(0);
  await dialog(olive).getByRole('button', { name: 'Start run' }).click();
  await expectShown(region(olive, 'Waiting for a second person'));
  expect(expectSuccess(await merchant.api('GET', '/payouts')).json.data).toMatchObject([
    { state: 'awaiting_second', amount_cents: 15_005 },
  ]);
  expect(await axeViolations(olive)).toEqual([]);
});

test('the person who started a payout cannot confirm it, and a second person’s overview links to it', async () => {
  const waiting = region(olive, 'Waiting for a second person');
  await expectShown(waiting.getByText('0 of 1 confirmed'));
  await expectShown(waiting.getByText('started the run of this payout'));
  expect(await waiting.getByRole('button', { name: /^Confirm/ }).count()).toBe(0);
  await second.open('/operator');
  await second.page.getByRole('link', { name: '1 payout waits for a second person' }).click();
  await region(second, 'Waiting for a second person')
    .getByRole('button', { name: /^Confirm/ })
    .click();
  await expectShown(dialog(second).getByRole('heading', { name: 'Confirm 150.05 USD to Cora Creator?' }));
  await expectShown(dialog(second).getByText('Olive Operator started it.'));
  await dialog(second).getByRole('button', { name: 'Confirm and send' }).click();
  await region(second, 'Waiting for a second person').waitFor({ state: 'detached' });
  await expectShown(region(second, 'All payouts').getByRole('button', { name: 'Paid' }));
});

test('the ledger is verified, and the overview shows when', async () => {
  await second.open('/operator/ledger');
  await button(second, 'Verify now').click();
  await expectShown(second.page.getByText('No differences found:'));
  expect(await differences(merchant)).toEqual([]);
  await second.open('/operator');
  await expectShown(second.page.getByText('No differences', { exact: true }));
  await expectShown(second.page.getByText('You’re all caught up.'));
});

test('a scheduled job that fails again shows the error, and is listed first until it succeeds', async () => {
  await merchant.database.run(sql`alter table signing_keys rename to signing_keys_away`);
  await olive.open('/operator/jobs');
  await button(olive, 'Run delete old signing keys').click();
  await dialog(olive).getByRole('button', { name: 'Run job' }).click();
  await expectShown(dialog(olive).getByText('The job failed: SQLSTATE 42P01. See the service log for details.'));
  await merchant.database.run(sql`alter table signing_keys_away rename to signing_keys`);
  await dialog(olive).getByRole('button', { name: 'Cancel' }).click();
  const first = region(olive, 'Scheduled jobs').getByRole('row').nth(1);
  await expectShown(first.getByText('SQLSTATE 42P01'));
  await first.getByRole('button', { name: 'Retry delete old signing keys' }).click();
  await dialog(olive).getByRole('button', { name: 'Run job' }).click();
  await expectShown(olive.page.getByText('The job completed.'));
});

test('a line of a paid invoice whose creator was paid is credited only at the operator’s expense', async () => {
  await olive.open(storePage());
  await button(olive, 'Credit lines of INV-00001').click();
  const lines = olive.page.getByRole('table', { name: 'Lines of the invoice' });
  await lines.getByRole('checkbox').first().check();
  await olive.page.getByLabel('Reason').fill('Returned after the payout');
  await button(olive, 'Credit lines').click();
  await expectShown(olive.page.getByText('Nothing was credited. 1 line was not credited'));
  await lines.getByRole('checkbox').first().check();
  await olive.page.getByLabel('Reason').fill('Returned after the payout');
  await olive.page.getByLabel('Include amounts already paid to creators').check();
  expect(await axeViolations(olive)).toEqual([]);
  await button(olive, 'Credit lines').click();
  await expectShown(region(olive, 'Credit notes').getByText('CN-00001'));
  expect(await differences(merchant)).toEqual([]);
});

test('a partial refund after the payout is credited with its part of the commission', async () => {
  await olive.open(storePage());
  await button(olive, 'Credit lines of INV-00001').click();
  await olive.page.getByRole('table', { name: 'Lines of the invoice' }).getByRole('checkbox').nth(1).check();
  await olive.page.getByLabel('Refund', { exact: true }).fill('r-77');
  await olive.page.getByLabel('Refunded amount, USD').fill('0.50');
  await olive.page.getByLabel('Why it was refunded').fill('One cup was broken');
  expect(await axeViolations(olive)).toEqual([]);
  await button(olive, 'Credit refund').click();
  await expectShown(olive.page.getByText(/^Issued CN-00002: .* USD of the commission\.$/));
  expect(await differences(merchant)).toEqual([]);
});

test('an operator views a store read-only, and the store’s audit log records it', async () => {
  await olive.open(storePage());
  await button(olive, 'View as store').click();
  await dialog(olive).getByRole('button', { name: 'View store' }).click();
  await expectShown(region(olive, 'Viewing'));
  await olive.page.waitForURL((address) => address.pathname === `/stores/${merchant.world.store.id}`);
  await olive.open(`/stores/${merchant.world.store.id}/settings`);
  await expectShown(region(olive, 'Viewing'));
  for (const name of ['Rename', 'Archive store', 'Disable the integration'])
    expect([name, await button(olive, name).count()]).toEqual([name, 0]);
  expect(await axeViolations(olive)).toEqual([]);
  await olive.open(`/stores/${merchant.world.store.id}/integration`);
  await expectNoFormWorks();
  const { data } = expectSuccess(await merchant.api('GET', `${biller.store}/audit-log`)).json;
  expect(data[0]).toMatchObject({ action: 'operator.viewed', actor_name: 'Olive Operator' });
  await olive.open('/operator');
  await olive.page.waitForURL((address) => address.pathname !== '/operator');
  await button(olive, 'End viewing').click();
  await olive.page.waitForURL((address) => address.pathname === storePage());
  await expectShown(button(olive, 'View as store'));
  await region(olive, 'Viewing').waitFor({ state: 'detached' });
});

test('an operator views a creator’s portal, and every form is disabled', async () => {
  await olive.open(`/operator/creators/${merchant.world.creator.id}`);
  await expectShown(olive.page.getByRole('button', { name: 'Suspend Cora Creator' }));
  await button(olive, 'View as creator').click();
  await dialog(olive).getByRole('button', { name: 'View portal' }).click();
  await expectShown(olive.page.getByRole('heading', { name: 'Hello, Cora Creator' }));
  await olive.open('/creator/settings');
  await expectNoFormWorks();
  await button(olive, 'End viewing').click();
  await expectShown(button(olive, 'View as creator'));
});

test('no request that changes data is sent while an operator views an account', async () => {
  await olive.page.evaluate((id) => {
    sessionStorage.setItem('tributary.viewing', JSON.stringify({ is: 'creator', id, name: 'Cora Creator' }));
  }, merchant.world.creator.id);
  await olive.open('/creator/settings');
  const sent: string[] = [];
  olive.page.on('request', (request) => {
    if (request.method() !== 'GET' && request.url().includes('/api/')) sent.push(request.url());
  });
  await olive.page
    .locator('form')
    .first()
    .evaluate((one) => one.dispatchEvent(new Event('submit', { bubbles: true, cancelable: true })));
  await expectShown(olive.page.getByText('You’re viewing this account in read-only mode.'));
  expect(sent).toEqual([]);
  await olive.page.evaluate(() => sessionStorage.clear());
});

// This sale has no invoice, so the books are verified first.
test('a failed payout that was reported paid says so, until an operator records that the money is back', async () => {
  const { platform } = dashboard.service;
  const creatorId = await createPayee(platform, 'declined');
  await createCollectedCommissions(platform, { storeId: merchant.storeId, creatorId }, [4_200]);
  const settings = { creator_id: publicId('crt', creatorId), minimum_cents: 0 };
  const [payout] = expectSuccess(await merchant.api('POST', '/payout-runs', settings)).json.payouts;
  await handlePayoutEvent({ platform, providers: openProviders(platform) }, payout.id, { is: 'succeeded', providerId: 'po_late' });
  await second.open('/operator/payouts?state=failed');
  const row = region(second, 'All payouts').getByRole('row').filter({ hasText: '42.00' });
  await expectShown(row.getByRole('button', { name: 'Reported paid later' }));
  await row.getByRole('button', { name: 'Money returned: 42.00 USD to Cora' }).click();
  await dialog(second).getByLabel('Reason').fill('The bank returned it');
  await dialog(second).getByRole('button', { name: 'Money returned' }).click();
  await expectShown(row.getByRole('button', { name: 'Failed' }));
  const [failed] = expectSuccess(await merchant.api('GET', '/payouts?state=failed')).json.data;
  expect(failed).toMatchObject({ id: payout.id, contradiction_decided_at: expect.any(String) });
  expect(await axeViolations(second)).toEqual([]);
});

test('the times of scheduled jobs are in UTC like their schedules, in every time zone', async () => {
  // Runs every job that is due.
  await merchant.moveClock('1h');
  const far = await dashboard.visitor({ timeZone: 'Asia/Kathmandu' });
  await far.signIn(merchant.world.logins.operator);
  await far.open('/operator/jobs');
  const times = await region(far, 'Scheduled jobs').locator('time').all();
  expect(times.length).toBeGreaterThan(10);
  for (const time of times) {
    const shown = new Date(`${await time.innerText()} UTC`).toISOString();
    expect(await time.getAttribute('datetime')).toContain(shown.slice(0, 16));
  }
});

test('no page logs an error or a policy violation', () => {
  expect([...olive.complaints, ...second.complaints]).toEqual([]);
});
