import { afterAll, expect, test } from 'vitest';
import { axeViolations } from '../support/axe-violations.ts';
import { openMerchantDashboard } from '../support/dashboard.ts';

const { dashboard, merchant } = await openMerchantDashboard();
afterAll(() => dashboard.stop());

test('a merchant sets a budget, sees what was earned of it, and the creator sees their limit', async () => {
  const { store, program, logins } = merchant.world;
  const owner = await dashboard.visitor();
  const { page } = owner;
  await owner.signIn(logins.merchant);
  await owner.open(`/stores/${store.id}/programs/${program.id}/new-terms`);
  await page.getByLabel('All members, per month').fill('12.50');
  await page.getByLabel('Each member, in total').fill('100');
  await page.getByText('Budget: 12.50 USD a month for all members').waitFor();
  await page.getByRole('button', { name: 'Simulate order' }).click();
  await page.getByText(/earns 12.00 USD/).waitFor();
  expect(await axeViolations(owner)).toEqual([]);
  await page.getByRole('button', { name: 'Add version' }).click();
  // The form has the same text, so only the address shows that the version was saved.
  await page.waitForURL((url) => url.pathname.endsWith(program.id));
  await page.getByRole('heading', { name: 'Budget' }).waitFor();
  for (let sold = 0; sold < 2; sold++) await merchant.convert(await merchant.order({ order_subtotal_cents: 10_000 }));
  await page.reload();
  await page.getByText('10.00 USD', { exact: true }).first().waitFor();
  await page.getByText('of 12.50 USD').waitFor();
  expect(await axeViolations(owner)).toEqual([]);
  // On a phone, long conditions of the terms wrap.
  await page.setViewportSize({ width: 360, height: 800 });
  await expect.poll(() => page.evaluate('document.documentElement.scrollWidth')).toBe(360);

  // The next version keeps the budget.
  await owner.open(`/stores/${store.id}/programs/${program.id}/new-terms`);
  expect(await page.getByLabel('All members, per month').inputValue()).toBe('12.5');
  await page.getByText(/No changes/).waitFor();

  const creator = await dashboard.visitor({ width: 390 });
  await creator.signIn(logins.creator);
  await creator.open('/creator/programs');
  await creator.page.getByRole('button', { name: 'View rates: Friends of the shop' }).click();
  await creator.page.getByText('10.00 USD of 100.00 USD earned in all').waitFor();
  expect(await creator.page.getByText('12.50').count()).toBe(0);
  expect(await axeViolations(creator)).toEqual([]);
  expect([creator.complaints, owner.complaints]).toEqual([[], []]);
});
