import { readFile } from 'node:fs/promises';
import { afterAll, expect, test } from 'vitest';
import { axeViolations } from '../support/axe-violations.ts';
import { openMerchantDashboard } from '../support/dashboard.ts';
import { createCreatorPerson, emailsTo } from '../support/portal.ts';

// The tests of this file run in order: each continues where the previous one ended.
const { dashboard, merchant } = await openMerchantDashboard();
afterAll(() => dashboard.stop());
const store = `/stores/${merchant.world.store.id}`;
for (const order_subtotal_cents of [40_000, 20_000])
  await merchant.convert(await merchant.order({ order_subtotal_cents, customer_id: 'customer/7?' }));
const nora = await createCreatorPerson(dashboard.service, 'Nora Newcomer');
const mara = await dashboard.visitor();
await mara.signIn(merchant.world.logins.merchant);

const button = (name: string) => mara.page.getByRole('button', { name, exact: true });
const region = (name: string) => mara.page.getByRole('region', { name, exact: true });
const dialog = () => mara.page.getByRole('dialog');

test('the list of creators links to the page of a creator, which shows results, programs, commissions, and links', async () => {
  await mara.open(`${store}/creators?program_id=${merchant.world.program.id}`);
  await mara.page.getByRole('link', { name: 'Cora Creator', exact: true }).first().click();
  await mara.page.getByRole('heading', { level: 1, name: 'Cora Creator' }).waitFor();
  await mara.settled();
  await region('Results').getByText('600.00 USD').first().waitFor();
  await region('Results').getByText('Can be paid', { exact: true }).waitFor();
  await region('Programs').getByText('Friends of the shop').waitFor();
  await region('Commissions').getByRole('button', { name: 'Pending' }).waitFor();
  await region('Links').getByText(merchant.world.link.url.replace('http://', '')).waitFor();
  await button('90 days').click();
  await mara.page.waitForURL(/last=90d/);
  await mara.settled();
  expect(await axeViolations(mara)).toEqual([]);
});

test('a note is added, edited, and deleted, and the history lists each change', async () => {
  await mara.page.getByLabel('New note').fill('Agreed on 12% in May.');
  await button('Add note').click();
  await region('Notes').getByText('Agreed on 12% in May.').waitFor();
  await region('Notes')
    .getByRole('button', { name: /^Edit the note of/ })
    .click();
  await dialog().getByLabel('Note', { exact: true }).fill('Agreed on 15% in May.');
  await dialog().getByRole('button', { name: 'Save' }).click();
  await region('Notes').getByText('Agreed on 15% in May.').waitFor();
  await region('History')
    .getByText(/changed a note about Cora Creator$/)
    .waitFor();
  await region('Notes')
    .getByRole('button', { name: /^Delete the note of/ })
    .click();
  await dialog().getByRole('button', { name: 'Delete', exact: true }).click();
  await region('Notes').getByText('No notes yet.', { exact: false }).waitFor();
  await region('History')
    .getByText(/deleted a note about Cora Creator$/)
    .waitFor();
  const actions = await region('History').getByRole('row').allInnerTexts();
  expect(actions.slice(1).map((row) => /\w+ a note about Cora Creator/.exec(row)?.[0].split(' ')[0])).toEqual([
    'deleted',
    'changed',
    'added',
  ]);
});

test('a merchant invites two addresses, and the creator with an account accepts in the portal', async () => {
  await mara.open(`${store}/creator-invitations`);
  await mara.page.getByLabel('Program', { exact: true }).selectOption(merchant.world.program.id);
  await mara.page.getByLabel('Email addresses').fill(`${nora.email}\nstranger@invited.example`);
  await mara.page.getByLabel('Message').fill('We like your videos.');
  await button('Send invitations').click();
  await region('Sent invitations').getByText('stranger@invited.example').waitFor();
  expect(await axeViolations(mara)).toEqual([]);
  const visitor = await dashboard.visitor({ width: 390 });
  await visitor.signIn(nora);
  await visitor.open('/creator/programs');
  await visitor.page.getByText('We like your videos.').waitFor();
  await visitor.page.getByRole('button', { name: 'Accept Friends of the shop' }).click();
  await visitor.page.getByText('We like your videos.').waitFor({ state: 'detached' });
  await visitor.page.getByRole('link', { name: 'View links' }).waitFor();
  expect(visitor.complaints).toEqual([]);
  await button('Revoke stranger@invited.example').click();
  await dialog().getByRole('button', { name: 'Revoke', exact: true }).click();
  await region('Sent invitations').getByRole('button', { name: 'Revoked' }).waitFor();
  await mara.open(`${store}/creator-invitations?status=accepted`);
  await mara.page.getByRole('link', { name: nora.email }).click();
  await mara.page.getByRole('heading', { level: 1, name: 'Nora Newcomer' }).waitFor();
});

