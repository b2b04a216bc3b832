import type { Route } from 'playwright-core';
import { afterAll, expect, test } from 'vitest';
import { sql } from '../../src/db/sql.ts';
import { billerOf } from '../support/billing.ts';
import { expectShown, openDashboard, type Visitor } from '../support/dashboard.ts';
import { merchantIn } from '../support/merchant.ts';
import { reviewerOf } from '../support/review.ts';

/** Repeated, slow and long key presses, and what a page says while a request is in flight or fails. */
const dashboard = await openDashboard();
afterAll(() => dashboard.stop());
const seller = merchantIn(dashboard.service, await dashboard.service.seed());
const sales: string[] = [];
for (let number = 1; number <= 6; number++) sales.push((await reviewerOf(seller).sale({ order_id: `hand-${number}` })).commissionId);
const { merchant, creator, operator } = seller.world.logins;
const mara = await dashboard.visitor();
await mara.signIn(merchant);
const cora = await dashboard.visitor();
await cora.signIn(creator);
const olive = await dashboard.visitor();
await olive.signIn(operator);

const storePath = () => `/stores/${seller.world.store.id}`;
const button = (visitor: Visitor, name: string) => visitor.page.getByRole('button', { name, exact: true });
const region = (visitor: Visitor, name: string) => visitor.page.getByRole('region', { name, exact: true });
const dialog = (visitor: Visitor) => visitor.page.getByRole('dialog');
const notification = (text: string) => mara.page.getByRole('alert').filter({ hasText: text });
const states = async () => billerOf(seller).states();
const away = (route: Route) => route.abort();

const dayMs = 86_400_000;
/** A day in the recent past, as a field's value and as typed: month, day, year. */
function typedDay(daysAgo: number): { readonly day: string; readonly keys: string } {
  const day = new Date(Date.now() - daysAgo * dayMs).toISOString().slice(0, 10);
  const [year, month, date] = day.split('-');
  return { day, keys: `${month}${date}${year}` };
}

test.each([
  ['From, in UTC', ''],
  ['Performance from, UTC', '/creators'],
  ['From', '/conversions'],
])('the day “%s” is typed digit by digit: it is requested once it is complete, and its field keeps the focus', async (label, path) => {
  const { page } = mara;
  await mara.open(`${storePath()}${path}`);
  const requests = new Set<string>();
  page.on('framenavigated', () => requests.add(new URL(page.url()).searchParams.get('from') ?? ''));
  const field = page.getByLabel(label, { exact: true });
  const { day, keys } = typedDay(5);
  await field.focus();
  await page.keyboard.type(keys, { delay: 30 });
  await page.waitForURL((address) => address.searchParams.get('from') !== null);
  await mara.settled();
  expect(await field.inputValue()).toBe(day);
  await expectShown(field.and(page.locator(':focus')));
  const later = typedDay(4);
  await field.blur();
  await field.focus();
  await page.keyboard.type(later.keys, { delay: 30 });
  await expect.poll(() => [...requests].filter((from) => from !== '').length).toBe(2);
  await mara.settled();
  expect(await field.inputValue()).toBe(later.day);
});

test('a key that is held down decides one row, and not the rows that replace it', async () => {
  const { keyboard } = mara.page;
  await mara.open(`${storePath()}/conversions?state=pending`);
  await mara.focused('tagName === "H1"');
  await keyboard.press('j');
  await mara.focused('tagName === "TR"');
  await keyboard.down('a');
  await expectShown(notification('Approved: 1.'));
  await mara.page.getByRole('row').filter({ hasText: 'hand-6' }).waitFor({ state: 'detached' });
  await mara.focused('tagName === "TR"');
  for (let times = 0; times < 3; times++) await keyboard.down('a');
  await keyboard.up('a');
  await mara.settled();
  expect(await states()).toEqual({ approved: 1, pending: 5 });
  await button(mara, 'Undo').click();
  await expectShown(notification('Undone: 1.'));
});

test('a selection decided by two key presses is decided once, and can be undone', async () => {
  await mara.open(`${storePath()}/conversions?state=pending`);
  for (const number of [1, 2]) await mara.page.getByRole('checkbox', { name: `Select hand-${number}` }).check();
  let sent = 0;
  await mara.page.route('**/commissions/approve', async (route) => {
    sent += 1;
    await new Promise((resolve) => setTimeout(resolve, 400));
    await route.continue();
  });
  await button(mara, 'Approve').dblclick();
  await expectShown(notification('Approved: 2.'));
  await mara.settled();
  expect(sent).toBe(1);
  await mara.page.unroute('**/commissions/approve');
  await button(mara, 'Undo').click();
  await expectShown(notification('Undone: 2.'));
  expect(await states()).toEqual({ pending: 6 });
});

