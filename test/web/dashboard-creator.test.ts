import type { Locator } from 'playwright-core';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { moveSandboxClock } from '../../src/db/sandbox-clock.ts';
import { openDashboard, type Dashboard, type Visitor } from '../support/dashboard.ts';
import { merchantIn, type Merchant } from '../support/merchant.ts';
import { createPerson, type SignedInPerson } from '../support/portal.ts';
import { reviewerOf } from '../support/review.ts';
import { axeViolations } from '../support/axe-violations.ts';

vi.setConfig({ testTimeout: 120_000 });

// The tests of this file run in order: from the application to the payout, with the expected payment date at each step of the clock.
let dashboard: Dashboard;
let merchant: Merchant;
let nora: Visitor;
let person: SignedInPerson;
let linkUrl = '';
let saleId = '';
let year = '';
beforeAll(async () => {
  dashboard = await openDashboard();
  merchant = merchantIn(dashboard.service, await dashboard.service.seed());
  const { jobsDatabase, clock } = dashboard.service.platform;
  year = String(clock.now().getUTCFullYear() + 1);
  await moveSandboxClock(jobsDatabase, clock, new Date(`${year}-03-10T12:00:00.000Z`));
  person = await createPerson(dashboard.service);
  nora = await dashboard.visitor();
});
afterAll(() => dashboard.stop());

const button = (name: string | RegExp) => nora.page.getByRole('button', { name, exact: true });
const heading = (name: string) => nora.page.getByRole('heading', { name, level: 1 });
const text = (words: string | RegExp) => nora.page.getByText(words).first();
const dialog = () => nora.page.getByRole('dialog');
const expectShown = (part: Locator): Promise<void> => part.waitFor();
const programPage = () => `/programs/${merchant.world.program.id}`;
const moveTo = async (day: string): Promise<void> => {
  const ms = Date.parse(`${year}-${day}:00.000Z`) - Date.parse(merchant.at());
  await merchant.moveClock(`${Math.ceil(ms / 60_000)}m`);
};

test('a visitor reads a program’s page without signing in, signs in from there, and applies', async () => {
  await nora.open(programPage());
  await expectShown(heading('Friends of the shop'));
  await expectShown(text('10% of each order'));
  await expectShown(text('Refund hold: 30 days'));
  await expectShown(text('Not enough sales have been reviewed'));
  expect(await axeViolations(nora)).toEqual([]);
  await nora.page.getByRole('link', { name: 'Sign in to apply' }).click();
  await nora.page.getByLabel('Email').fill(person.email);
  await nora.page.getByRole('textbox', { name: 'Password' }).fill(person.password);
  await button('Sign in').click();
  await expectShown(heading('Friends of the shop'));
  await nora.page.getByLabel('Name').fill('Nora’s Notes');
  await button('Create creator account and apply').click();
  await expectShown(button('Applied'));
});

test('a creator can create links only after the merchant approves, and only to the store’s site', async () => {
  await nora.open('/creator/programs');
  await expectShown(button('Applied'));
  await nora.open('/creator/links');
  expect(await button('Create link').count()).toBe(0);

  const { world, api } = merchant;
  const members = `/stores/${world.store.id}/programs/${world.program.id}/members`;
  const { json } = await api('GET', members);
  const applied = json.data.find(({ status }: { readonly status: string }) => status === 'applied');
  expect(applied.creator_name).toBe('Nora’s Notes');
  await api('PATCH', `${members}/${applied.id}`, { status: 'approved' });

  await nora.open('/creator/links');
  await button('Create link').click();
  await dialog().getByLabel('Destination URL').fill('https://elsewhere.example/');
  await dialog().getByRole('button', { name: 'Create link' }).click();
  await expectShown(dialog().getByText(/is not on the site of the store/i));
  await dialog().getByLabel('Destination URL').fill(`${world.store.site_url}/boots`);
  await dialog().getByRole('button', { name: 'Create link' }).click();
  await expect.poll(() => dialog().count()).toBe(0);
  const shown = await nora.page.getByRole('cell').filter({ hasText: '/r/' }).innerText();
  linkUrl = `http://${/\S+\/r\/\w+/.exec(shown)?.[0] ?? ''}`;
  await nora.page.getByRole('button', { name: /^Show QR code for / }).click();
  await expectShown(dialog().getByRole('img', { name: /^QR code for / }));
  expect(await axeViolations(nora)).toEqual([]);
  await nora.closeDialog();
});

