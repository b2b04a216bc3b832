import { afterAll, expect, test } from 'vitest';
import { axeViolations } from '../support/axe-violations.ts';
import { openMerchantDashboard } from '../support/dashboard.ts';
import { reviewerOf } from '../support/review.ts';

const { dashboard, merchant } = await openMerchantDashboard();
afterAll(() => dashboard.stop());

test('a merchant sets tiers, the creator sees what is missing, and the simulator applies the tier', async () => {
  const { store, program, creator: creatorOfStore, logins } = merchant.world;
  const sale = (await merchant.convert(await merchant.order({}))).json;
  expect(await reviewerOf(merchant).results('approve', [sale.conversion_id])).toEqual(['ok']);
  const owner = await dashboard.visitor();
  const { page } = owner;
  await owner.signIn(logins.merchant);
  await owner.open(`/stores/${store.id}/programs/${program.id}/new-terms`);
  await page.getByLabel('Tiers are reached by').selectOption({ label: 'Number of approved sales' });
  await page.getByLabel('Counted in').selectOption({ label: 'The last 90 days' });
  await page.getByLabel('Time zone').fill('Europe/Nowhere');
  const first = page.getByRole('group', { name: 'Tier 1' });
  await first.getByLabel('From approved sales').fill('1');
  await first.getByLabel('Commission').fill('12.5');
  await page.getByRole('button', { name: 'Add tier' }).click();
  const second = page.getByRole('group', { name: 'Tier 2' });
  await second.getByLabel('From approved sales').fill('5000');
  await second.getByLabel('Commission').fill('20');
  await page.getByText('From 5,000 approved sales within 90 days: 20% of each order (Europe/Nowhere)').waitFor();
  await page.getByRole('button', { name: 'Add version' }).click();
  await page.getByText(/Must be the name of a time zone/).waitFor();
  expect(await axeViolations(owner)).toEqual([]);
  await page.getByLabel('Time zone').fill('Europe/Berlin');
  await page.getByLabel('Creator').selectOption({ index: 1 });
  await page.getByRole('button', { name: 'Simulate order' }).click();
  await page.getByText(/\(tier 1 since/).waitFor();
  await page.getByRole('button', { name: 'Add version' }).click();
  // The form has the same text, so only the address shows that the version was saved.
  await page.waitForURL((url) => url.pathname.endsWith(program.id));
  await page.getByText('From 1 approved sale within 90 days: 12.5% of each order').waitFor();

  // The next version keeps the tiers.
  await page.getByRole('link', { name: 'New version' }).click();
  expect(await page.getByRole('group', { name: 'Tier 2' }).getByLabel('Commission').inputValue()).toBe('20');
  await page.getByText(/No changes/).waitFor();

  await owner.open(`/stores/${store.id}/creators/${creatorOfStore.id}`);
  // The creator is in two programs of the store.
  await page.getByRole('button', { name: 'View rates: Friends of the shop' }).click();
  await page.getByText(/^Tier 1 since/).waitFor();
  await page.getByText(/more approved sales to tier 2/).waitFor();
  expect(await axeViolations(owner)).toEqual([]);

  const creator = await dashboard.visitor({ width: 390 });
  await creator.signIn(logins.creator);
  await creator.open('/creator/programs');
  await creator.page.getByRole('button', { name: 'View rates: Friends of the shop' }).click();
  await creator.page.getByText(/^Tier 1 since/).waitFor();
  await creator.page.getByRole('heading', { name: 'Rates of your tier' }).waitFor();
  await creator.page.getByText(/more approved sales to tier 2/).waitFor();
  expect(await axeViolations(creator)).toEqual([]);
  await creator.open(`/programs/${program.id}`);
  await creator.page.getByText('From 1 approved sale within 90 days: 12.5% of each order').waitFor();
  expect([creator.complaints, owner.complaints]).toEqual([[], []]);
});
