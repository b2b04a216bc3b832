import { readFile } from 'node:fs/promises';
import { afterAll, beforeEach, expect, test } from 'vitest';
import { sql } from '../../src/db/sql.ts';
import { expectShown, openDashboard } from '../support/dashboard.ts';
import { merchantIn, type Json } from '../support/merchant.ts';
import { reviewerOf } from '../support/review.ts';
import { axeViolations } from '../support/axe-violations.ts';
import { looks } from '../support/size.ts';

const orders = 60;
beforeEach(async () => {
  const { act } = reviewerOf(merchant);
  await act('release', { filter: { held: true } });
  for (const state of ['approved', 'rejected']) await act('reopen', { filter: { state } });
});

const idOf = (number: number) => `shop-${String(number).padStart(3, '0')}`;
const open = (query = '') => mara.open(`/stores/${merchant.world.store.id}/conversions${query}`);
const button = (name: string) => mara.page.getByRole('button', { name, exact: true });
const dialog = () => mara.page.getByRole('dialog');
const tick = (number: number) => mara.page.getByRole('checkbox', { name: `Select ${idOf(number)}` });
const rowOf = (number: number) => mara.page.getByRole('row').filter({ hasText: idOf(number) });
const notification = (text: string) => mara.page.getByRole('alert').filter({ hasText: text });

async function states(): Promise<Readonly<Record<string, number>>> {
  const rows = await merchant.database.all<{ state: string; count: bigint }>(sql`
    select case when held_reason is null then state else state || ' held' end as state, count(*) as count
    from commissions where store_id = ${merchant.storeId} group by 1`);
  return Object.fromEntries(rows.map(({ state, count }) => [state, Number(count)]));
}
const undo = async () => {
  await button('Undo').click();
  await expectShown(notification('Undone'));
};

const dashboard = await openDashboard();
afterAll(() => dashboard.stop());
const merchant = merchantIn(dashboard.service, await dashboard.service.seed());
for (let number = 1; number <= orders; number++) await reviewerOf(merchant).sale({ order_id: idOf(number) });
const mara = await dashboard.visitor();
await mara.signIn(merchant.world.logins.merchant);

test('two clicks approve fifty conversions, and one click undoes it', async () => {
  await open('?state=pending');
  await expectShown(mara.page.getByText('60 conversions'));
  await mara.page.getByRole('checkbox', { name: 'Select all on this page' }).check();
  await expectShown(mara.page.getByText('50 selected'));
  await button('Approve').click();
  await expectShown(notification('Approved: 50.'));
  expect(await states()).toEqual({ approved: 50, pending: 10 });
  await undo();
  expect(await states()).toEqual({ pending: 60 });
});

test('all matching conversions are approved after a confirmation with their number, and can be undone', async () => {
  await open('?state=pending');
  await mara.page.getByRole('checkbox', { name: 'Select all on this page' }).check();
  await button('Select all matching').click();
  await expectShown(mara.page.getByText('All matching: 60 conversions'));
  await button('Approve').click();
  await expectShown(dialog().getByText('60 conversions in the list (pending)'));
  await dialog().getByRole('button', { name: 'Approve' }).click();
  await expectShown(notification('Approved: 60.'));
  expect(await states()).toEqual({ approved: 60 });
  await undo();
  expect(await states()).toEqual({ pending: 60 });
});

test('all matching conversions are reopened only when the filter is a state that can be reopened', async () => {
  await open();
  await mara.page.getByRole('checkbox', { name: 'Select all on this page' }).check();
  await expectShown(button('Reopen'));
  await button('Select all matching').click();
  await expectShown(mara.page.getByText('All matching: 60 conversions'));
  expect(await button('Reopen').count()).toBe(0);
  await rowOf(60).focus();
  await mara.page.keyboard.press('o');
  await expectShown(notification('First filter by status Approved or Rejected'));
  expect(await dialog().count()).toBe(0);

  await reviewerOf(merchant).act('approve', { filter: { state: 'pending' } });
  await open('?state=approved');
  await mara.page.getByRole('checkbox', { name: 'Select all on this page' }).check();
  await button('Select all matching').click();
  await button('Reopen').click();
  await expectShown(dialog().getByText('60 conversions in the list (approved)'));
  await dialog().getByRole('button', { name: 'Reopen' }).click();
  await expectShown(notification('Reopened: 60.'));
  expect(await states()).toEqual({ pending: 60 });
});

