import { readFileSync } from 'node:fs';
import { afterAll, expect, test } from 'vitest';
import { sql } from '../../src/db/sql.ts';
import { publicId, type Id } from '../../src/core/ids.ts';
import { openMerchantDashboard } from '../support/dashboard.ts';
import { openMany, reviewerOf } from '../support/review.ts';
import { axeViolations } from '../support/axe-violations.ts';

const count = 7_000;
const perCall = 2_000;
const { dashboard, merchant } = await openMerchantDashboard();
afterAll(() => dashboard.stop());
await openMany(merchant, count);
const mara = await dashboard.visitor();
await mara.signIn(merchant.world.logins.merchant);

const open = (query = '') => mara.open(`/stores/${merchant.world.store.id}/conversions${query}`);
const button = (name: string) => mara.page.getByRole('button', { name, exact: true });
const notification = (text: string | RegExp) => mara.page.getByRole('alert').filter({ hasText: text });

async function approved(): Promise<number> {
  const { approved: number } = await merchant.database.one<{ approved: bigint }>(
    sql`select count(*) as approved from commissions where store_id = ${merchant.storeId} and state = 'approved'`,
  );
  return Number(number);
}

/** Each batch waits for the test, as on a slow connection. */
async function partByPart(way: 'approve' | 'undo' = 'approve') {
  const waiting: Array<() => void> = [];
  await mara.page.route(`**/commissions/${way}`, async (route) => {
    await new Promise<void>((go) => waiting.push(go));
    await route.continue();
  });
  return {
    let: async () => {
      await expect.poll(() => waiting.length).toBe(1);
      waiting.shift()?.();
    },
    end: async () => {
      for (const go of waiting) go();
      await mara.page.unrouteAll({ behavior: 'wait' });
    },
  };
}

async function approveAll(): Promise<void> {
  await open('?state=pending');
  await mara.page.getByRole('checkbox', { name: 'Select all on this page' }).check();
  await button('Select all matching').click();
  await button('Approve').click();
  await mara.page.getByRole('dialog').getByText('processed in batches').waitFor();
  await mara.page.getByRole('dialog').getByRole('button', { name: 'Approve' }).click();
}

test('a bulk review of thousands shows its progress on every page and can be stopped; finished batches stay decided', async () => {
  const parts = await partByPart();
  await approveAll();
  await expect.poll(() => mara.page.getByRole('dialog').count()).toBe(0);
  await notification('Approving: 0 of 7,000').waitFor();
  expect(await axeViolations(mara)).toEqual([]);
  await parts.let();
  await notification('Approving: 2,000 of 7,000').waitFor();
  // The message is still shown on another page.
  await mara.page.getByRole('link', { name: 'Programs' }).click();
  await mara.page.getByRole('heading', { name: 'Programs', level: 1 }).waitFor();
  await button('Stop').click();
  await parts.let();
  await notification('Stopped. Approved: 4,000. The rest is unchanged.').waitFor();
  expect(await approved()).toBe(2 * perCall);
  await parts.end();
});

test('one click undoes a bulk review in batches; after a stop, another click undoes the rest', async () => {
  const reviewer = reviewerOf(merchant);
  await reviewer.act('reopen', { filter: { state: 'approved' } });
  await approveAll();
  await notification('Approved: 7,000.').waitFor();
  expect(await approved()).toBe(count);
  // Decisions made by others in the meantime stay. This one was decided first, so it is undone last.
  const [row] = await merchant.database.all<{ id: Id<'com'> }>(
    sql`select commission_id as id from commissions where store_id = ${merchant.storeId} order by commission_id desc limit 1`,
  );
  await reviewer.results('reject', row === undefined ? [] : [publicId('com', row.id)]);
  const parts = await partByPart('undo');
  await notification('Approved: 7,000.').getByRole('button', { name: 'Undo' }).click();
  await notification('Undoing: 0 of 7,000').waitFor();
  expect(await axeViolations(mara)).toEqual([]);
  await parts.let();
  await notification('Undoing: 1,000 of 7,000').waitFor();
  await button('Stop').click();
  await parts.let();
  await notification('Stopped. Undone: 2,000. The rest is unchanged.').waitFor();
  expect(await approved()).toBe(count - 2_000 - 1);
  await parts.end();
  await notification('Stopped.').getByRole('button', { name: 'Undo' }).click();
  await notification('Undone: 4,999. Not changed: 1 changed by someone else since.').waitFor();
  expect(await approved()).toBe(0);
  await reviewer.act('reopen', { filter: { state: 'rejected' } });
});

test('a failed batch shows what was done; repeating the action continues with the rest', async () => {
  const before = await approved();
  let calls = 0;
  const busy = JSON.stringify({ ok: false, reason: 'unavailable', message: 'The service is busy; try again in a second.' });
  await mara.page.route('**/commissions/approve', async (route) => {
    calls += 1;
    await (calls === 2 ? route.fulfill({ status: 503, contentType: 'application/json', body: busy }) : route.continue());
  });
  await approveAll();
  await notification(/Approved: 2,000\. Then it failed: .+ Repeat the action to continue with the rest\./).waitFor();
  expect(await approved()).toBe(before + perCall);
  await mara.page.unrouteAll({ behavior: 'wait' });
  await mara.page.getByRole('alert').getByRole('button', { name: 'Close' }).first().click();
  await reviewerOf(merchant).act('reopen', { filter: { state: 'approved' } });
  await approveAll();
  await notification('Approved: 7,000.').waitFor();
  expect(await approved()).toBe(count);
});

test('closing the window during a bulk review asks for confirmation', async () => {
  await reviewerOf(merchant).act('reopen', { filter: { state: 'approved' } });
  const parts = await partByPart();
  await approveAll();
  await notification('Approving: 0 of 7,000').waitFor();
  const confirmation = mara.page.waitForEvent('dialog');
  const closing = mara.page.close({ runBeforeUnload: true });
  const question = await confirmation;
  expect(question.type()).toBe('beforeunload');
  await question.dismiss();
  await closing;
  await button('Stop').click();
  await parts.let();
  await notification('Stopped. Approved: 2,000.').waitFor();
  await parts.end();
});

test('a download streams to disk, not through the page, and a rejection shows its reason', async () => {
  await open();
  const [download] = await Promise.all([mara.page.waitForEvent('download'), button('Export CSV').click()]);
  expect(download.url()).toMatch(/^http.*accept=text%2Fcsv$/);
  const lines = readFileSync(await download.path(), 'utf8')
    .trimEnd()
    .split('\r\n');
  expect(lines.length).toBe(count + 1);
  await mara.page.context().setOffline(true);
  await button('Export CSV').click();
  await notification('Couldn’t reach the service.').waitFor();
  await mara.page.context().setOffline(false);
});

test('the auto-approval filter takes one click, and is in the URL', async () => {
  await openMany(merchant, 2, { autoApproveAt: new Date(merchant.at(24 * 3_600_000)) });
  await mara.open(`/stores/${merchant.world.store.id}`);
  await mara.page.getByRole('link', { name: '2 conversions will be auto-approved within two days' }).click();
  await mara.page.getByText('2 conversions').waitFor();
  await expect.poll(() => new URL(mara.page.url()).searchParams.get('approves_itself_within_days')).toMatch(/^"?2"?$/);
  await expect.poll(() => mara.page.getByLabel('Auto-approval').inputValue()).toBe('2');
  expect(mara.complaints.filter((complaint) => !complaint.includes('ERR_INTERNET_DISCONNECTED'))).toEqual([]);
});
