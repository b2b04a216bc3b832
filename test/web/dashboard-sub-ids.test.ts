import { afterAll, expect, test } from 'vitest';
import { axeViolations } from '../support/axe-violations.ts';
import { openMerchantDashboard } from '../support/dashboard.ts';

const { dashboard, merchant } = await openMerchantDashboard();
afterAll(() => dashboard.stop());

test('a creator selects a sub-ID to see its results by day, and returns to all sub-IDs', async () => {
  const { link, logins } = merchant.world;
  const click = await merchant.click(`${link.url}?sub=newsletter`);
  await merchant.convert(await merchant.order({ click_id: click, order_subtotal_cents: 10_000 }));
  const visitor = await dashboard.visitor({ width: 390 });
  const { page } = visitor;
  await visitor.signIn(logins.creator);
  await visitor.open('/creator/links');
  await page.getByRole('link', { name: 'newsletter' }).click();
  await page.getByRole('heading', { name: 'Results of the sub-ID newsletter' }).waitFor();
  await page.getByRole('img', { name: 'Earnings by day, 10.00 USD in total.' }).waitFor();
  expect(new URL(page.url()).searchParams.get('sub')).toBe('newsletter');
  await page.getByText('Clicks', { exact: true }).last().click();
  await page.getByRole('img', { name: 'Clicks by day, 1 in total.' }).waitFor();
  expect(await axeViolations(visitor)).toEqual([]);
  await page.getByRole('button', { name: 'Show all sub-IDs' }).click();
  await page.getByRole('heading', { name: 'Results by sub-ID' }).waitFor();
  expect(visitor.complaints).toEqual([]);
});
