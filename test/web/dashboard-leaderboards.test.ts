import { afterAll, expect, test } from 'vitest';
import { axeViolations } from '../support/axe-violations.ts';
import { expectSuccess } from '../support/billing.ts';
import { openMerchantDashboard } from '../support/dashboard.ts';

const { dashboard, merchant } = await openMerchantDashboard();
afterAll(() => dashboard.stop());

test('a merchant switches the leaderboard on, and a creator appears under a chosen name and stops appearing', async () => {
  const { store, program, logins } = merchant.world;
  const order = await merchant.convert(await merchant.order());
  expectSuccess(await merchant.api('POST', `/stores/${store.id}/commissions/approve`, { ids: [order.json.conversion_id] }));
  const creator = await dashboard.visitor({ width: 390 });
  await creator.signIn(logins.creator);
  await creator.open('/creator/programs');
  await creator.page.getByRole('table', { name: 'Your programs' }).waitFor();
  expect(await creator.page.getByRole('heading', { name: 'Leaderboards' }).count()).toBe(0);

  const owner = await dashboard.visitor();
  await owner.signIn(logins.merchant);
  await owner.open(`/stores/${store.id}/programs/${program.id}`);
  await owner.page.getByText('The leaderboard is off').waitFor();
  await owner.page.getByRole('button', { name: 'Switch on' }).click();
  await owner.page.getByRole('dialog').getByRole('button', { name: 'Switch on' }).click();
  await owner.page.getByText('No members to show yet').waitFor();

  await creator.open('/creator/programs');
  await creator.page.getByText('Your rank is 1, with 1 approved commission this month.').waitFor();
  await creator.page.getByText('No members to show yet this month.').waitFor();
  await creator.page.getByLabel('Display name').fill('Coffee with Cora');
  await creator.page.getByRole('button', { name: 'Appear on leaderboard' }).click();
  await creator.page.getByText('Coffee with Cora (you)').waitFor();
  expect(await axeViolations(creator)).toEqual([]);

  await owner.open(`/stores/${store.id}/programs/${program.id}`);
  await owner.page.getByRole('link', { name: 'Coffee with Cora' }).waitFor();
  expect(await axeViolations(owner)).toEqual([]);
  await owner.page.getByRole('button', { name: 'Remove name Coffee with Cora' }).click();
  await owner.page.getByRole('dialog').getByRole('button', { name: 'Remove name' }).click();
  await owner.page.getByText('No members to show yet').waitFor();
  await creator.open('/creator/programs');
  await creator.page.getByText(/^The store removed the name Coffee with Cora on .* choose another name\.$/).waitFor();
  await creator.page.getByLabel('Display name').fill('Cora');
  await creator.page.getByRole('button', { name: 'Appear on leaderboard' }).click();
  await creator.page.getByText('Cora (you)').waitFor();
  await creator.page.getByRole('button', { name: /^Stop appearing/ }).click();
  await creator.page.getByRole('dialog').getByRole('button', { name: 'Stop appearing' }).click();
  await creator.page.getByText('You do not appear here.').waitFor();
  expect([creator.complaints, owner.complaints]).toEqual([[], []]);
});
