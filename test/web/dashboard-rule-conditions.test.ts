import { afterAll, expect, test } from 'vitest';
import { axeViolations } from '../support/axe-violations.ts';
import { openMerchantDashboard } from '../support/dashboard.ts';

const { dashboard, merchant } = await openMerchantDashboard();
afterAll(() => dashboard.stop());

test('a merchant adds a rule with conditions, simulates it, and the creator and the public see it in words', async () => {
  const { store, program, logins } = merchant.world;
  const owner = await dashboard.visitor();
  const { page } = owner;
  await owner.signIn(logins.merchant);
  await owner.open(`/stores/${store.id}/programs/${program.id}/new-terms`);
  await page.getByRole('button', { name: 'Add order rule' }).click();
  const rule = page.getByRole('group', { name: 'Order rule 2' });
  await rule.getByLabel('Commission').fill('25');
  await rule.getByText('Conditions').click();
  await rule.getByLabel('Customers').selectOption({ label: 'New customers only' });
  await rule.getByLabel('Minimum order, USD').fill('50');
  await rule.getByLabel(/^Countries/).fill('us, ca');
  await page
    .getByText('25% of each order, only for new customers, for orders of at least 50.00 USD, only for orders from Canada or United States')
    .waitFor();
  await page.getByLabel('Country').fill('DE');
  await page.getByRole('button', { name: 'Simulate order' }).click();
  await page.getByText(/A rule of 25% .* was skipped: the order is from DE/).waitFor();
  expect(await axeViolations(owner)).toEqual([]);
  await page.getByRole('button', { name: 'Add version' }).click();
  // The form has the same text, so only the address shows that the version was saved.
  await page.waitForURL((url) => url.pathname.endsWith(program.id));
  await page.getByRole('cell', { name: /25% of each order, only for new customers/ }).waitFor();

  // The next version keeps the conditions.
  await page.getByRole('link', { name: 'New version' }).click();
  const least = page.getByRole('group', { name: 'Order rule 2' }).getByLabel('Minimum order, USD');
  expect(await least.inputValue()).toBe('50');
  await page.getByText(/No changes/).waitFor();
  await least.fill('nothing');
  await page.getByText(/Fill in the missing fields/).waitFor();

  const creator = await dashboard.visitor({ width: 390 });
  await creator.signIn(logins.creator);
  await creator.open('/creator/programs');
  await creator.page.getByRole('button', { name: 'View rates: Friends of the shop' }).click();
  await creator.page.getByText(/25% of each order, only for new customers, for orders of at least 50.00 USD/).waitFor();
  expect(await axeViolations(creator)).toEqual([]);
  expect([creator.complaints, owner.complaints]).toEqual([[], []]);
});

test('lists of products are entered one per line', async () => {
  const { store, program, logins } = merchant.world;
  const owner = await dashboard.visitor();
  const { page } = owner;
  await owner.signIn(logins.merchant);
  await owner.open(`/stores/${store.id}/programs/${program.id}/new-terms`);
  await page.getByLabel('Commission on one-time orders').selectOption('product');
  const rule = page.getByRole('group', { name: 'Order rule 1' });
  await rule.getByText('Conditions').click();
  await rule.getByLabel('Products, one per line').fill('shirt-*\nmug\n');
  await page.getByText(/of the products shirt-\*, mug/).waitFor();
  expect(owner.complaints).toEqual([]);
});
