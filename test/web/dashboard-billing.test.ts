import { readFile } from 'node:fs/promises';
import { setTimeout as pause } from 'node:timers/promises';
import type { Locator } from 'playwright-core';
import { afterAll, expect, test } from 'vitest';
import { sql } from '../../src/db/sql.ts';
import { billerOf, expectSuccess } from '../support/billing.ts';
import { expectShown, openMerchantDashboard } from '../support/dashboard.ts';
import type { Json } from '../support/merchant.ts';
import { openMany, reviewerOf } from '../support/review.ts';
import { axeViolations } from '../support/axe-violations.ts';

// The tests of this file run in order: each continues where the previous one ended.
const { dashboard, merchant } = await openMerchantDashboard();
afterAll(() => dashboard.stop());
await merchant.moveToSpring();
const biller = billerOf(merchant);
const { sale, act } = reviewerOf(merchant);
const sales = [await sale({ order_subtotal_cents: 120_000, order_id: 'first-order' }), await sale({ order_subtotal_cents: 30_050 })];
const soldIds: readonly string[] = sales.map(({ commissionId }) => commissionId);
await act('approve', { ids: soldIds });
await merchant.moveClock('31d');
const mara = await dashboard.visitor();
await mara.signIn(merchant.world.logins.merchant);

const open = (page: string) => mara.open(`/stores/${merchant.world.store.id}/${page}`);
const button = (name: string) => mara.page.getByRole('button', { name, exact: true });
const dialog = () => mara.page.getByRole('dialog');
const textOf = async (part: Locator): Promise<string> => (await part.innerText()).replaceAll(/\s+/g, ' ').trim();
const usd = (cents: number): string => (cents / 100).toLocaleString('en-US', { minimumFractionDigits: 2 });
/** The postback endpoint may cache a store's status this long; the margin is for a busy machine. */
const rememberedMs = 2_200;
const trouble = () => mara.page.getByText('could not be charged').first();

test('the next charge shows the lines of the API before it is invoiced', async () => {
  const { json } = await merchant.api('GET', `${biller.store}/billing`);
  await open('billing');
  const lines = mara.page.getByRole('table', { name: 'Lines of the next charge' });
  expect(await textOf(lines)).toContain(`2 commissions approved and past the refund hold ${usd(json.lines_cents)} USD`);
  expect(await textOf(lines)).toContain(`Total ${usd(json.total_cents)} USD`);
  expect(json.total_cents).toBe(15_005);
});

test('a declined card shows the cause, what happens next and what to do', async () => {
  await biller.setPaymentMethod('declined');
  await biller.run({ minimum_cents: 0 });
  await merchant.moveClock('4d');
  await open('billing');
  await expectShown(mara.page.getByText('INV-00001: the charge of 150.05 USD was declined'));
  await expectShown(mara.page.getByText('The payment method was declined.'));
  await expectShown(mara.page.getByText('If it is declined for a week, your creators’ links pause.'));
  await expectShown(button('Charge declined'));
  expect(await axeViolations(mara)).toEqual([]);
});

test('after a week the store is past due, and its overview links to billing', async () => {
  await merchant.moveClock('14d');
  expect(await biller.status()).toBe('past_due');
  await mara.open(`/stores/${merchant.world.store.id}`);
  await mara.page.getByRole('link', { name: '1 unpaid invoice' }).click();
  await expectShown(mara.page.getByText('so the store is past due'));
});

test('another card is charged immediately: the invoice is paid, and the store is active again', async () => {
  await expectShown(mara.page.getByLabel('Each charge', { exact: true }));
  await mara.page.getByLabel('Each charge', { exact: true }).selectOption('ok');
  await button('Save and pay outstanding invoices').click();
  await trouble().waitFor({ state: 'detached' });
  await expectShown(button('Paid'));
  expect(await biller.status()).toBe('active');
  expect((await biller.chargedAmounts()).at(-1)).toBe(15_005);
});

