import { afterAll, expect, test } from 'vitest';
import { openDashboard } from '../support/dashboard.ts';
import { axeViolations } from '../support/axe-violations.ts';
import { merchantIn } from '../support/merchant.ts';

const dashboard = await openDashboard();
afterAll(() => dashboard.stop());
const world = await dashboard.service.seed();
const merchant = merchantIn(dashboard.service, world);
const store = `/stores/${world.store.id}`;
for (const number of [1, 2, 3])
  await merchant.convert(await merchant.order({ order_id: `order-${number}`, order_name: `#331${number}`, customer_id: `cus_${number}` }));
const visitor = await dashboard.visitor();
await visitor.signIn(world.logins.merchant);

const palette = () => visitor.page.getByRole('dialog', { name: 'Search and commands' });
const field = () => palette().getByRole('combobox', { name: 'Search and commands' });
const option = (name: string | RegExp) => palette().getByRole('option', { name });
async function openPalette(): Promise<void> {
  await visitor.page.keyboard.press('Control+K');
  await field().waitFor();
  await expect.poll(() => visitor.page.evaluate('document.activeElement.role')).toBe('combobox');
}
const pathNow = () => new URL(visitor.page.url()).pathname;

test('the menu groups the pages of a store, and counts what awaits the store', async () => {
  await visitor.open(store);
  const menu = visitor.page.getByRole('navigation', { name: 'Pages' });
  await menu.getByRole('list', { name: 'Sales' }).getByRole('link', { name: 'Conversions 3 to review' }).waitFor();
  for (const [group, page] of [
    ['Partners', 'Creators'],
    ['Money', 'Billing'],
    ['Developers', 'Webhooks'],
    ['Settings', 'Team'],
  ] as const)
    await menu.getByRole('list', { name: group }).getByRole('link', { name: page }).waitFor();
  expect(await axeViolations(visitor)).toEqual([]);
});

test('the menu marks the page from which the shown one is opened', async () => {
  for (const [path, page] of [
    ['creator-invitations', 'Creators'],
    ['creator-messages', 'Creators'],
    ['attribution', 'Discount codes'],
    ['new-program', 'Programs'],
    ['conversions', 'Conversions'],
  ] as const) {
    await visitor.open(`${store}/${path}`);
    const current = visitor.page.getByRole('navigation', { name: 'Pages' }).locator('[aria-current="page"]');
    expect(
      (await current.allInnerTexts()).map((text) => text.split('\n')[0]),
      path,
    ).toEqual([page]);
  }
});

test('a count of the menu changes with a review on the same page', async () => {
  await visitor.open(`${store}/conversions`);
  await visitor.page.getByRole('checkbox', { name: /order-1/ }).check();
  await visitor.page.getByRole('button', { name: 'Approve', exact: true }).click();
  await visitor.page.getByRole('link', { name: 'Conversions 2 to review' }).waitFor();
  expect((await merchant.commissionOf('order-1')).state).toBe('approved');
});

test('the palette goes to a page by the keyboard, and the page gets the focus', async () => {
  await visitor.open(store);
  await openPalette();
  await field().fill('track');
  await option('Tracking log').waitFor();
  expect(await axeViolations(visitor)).toEqual([]);
  await visitor.page.keyboard.press('Enter');
  await visitor.page.waitForURL((url) => url.pathname === `${store}/tracking-log`);
  await expect.poll(() => visitor.page.evaluate('document.activeElement.textContent')).toBe('Tracking log');
});

