import { readFile } from 'node:fs/promises';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { sql } from '../../src/db/sql.ts';
import { expectShown, openDashboard, type Dashboard, type Visitor } from '../support/dashboard.ts';
import { merchantIn, type Json, type Merchant } from '../support/merchant.ts';
import { createCreatorPerson, joinProgram, type SignedInCreator } from '../support/portal.ts';
import { reviewerOf } from '../support/review.ts';
import { axeViolations } from '../support/axe-violations.ts';

// The tests of this file run in order: each continues where the previous one ended.
let dashboard: Dashboard;
let merchant: Merchant;
let store: string;
let mara: Visitor;
let nora: SignedInCreator;
let rejected: readonly { readonly orderId: string; readonly commissionId: string }[] = [];
beforeAll(async () => {
  dashboard = await openDashboard();
  merchant = merchantIn(dashboard.service, await dashboard.service.seed());
  store = `/stores/${merchant.world.store.id}`;
  const reviewer = reviewerOf(merchant);
  rejected = [
    await reviewer.sale({ order_subtotal_cents: 120_000, order_id: 'order-of-a-friend' }),
    await reviewer.sale({ order_id: 'own-order' }),
  ];
  await reviewer.sale({ order_subtotal_cents: 30_000 });
  await reviewer.results(
    'reject',
    rejected.map(({ commissionId }) => commissionId),
    { reason: 'Looks like an own order' },
  );
  await joinProgram(merchant, await createCreatorPerson(dashboard.service, 'Olga Older'));
  nora = await createCreatorPerson(dashboard.service, 'Nora Newcomer');
  const rude = await createCreatorPerson(dashboard.service, 'Rudi Refused');
  for (const { ask } of [nora, rude]) await ask('POST', `/programs/${merchant.world.program.id}/applications`, {});
  mara = await dashboard.visitor();
  await mara.signIn(merchant.world.logins.merchant);
});
afterAll(() => dashboard.stop());

const button = (name: string) => mara.page.getByRole('button', { name, exact: true });
const link = (name: string) => mara.page.getByRole('link', { name, exact: true });
const region = (name: string) => mara.page.getByRole('region', { name, exact: true });
const dialog = () => mara.page.getByRole('dialog');
const all = () => mara.page.getByRole('table', { name: 'All creators' });
const listed = async (query = ''): Promise<readonly Json[]> => (await merchant.api('GET', `${store}/creators${query}`)).json.data;
const statusOf = async (name: string) => (await listed(`?program_id=${merchant.world.program.id}&q=${name}`))[0].status;
const expectRows = (count: number) => expect.poll(() => all().getByRole('row').count()).toBe(count + 1);
const object = (commissionId: string, text: string) =>
  merchant.api('POST', `/creators/${merchant.world.creator.id}/disputes`, {
    store_id: merchant.world.store.id,
    commission_id: commissionId,
    text,
  });

async function confirm(label: string, name: string): Promise<void> {
  await button(`${label} ${name}`).first().click();
  await dialog().getByRole('button', { name: label, exact: true }).click();
  await expect.poll(() => dialog().count()).toBe(0);
}

test('the overview links to the applications; one is approved, another declined, and none is left', async () => {
  await mara.open(store);
  await link('2 new applications').click();
  await expectShown(region('Applications').getByText('Nora Newcomer'));
  await region('Applications').getByRole('button', { name: 'Approve Nora Newcomer' }).click();
  expect(await axeViolations(mara)).toEqual([]);
  await dialog().getByRole('button', { name: 'Approve', exact: true }).click();
  await region('Applications').getByText('Nora Newcomer').waitFor({ state: 'detached' });
  await confirm('Decline', 'Rudi Refused');
  await region('Applications').waitFor({ state: 'detached' });
  expect([await statusOf('nora'), await statusOf('rudi')]).toEqual(['approved', 'removed']);
  expect((await nora.ask('POST', `/creators/${nora.id}/links`, { program_id: merchant.world.program.id })).status).toBe(201);
});

