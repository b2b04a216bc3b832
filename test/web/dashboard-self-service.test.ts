import { mkdirSync } from 'node:fs';
import { afterAll, expect, test } from 'vitest';
import { sql } from '../../src/db/sql.ts';
import { minuteMs } from '../../src/core/time.ts';
import { openMerchantDashboard, type Visitor } from '../support/dashboard.ts';
import { createCreatorPerson, joinProgram, emailsTo } from '../support/portal.ts';
import { axeViolations } from '../support/axe-violations.ts';
import { movedBy } from '../support/rows.ts';

const { dashboard, merchant } = await openMerchantDashboard();
afterAll(() => dashboard.stop());
const nora = await createCreatorPerson(dashboard.service, 'Nora Newcomer');
const visitor = await dashboard.visitor();
await visitor.signIn(nora);
const owner = await dashboard.visitor({ scheme: 'dark', width: 390 });
await owner.signIn(merchant.world.logins.merchant);

/** Screenshots for people, where PICTURES names a folder. */
async function picture({ page }: Visitor, name: string): Promise<void> {
  const folder = process.env['PICTURES'];
  if (folder === undefined) return;
  mkdirSync(folder, { recursive: true });
  await page.screenshot({ path: `${folder}/${name}.png`, fullPage: true });
}

test('a creator reads why an order was refused, on the home page, from a link, and on its own page', async () => {
  const { link } = await joinProgram(merchant, nora);
  const order = await merchant.order({ click_id: await merchant.click(`${link.url}?sub=newsletter`), currency: 'EUR' });
  expect((await merchant.convert(order)).json.reason).toBe('unsupported_pricing_currency');
  await visitor.open('/creator');
  await picture(visitor, 'creator-home');
  await visitor.page.getByRole('link', { name: 'View reasons' }).click();
  await visitor.page.getByText('The order wasn’t in US dollars.').waitFor();
  await visitor.page.getByText('Sub-ID: newsletter').waitFor();
  await picture(visitor, 'creator-refused');
  await visitor.open('/creator/links');
  await visitor.page.getByRole('link', { name: `View 1 ineligible order of the link ${link.code}` }).click();
  await visitor.page.getByText('Showing only the link').waitFor();
  expect(await axeViolations(visitor)).toEqual([]);
});

test('a creator creates an API key, sees it once, and revokes it', async () => {
  await visitor.open('/creator/api-keys');
  await visitor.page.getByRole('button', { name: 'Create key' }).click();
  await visitor.page.getByRole('textbox', { name: 'Name' }).fill('Nightly export');
  await visitor.page.getByRole('button', { name: 'Create API key' }).click();
  await visitor.page.getByText(/^trb_/).first().waitFor();
  const keys = (await nora.ask('GET', `/creators/${nora.id}/api-keys`)).json.data;
  expect(keys).toMatchObject([{ name: 'Nightly export', scopes: ['creator:read'], last_used_at: null }]);
  await visitor.open('/creator/api-keys');
  await picture(visitor, 'creator-api-keys');
  await visitor.page.getByRole('button', { name: 'Revoke the key Nightly export' }).click();
  await visitor.page.getByRole('button', { name: 'Revoke key' }).click();
  await visitor.page.getByText('No API keys yet').waitFor();
});

test('a creator changes their name, and leaves a program after reading what happens to their earnings', async () => {
  await visitor.open('/creator/settings');
  await visitor.page.getByRole('textbox', { name: 'Name', exact: true }).fill('Nora’s Notes');
  await visitor.page.getByRole('button', { name: 'Save name' }).click();
  await visitor.page.getByText('Creator name saved').waitFor();
  expect(await visitor.page.getByRole('button', { name: 'Set up payouts with Stripe' }).count()).toBe(0);
  await picture(visitor, 'creator-settings');
  await visitor.open('/creator/programs');
  await visitor.page.getByRole('button', { name: 'Leave Friends of the shop' }).click();
  await visitor.page.getByText('The merchant still reviews your pending commissions').waitFor();
  await picture(visitor, 'creator-leave');
  await visitor.page.getByRole('button', { name: 'Leave program' }).click();
  await visitor.page.getByText('Left', { exact: true }).waitFor();
});