test('a double click on “Release” releases, and does not approve through the button that replaces it', async () => {
  const { mouse } = mara.page;
  await reviewerOf(seller).act('hold', { ids: sales.slice(0, 1) });
  await mara.open(`${storePath()}/conversions?open=${sales[0]}`);
  const release = dialog(mara).getByRole('button', { name: 'Release' });
  // Waits until the drawer has stopped moving.
  await release.hover({ position: { x: 20, y: 10 } });
  await mouse.down({ clickCount: 1 });
  await mouse.up({ clickCount: 1 });
  await expectShown(dialog(mara).getByRole('button', { name: 'Approve' }));
  await mara.settled();
  await mouse.down({ clickCount: 2 });
  await mouse.up({ clickCount: 2 });
  await mara.settled();
  expect(await reviewerOf(seller).stateOf(sales[0] ?? '')).toBe('pending');
  await dialog(mara).getByRole('button', { name: 'Approve' }).click();
  await expectShown(notification('Approved: 1.'));
});

test('a reopened dialog shows no former error, and stays open while it works', async () => {
  await mara.open(`${storePath()}/settings`);
  await button(mara, 'Disable the integration').click();
  await mara.page.route('**/integration/disable', away);
  await button(mara, 'Disable integration').click();
  await expectShown(dialog(mara).getByText('Couldn’t reach the service.'));
  await expectShown(dialog(mara).locator('[role=alert]:focus'));
  await button(mara, 'Cancel').click();
  await expect.poll(() => dialog(mara).count()).toBe(0);
  await button(mara, 'Disable the integration').click();
  await expectShown(button(mara, 'Disable integration'));
  expect(await dialog(mara).getByRole('alert').count()).toBe(0);
  await mara.page.unroute('**/integration/disable');
  const held = Promise.withResolvers<void>();
  await mara.page.route('**/integration/disable', async (route) => {
    await held.promise;
    await route.abort();
  });
  await button(mara, 'Disable integration').click();
  await mara.page.keyboard.press('Escape');
  held.resolve();
  await expectShown(dialog(mara).getByText('Couldn’t reach the service.'));
  await mara.page.unroute('**/integration/disable');
  await mara.closeDialog();
});

test('a creator sees that there are no programs only after the programs were loaded', async () => {
  const { page } = cora;
  const none = page.getByText('You haven’t joined a program yet');
  const held = Promise.withResolvers<void>();
  await page.route('**/memberships*', async (route) => {
    await held.promise;
    await route.fulfill({ json: { data: [], next_cursor: null } });
  });
  await page.goto('/creator/programs');
  await expectShown(page.getByRole('heading', { name: 'Programs' }));
  expect(await none.count()).toBe(0);
  held.resolve();
  await expectShown(none);
  await page.unroute('**/memberships*');
  await cora.open('/creator/programs');
  expect(await none.count()).toBe(0);
});

test('a failed next page shows an error below the loaded rows, and can be retried', async () => {
  const more = `${storePath()}/statement`;
  await mara.page.route(`**/api/v1${more}?*`, async (route) => {
    const answer = await route.fetch();
    await route.fulfill({ response: answer, json: { ...(await answer.json()), next_cursor: 'nonsense' } });
  });
  await mara.open(more);
  const rows = await mara.page.getByRole('row').count();
  await button(mara, 'Show more').click();
  await expectShown(mara.page.locator('main').getByRole('alert'));
  expect(await mara.page.getByRole('row').count()).toBe(rows);
  await mara.page.unroute(`**/api/v1${more}?*`);
  const retried = mara.page.waitForResponse((response) => response.url().includes(`${more}?`));
  await button(mara, 'Try again').click();
  await retried;
  await expectShown(mara.page.locator('main').getByRole('alert'));
});

test('a page of a list that cannot be read shows an error, and the way back to the rows', async () => {
  const path = `${storePath()}/audit-log`;
  await mara.page.route(`**/api/v1${path}?*`, async (route) => {
    const answer = await route.fetch();
    await route.fulfill({ response: answer, json: { ...(await answer.json()), next_cursor: 'nonsense' } });
  });
  await mara.open(path);
  const rows = await mara.page.getByRole('row').count();
  await mara.page.unroute(`**/api/v1${path}?*`);
  await button(mara, 'Next').click();
  await expectShown(mara.page.locator('main').getByRole('alert'));
  expect(await mara.page.getByRole('row').count()).toBe(0);
  await button(mara, 'Previous').click();
  await expect.poll(() => mara.page.getByRole('row').count()).toBe(rows);
});

test('a link that could not be read because the service was away is not shown as used', async () => {
  const { page } = await dashboard.visitor();
  await page.route('**/one-time-links/read', away);
  await page.goto('/link#no-such-token');
  await expectShown(page.getByRole('heading', { name: 'Couldn’t check this link' }));
  await page.unroute('**/one-time-links/read');
  await page.getByRole('button', { name: 'Try again' }).click();
  await expectShown(page.getByRole('heading', { name: 'This link isn’t valid' }));
});

test('when the service’s time cannot be read, the ledger export shows an error instead of loading forever', async () => {
  await olive.page.route('**/api/v1/health', away);
  await olive.page.goto('/operator/ledger');
  await expectShown(region(olive, 'Monthly export').getByText('Couldn’t reach the service.'));
  await olive.page.unroute('**/api/v1/health');
  await region(olive, 'Monthly export').getByRole('button', { name: 'Try again' }).click();
  await expectShown(region(olive, 'Monthly export').getByLabel('Month'));
});