test('three conversions are rejected with a required reason, which their timelines show', async () => {
  await open();
  for (const number of [60, 59, 58]) await tick(number).check();
  await button('Reject').click();
  await dialog().getByRole('button', { name: 'Reject' }).click();
  expect(await states()).toEqual({ pending: 60 });
  await dialog().getByLabel('Reason').fill('The order was returned');
  await dialog().getByLabel('Note').fill('agreed with support');
  await dialog().getByRole('button', { name: 'Reject' }).click();
  await expectShown(notification('Rejected: 3.'));
  expect(await states()).toEqual({ pending: 57, rejected: 3 });
  await expect.poll(() => dialog().count()).toBe(0);

  await button(idOf(59)).click();
  await expectShown(dialog().getByText('Rejected by Mara Merchant: The order was returned'));
  await expectShown(dialog().getByText('agreed with support', { exact: true }));
  await expectShown(dialog().getByText('Order: recorded'));
  await expectShown(dialog().getByRole('paragraph').filter({ hasText: 'It was rejected, so it earns nothing.' }));
  const address = mara.page.url();
  await mara.closeDialog();
  await undo();
  expect(await states()).toEqual({ pending: 60 });
  await mara.page.goto(address);
  await expectShown(dialog().getByText('Reopened by Mara Merchant').last());
});

test('a conversion on hold cannot be approved until it is released; each action can be undone', async () => {
  await open();
  for (const number of [60, 59]) await tick(number).check();
  await button('Put on hold').click();
  await dialog().getByLabel('Reason').selectOption('fraud_review');
  await dialog().getByRole('button', { name: 'Put on hold' }).click();
  await expectShown(notification('Put on hold: 2.'));
  expect(await states()).toEqual({ pending: 58, 'pending held': 2 });
  await expect.poll(() => dialog().count()).toBe(0);

  for (const number of [60, 58]) await tick(number).check();
  await button('Approve').click();
  await expectShown(notification('Approved: 1. Not changed: 1 on hold'));
  await undo();
  expect(await states()).toEqual({ pending: 58, 'pending held': 2 });

  await open('?held=true');
  await mara.page.getByRole('checkbox', { name: 'Select all on this page' }).check();
  await button('Release').click();
  await expectShown(notification('Released: 2.'));
  expect(await states()).toEqual({ pending: 60 });
  await undo();
  expect(await states()).toEqual({ pending: 58, 'pending held': 2 });
});

test('the queue is reviewed with the keyboard alone', async () => {
  const { keyboard } = mara.page;
  const focusedRow =
    'document.activeElement.matches("tr") ? document.activeElement.innerText : document.activeElement.outerHTML.slice(0, 80)';
  const focused = async () => (await mara.page.evaluate<string>(focusedRow)).replace(/^\s*(shop-\d+)[^]*/, '$1');
  await open('?state=pending');
  await mara.focused('tagName === "H1"');
  for (const [key, number] of [
    ['j', 60],
    ['ArrowDown', 59],
    ['j', 58],
    ['k', 59],
  ] as const) {
    await keyboard.press(key);
    await expect.poll(focused).toBe(idOf(number));
  }
  await keyboard.press('a');
  await expectShown(notification('Approved: 1.'));
  await rowOf(59).waitFor({ state: 'detached' });
  expect(await states()).toEqual({ pending: 59, approved: 1 });
  // The row that replaced it has the focus.
  await expect.poll(focused).toBe(idOf(58));

  await keyboard.press('x');
  await expectShown(mara.page.getByText('1 selected'));
  await keyboard.press('j');
  await expect.poll(focused).toBe(idOf(57));
  await keyboard.press('x');
  await expectShown(mara.page.getByText('2 selected'));
  await keyboard.press('r');
  await dialog().getByLabel('Reason').waitFor();
  await expect.poll(() => mara.page.evaluate('document.activeElement.name')).toBe('reason');
  await keyboard.type('Returned');
  await keyboard.press('Enter');
  await expectShown(notification('Rejected: 2.'));
  expect(await states()).toEqual({ pending: 57, approved: 1, rejected: 2 });
  await expect.poll(() => dialog().count()).toBe(0);
  await expect.poll(focused).toMatch(/^shop-/);

  await keyboard.press('u');
  await expectShown(notification('Undone: 2.'));
  expect(await states()).toEqual({ pending: 59, approved: 1 });

  // The list is loaded again, and may move the focus.
  await mara.settled();
  await expect.poll(focused).toMatch(/^shop-/);
  const opened = await focused();
  await keyboard.press('Enter');
  await expectShown(dialog().getByText('Timeline'));
  await mara.closeDialog();
  await expect.poll(focused).toBe(opened);
});