test('the filter of the invoices is in the URL, and totals and export cover exactly the matching ones', async () => {
  await open('billing?state=past_due');
  await expectShown(mara.page.getByText('No matching invoices'));
  await button('Show all invoices').click();
  await expectShown(button('INV-00001'));
  await mara.page.getByLabel('Status').selectOption('paid');
  await mara.page.waitForURL((url) => url.searchParams.get('state') === 'paid');
  await expectShown(mara.page.getByRole('status').filter({ hasText: '1 invoice' }).filter({ hasText: '150.05 USD' }));
  expect(await axeViolations(mara)).toEqual([]);
  const csv = (await saved(button('Export CSV'))).toString('utf8').trim().split('\r\n');
  expect([csv.length, csv[1]?.split(',')[1]]).toEqual([2, 'INV-00001']);
  await mara.page.getByLabel('Issued from').fill('2000-01-01');
  await mara.page.getByLabel('Issued to').fill('2000-12-31');
  await expectShown(mara.page.getByText('No matching invoices'));
  await button('Clear filters').click();
  await expectShown(button('INV-00001'));
});

test('an invoice opens with its charges and lines, and is exported as CSV and PDF', async () => {
  await button('INV-00001').click();
  await expectShown(dialog().getByRole('button', { name: 'Declined' }).first());
  await expectShown(dialog().getByRole('button', { name: 'Succeeded' }));
  await expectShown(dialog().getByRole('link', { name: 'first-order' }));
  expect(await axeViolations(mara)).toEqual([]);
  const csv = await saved(dialog().getByRole('button', { name: 'Export the invoice as CSV' }));
  expect(csv.toString('utf8').trim().split('\r\n')).toHaveLength(3);
  const pdf = await saved(dialog().getByRole('button', { name: 'Export the invoice as PDF' }));
  expect(pdf.subarray(0, 5).toString('latin1')).toBe('%PDF-');
  await mara.closeDialog();
});

test('the timeline of a conversion shows its invoice, the declined charge, the payment, and its ledger lines', async () => {
  await open(`conversions?open=${soldIds[0]}`);
  await expectShown(dialog().getByRole('link', { name: 'INV-00001' }));
  await expectShown(dialog().getByText('Invoice charge declined').first());
  await expectShown(dialog().getByText('Invoice paid: 150.05 USD'));
  const { json } = await merchant.api('GET', `${biller.store}/commissions/${soldIds[0]}/story`);
  const rows = dialog().getByRole('table', { name: 'Ledger postings' }).getByRole('row');
  const amounts = async () => Promise.all((await rows.all()).slice(1).map(async (row) => textOf(row.getByRole('cell').last())));
  await expect.poll(amounts).toEqual(['120.00', '120.00', '120.00']);
  expect(await amounts()).toEqual(json.ledger.map(({ amount_cents: cents }: Json) => usd(cents)));
  expect(await axeViolations(mara)).toEqual([]);
  await mara.closeDialog();
});

test('a backup method is saved, shown, and removed after a confirmation', async () => {
  await open('billing');
  const backup = mara.page.getByRole('region', { name: 'Backup payment method' });
  await backup.getByLabel('Each charge of the backup method').selectOption('insufficient_then_ok');
  await button('Save as backup').click();
  await expectShown(backup.getByRole('button', { name: 'Insufficient funds once' }));
  await button('Remove the backup payment method').click();
  await button('Remove').click();
  await expectShown(backup.getByText('None. If a charge is declined'));
});

test('the statement of each month has the totals and lines of the API, and its export has as many', async () => {
  const months = [...new Set([60, 45, 30, 15, 0].map((days) => merchant.at(-days * 86_400_000).slice(0, 7)))];
  let lines = 0;
  for (const month of months) {
    const { json } = expectSuccess(await merchant.api('GET', `${biller.store}/statement?period=${month}&limit=200`));
    await open(`statement?period=${month}`);
    const rows = mara.page.getByRole('table', { name: 'Opening and closing balance of each account' }).getByRole('row');
    const cells = await Promise.all(
      (await rows.all()).slice(1).map(async (row) => Promise.all((await row.getByRole('cell').all()).map(textOf))),
    );
    const order = ['expected', 'owed', 'collected', 'to_creators', 'fee', 'credit'];
    expect(cells.map(([, opening, , closing]) => [opening, closing])).toEqual(
      order.map((account) => [usd(json.opening[`${account}_cents`]), usd(json.closing[`${account}_cents`])]),
    );
    const shown = mara.page.getByRole('table', { name: 'Postings this month' }).getByRole('row');
    await expect.poll(async () => Math.max(0, (await shown.count()) - 1)).toBe(json.lines.length);
    lines += json.lines.length;
    const csv = await saved(button('Export the statement as CSV'));
    expect(csv.toString('utf8').trim().split('\r\n')).toHaveLength(json.lines.length + 1);
  }
  expect(lines).toBeGreaterThan(3);
  await open('statement');
  await expect.poll(() => mara.page.getByLabel('Month').inputValue()).toBe(merchant.at().slice(0, 7));
});