test('copy buttons work on plain http', async () => {
  const plain = await dashboard.visitor();
  await plain.context.addInitScript(() => Object.defineProperty(navigator, 'clipboard', { value: undefined }));
  await plain.signIn(seller.world.logins.creator);
  await plain.open('/creator');
  await button(plain, 'Copy your creator ID').click();
  await expectShown(plain.page.getByText('Copied', { exact: true }).first());
  await expectShown(button(plain, 'Copy your creator ID').and(plain.page.locator(':focus')));
  await plain.open('/creator/settings');
  await plain.page.getByLabel('Legal name').focus();
  await plain.page.keyboard.press('ControlOrMeta+V');
  await expect.poll(() => plain.page.getByLabel('Legal name').inputValue()).toBe(seller.world.creator.id);
});

test('a UTC day is the same day for a viewer in another time zone', async () => {
  const yesterday = new Date(Date.now() - dayMs).toISOString().slice(0, 10);
  await seller.database.run(
    sql`insert into door_refusals (day, reason, slot, count) values (${yesterday}::date, 'invalid_postback_key', 0, 7)`,
  );
  const west = await dashboard.visitor({ timeZone: 'America/Los_Angeles' });
  await west.signIn(seller.world.logins.operator);
  await west.open('/operator/tracking');
  const words = new Intl.DateTimeFormat('en', { day: 'numeric', month: 'short', year: 'numeric', timeZone: 'UTC' });
  const row = west.page.getByRole('row').filter({ hasText: 'invalid_postback_key' }).filter({ hasText: '7' });
  await expectShown(row.getByText(words.format(new Date(yesterday))));
  await west.context.close();
});

test('terms without a start day are not simulated, and the page says what is missing', async () => {
  await mara.open(`${storePath()}/programs/${seller.world.program.id}/new-terms`);
  await mara.page.getByLabel('a specific date').check();
  await button(mara, 'Simulate order').click();
  await expectShown(mara.page.getByText('Complete the terms above first: a field must have a day and a time.'));
});

test('the result of a simulated order disappears when another order is typed', async () => {
  await mara.open(`${storePath()}/programs/${seller.world.program.id}`);
  await button(mara, 'Simulate order').click();
  await expectShown(mara.page.getByText('12.00 USD', { exact: true }));
  await mara.page.getByLabel('Order total').fill('50');
  await mara.page.getByText('12.00 USD', { exact: true }).waitFor({ state: 'detached' });
});

test('lines selected on one invoice are not selected on another', async () => {
  const biller = billerOf(seller);
  await biller.setPaymentMethod('ok');
  for (const amount of [12_000, 13_000]) {
    await biller.billable(amount);
    await biller.run();
  }
  await olive.open(`/operator/stores/${seller.world.store.id}`);
  await button(olive, 'Credit lines of INV-00001').click();
  await olive.page.getByRole('table', { name: 'Lines of the invoice' }).getByRole('checkbox').first().check();
  await expectShown(olive.page.getByText('1 line selected'));
  await button(olive, 'Credit lines of INV-00002').click();
  await expectShown(olive.page.getByRole('heading', { name: 'Credit invoice lines: INV-00002' }));
  await expectShown(olive.page.getByText('0 lines selected, 0.00 USD'));
  await olive.page.getByLabel('Reason').fill('Returned');
  await button(olive, 'Credit lines').click();
  await expectShown(olive.page.getByText('Select at least one line of the invoice.', { exact: true }));
});

test('the live log reconnects when something other than the service answers', async () => {
  await mara.page.route('**/tracking-log/stream', (route) => route.fulfill({ status: 502, body: 'away' }), { times: 1 });
  await mara.open(`${storePath()}/tracking-log`);
  await button(mara, 'Watch live').click();
  await expectShown(mara.page.getByText('Connecting…'));
  await expectShown(mara.page.getByText('Listening for requests.'));
});

test('a person who gives up a permission no longer sees its buttons', async () => {
  await seller.database.run(sql`
    insert into store_roles (user_id, store_id, role, since)
    select u.user_id, r.store_id, 'owner', r.since from users u, store_roles r
    where r.store_id = ${seller.storeId} and u.email = ${seller.world.logins.creator.email}`);
  await mara.open(`${storePath()}/team`);
  await expectShown(button(mara, 'Invite person'));
  await button(mara, 'Change role of Mara Merchant').click();
  await dialog(mara).getByLabel('Role').selectOption('viewer');
  await dialog(mara).getByRole('button', { name: 'Change', exact: true }).click();
  await button(mara, 'Invite person').waitFor({ state: 'detached' });
  await expectShown(mara.page.getByRole('row').filter({ hasText: 'Mara Merchant' }).filter({ hasText: 'viewer' }));
});

test('no page logs an error or a policy violation', () => {
  expect([...mara.complaints, ...cora.complaints, ...olive.complaints]).toEqual([]);
});
