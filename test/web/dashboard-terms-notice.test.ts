import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { axeViolations } from '../support/axe-violations.ts';
import { openDashboard, type Dashboard } from '../support/dashboard.ts';
import { merchantIn, type Merchant } from '../support/merchant.ts';

vi.setConfig({ testTimeout: 120_000 });

let dashboard: Dashboard;
let merchant: Merchant;
beforeAll(async () => {
  dashboard = await openDashboard();
  merchant = merchantIn(dashboard.service, await dashboard.service.seed());
});
afterAll(() => dashboard.stop());

test('a merchant announces worse terms, the creator compares and accepts them, and the merchant sees it and cancels', async () => {
  const { store, program, logins } = merchant.world;
  const path = `/stores/${store.id}/programs/${program.id}`;
  await merchant.api('POST', `${path}/terms`, { order_rules: [{ basis_points: 1_200 }], notice_days: 7 });
  const owner = await dashboard.visitor();
  const { page } = owner;
  await owner.signIn(logins.merchant);
  await owner.open(`${path}/new-terms`);
  expect(await page.getByLabel('Notice in days, 7 to 90').inputValue()).toBe('7');
  await page.getByLabel('Notice in days, 7 to 90').fill('10');
  await page.getByLabel('Keep earlier clicks, in days').fill('14');
  await page.getByLabel('Commission', { exact: true }).first().fill('8');
  expect(await axeViolations(owner)).toEqual([]);
  await page.getByRole('button', { name: 'Add version' }).click();
  await page.waitForURL((url) => url.pathname.endsWith(program.id));
  await page.getByText('Announced', { exact: true }).waitFor();

  const creator = await dashboard.visitor({ width: 390, timeZone: 'Pacific/Kiritimati' });
  await creator.signIn(logins.creator);
  await creator.open('/creator/programs');
  await creator.page.getByRole('heading', { name: 'New terms of Friends of the shop' }).waitFor();
  await creator.page.getByText('12%').first().waitFor();
  await creator.page.getByText('8%').first().waitFor();
  await creator.page.getByText('Orders in the first 14 days after that').waitFor();
  await creator.page.getByText('Notice of worse terms: 7 days before they take effect').waitFor();
  await creator.page.getByText('Notice of worse terms: 10 days before they take effect').waitFor();
  // A day alone would be another one than in the email, which is in UTC.
  await creator.page.getByRole('heading', { name: /^From \w{3} \d{1,2}, \d{4}, \d\d:\d\d$/ }).waitFor();
  expect(await axeViolations(creator)).toEqual([]);
  await creator.page.getByRole('link', { name: 'Friends of the shop' }).click();
  await creator.page.getByText('Notice of worse terms: 7 days before they take effect').waitFor();
  await creator.page.getByText('Notice of worse terms: 10 days before they take effect').waitFor();
  await creator.page.getByRole('heading', { name: /^Effective from \w{3} \d{1,2}, \d{4}, \d\d:\d\d$/ }).waitFor();
  await creator.open('/creator/programs');
  await creator.page.getByRole('button', { name: 'Accept now' }).click();
  await creator.page.getByRole('dialog').getByRole('button', { name: 'Accept now' }).click();
  await creator.page.getByText('You accepted these terms').waitFor();

  await page.reload();
  await page.getByText(/Accepted by one creator/).waitFor();
  expect(await axeViolations(owner)).toEqual([]);
  await page.getByRole('button', { name: /^Cancel/ }).click();
  await page.getByRole('button', { name: 'Cancel version', exact: true }).click();
  await page.getByText('Canceled', { exact: true }).waitFor();
  await page.getByText('Announced', { exact: true }).waitFor({ state: 'detached' });
  expect([creator.complaints, owner.complaints]).toEqual([[], []]);
});