test('an owner looks up a customer, sees the stored data, and erases it; the page shows who did it', async () => {
  const order = await merchant.order({ customer_id: 'customer 77', order_name: 'Order of Mrs. Seven', discount_code: 'SEVEN' });
  expect((await merchant.convert(order)).json.reason).toBe('recorded');
  await owner.open(`/stores/${merchant.world.store.id}/customer-data`);
  await owner.page.getByRole('textbox', { name: 'ID' }).fill('customer 77');
  await owner.page.getByRole('button', { name: 'Look up' }).click();
  await owner.page.getByText('Order of Mrs. Seven').waitFor();
  await picture(owner, 'customer-data');
  expect(await axeViolations(owner)).toEqual([]);
  await owner.page.getByRole('button', { name: 'Erase this customer’s data' }).click();
  await owner.page.getByRole('button', { name: 'Erase permanently' }).click();
  await owner.page.getByText(/^Erased from 1 order and 1 request/).waitFor();
  await owner.page.getByRole('cell', { name: 'Erased' }).waitFor();
  const kept = await merchant.api('POST', `/stores/${merchant.world.store.id}/customers/export`, { customer_id: 'customer 77' });
  expect(kept.json.orders).toEqual([]);
});

test('an operator suspends a creator with a reason, which the creator’s home page shows', async () => {
  const operator = await dashboard.visitor();
  await operator.signIn(merchant.world.logins.operator);
  await operator.open(`/operator/creators/${nora.id}`);
  await operator.page.getByRole('button', { name: /^Suspend / }).click();
  await operator.page.getByLabel('Reason (optional)').fill('Links were posted as spam.');
  await operator.page.getByLabel('Note (optional)').fill('Ticket 4711');
  await operator.page.getByRole('dialog').getByRole('button', { name: 'Suspend', exact: true }).click();
  await operator.page.getByRole('cell', { name: 'Ticket 4711' }).waitFor();
  await picture(operator, 'operator-creator');
  await visitor.open('/creator');
  await visitor.page.getByText('Links were posted as spam.').waitFor();
  await picture(visitor, 'creator-suspended');
  expect((await emailsTo(dashboard.service, nora.email))[0]?.text).toContain('Links were posted as spam.');
});

test('an owner changes the site after reading what moves, and proves their identity when the last proof is old', async () => {
  const store = `/stores/${merchant.world.store.id}`;
  await owner.open(`${store}/settings`);
  await owner.page.getByRole('button', { name: 'Change site' }).click();
  const dialog = owner.page.getByRole('dialog', { name: /^Change the site of/ });
  await dialog.getByLabel('New URL').fill('https://moved-shop.example');
  await dialog.getByRole('button', { name: 'Change site' }).click();
  await dialog.getByText(/^Landing pages of \d+ programs? and \d+ links? are outside https:\/\/moved-shop\.example/).waitFor();
  expect((await merchant.api('GET', store)).json.site_url).toBe(merchant.world.store.site_url);
  await picture(owner, 'change-site');
  expect(await axeViolations(owner)).toEqual([]);
  await dialog.getByLabel('Move landing pages outside the new site').check();
  await dashboard.service.platform.database.run(sql`update sessions set proved_at = ${movedBy(sql`proved_at`, -11 * minuteMs)}`);
  await dialog.getByRole('button', { name: 'Change site' }).click();
  const proof = owner.page.getByRole('dialog', { name: 'Confirm your password' });
  await proof.getByRole('textbox', { name: 'Password' }).fill(merchant.world.logins.merchant.password);
  await proof.getByRole('button', { name: 'Continue' }).click();
  await dialog.waitFor({ state: 'detached' });
  await owner.page.getByText('https://moved-shop.example').first().waitFor();
  expect((await merchant.api('GET', store)).json.site_url).toBe('https://moved-shop.example');
  const { json: programs } = await merchant.api('GET', `${store}/programs`);
  expect(new URL(programs.data[0].landing_url).host).toBe('moved-shop.example');
});