test('the palette finds an order by its name, and opens it', async () => {
  await visitor.open(store);
  await openPalette();
  await field().fill('3312');
  await option(/#3312/).waitFor();
  await visitor.page.keyboard.press('Enter');
  await visitor.page.getByRole('dialog', { name: 'order-2' }).waitFor();
  expect(pathNow()).toBe(`${store}/conversions`);
});

test('the palette approves the opened order, and the drawer stays open', async () => {
  await visitor.settled();
  await openPalette();
  await option('Approve order-2').waitFor();
  expect(await axeViolations(visitor)).toEqual([]);
  await option('Approve order-2').click();
  const drawer = visitor.page.getByRole('dialog', { name: 'order-2' });
  await drawer.getByText('Approved').first().waitFor();
  await expect.poll(async () => (await merchant.commissionOf('order-2')).state).toBe('approved');
});

test('Escape closes only the palette, and the arrow keys move from the last option to the first', async () => {
  // The options depend on the opened order, which is loaded again after the approval.
  await visitor.settled();
  await openPalette();
  await visitor.page.keyboard.press('ArrowUp');
  const options = palette().getByRole('option');
  await expect.poll(() => options.last().getAttribute('aria-selected')).toBe('true');
  await visitor.page.keyboard.press('ArrowDown');
  await expect.poll(() => options.first().getAttribute('aria-selected')).toBe('true');
  expect(await field().getAttribute('aria-activedescendant')).toBe(await options.first().getAttribute('id'));
  await visitor.page.keyboard.press('Escape');
  await palette().waitFor({ state: 'detached' });
  await visitor.page.getByRole('dialog', { name: 'order-2' }).waitFor();
  await visitor.closeDialog();
});

test('the focus returns to the button that opened the palette', async () => {
  await visitor.open(store);
  await visitor.page.getByRole('button', { name: 'Search' }).click();
  await field().fill('nothing like this');
  await palette().getByText('Nothing found').waitFor();
  await visitor.page.keyboard.press('Escape');
  await expect.poll(() => visitor.page.evaluate('document.activeElement.textContent')).toContain('Search');
});

test('an operator finds a creator of the installation', async () => {
  const operator = await dashboard.visitor();
  await operator.signIn(world.logins.operator);
  await operator.page.keyboard.press('Control+K');
  await operator.page.getByRole('combobox', { name: 'Search and commands' }).fill('cora');
  await operator.page.getByRole('option', { name: /Cora Creator/ }).click();
  await operator.page.waitForURL((url) => url.pathname === `/operator/creators/${world.creator.id}`);
  await operator.page.getByRole('navigation', { name: 'Breadcrumbs' }).getByRole('link', { name: 'Creators' }).waitFor();
  expect(operator.complaints).toEqual([]);
});

test('a page below another one has breadcrumbs that end with itself', async () => {
  await visitor.open(`${store}/programs/${world.program.id}/settings`);
  const breadcrumbs = visitor.page.getByRole('navigation', { name: 'Breadcrumbs' });
  expect(await breadcrumbs.getByRole('listitem').allInnerTexts()).toEqual(['Programs', 'Friends of the shop', 'Program settings']);
  await breadcrumbs.getByRole('link', { name: 'Programs' }).click();
  await visitor.page.waitForURL((url) => url.pathname === `${store}/programs`);
});

test('the sandbox is named on every page, also before sign-in', async () => {
  const stranger = await dashboard.visitor();
  for (const path of ['/sign-in', '/sign-up', `/programs/${world.program.id}`, '/no-such-page']) {
    await stranger.open(path);
    await stranger.page.getByRole('note').getByText('No real money moves.').waitFor();
  }
  await visitor.open('/account');
  expect(await visitor.page.getByRole('note').innerText()).toContain('No real money moves.');
});

test('an email appears among the notifications, which are marked as read', async () => {
  await visitor.open('/notifications');
  const link = visitor.page.getByRole('link', { name: /Notifications \d+ unread/ });
  await link.waitFor();
  expect(await axeViolations(visitor)).toEqual([]);
  await visitor.page.getByRole('button', { name: 'Mark all as read' }).click();
  await link.waitFor({ state: 'detached' });
  await expect.poll(() => visitor.page.getByText('New', { exact: true }).count()).toBe(0);
  expect(visitor.complaints).toEqual([]);
});