test('an export of twelve thousand conversions streams to disk', async () => {
  await openMany(merchant, 12_000);
  const key = { authorization: `Bearer ${merchant.world.operator_key}`, accept: 'text/csv' };
  const answer = await fetch(`${dashboard.service.url}/api/v1${biller.store}/commissions`, { headers: key });
  expect(answer.headers.get('content-length')).toBe(null);
  await open('conversions');
  const csv = await saved(button('Export CSV'));
  const text = csv.toString('utf8').trim();
  expect(text.split('\r\n')).toHaveLength(12_003);
  expect(text).toBe((await answer.text()).trim());
});

test('a store is renamed, its integration is disabled and enabled, and the pages show both', async () => {
  await open('settings');
  await mara.page.getByLabel('Name', { exact: true }).fill('Rivera & Sons');
  await button('Rename').click();
  await expectShown(mara.page.getByText('Rivera & Sons').first());
  await button('Disable the integration').click();
  await button('Disable integration').click();
  await expectShown(button('Disabled'));
  await pause(rememberedMs);
  const [refused, order] = [await merchant.convert(await merchant.order()), await merchant.order()];
  expect(refused.json.reason).toBe('integration_disabled');
  await expect.poll(() => dialog().count()).toBe(0);
  await button('Enable the integration').click();
  await button('Enable integration').click();
  await expectShown(button('Enabled'));
  expect((await merchant.convert(order)).json.reason).toBe('recorded');
});

test('a store is archived only by typing its name, then rejects postbacks, and can be restored', async () => {
  const order = await merchant.order();
  await open('settings');
  await button('Archive store').click();
  await dialog().getByLabel('Enter the store’s name to confirm').fill('River');
  await dialog().getByRole('button', { name: 'Archive store' }).click();
  await expectShown(dialog().getByText('Must be exactly: Rivera & Sons.'));
  expect(await biller.status()).toBe('active');
  expect(await axeViolations(mara)).toEqual([]);
  await dialog().getByLabel('Enter the store’s name to confirm').fill('Rivera & Sons');
  await dialog().getByRole('button', { name: 'Archive store' }).click();
  await expectShown(button('Archived'));
  await pause(rememberedMs);
  expect((await merchant.convert(order)).json.reason).toBe('store_archived');
  await button('Unarchive the store').click();
  await button('Unarchive store').click();
  await expectShown(button('Active'));
  expect(await biller.status()).toBe('active');
});

test('a viewer sees no form that the service would reject', async () => {
  const viewer = await dashboard.visitor();
  await merchant.database.run(sql`update store_roles set role = 'viewer' where store_id = ${merchant.storeId}`);
  await viewer.signIn(merchant.world.logins.merchant);
  await viewer.open(`${biller.store}/settings`);
  await expectShown(viewer.page.getByText('Rivera & Sons').last());
  for (const name of ['Rename', 'Disable the integration', 'Archive store'])
    expect([name, await viewer.page.getByRole('button', { name, exact: true }).count()]).toEqual([name, 0]);
  await viewer.open(`${biller.store}/billing`);
  expect(await viewer.page.getByRole('button', { name: 'Save and pay outstanding invoices' }).count()).toBe(0);
  expect([...viewer.complaints, ...mara.complaints]).toEqual([]);
  await viewer.context.close();
});

/** The request that the button sends. */
async function saved(part: Locator): Promise<Buffer> {
  const [download] = await Promise.all([mara.page.waitForEvent('download'), part.click()]);
  return readFile(await download.path());
}