test('a sale shows its sub-ID and payment date, and its details list the steps', async () => {
  const click_id = await merchant.click(linkUrl);
  const sold = await reviewerOf(merchant).sale({ click_id, order_id: 'boots-1', order_subtotal_cents: 500_000 });
  saleId = sold.commissionId;
  await nora.open('/creator/sales');
  await expectShown(
    nora.page
      .getByRole('row')
      .filter({ hasText: 'boots-1' })
      .filter({ hasText: '500.00' })
      .filter({ hasText: `May 15, ${year}` }),
  );
  await button('boots-1').click();
  await expectShown(dialog().getByText(/^The order earns 500\.00 USD: 10% of 5,?000\.00 USD is 500\.00 USD\./));
  await expectShown(dialog().getByText(`Expected payout: May 15, ${year}`));
  for (const step of [
    'Approved by the merchant',
    'Refund hold ends',
    'Invoiced to the merchant',
    'Paid by the merchant',
    'Paid out to you',
  ])
    await expectShown(dialog().getByText(step, { exact: true }));
  expect(await axeViolations(nora)).toEqual([]);
  await nora.closeDialog();
});

test('the home page shows the balances at each step of the clock, until the payout', async () => {
  const figure = (name: string) =>
    nora.page
      .getByRole('definition')
      .filter({ hasText: 'USD' })
      .and(nora.page.locator(`dt:text-is("${name}") + dd`));
  const home = async (stats: Readonly<Record<string, string>>, next: string) => {
    await nora.open('/creator');
    for (const [name, value] of Object.entries(stats))
      await expect.poll(() => figure(name).innerText(), { message: name }).toBe(`${value} USD`);
    await expectShown(text(next));
  };
  const paidOn = async (words: string) => {
    await nora.open('/creator/sales');
    await expectShown(nora.page.getByRole('row').filter({ hasText: 'boots-1' }).filter({ hasText: words }));
  };
  await home({ 'Refund hold': '500.00', Available: '0.00' }, `Nothing scheduled for Mar 15, ${year}`);
  await reviewerOf(merchant).results('approve', [saleId]);
  await paidOn(`May 15, ${year}`);
  await moveTo('04-10T12:00');
  await home({ 'Refund hold': '0.00', Pending: '500.00' }, `Nothing scheduled for Apr 15, ${year}`);
  await paidOn(`May 15, ${year}`);
  await moveTo('05-01T12:00');
  await paidOn(`May 15, ${year}`);
  await moveTo('05-04T12:00');
  await expect
    .poll(async () => (await merchant.api('GET', `/stores/${merchant.world.store.id}/commissions?state=collected`)).json.data.length)
    .toBe(1);
  await home({ Available: '500.00', Pending: '0.00' }, `500.00 USD on May 15, ${year}`);
  await paidOn(`May 15, ${year}`);
  await moveTo('05-15T12:00');
  await expect
    .poll(async () => (await merchant.api('GET', `/stores/${merchant.world.store.id}/commissions?state=paid`)).json.data.length)
    .toBe(1);
  await home({ 'Paid out': '500.00', Available: '0.00' }, `Nothing scheduled for Jun 1, ${year}`);
  await paidOn(`Paid on May 15, ${year}`);
});

