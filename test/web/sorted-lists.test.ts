import { afterAll, expect, test } from 'vitest';
import { dayMs } from '../../src/core/time.ts';
import { axeViolations } from '../support/axe-violations.ts';
import { openMerchantDashboard } from '../support/dashboard.ts';
import { reviewerOf } from '../support/review.ts';

const { dashboard, merchant } = await openMerchantDashboard();
afterAll(() => dashboard.stop());
const { sale } = reviewerOf(merchant);
const start = Date.parse(merchant.at()) - 3 * dayMs;
for (const day of [0, 1, 2])
  await sale({
    order_id: `order-of-day-${day}`,
    click_id: await merchant.clickAt(new Date(start)),
    occurred_at: new Date(start + day * dayMs).toISOString(),
  });
const visitor = await dashboard.visitor();
await visitor.signIn(merchant.world.logins.merchant);

const rows = () => visitor.page.getByRole('table').getByRole('row').filter({ hasText: 'order-of-day' });
const days = async () => (await rows().allInnerTexts()).map((text) => /order-of-day-(\d)/.exec(text)?.[1]);

test('the header of a column sorts the list, says so to screen readers, and puts the sort in the URL', async () => {
  const { page } = visitor;
  await visitor.open(`/stores/${merchant.world.store.id}/conversions`);
  const header = page.getByRole('columnheader', { name: 'Date' });
  await expect.poll(days).toEqual(['2', '1', '0']);
  expect(await header.getAttribute('aria-sort')).toBe('descending');
  await header.getByRole('button').focus();
  await page.keyboard.press('Enter');
  await expect.poll(days).toEqual(['0', '1', '2']);
  expect(await header.getAttribute('aria-sort')).toBe('ascending');
  expect(new URL(page.url()).searchParams.get('sort')).toBe('occurred_at');
  expect(await axeViolations(visitor)).toEqual([]);
  await page.reload();
  await expect.poll(days).toEqual(['0', '1', '2']);
  await header.getByRole('button').click();
  await expect.poll(days).toEqual(['2', '1', '0']);
  expect(new URL(page.url()).searchParams.has('sort')).toBe(false);
});

test('a phone has a field to sort by', async () => {
  const { page } = visitor;
  await page.setViewportSize({ width: 390, height: 800 });
  await visitor.open(`/stores/${merchant.world.store.id}/conversions`);
  await page.getByLabel('Sort by').selectOption('Date, ascending');
  await expect.poll(days).toEqual(['0', '1', '2']);
});

test('programs are sorted by name, and found by a part of it', async () => {
  const { page } = visitor;
  const path = `/stores/${merchant.world.store.id}/programs`;
  for (const name of ['Alpha readers', 'Zebra clubs'])
    await merchant.api('POST', path, { name, landing_url: `https://${new URL(merchant.world.store.site_url).host}/` });
  await page.setViewportSize({ width: 1440, height: 900 });
  await visitor.open(path);
  const names = () => page.getByRole('table').getByRole('link').allInnerTexts();
  await page.getByRole('columnheader', { name: 'Name' }).getByRole('button').click();
  await expect.poll(async () => (await names()).at(0)).toBe('Alpha readers');
  expect((await names()).at(-1)).toBe('Zebra clubs');
  await page.getByLabel('Name', { exact: true }).fill('BRA');
  await expect.poll(names).toEqual(['Zebra clubs']);
  await page.getByLabel('Name', { exact: true }).fill('no such name');
  await page.getByText('No programs match').waitFor();
});
