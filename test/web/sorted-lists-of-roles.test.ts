import { afterAll, expect, test } from 'vitest';
import { expectSuccess } from '../support/billing.ts';
import { axeViolations } from '../support/axe-violations.ts';
import { openMerchantDashboard, type Visitor } from '../support/dashboard.ts';
import { payOutCreator } from '../support/portal.ts';
import { reviewerOf } from '../support/review.ts';
import { subscriberOf } from '../support/subscriber.ts';

const { dashboard, merchant } = await openMerchantDashboard();
afterAll(() => dashboard.stop());
await payOutCreator(merchant);
const { sale, results } = reviewerOf(merchant);
for (const text of ['first dispute', 'second dispute']) {
  const { commissionId } = await sale();
  await results('reject', [commissionId]);
  const body = { store_id: merchant.world.store.id, commission_id: commissionId, text };
  expectSuccess(await merchant.api('POST', `/creators/${merchant.world.creator.id}/disputes`, body));
}
for (const place of [1, 2]) await subscriberOf(merchant, `sub-of-phone-${place}`).bind();
const [operator, owner, creator] = [await dashboard.visitor(), await dashboard.visitor(), await dashboard.visitor()];
const { logins } = merchant.world;
await operator.signIn(logins.operator);
await owner.signIn(logins.merchant);
await creator.signIn(logins.creator);

const sortOf = ({ page }: Visitor): string | null => new URL(page.url()).searchParams.get('sort');

test('an operator filters payouts by state and sorts them by amount, and the URL shows both', async () => {
  const { page } = operator;
  await page.setViewportSize({ width: 1440, height: 900 });
  await operator.open('/operator/payouts');
  await page.getByRole('table', { name: 'Payouts', exact: true }).waitFor();
  await page.getByRole('columnheader', { name: 'Amount' }).getByRole('button').click();
  await expect.poll(() => sortOf(operator)).toBe('-amount_cents');
  await page.getByLabel('Status', { exact: true }).selectOption('Failed');
  await page.getByText('No payouts have this status').waitFor();
  expect(new URL(page.url()).searchParams.get('state')).toBe('failed');
  expect(sortOf(operator)).toBe('-amount_cents');
  await page.reload();
  await page.getByText('No payouts have this status').waitFor();
});

test.each([
  ['/operator/stores', 'Name', 'name'],
  ['/operator/creators', 'Name', 'name'],
  ['/operator/disputes', 'Opened', 'opened_at'],
  ['/operator/review', 'Date', '-occurred_at'],
  ['/operator/mails', 'Created', 'made_at'],
])('an operator sorts %s by %s', async (path, title, sort) => {
  const { page } = operator;
  await page.setViewportSize({ width: 1440, height: 900 });
  await operator.open(path);
  await page.getByRole('columnheader', { name: title }).getByRole('button').click();
  await expect.poll(() => sortOf(operator)).toBe(sort);
  await expect.poll(() => page.getByRole('columnheader', { name: title }).getAttribute('aria-sort')).not.toBe('none');
});

test('disputes have no header, so a field sorts them on every screen', async () => {
  const { page } = owner;
  await page.setViewportSize({ width: 1440, height: 900 });
  await owner.open(`/stores/${merchant.world.store.id}/disputes`);
  const texts = () => page.locator('article blockquote').allInnerTexts();
  await expect.poll(texts).toEqual(['second dispute', 'first dispute']);
  await page.getByLabel('Sort by').selectOption('Opened, ascending');
  await expect.poll(texts).toEqual(['first dispute', 'second dispute']);
  expect(sortOf(owner)).toBe('opened_at');
  expect(await axeViolations(owner)).toEqual([]);
});

test('a merchant filters the audit log by area, person, and day, and sees why it is empty', async () => {
  const { page } = owner;
  await page.setViewportSize({ width: 1440, height: 900 });
  await owner.open(`/stores/${merchant.world.store.id}/audit-log`);
  const rows = page.getByRole('table').locator('tbody').getByRole('row');
  await page.getByLabel('Area').selectOption('Review and disputes');
  // There is no row while the rows are loaded.
  await expect.poll(async () => [...new Set((await rows.allInnerTexts()).map((text) => /commission|dispute/.test(text)))]).toEqual([true]);
  await page.getByLabel('Person').selectOption('Automatic');
  await page.getByText('No matching changes').waitFor();
  expect(await axeViolations(owner)).toEqual([]);
  await page.reload();
  await page.getByText('No matching changes').waitFor();
  await expect.poll(() => page.getByLabel('Person').inputValue()).toBe('system');
});

test('a creator sorts links, sales, codes, and payouts', async () => {
  const { page } = creator;
  await page.setViewportSize({ width: 1440, height: 900 });
  for (const [path, title, sort] of [
    ['/creator/links', 'Link', 'code'],
    ['/creator/sales', 'Date', 'occurred_at'],
    ['/creator/payouts', 'Amount', '-amount_cents'],
  ] as const) {
    await creator.open(path);
    await page.getByRole('columnheader', { name: title }).getByRole('button').click();
    await expect.poll(() => sortOf(creator)).toBe(sort);
  }
});

test('a list that is sorted by a time without a column names its order, and returns to it', async () => {
  const { page } = creator;
  await page.setViewportSize({ width: 390, height: 844 });
  await creator.open('/creator/links');
  const field = page.getByLabel('Sort by');
  expect(await field.locator('option:checked').innerText()).toBe('Newest first');
  await field.selectOption('Link, ascending');
  await expect.poll(() => sortOf(creator)).toBe('code');
  await field.selectOption('Newest first');
  await expect.poll(() => sortOf(creator)).toBe(null);
});

test('on a phone, each row of a list is a card with its date and at most three other facts', async () => {
  const store = `/stores/${merchant.world.store.id}`;
  for (const [visitor, path] of [
    [owner, `${store}/subscriptions`],
    [owner, `${store}/mails`],
    [operator, '/operator/disputes'],
    [operator, '/operator/payouts'],
    [operator, '/operator/mails'],
    [operator, '/operator/creators'],
    [operator, '/operator/stores'],
    [creator, '/creator/links'],
    [creator, '/creator/sales'],
    [creator, '/creator/payouts'],
    [creator, '/creator/subscriptions'],
  ] as const) {
    await visitor.page.setViewportSize({ width: 390, height: 844 });
    await visitor.open(path);
    const table =
      path === '/operator/payouts' ? visitor.page.getByRole('table', { name: 'Payouts', exact: true }) : visitor.page.getByRole('table');
    const row = table.first().locator('tbody').getByRole('row').first();
    await row.waitFor();
    const facts = await row
      .locator('td:not([data-kind="actions"]):not([data-kind="box"])')
      .evaluateAll((cells) => cells.filter((cell) => cell.getClientRects().length > 0).length);
    expect(facts, path).toBeGreaterThan(2);
    expect(facts, path).toBeLessThanOrEqual(4);
  }
});
