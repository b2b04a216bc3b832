import { afterAll, expect, test } from 'vitest';
import { axeViolations } from '../support/axe-violations.ts';
import { expectSuccess } from '../support/billing.ts';
import { openMerchantDashboard } from '../support/dashboard.ts';

const { dashboard, merchant } = await openMerchantDashboard();
afterAll(() => dashboard.stop());
const store = `/stores/${merchant.world.store.id}`;
const mara = await dashboard.visitor();
await mara.signIn(merchant.world.logins.merchant);

const button = (name: string) => mara.page.getByRole('button', { name, exact: true });
const region = (name: string) => mara.page.getByRole('region', { name, exact: true });

/** An import of this size takes seconds on a quiet machine, and took more than a minute on one with ten programs per core. */
const importMsMax = 180_000;
const testMsMax = 360_000;

test(
  'a merchant imports 500 creators from a file: columns, preview with errors, start, and progress after a reload',
  async () => {
    const lines = Array.from({ length: 500 }, (_, index) => `Creator ${index};creator-${index}@many.example;${index === 0 ? 'stars' : ''}`);
    expectSuccess(await merchant.api('POST', `${store}/programs/${merchant.world.program.id}/groups`, { name: 'Stars' }));
    const csv = ['Who;Contact;Group', ...lines, 'Nina;nonsense;', 'Otto;otto@many.example;Moons'].join('\r\n');
    await mara.open(`${store}/creator-invitations`);
    await mara.page.getByRole('link', { name: 'Import from a file' }).click();
    await mara.page.getByLabel('CSV file').setInputFiles({ name: 'network.csv', mimeType: 'text/csv', buffer: Buffer.from(csv) });
    await mara.page.getByLabel('Program', { exact: false }).selectOption(merchant.world.program.id);
    await button('Upload file').click();
    await mara.page.getByRole('heading', { level: 1, name: 'network.csv' }).waitFor();
    await region('Rows').getByText('The row has no email address.').first().waitFor();
    await region('Columns').getByLabel('Email', { exact: true }).selectOption('Contact');
    await region('Columns').getByLabel('Name').selectOption('Who');
    expect(await region('Columns').getByLabel('Group').inputValue()).toBe('2');
    await button('Update preview').click();
    // Before the update, the row shows all its columns in one text.
    await region('Rows').getByText('creator-0@many.example', { exact: true }).waitFor();
    await mara.page.reload();
    await expect.poll(() => region('Columns').getByLabel('Default program').inputValue()).toBe(merchant.world.program.id);
    await mara.page.getByLabel('Result', { exact: true }).selectOption('invalid');
    await region('Rows').getByText('This is not an email address.').first().waitFor();
    await region('Rows').getByText('The program has no group of this name or ID.').waitFor();
    await region('Rows').getByText('Moons').waitFor();
    expect(await axeViolations(mara)).toEqual([]);
    await button('Start import').click();
    await mara.page.getByRole('dialog').getByRole('heading', { name: 'Send 500 invitations?' }).waitFor();
    await mara.page.getByRole('dialog').getByRole('button', { name: 'Start import' }).click();
    // A reload before the answer would cancel the request.
    await mara.page.getByRole('dialog').waitFor({ state: 'detached' });
    await mara.page.reload();
    await region('Progress').getByRole('button', { name: 'Done' }).waitFor({ timeout: importMsMax });
    const [found] = (await merchant.api('GET', `${store}/creator-imports`)).json.data;
    expect(found.rows).toEqual({ total: 502, ready: 0, invalid: 2, invited: 500, skipped: 0 });
    await mara.open(`${store}/creator-imports`);
    await region('Imports').getByRole('link', { name: 'network.csv' }).waitFor();
    expect(mara.complaints).toEqual([]);
  },
  testMsMax,
);

/** The page reads the rows before the import processes them, and the import when it is done. */
async function showRowsFromBefore(): Promise<() => Promise<void>> {
  await mara.page.getByRole('heading', { level: 1, name: 'tiers.csv' }).waitFor();
  const [{ id }] = (await merchant.api('GET', `${store}/creator-imports`)).json.data;
  const { text } = expectSuccess(await merchant.api('GET', `${store}/creator-imports/${id}/rows`));
  const rows = `**/creator-imports/${id}/rows?*`;
  await mara.page.route(rows, (route) => route.fulfill({ contentType: 'application/json', body: text }));
  return () => mara.page.unroute(rows);
}

test('a member who is in another group than the file says moves after the merchant confirms it', async () => {
  const program = `${store}/programs/${merchant.world.program.id}`;
  expectSuccess(await merchant.api('POST', `${program}/groups`, { name: 'Gold' }));
  const csv = `email,group\n${merchant.world.logins.creator.email},Gold\n`;
  await mara.open(`${store}/creator-imports`);
  await mara.page.getByLabel('CSV file').setInputFiles({ name: 'tiers.csv', mimeType: 'text/csv', buffer: Buffer.from(csv) });
  await mara.page.getByLabel('Program', { exact: false }).selectOption(merchant.world.program.id);
  await button('Upload file').click();
  const showCurrentRows = await showRowsFromBefore();
  await button('Start import').click();
  await mara.page.getByRole('dialog').getByRole('button', { name: 'Start import' }).click();
  await region('Progress').getByText('One creator of the file is a member', { exact: false }).waitFor({ timeout: importMsMax });
  expect(await region('Rows').getByText('The creator is a member, and is not in this group.').count()).toBe(0);
  await showCurrentRows();
  await region('Rows').getByText('The creator is a member, and is not in this group.').waitFor();
  await mara.settled();
  expect(await axeViolations(mara)).toEqual([]);
  await button('Move members').click();
  await mara.page.getByRole('dialog').getByRole('heading', { name: 'Move one member into the group of their row?' }).waitFor();
  await mara.page.getByRole('dialog').getByRole('button', { name: 'Move members' }).click();
  await region('Rows').getByText('The member was moved into this group.').waitFor();
  await button('Move members').waitFor({ state: 'detached' });
  const [member] = (await merchant.api('GET', `${program}/members`)).json.data;
  expect(member.group.name).toBe('Gold');
  expect(mara.complaints).toEqual([]);
});