test('the payout lists its lines, and the statement of its month adds up', async () => {
  await nora.open('/creator/payouts');
  await nora.page.getByRole('link', { name: `May 15, ${year}` }).click();
  await expectShown(heading(`Payout of May 15, ${year}`));
  await expectShown(nora.page.getByRole('row').filter({ hasText: 'boots-1' }).filter({ hasText: '500.00' }));
  const [file] = await Promise.all([nora.page.waitForEvent('download'), button('Export this payout as CSV').click()]);
  expect(file.suggestedFilename()).toMatch(/^pay_\w+\.csv$/);
  await nora.open('/creator/statement');
  await expectShown(nora.page.getByRole('row').filter({ hasText: 'Total to date' }).filter({ hasText: '500.00' }));
  await expectShown(nora.page.getByRole('row').filter({ hasText: 'Commission paid by the merchant' }).filter({ hasText: 'boots-1' }));
  const entry = async (description: string) =>
    (await cellsOf(nora.page.getByRole('row').filter({ hasText: description }).last())).slice(-3);
  expect(await cellsOf(nora.page.getByRole('row').filter({ hasText: 'Description' }))).toEqual([
    'Date, UTC',
    'Description',
    'Store',
    'Reference',
    'Available, USD',
    'In transit, USD',
    'Paid out, USD',
  ]);
  expect(await entry('Commission paid by the merchant')).toEqual(['500.00', '', '']);
  expect(await entry('Added to a payout')).toEqual(['−500.00', '500.00', '']);
  expect(await entry('Paid out')).toEqual(['', '−500.00', '500.00']);
});

test('the statements of a creator and of a store show the times of their files, in UTC, in every time zone', async () => {
  const { store, logins } = merchant.world;
  for (const [login, path] of [
    [person, '/creator/statement'],
    [logins.merchant, `/stores/${store.id}/statement`],
  ] as const) {
    const reader = await dashboard.visitor({ timeZone: 'Pacific/Kiritimati' });
    await reader.signIn(login);
    await reader.open(path);
    const times = await reader.page.getByRole('table').last().locator('time').all();
    expect(times.length).toBeGreaterThan(0);
    for (const time of times) {
      const shown = new Date(`${await time.innerText()} UTC`).toISOString();
      expect(await time.getAttribute('datetime')).toContain(shown.slice(0, 16));
    }
  }
});

const cellsOf = (row: Locator): Promise<string[]> => row.locator('td, th').allInnerTexts();

test('a changed payout method asks for the password and waits 72 hours; tax details show only the last digits', async () => {
  await nora.open('/creator/settings');
  await nora.page.getByLabel('Sandbox behavior').selectOption('returned');
  await button('Change payout method').click();
  // A sign-in counts as a recent proof.
  await expectShown(nora.page.getByText('Payouts succeed and are later returned').first());
  await expectShown(nora.page.locator('time').filter({ hasText: `May 18, ${year}` }));
  expect(await nora.page.getByLabel('Sandbox behavior').inputValue()).toBe('returned');
  await expectShown(nora.page.locator('button:focus', { hasText: 'Change payout method' }));
  await nora.page.getByRole('combobox', { name: 'Country' }).selectOption({ label: 'Germany' });
  await nora.page.getByLabel('Legal name').fill('Nora Neu');
  await nora.page.getByLabel('Tax ID').fill('DE123456789');
  await button('Save tax details').click();
  await expectShown(text('ending in 6789'));
  await expect.poll(() => nora.page.content()).not.toContain('DE123456789');
  await expect.poll(() => nora.page.getByLabel('Tax ID').inputValue()).toBe('');
  expect(await nora.page.getByRole('combobox', { name: 'Country' }).inputValue()).toBe('DE');
  await expectShown(nora.page.locator('button:focus', { hasText: 'Save tax details' }));
  await nora.page.getByLabel('New sales').uncheck();
  await button('Save notifications').click();
  await expectShown(text('Email notifications saved'));
  await nora.open('/creator/settings');
  await expect.poll(() => nora.page.getByLabel('New sales').isChecked()).toBe(false);
  await expectShown(nora.page.getByRole('row').filter({ hasText: year }).filter({ hasText: '500.00' }));
});

test('a rejected sale shows its reason as a sentence, and a filter in the URL shows only rejected sales', async () => {
  const sold = await reviewerOf(merchant).sale({ click_id: await merchant.click(linkUrl), order_id: 'boots-2' });
  await reviewerOf(merchant).results('reject', [sold.commissionId], { reason: 'Sent back, worn' });
  await nora.open('/creator/sales');
  await nora.page.getByLabel('Status').selectOption('rejected');
  await expect
    .poll(() =>
      nora.page
        .getByRole('row')
        .filter({ hasText: /boots-/ })
        .count(),
    )
    .toBe(1);
  await nora.page.waitForURL(/state=rejected/);
  await button('boots-2').click();
  await expectShown(dialog().getByText('It was rejected, so it earns nothing. The merchant’s reason: Sent back, worn', { exact: false }));
});

