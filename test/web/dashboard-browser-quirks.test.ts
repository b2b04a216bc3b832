import { afterAll, expect, test } from 'vitest';
import { openDashboard } from '../support/dashboard.ts';
import { merchantIn } from '../support/merchant.ts';
import { reviewerOf } from '../support/review.ts';

const storePath = () => `/stores/${merchant.world.store.id}`;
const dialog = () => mara.page.getByRole('dialog');

const dashboard = await openDashboard();
afterAll(() => dashboard.stop());
const merchant = merchantIn(dashboard.service, await dashboard.service.seed());
await merchant.api('PATCH', `${storePath()}/programs/${merchant.world.program.id}`, { hold_days: 0 });
const sold = await reviewerOf(merchant).sale();
const mara = await dashboard.visitor();
// The locale tag that Chromium reports on Linux with a POSIX locale.
await mara.page.addInitScript(`Object.defineProperty(navigator, 'language', { configurable: true, get: () => 'en-US@posix' })`);
await mara.signIn(merchant.world.logins.merchant);

test('the home page renders when the browser’s language is not a BCP 47 tag', async () => {
  await mara.open(storePath());
  await mara.page.locator('canvas').first().waitFor();
  expect(mara.complaints).toEqual([]);
});

test('the timeline of a program without a refund hold is in order and shows no end of a hold', async () => {
  await reviewerOf(merchant).act('approve', { ids: [sold.commissionId] });
  await mara.open(`${storePath()}/conversions?open=${sold.commissionId}`);
  await dialog().getByText('Timeline').waitFor();
  const events = await dialog().locator('ol > li > div:first-child').allInnerTexts();
  expect(events).toEqual([
    expect.stringMatching(/^Clicked a link from/),
    'Order placed',
    expect.stringContaining('recorded'),
    expect.stringMatching(/^Approved by/),
  ]);
});

test('a chart with only zeros says that nothing happened instead of drawing an empty frame', async () => {
  await merchant.moveClock('10d');
  await merchant.click();
  await expect.poll(async () => (await merchant.api('GET', `${storePath()}/overview?days=7`)).json.totals.clicks).toBe(1);
  await mara.open(`${storePath()}?last=7d`);
  await mara.page.getByText('Attributed revenue: no activity in this period.').waitFor();
  expect(await mara.page.locator('canvas').count()).toBe(0);
});

test('the error for a rate of 150 percent is in percent, and the error for a high amount is in dollars', async () => {
  await mara.open(`${storePath()}/programs/${merchant.world.program.id}/new-terms`);
  const rule = mara.page.getByRole('group', { name: 'Order rule 1' });
  await rule.getByLabel('Commission').fill('150');
  await mara.page.getByRole('button', { name: 'Add version' }).click();
  await rule.getByText('This rule must be at most 100%.').waitFor();
  await rule.getByLabel('Type', { exact: true }).selectOption('flat');
  await rule.getByLabel('Commission').fill('1000000.01');
  await mara.page.getByRole('button', { name: 'Add version' }).click();
  await rule.getByText('This rule must be at most 1,000,000.00 USD.').waitFor();
  expect(mara.complaints).toEqual([]);
});