test('the filter of the list is in the URL, and the export has exactly the listed rows and totals', async () => {
  await mara.page.getByLabel('Program', { exact: true }).selectOption(merchant.world.program.id);
  await mara.page.getByLabel('Status', { exact: true }).selectOption('approved');
  await expectRows(3);
  const rows = await listed(`?program_id=${merchant.world.program.id}&status=approved`);
  expect(rows.map((row) => [row.creator_name, row.orders])).toEqual([
    ['Nora Newcomer', 0],
    ['Olga Older', 0],
    ['Cora Creator', 3],
  ]);
  const shown = async () => {
    const lines = (await all().getByRole('row').all()).slice(1);
    const cells = await Promise.all(lines.map((row) => row.getByRole('cell').allInnerTexts()));
    return cells.map(([name, , , , clicks, orders, revenue]) => [name, clicks, orders, revenue].map((text) => text?.trim()));
  };
  await expect.poll(shown).toEqual(rows.map((row) => [row.creator_name, String(row.clicks), String(row.orders), usd(row.revenue_cents)]));
  const [download] = await Promise.all([mara.page.waitForEvent('download'), button('Export CSV').click()]);
  const [titles = '', ...lines] = (await readFile(await download.path(), 'utf8')).trim().split('\r\n');
  expect(titles.split(',')).toEqual(Object.keys(objectOf(titles, lines[0] ?? '')));
  expect(lines.map((line) => objectOf(titles, line))).toEqual(
    rows.map((row) => Object.fromEntries(titles.split(',').map((title) => [title, String(row[title] ?? '')]))),
  );
  await mara.page.getByLabel('Creator’s name').fill('olg');
  await mara.page.waitForURL(/q=olg/);
  await expectRows(1);
});

const usd = (cents: number): string => (cents / 100).toLocaleString('en-US', { minimumFractionDigits: 2 });
function objectOf(titles: string, line: string): Readonly<Record<string, string>> {
  const cells = line.split(',');
  return Object.fromEntries(titles.split(',').map((title, place) => [title, cells[place] ?? '']));
}

test('a creator is paused, approved again and removed; the name links to the creator’s page, and that to their conversions', async () => {
  await mara.open(`${store}/creators?program_id=${merchant.world.program.id}&q=cora`);
  await confirm('Pause', 'Cora Creator');
  await expectShown(all().getByRole('button', { name: 'Paused' }));
  expect(await statusOf('cora')).toBe('paused');
  await confirm('Approve', 'Cora Creator');
  await expectShown(all().getByRole('button', { name: 'Approved' }));
  expect(await statusOf('cora')).toBe('approved');
  await link('Cora Creator').click();
  await mara.page.waitForURL(new RegExp(`creators/${merchant.world.creator.id}`));
  await link('Show all conversions of this creator').click();
  await mara.page.waitForURL(new RegExp(`conversions\\?creator_id=${merchant.world.creator.id}`));
  await expectShown(button('order-of-a-friend'));
  await mara.open(`${store}/creators?program_id=${merchant.world.program.id}&q=olga`);
  await confirm('Remove', 'Olga Older');
  await expectShown(all().getByRole('button', { name: 'Removed' }));
});

test('the invitation link leads to a public page', async () => {
  const address = await region('Invite creators')
    .locator('code')
    .filter({ hasText: `/p/${merchant.world.program.id}` })
    .innerText();
  const stranger = await dashboard.visitor();
  await stranger.open(new URL(address).pathname);
  await expectShown(stranger.page.getByRole('heading', { name: 'Friends of the shop' }).first());
  expect(new URL(address).origin).toBe(dashboard.service.url);
  await stranger.context.close();
});

test('the disputes page is linked only while a dispute is open, which then shows the creator’s text', async () => {
  await mara.open(store);
  expect(await link('Disputes').count()).toBe(0);
  await object(rejected[0]?.commissionId ?? '', 'A friend of mine bought it.\nShe paid by herself.');
  await object(rejected[1]?.commissionId ?? '', 'My mother bought it.');
  await mara.open(store);
  await expectShown(mara.page.getByRole('link', { name: 'Disputes 2 open' }));
  await link('2 open disputes').click();
  await expectShown(mara.page.getByText('She paid by herself.'));
  await expectShown(mara.page.getByText('You rejected the commission: Looks like an own order').first());
  expect(await axeViolations(mara)).toEqual([]);
});

test('accepting a dispute with a note makes its conversion pending again, one click away', async () => {
  const card = mara.page.getByRole('article', { name: 'Cora Creator about order-of-a-friend' });
  await card.getByRole('button', { name: 'Accept the dispute of Cora Creator' }).click();
  await dialog().getByLabel('Note to Cora Creator (optional)').fill('You were right.');
  expect(await axeViolations(mara)).toEqual([]);
  await dialog().getByRole('button', { name: 'Accept' }).click();
  await card.waitFor({ state: 'detached' });
  const { commissionId } = rejected[0] ?? { commissionId: '' };
  expect(await reviewerOf(merchant).stateOf(commissionId)).toBe('pending');
  await mara.open(`${store}/disputes?state=accepted`);
  await expectShown(card.getByText('You were right.'));
  await card.getByRole('link', { name: 'order-of-a-friend' }).click();
  await expectShown(dialog().getByRole('heading', { name: 'order-of-a-friend' }));
});

