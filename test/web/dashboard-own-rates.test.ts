import { afterAll, expect, test } from 'vitest';
import { axeViolations } from '../support/axe-violations.ts';
import { openMerchantDashboard } from '../support/dashboard.ts';

const { dashboard, merchant } = await openMerchantDashboard();
afterAll(() => dashboard.stop());

test('a merchant gives a group its own rate, simulates it, and the creator sees it', async () => {
  const { store, program, logins } = merchant.world;
  const owner = await dashboard.visitor();
  const { page } = owner;
  await owner.signIn(logins.merchant);
  await owner.open(`/stores/${store.id}/programs/${program.id}`);
  await page.getByText('No groups yet').waitFor();
  await page.getByRole('button', { name: 'Create group' }).click();
  await page.getByRole('dialog').getByLabel('Name').fill('Stars');
  await page.getByRole('dialog').getByRole('button', { name: 'Create group' }).click();
  await page.getByRole('row', { name: /Stars/ }).waitFor();
  await page.getByRole('button', { name: /^Change group of/ }).click();
  await page.getByRole('dialog').getByLabel('Group').selectOption({ label: 'Stars' });
  await page.getByRole('dialog').getByRole('button', { name: 'Save' }).click();
  await page.getByRole('row', { name: /Stars 1/ }).waitFor();
  await page.getByRole('table', { name: 'Members' }).getByText('Stars').waitFor();
  expect(await axeViolations(owner)).toEqual([]);

  await page.getByRole('link', { name: 'New version' }).click();
  await page.getByRole('button', { name: 'Add rate' }).click();
  const rate = page.getByRole('group', { name: 'Own rate 1' });
  await rate.getByLabel('Applies to').selectOption({ label: 'Group Stars' });
  await rate.getByLabel('Commission').fill('17.5');
  await page.getByText(/Group Stars: 17.5/).waitFor();
  await page.getByLabel('Creator').selectOption({ index: 1 });
  await page.getByRole('button', { name: 'Simulate order' }).click();
  await page.getByText(/the rate of the group Stars/).waitFor();
  await page.getByText('This rule comes before: 10% (the program’s rate).').waitFor();
  expect(await axeViolations(owner)).toEqual([]);
  await page.getByRole('button', { name: 'Add version' }).click();
  // The form has the same text, so only the address shows that the version was saved.
  await page.waitForURL((url) => url.pathname.endsWith(program.id));
  await page.getByText('1 rate for a group or creator').waitFor();

  // The next version keeps the rates.
  await page.getByRole('link', { name: 'New version' }).click();
  expect(await page.getByRole('group', { name: 'Own rate 1' }).getByLabel('Commission').inputValue()).toBe('17.5');
  await page.getByText(/No changes/).waitFor();

  const creator = await dashboard.visitor({ width: 390 });
  await creator.signIn(logins.creator);
  await creator.open('/creator/programs');
  await creator.page.getByRole('button', { name: 'View rates: Friends of the shop' }).click();
  await creator.page.getByRole('heading', { name: 'Rates of your group' }).waitFor();
  await creator.page.getByRole('heading', { name: 'Rates of the program' }).waitFor();
  expect(await creator.page.getByText('Stars').count()).toBe(0);
  expect(await axeViolations(creator)).toEqual([]);
  expect([creator.complaints, owner.complaints]).toEqual([[], []]);
});
