import { afterAll, expect, test } from 'vitest';
import { axeViolations } from '../support/axe-violations.ts';
import { openMerchantDashboard } from '../support/dashboard.ts';

const { dashboard, merchant } = await openMerchantDashboard();
afterAll(() => dashboard.stop());

test('a merchant sets a goal, and the creator sees how far it is', async () => {
  const { store, program, logins } = merchant.world;
  const owner = await dashboard.visitor();
  const { page } = owner;
  await owner.signIn(logins.merchant);
  await owner.open(`/stores/${store.id}/programs/${program.id}/new-terms`);
  await page.getByRole('button', { name: 'Add goal' }).click();
  await page.getByLabel('Approved orders').fill('10');
  await page.getByLabel('Counted', { exact: true }).selectOption('month');
  await page.getByLabel('Bonus, USD').fill('50');
  await page.getByText('Goal: 50.00 USD for 10 approved orders in a month').waitFor();
  expect(await axeViolations(owner)).toEqual([]);
  await page.getByRole('button', { name: 'Add version' }).click();
  // The form has the same text, so only the address shows that the version was saved.
  await page.waitForURL((url) => url.pathname.endsWith(program.id));

  // The next version keeps the goal.
  await owner.open(`/stores/${store.id}/programs/${program.id}/new-terms`);
  expect(await page.getByLabel('Approved orders').inputValue()).toBe('10');
  await page.getByText(/No changes/).waitFor();

  const { json } = await merchant.convert(await merchant.order({}));
  await merchant.api('POST', `/stores/${store.id}/commissions/approve`, { ids: [json.conversion_id] });
  const creator = await dashboard.visitor({ width: 390 });
  await creator.signIn(logins.creator);
  await creator.open('/creator/programs');
  await creator.page.getByRole('button', { name: 'View rates: Friends of the shop' }).click();
  await creator.page.getByText('1 of 10 approved sales this month: bonus of 50.00 USD').waitFor();
  expect(await axeViolations(creator)).toEqual([]);
  await creator.open(`/programs/${program.id}`);
  await creator.page.getByText('Bonus of 50.00 USD for 10 approved sales in a calendar month').waitFor();
  expect([creator.complaints, owner.complaints]).toEqual([[], []]);
});