test('declining a dispute needs a note to the creator; the link disappears when none is open', async () => {
  await mara.open(`${store}/disputes?state=open`);
  await button('Decline the dispute of Cora Creator').click();
  await dialog().getByRole('button', { name: 'Decline' }).click();
  expect((await merchant.api('GET', `${store}/disputes?state=open`)).json.data).toHaveLength(1);
  await dialog().getByLabel('Note to Cora Creator').fill('It went to your own address.');
  await dialog().getByRole('button', { name: 'Decline' }).click();
  await expectShown(mara.page.getByText('No open disputes'));
  expect((await merchant.api('GET', `${store}/disputes`)).json.data.map(({ state, note }: Json) => [state, note])).toEqual([
    ['declined', 'It went to your own address.'],
    ['accepted', 'You were right.'],
  ]);
  await link('Home').click();
  await link('Disputes').waitFor({ state: 'detached' });
});

test('the emails of the store are listed without their content, and the page says that no mail server is configured', async () => {
  await link('Emails').click();
  await expectShown(mara.page.getByText('No email server is set up.').first());
  const { json } = await merchant.api('GET', `${store}/mails`);
  const rows = mara.page.getByRole('table', { name: 'Store emails' }).getByRole('row');
  await expect.poll(() => rows.count()).toBe(json.data.length + 1);
  expect(json.data.some(({ subject }: Json) => subject.includes('disputes a rejection'))).toBe(true);
  expect(await axeViolations(mara)).toEqual([]);
});

test('pages with rows have no serious accessibility violation in dark mode at 360 pixels, and nothing overflows the screen', async () => {
  await object(rejected[1]?.commissionId ?? '', 'Still my mother.');
  const late = await createCreatorPerson(dashboard.service, 'Maximiliane von Hohenstein-Wittelsbach');
  await late.ask('POST', `/programs/${merchant.world.program.id}/applications`, {});
  const narrow = await dashboard.visitor({ scheme: 'dark', width: 360 });
  await narrow.signIn(merchant.world.logins.merchant);
  for (const path of ['', '/creators?status=applied&from=2026-01-01', '/disputes', '/mails']) {
    await narrow.open(`${store}${path}`);
    expect([path, await axeViolations(narrow)]).toEqual([path, []]);
    expect([path, await narrow.page.evaluate('document.documentElement.scrollWidth')]).toEqual([path, 360]);
  }
  expect(narrow.complaints).toEqual([]);
  await narrow.context.close();
});

test('a viewer sees no button that the service would reject', async () => {
  const viewer = await dashboard.visitor();
  await merchant.database.run(sql`update store_roles set role = 'viewer' where store_id = ${merchant.storeId}`);
  await viewer.signIn(merchant.world.logins.merchant);
  await viewer.open(`${store}/creators`);
  await expectShown(viewer.page.getByRole('link', { name: 'Cora Creator' }).first());
  await viewer.open(`${store}/disputes`);
  await expectShown(viewer.page.getByText('Still my mother.'));
  for (const path of ['creators', 'disputes']) {
    await viewer.open(`${store}/${path}`);
    expect(await viewer.page.getByRole('button', { name: /^(Approve|Decline|Pause|Remove|Accept|Decline) (the|[A-Z])/ }).count()).toBe(0);
  }
  expect([...viewer.complaints, ...mara.complaints]).toEqual([]);
  await viewer.context.close();
});

test('a column header sorts the list, and the URL and the keyboard do the same', async () => {
  await mara.open(`${store}/creators`);
  const header = all().getByRole('columnheader', { name: 'Since' });
  await header.waitFor();
  expect(await header.getAttribute('aria-sort')).toBe('none');
  await header.getByRole('button').click();
  await mara.page.waitForURL(/sort=-since/);
  await expect.poll(() => header.getAttribute('aria-sort')).toBe('descending');
  await header.getByRole('button').press('Enter');
  await mara.page.waitForURL(/sort=since/);
  await expect.poll(() => header.getAttribute('aria-sort')).toBe('ascending');
  const names = (await listed('?sort=since')).map(({ creator_name: name }) => name);
  await expect
    .poll(async () => (await all().getByRole('row').allInnerTexts()).slice(1).map((text) => names.find((name) => text.includes(name))))
    .toEqual(names);
});
