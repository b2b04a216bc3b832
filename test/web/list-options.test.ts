import { afterAll, expect, test } from 'vitest';
import { axeViolations } from '../support/axe-violations.ts';
import { openMerchantDashboard } from '../support/dashboard.ts';
import { reviewerOf } from '../support/review.ts';

const { dashboard, merchant } = await openMerchantDashboard();
afterAll(() => dashboard.stop());
const { sale } = reviewerOf(merchant);
for (let place = 0; place < 30; place += 1) await sale({ order_id: `order-${place}`, order_name: `#33${place}` });
const visitor = await dashboard.visitor();
await visitor.signIn(merchant.world.logins.merchant);
const conversions = `/stores/${merchant.world.store.id}/conversions`;

const button = (name: string) => visitor.page.getByRole('button', { name, exact: true });
const checkbox = (name: string) => visitor.page.getByRole('checkbox', { name, exact: true });
const header = (name: string) => visitor.page.getByRole('columnheader', { name, exact: true });
const rows = () => visitor.page.getByRole('table').getByRole('row').filter({ hasText: '#33' });
const shows = (text: string) => expect.poll(() => visitor.page.getByText(text, { exact: true }).count()).toBe(1);

test('a list says how many rows it has', async () => {
  await visitor.open(conversions);
  await shows('1–30 of 30');
  expect(await rows().count()).toBe(30);
});

test('a search finds an order by its number, and sends no request for a single character', async () => {
  await visitor.open(conversions);
  const searches: string[] = [];
  visitor.page.on('request', (request) => {
    const text = new URL(request.url()).searchParams.get('q');
    if (text !== null) searches.push(text);
  });
  const field = visitor.page.getByLabel('Order, invoice, or creator');
  await field.pressSequentially('3', { delay: 600 });
  await field.pressSequentially('319');
  await expect.poll(() => rows().count()).toBe(1);
  expect(await rows().innerText()).toContain('#3319');
  expect(searches).not.toContain('3');
  expect(new URL(visitor.page.url()).searchParams.get('q')).toContain('3319');
  expect(await visitor.page.getByRole('alert').count()).toBe(0);
});

test('columns and density that a person chooses are kept after the page is loaded again, and belong to one list', async () => {
  await visitor.open(conversions);
  const heightOf = async () => (await rows().first().boundingBox())?.height ?? 0;
  const usual = await heightOf();
  await button('View').click();
  await checkbox('Hold ends').uncheck();
  await checkbox('Compact').check();
  expect(await axeViolations(visitor)).toEqual([]);
  await expect.poll(() => header('Hold ends').count()).toBe(0);
  await expect.poll(heightOf).toBeLessThan(usual);
  await visitor.page.reload();
  await expect.poll(() => rows().count()).toBe(30);
  expect([await header('Hold ends').count(), await header('Status').count()]).toEqual([0, 1]);
  await expect.poll(heightOf).toBeLessThan(usual);
  await visitor.open(`/stores/${merchant.world.store.id}/creators`);
  await expect.poll(() => header('Since').count()).toBe(1);
});

test('a saved view has the filter, the order, and the columns, until it is deleted', async () => {
  await visitor.open(`${conversions}?state=pending&sort=occurred_at`);
  await button('View').click();
  await visitor.page.getByLabel('Name of the view').fill('Oldest first');
  await visitor.page.keyboard.press('Enter');
  await visitor.page.getByRole('button', { name: 'Delete the view Oldest first' }).waitFor();
  await visitor.open(conversions);
  await button('View').click();
  await checkbox('Hold ends').check();
  await button('Oldest first').click();
  await visitor.page.waitForURL(/state=pending/);
  expect(new URL(visitor.page.url()).searchParams.get('sort')).toBe('occurred_at');
  await expect.poll(() => header('Hold ends').count()).toBe(0);
  await visitor.page.getByRole('button', { name: 'Delete the view Oldest first' }).click();
  await expect.poll(() => button('Oldest first').count()).toBe(0);
});

test('the header stays in view while the rows scroll', async () => {
  await visitor.page.setViewportSize({ width: 1440, height: 500 });
  await visitor.open(conversions);
  await expect.poll(() => rows().count()).toBe(30);
  await visitor.page.evaluate('scrollTo(0, 700)');
  const top = async () => Math.round((await header('Status').boundingBox())?.y ?? -1);
  await expect.poll(async () => (await rows().first().boundingBox())?.y ?? 0).toBeLessThan(0);
  expect(await top()).toBe(0);
});

test('a phone shows the date and three facts of each row on a card, or all columns if a person wants them', async () => {
  const phone = await dashboard.visitor({ width: 390, height: 844 });
  await phone.signIn(merchant.world.logins.merchant);
  await phone.open(conversions);
  const card = phone.page.getByRole('table').getByRole('row').filter({ hasText: '#33' }).first();
  const titles = () =>
    card
      .getByRole('cell')
      .evaluateAll((cells) => cells.filter((cell) => cell.checkVisibility()).map((cell) => cell.dataset['title'] ?? ''));
  await expect.poll(async () => (await titles()).filter((title) => title !== '')).toEqual(['Order', 'Date', 'Commission, USD', 'Status']);
  expect(await phone.page.evaluate('document.documentElement.scrollHeight')).toBeLessThan(5_000);
  const shown = (text: string) => phone.page.getByText(text, { exact: true }).waitFor();
  await shown('1–25 of 30');
  await phone.page.getByRole('button', { name: 'Next', exact: true }).click();
  await shown('26–30 of 30');
  await phone.page.getByRole('button', { name: 'Previous', exact: true }).click();
  await shown('1–25 of 30');
  await phone.page.getByRole('button', { name: 'View', exact: true }).click();
  await phone.page.getByRole('checkbox', { name: 'All columns on phones' }).check();
  await expect.poll(async () => (await titles()).filter((title) => title !== '')).toContain('Creator');
  expect(await phone.page.evaluate('document.documentElement.scrollWidth')).toBe(390);
});