test('the page position is in the URL, forward, back and after a reload', async () => {
  await open();
  const first = mara.page.getByRole('button', { name: /^shop-/ }).first();
  await button('Next').click();
  await expect.poll(() => first.innerText()).toBe(idOf(10));
  await expect.poll(() => button('Next').isDisabled()).toBe(true);
  await mara.page.reload();
  await expect.poll(() => first.innerText()).toBe(idOf(10));
  await button('Previous').click();
  await expect.poll(() => first.innerText()).toBe(idOf(60));
});

test('the export has exactly the filtered rows', async () => {
  await reviewerOf(merchant).act('approve', { filter: { q: 'shop-04' } });
  await open('?state=approved');
  await expectShown(mara.page.getByText('10 conversions'));
  const [download] = await Promise.all([mara.page.waitForEvent('download'), button('Export CSV').click()]);
  expect(download.suggestedFilename()).toBe('commissions.csv');
  const lines = (await readFile(await download.path(), 'utf8')).trimEnd().split('\r\n').slice(1);
  const { json } = await merchant.api('GET', `/stores/${merchant.world.store.id}/commissions?state=approved`);
  expect(lines.map((line) => line.split(',')[3])).toEqual(json.data.map(({ order_id: id }: Json) => id));
  expect(lines).toHaveLength(10);
});

test('typing filters the list, a row’s creator becomes a filter, and clearing shows all again', async () => {
  await open();
  await mara.page.getByLabel('Order, invoice, or creator').fill('shop-03');
  await expectShown(mara.page.getByText('10 conversions'));
  await button('Cora Creator').first().click();
  await expectShown(mara.page.getByRole('button', { name: /Creator: Cora Creator/ }));
  await mara.page.waitForURL(/q=shop-03/);
  await mara.page.getByLabel('Status').selectOption('paid');
  await expectShown(mara.page.getByText('No matching conversions'));
  await mara.page.getByRole('button', { name: 'Clear filters', exact: true }).click();
  await expectShown(mara.page.getByText('60 conversions'));
});

test('a viewer sees no review actions, and the service rejects them', async () => {
  const become = (role: string) => merchant.database.run(sql`update store_roles set role = ${role} where store_id = ${merchant.storeId}`);
  await become('viewer');
  const viewer = await dashboard.visitor();
  await viewer.signIn(merchant.world.logins.merchant);
  const sent: string[] = [];
  viewer.page.on('request', (request) => request.method() === 'POST' && sent.push(request.url()));
  await viewer.open(`/stores/${merchant.world.store.id}/conversions`);
  expect(await viewer.page.getByRole('checkbox').count()).toBe(0);
  await viewer.focused('tagName === "H1"');
  await viewer.page.keyboard.press('j');
  await viewer.focused('tagName === "TR"');
  await viewer.page.keyboard.press('a');
  await viewer.page.keyboard.press('x');
  await viewer.page.keyboard.press('Enter');
  await expectShown(viewer.page.getByRole('dialog').getByText('Timeline'));
  expect(await viewer.page.getByRole('button', { name: 'Approve' }).count()).toBe(0);
  expect(sent).toEqual([]);
  const path = `/api/v1/stores/${merchant.world.store.id}/commissions/approve`;
  const asking = `fetch('${path}', { method: 'POST', headers: { 'content-type': 'application/json' }, body: '{"filter":{}}' })`;
  expect(await viewer.page.evaluate(`${asking}.then((answer) => answer.status)`)).toBe(403);
  expect(await states()).toEqual({ pending: 60 });
  expect(viewer.complaints).toEqual([]);
  await become('owner');
});

test.each(looks)(
  'in %s at %i pixels the review queue, its action bar, a dialog, and a drawer have no serious accessibility violation',
  async (scheme, width) => {
    const visitor = await dashboard.visitor({ scheme, width });
    const { page } = visitor;
    await visitor.signIn(merchant.world.logins.merchant);
    await visitor.open(`/stores/${merchant.world.store.id}/conversions`);
    expect(await axeViolations(visitor)).toEqual([]);
    expect(await page.evaluate('document.documentElement.scrollWidth')).toBe(width);
    await page.getByRole('checkbox', { name: `Select ${idOf(60)}` }).check();
    expect(await axeViolations(visitor)).toEqual([]);
    await page.getByRole('button', { name: 'Reject', exact: true }).click();
    await page.getByRole('dialog').getByLabel('Reason').waitFor();
    expect(await axeViolations(visitor)).toEqual([]);
    await visitor.closeDialog();
    await page.getByRole('button', { name: idOf(59), exact: true }).click();
    await expectShown(page.getByRole('dialog').getByText('Timeline'));
    expect(await axeViolations(visitor)).toEqual([]);
    expect(visitor.complaints).toEqual([]);
  },
);

test('no page logs an error', () => {
  expect(mara.complaints).toEqual([]);
});
