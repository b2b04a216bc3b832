import { readFileSync } from 'node:fs';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { sql } from '../../src/platform/database/sql.ts';
import { publicId, type Id } from '../../src/platform/ids.ts';
import { openDashboard, type Dashboard, type Visitor } from '../support/dashboard.ts';
import { merchantIn, type Merchant } from '../support/merchant.ts';
import { openMany, reviewerOf } from '../support/review.ts';
import { seriousFaults } from '../support/serious-faults.ts';

vi.setConfig({ testTimeout: 120_000 });

const count = 7_000;
const perCall = 2_000;
let dashboard: Dashboard;
let shop: Merchant;
let mara: Visitor;
beforeAll(async () => {
  dashboard = await openDashboard();
  shop = merchantIn(dashboard.service, await dashboard.service.seed());
  await openMany(shop, count);
  mara = await dashboard.visitor();
  await mara.signIn(shop.world.logins.merchant);
});
afterAll(() => dashboard.stop());

const open = (query = '') => mara.open(`/stores/${shop.world.store.id}/conversions${query}`);
const button = (name: string) => mara.page.getByRole('button', { name, exact: true });
const told = (text: string | RegExp) => mara.page.getByRole('alert').filter({ hasText: text });

async function approved(): Promise<number> {
  const { approved: number } = await shop.database.one<{ approved: bigint }>(
    sql`select count(*) as approved from commissions where store_id = ${shop.storeId} and state = 'approved'`,
  );
  return Number(number);
}

/** Each part waits for the test's word, as it would on a slow way. */
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
  await button('Take all that match').click();
  await button('Approve').click();
  await mara.page.getByRole('dialog').getByText('part by part').waitFor();
  await mara.page.getByRole('dialog').getByRole('button', { name: 'Approve' }).click();
}

test('thousands are decided part by part: one sees how far it is, works elsewhere, and stops it; what is done stays', async () => {
  const parts = await partByPart();
  await approveAll();
  await expect.poll(() => mara.page.getByRole('dialog').count()).toBe(0);
  await told('Approving: 0 of 7,000').waitFor();
  expect(await seriousFaults(mara)).toEqual([]);
  await parts.let();
  await told('Approving: 2,000 of 7,000').waitFor();
  // On another page the message is still there.
  await mara.page.getByRole('link', { name: 'Programs' }).click();
  await mara.page.getByRole('heading', { name: 'Programs', level: 1 }).waitFor();
  await button('Stop').click();
  await parts.let();
  await told('Stopped. Approved: 4,000. The rest is as it was.').waitFor();
  expect(await approved()).toBe(2 * perCall);
  await parts.end();
});

test('what was decided of thousands is taken back by one press, part by part; stopped, one more press takes the rest back', async () => {
  const reviewer = reviewerOf(shop);
  await reviewer.act('reopen', { filter: { state: 'approved' } });
  await approveAll();
  await told('Approved: 7,000.').waitFor();
  expect(await approved()).toBe(count);
  // What somebody decides on meanwhile stays as they decided it. It was decided first, and is taken back last.
  const [row] = await shop.database.all<{ id: Id<'com'> }>(
    sql`select commission_id as id from commissions where store_id = ${shop.storeId} order by commission_id desc limit 1`,
  );
  await reviewer.words('reject', row === undefined ? [] : [publicId('com', row.id)]);
  const parts = await partByPart('undo');
  await told('Approved: 7,000.').getByRole('button', { name: 'Undo' }).click();
  await told('Taking back: 0 of 7,000').waitFor();
  expect(await seriousFaults(mara)).toEqual([]);
  await parts.let();
  await told('Taking back: 1,000 of 7,000').waitFor();
  await button('Stop').click();
  await parts.let();
  await told('Stopped. Taken back: 2,000. The rest is as it was.').waitFor();
  expect(await approved()).toBe(count - 2_000 - 1);
  await parts.end();
  await told('Stopped.').getByRole('button', { name: 'Undo' }).click();
  await told('Taken back: 4,999. Left as they were: 1 decided on otherwise since.').waitFor();
  expect(await approved()).toBe(0);
  await reviewer.act('reopen', { filter: { state: 'rejected' } });
});

test('a part that is refused says what was done; the same again goes on with the rest', async () => {
  const before = await approved();
  let calls = 0;
  const busy = JSON.stringify({ ok: false, reason: 'unavailable', message: 'The service is busy; try again in a second.' });
  await mara.page.route('**/commissions/approve', async (route) => {
    calls += 1;
    await (calls === 2 ? route.fulfill({ status: 503, contentType: 'application/json', body: busy }) : route.continue());
  });
  await approveAll();
  await told(/Approved: 2,000\. Then it ended: .+ Do the same again to go on with the rest\./).waitFor();
  expect(await approved()).toBe(before + perCall);
  await mara.page.unrouteAll({ behavior: 'wait' });
  await mara.page.getByRole('alert').getByRole('button', { name: 'Close' }).first().click();
  await reviewerOf(shop).act('reopen', { filter: { state: 'approved' } });
  await approveAll();
  await told('Approved: 7,000.').waitFor();
  expect(await approved()).toBe(count);
});

test('a window that is closed while parts are open asks first', async () => {
  await reviewerOf(shop).act('reopen', { filter: { state: 'approved' } });
  const parts = await partByPart();
  await approveAll();
  await told('Approving: 0 of 7,000').waitFor();
  const asked = mara.page.waitForEvent('dialog');
  const closing = mara.page.close({ runBeforeUnload: true });
  const question = await asked;
  expect(question.type()).toBe('beforeunload');
  await question.dismiss();
  await closing;
  await button('Stop').click();
  await parts.let();
  await told('Stopped. Approved: 2,000.').waitFor();
  await parts.end();
});

test('a file goes from the service to the disk, not through the page, and a refusal is told in words', async () => {
  await open();
  const [download] = await Promise.all([mara.page.waitForEvent('download'), button('Save as CSV').click()]);
  expect(download.url()).toMatch(/^http.*accept=text%2Fcsv$/);
  const lines = readFileSync(await download.path(), 'utf8')
    .trimEnd()
    .split('\r\n');
  expect(lines.length).toBe(count + 1);
  await mara.page.context().setOffline(true);
  await button('Save as CSV').click();
  await told('The service could not be reached.').waitFor();
  await mara.page.context().setOffline(false);
});

test('what approves itself soon is one press away, and stands in the address', async () => {
  await openMany(shop, 2, { autoApproveAt: new Date(shop.at(24 * 3_600_000)) });
  await mara.open(`/stores/${shop.world.store.id}`);
  await mara.page.getByRole('link', { name: '2 approve themselves within two days' }).click();
  await mara.page.getByText('2 conversions').waitFor();
  await expect.poll(() => new URL(mara.page.url()).searchParams.get('approves_itself_within_days')).toMatch(/^"?2"?$/);
  await expect.poll(() => mara.page.getByLabel('Approves itself').inputValue()).toBe('2');
  expect(mara.complaints.filter((complaint) => !complaint.includes('ERR_INTERNET_DISCONNECTED'))).toEqual([]);
});
