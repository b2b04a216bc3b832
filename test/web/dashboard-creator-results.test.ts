import { afterAll, expect, test } from 'vitest';
import { axeViolations } from '../support/axe-violations.ts';
import { openMerchantDashboard } from '../support/dashboard.ts';

const { dashboard, merchant } = await openMerchantDashboard();
afterAll(() => dashboard.stop());
const line_items = [{ product_id: 'poster-A2', amount_minor_units: 30_000, quantity: 3 }];
for (const fields of [{ order_subtotal_cents: 10_000 }, { order_subtotal_cents: 30_000, line_items }])
  await merchant.convert(await merchant.order(fields));
await merchant.click();
await merchant.click();
const cora = await dashboard.visitor();
await cora.signIn(merchant.world.logins.creator);

const code = () => merchant.world.link.url.split('/').at(-1) ?? '';
const section = (name: string) => cora.page.getByRole('region', { name, exact: true });

test('a creator’s home shows earnings, clicks, and orders of the period, with a chart and a ranking of links', async () => {
  await cora.open('/creator');
  const performance = section('Performance');
  await performance.getByLabel('Key metrics').getByText('40.00').waitFor();
  await performance.getByRole('img', { name: 'Earnings by day, 40.00 USD in total.' }).waitFor();
  await performance.getByRole('button', { name: 'Clicks', exact: true }).click();
  await performance.getByRole('img', { name: 'Clicks by day, 4 in total.' }).waitFor();
  const row = performance.getByRole('table', { name: 'Results by link' }).getByRole('row').nth(1);
  expect(await row.innerText()).toMatch(new RegExp(`${code()}[^]*4[^]*2[^]*40\\.00`));
  const products = performance.getByRole('table', { name: 'Results by product' });
  await products.waitFor();
  expect(await products.getByRole('row').allInnerTexts()).toEqual([
    expect.stringContaining('Product'),
    expect.stringMatching(/poster-A2[^]*1[^]*3[^]*30\.00/),
    expect.stringMatching(/Without product details[^]*1[^]*10\.00/),
  ]);
  expect(await axeViolations(cora)).toEqual([]);
});

test('a creator opens the history of one link from the ranking, and returns to all links', async () => {
  await section('Performance').getByRole('link', { name: code(), exact: true }).click();
  const ofLink = section(`Performance of the link ${code()}`);
  await ofLink.getByText('50%').waitFor();
  expect(new URL(cora.page.url()).searchParams.get('link')).toBe(code());
  await ofLink.getByRole('button', { name: 'Show all links' }).click();
  await section('Performance').waitFor();
});

test('a period without activity says so, and the chosen preset is in the URL', async () => {
  await cora.open('/creator?from=2025-01-01&to=2025-01-07');
  await section('Performance').getByText('No activity in this period').waitFor();
  await section('Performance').getByRole('button', { name: '7 days' }).click();
  await section('Performance').getByRole('table', { name: 'Results by link' }).waitFor();
  expect(new URL(cora.page.url()).search).toBe('?last=7d');
});