test('a person without an account follows the invitation in the email to a first link', async () => {
  const email = 'ines@invited.example';
  await mara.open(`${store}/creator-invitations`);
  await mara.page.getByLabel('Program', { exact: true }).selectOption(merchant.world.program.id);
  await mara.page.getByLabel('Email addresses').fill(email);
  await button('Send invitations').click();
  await region('Sent invitations').getByText(email).waitFor();
  const [sent] = await emailsTo(dashboard.service, email);
  const { page, open, settled, complaints } = await dashboard.visitor();
  await open(/\/link\S*#\S+/.exec(sent?.text ?? '')?.[0] ?? '');
  await page.getByLabel('Your name').fill('Ines Carvalho');
  await page.getByRole('textbox', { name: 'Password' }).fill('a long and good password');
  await page.getByRole('button', { name: 'Create account' }).click();
  await page.waitForURL(({ pathname }) => pathname.startsWith('/programs/'));
  await settled();
  await page.getByRole('button', { name: 'Accept Friends of the shop' }).click();
  await page.getByRole('button', { name: 'Accept Friends of the shop' }).waitFor({ state: 'detached' });
  await open('/creator/links');
  await page.getByRole('button', { name: 'Create link' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Create link' }).click();
  await page.getByRole('cell').filter({ hasText: '/r/' }).waitFor();
  expect(complaints).toEqual([]);
});

test('a conversion links to the page of its customer, where the customer is exported and erased', async () => {
  const [commission] = (await merchant.api('GET', `${store}/commissions`)).json.data;
  await mara.open(`${store}/conversions?open=${commission.id}`);
  await mara.page.getByRole('link', { name: 'customer/7?' }).click();
  await mara.page.getByRole('heading', { level: 1, name: 'customer/7?' }).waitFor();
  await mara.settled();
  await mara.page.getByText('600.00 USD').waitFor();
  expect(await axeViolations(mara)).toEqual([]);
  await button('Erase this customer’s data').click();
  await dialog().getByRole('button', { name: 'Erase permanently' }).click();
  await mara.page.getByRole('heading', { level: 1, name: 'Customer data' }).waitFor();
  const { orders } = (await merchant.api('POST', `${store}/customers/export`, { customer_id: 'customer/7?' })).json;
  expect(orders).toEqual([]);
  expect(mara.complaints).toEqual([]);
});

test('a merchant sends a message to one creator from their page, and one to the creators of a program', async () => {
  await mara.open(`${store}/creators/${merchant.world.creator.id}`);
  await mara.page.getByRole('link', { name: 'Send message' }).click();
  await mara.page.getByLabel('Subject').fill('Thank you');
  await mara.page.getByRole('textbox', { name: 'Message' }).fill('You had a **great** month.');
  await button('Send message').click();
  await mara.page.getByText('The message is being sent to 1 creator.').waitFor();
  await mara.open(`${store}/creator-messages`);
  await mara.page.getByLabel('To', { exact: true }).selectOption(merchant.world.program.id);
  await mara.page.getByLabel('Subject').fill('Spring sale');
  await mara.page.getByRole('textbox', { name: 'Message' }).fill('It starts today.');
  expect(await axeViolations(mara)).toEqual([]);
  await button('Send message').click();
  await region('Sent messages').getByText('Spring sale').waitFor();
  const { data } = (await merchant.api('GET', `${store}/creator-messages`)).json;
  expect(data.map(({ subject, recipients }: { subject: string; recipients: { total: number } }) => [subject, recipients.total])).toEqual([
    ['Spring sale', 3],
    ['Thank you', 1],
  ]);
  expect(mara.complaints).toEqual([]);
});

test('a bonus is added with its reason, and appears among the conversions', async () => {
  await mara.open(`${store}/creators/${merchant.world.creator.id}`);
  await button('Add bonus').click();
  await dialog().getByLabel('Amount in USD').fill('12,3x');
  await dialog().getByLabel('Reason').fill('Launch video');
  await dialog().getByRole('button', { name: 'Add bonus' }).click();
  await dialog().getByText('must be an amount such as 25.00').waitFor();
  await dialog().getByLabel('Amount in USD').fill('25.50');
  await dialog().getByRole('button', { name: 'Add bonus' }).click();
  await mara.page.getByText('Bonus added. Review it in Conversions.').waitFor();
  await region('History').getByText('added a bonus for', { exact: false }).waitFor();
  await mara.open(`${store}/conversions?creator_id=${merchant.world.creator.id}`);
  await mara.page.getByRole('button', { name: 'Launch video' }).click();
  await dialog().getByText('added a bonus of 25.50 USD: Launch video.', { exact: false }).first().waitFor();
  await dialog()
    .getByText(/^Bonus added by /)
    .waitFor();
  await mara.settled();
  expect(await axeViolations(mara)).toEqual([]);
});

test('a version of terms is compared and exported with own rates, and the file makes the next version', async () => {
  const program = `${store}/programs/${merchant.world.program.id}`;
  const { id: group_id } = (await merchant.api('POST', `${program}/groups`, { name: 'Stars' })).json;
  const own_rates = [{ group_id, order_rules: [{ basis_points: 1_500 }] }];
  await merchant.api('POST', `${program}/terms`, { order_rules: [{ basis_points: 1_000 }], own_rates });
  const { json } = await merchant.api('GET', `${program}/terms`);
  const latest = json.data[0].version;
  await mara.open(program);
  await button(`Compare version ${latest}`).click();
  await dialog().getByText('Compared with', { exact: false }).waitFor();
  const [download] = await Promise.all([mara.page.waitForEvent('download'), dialog().getByRole('button', { name: 'Export JSON' }).click()]);
  await mara.settled();
  expect(await axeViolations(mara)).toEqual([]);
  const exported = JSON.parse(await readFile(await download.path(), 'utf8'));
  await dialog().getByText('Rate for one group or creator of Group Stars: 15%', { exact: false }).waitFor();
  expect(exported).toEqual((await merchant.api('GET', `${program}/terms-file`)).json);
  expect(exported.own_rates).toMatchObject(own_rates);
  await dialog().getByLabel('Include the rates of groups and creators').uncheck();
  const [shared] = await Promise.all([mara.page.waitForEvent('download'), dialog().getByRole('button', { name: 'Export JSON' }).click()]);
  const { own_rates: _own, ...others } = exported;
  expect(JSON.parse(await readFile(await shared.path(), 'utf8'))).toEqual(others);
  const better = { ...exported, order_rules: [{ basis_points: 3_000 }] };
  await mara.open(`${program}/new-terms`);
  const file = { name: 'terms.json', mimeType: 'application/json', buffer: Buffer.from(JSON.stringify(better)) };
  await mara.page.getByLabel('JSON file').setInputFiles(file);
  await region('Import from a file').getByText('Better for creators').first().waitFor();
  await mara.open(`${store}/programs/${merchant.world.per_product.program_id}/new-terms`);
  await mara.page.getByLabel('JSON file').setInputFiles(file);
  await region('Import from a file').getByText('own_rates.0.group_id').waitFor();
  await mara.open(`${program}/new-terms`);
  await mara.page.getByLabel('JSON file').setInputFiles(file);
  await region('Import from a file').getByText('Better for creators').first().waitFor();
  await button('Create version from file').click();
  await button(`Compare version ${latest + 1}`).waitFor();
  expect((await merchant.api('GET', `${program}/terms-changes`)).json).toMatchObject({ to_version: latest + 1, effect: 'better' });
  expect((await merchant.api('GET', `${program}/terms`)).json.data[0].own_rates).toMatchObject(own_rates);
});