test('a creator disputes a rejection in its details, and reads the store’s answer there', async () => {
  await dialog().getByLabel('Why should this sale be approved?').fill('They were never worn.\nAsk the buyer.');
  await dialog().getByRole('button', { name: 'Open dispute' }).click();
  await expectShown(dialog().getByText(/^Waiting for .* to reply\.$/));
  // The form is gone; the focus is on the submitted text, which keeps its line breaks.
  const sent = dialog().locator('p:focus');
  expect(await sent.innerText()).toBe('They were never worn.\nAsk the buyer.');
  expect(await axeViolations(nora)).toEqual([]);
  const disputes = `/stores/${merchant.world.store.id}/disputes`;
  const [dispute] = (await merchant.api('GET', disputes)).json.data;
  await merchant.api('POST', `${disputes}/${dispute.id}/decline`, { note: 'The soles say otherwise.' });
  await nora.page.reload();
  await expectShown(dialog().getByText('The soles say otherwise.'));
});

test('a sale with three declined disputes accepts no further one, and says so', async () => {
  const disputes = `/stores/${merchant.world.store.id}/disputes`;
  for (const words of ['Once more.', 'And once more.']) {
    await dialog().getByLabel('Why should this sale be approved?').fill(words);
    await dialog().getByRole('button', { name: 'Open dispute' }).click();
    await expectShown(dialog().getByText(/^Waiting for .* to reply\.$/));
    const [dispute] = (await merchant.api('GET', disputes)).json.data;
    await merchant.api('POST', `${disputes}/${dispute.id}/decline`, { note: `No, as before: ${words}` });
    await nora.page.reload();
    await expectShown(dialog().getByText(`No, as before: ${words}`));
  }
  await expectShown(dialog().getByText('declined three disputes about this sale'));
  expect(await dialog().getByRole('button', { name: 'Open dispute' }).count()).toBe(0);
});

test('a program that was never published is shown as such, without a link to a page', async () => {
  const { world, api } = merchant;
  const programs = `/stores/${world.store.id}/programs`;
  const { json: draft } = await api('POST', programs, { name: 'Winter', landing_url: world.store.site_url });
  const { json } = await api('GET', `${programs}/${world.program.id}/members`);
  const [hers] = json.data.filter(({ creator_name: name }: { readonly creator_name: string }) => name === 'Nora’s Notes');
  expect((await api('POST', `${programs}/${draft.id}/members`, { creator_id: hers.creator_id })).status).toBe(201);
  await nora.open('/creator/programs');
  const row = nora.page.getByRole('row').filter({ hasText: 'Winter' });
  await expectShown(row.getByRole('button', { name: 'Not published' }));
  expect(await row.getByRole('link', { name: 'Winter' }).count()).toBe(0);
  expect(await axeViolations(nora)).toEqual([]);
});

test('the merchant and another creator cannot open the creator’s pages, and no page logs an error', async () => {
  const paths = ['', '/commissions', '/balance', '/payouts', '/links'];
  const { json } = await merchant.api('GET', `/stores/${merchant.world.store.id}/programs/${merchant.world.program.id}/members`);
  const [hers] = json.data.filter(({ creator_name: name }: { readonly creator_name: string }) => name === 'Nora’s Notes');
  for (const login of [merchant.world.logins.merchant, merchant.world.logins.creator]) {
    const other = await dashboard.visitor();
    await other.signIn(login);
    for (const path of paths) {
      const asking = `fetch('/api/v1/creators/${hers.creator_id}${path}').then((answer) => answer.status)`;
      expect(await other.page.evaluate(asking), path).toBe(404);
    }
    await other.context.close();
  }
  expect(nora.complaints).toEqual([]);
});
