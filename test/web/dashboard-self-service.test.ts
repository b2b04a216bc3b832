import { mkdirSync } from 'node:fs';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { openDashboard, type Dashboard, type Visitor } from '../support/dashboard.ts';
import { merchantIn, type Merchant } from '../support/merchant.ts';
import { creatorIn, joined, mailsTo, type SomeCreator } from '../support/portal.ts';
import { seriousFaults } from '../support/serious-faults.ts';

vi.setConfig({ testTimeout: 120_000, hookTimeout: 120_000 });

let dashboard: Dashboard;
let shop: Merchant;
let nora: SomeCreator;
let visitor: Visitor;
let owner: Visitor;
beforeAll(async () => {
  dashboard = await openDashboard();
  shop = merchantIn(dashboard.service, await dashboard.service.seed());
  nora = await creatorIn(dashboard.service, 'Nora Newcomer');
  visitor = await dashboard.visitor();
  await visitor.signIn(nora);
  owner = await dashboard.visitor({ scheme: 'dark', width: 390 });
  await owner.signIn(shop.world.logins.merchant);
});
afterAll(() => dashboard.stop());

/** Pictures for who looks at them, where PICTURES names a folder. */
async function picture({ page }: Visitor, name: string): Promise<void> {
  const folder = process.env['PICTURES'];
  if (folder === undefined) return;
  mkdirSync(folder, { recursive: true });
  await page.screenshot({ path: `${folder}/${name}.png`, fullPage: true });
}

test('a creator reads why an order was refused, from Home, from a link, and on a page of its own', async () => {
  const { link } = await joined(shop, nora);
  const order = await shop.order({ click_id: await shop.click(`${link.url}?sub=newsletter`), currency: 'EUR' });
  expect((await shop.convert(order)).json.reason).toBe('unsupported_pricing_currency');
  await visitor.open('/creator');
  await picture(visitor, 'creator-home');
  await visitor.page.getByRole('link', { name: 'See why' }).click();
  await visitor.page.getByText('The order was in EUR; only orders in USD earn.').waitFor();
  await visitor.page.getByText('sub: newsletter').waitFor();
  await picture(visitor, 'creator-refused');
  await visitor.open('/creator/links');
  await visitor.page.getByRole('link', { name: `1 refused orders of the link ${link.code}` }).click();
  await visitor.page.getByText('Only those of the link').waitFor();
  expect(await seriousFaults(visitor)).toEqual([]);
});

test('a creator makes an API key, reads it once, and revokes it', async () => {
  await visitor.open('/creator/api-keys');
  await visitor.page.getByRole('button', { name: 'Make a key' }).click();
  await visitor.page.getByRole('textbox', { name: 'Name' }).fill('Nightly export');
  await visitor.page.getByRole('button', { name: 'Make the key' }).click();
  await visitor.page.getByText(/^trb_/).first().waitFor();
  const keys = (await nora.ask('GET', `/creators/${nora.id}/api-keys`)).json.data;
  expect(keys).toMatchObject([{ name: 'Nightly export', scopes: ['creator:read'], last_used_at: null }]);
  await visitor.open('/creator/api-keys');
  await picture(visitor, 'creator-api-keys');
  await visitor.page.getByRole('button', { name: 'Revoke the key Nightly export' }).click();
  await visitor.page.getByRole('button', { name: 'Revoke it' }).click();
  await visitor.page.getByText('No API key yet').waitFor();
});

test('a creator changes their name, and leaves a program after reading what becomes of the money', async () => {
  await visitor.open('/creator/settings');
  await visitor.page.getByRole('textbox', { name: 'Name', exact: true }).fill('Nora’s Notes');
  await visitor.page.getByRole('button', { name: 'Save the name' }).click();
  await visitor.page.getByText('Your creator name was changed.').waitFor();
  expect(await visitor.page.getByRole('button', { name: 'Be paid through Stripe' }).count()).toBe(0);
  await picture(visitor, 'creator-settings');
  await visitor.open('/creator/programs');
  await visitor.page.getByRole('button', { name: 'Leave Friends of the shop' }).click();
  await visitor.page.getByText('Pending commissions are not lost').waitFor();
  await picture(visitor, 'creator-leave');
  await visitor.page.getByRole('button', { name: 'Leave the program' }).click();
  await visitor.page.getByText('Left', { exact: true }).waitFor();
});

test('an owner looks up a customer, sees what is kept, and erases it; the page says who did', async () => {
  const order = await shop.order({ customer_id: 'customer 77', order_name: 'Order of Mrs. Seven', discount_code: 'SEVEN' });
  expect((await shop.convert(order)).json.reason).toBe('recorded');
  await owner.open(`/stores/${shop.world.store.id}/customer-data`);
  await owner.page.getByRole('textbox', { name: 'ID' }).fill('customer 77');
  await owner.page.getByRole('button', { name: 'Look up' }).click();
  await owner.page.getByText('Order of Mrs. Seven').waitFor();
  await picture(owner, 'customer-data');
  expect(await seriousFaults(owner)).toEqual([]);
  await owner.page.getByRole('button', { name: 'Erase this customer’s data' }).click();
  await owner.page.getByRole('button', { name: 'Erase it for good' }).click();
  await owner.page.getByText(/^Erased from 1 order and 1 request/).waitFor();
  await owner.page.getByRole('cell', { name: 'Erased' }).waitFor();
  const kept = await shop.api('POST', `/stores/${shop.world.store.id}/customers/export`, { customer_id: 'customer 77' });
  expect(kept.json.orders).toEqual([]);
});

test('an operator suspends with a reason, and the creator reads it on their first page', async () => {
  const operator = await dashboard.visitor();
  await operator.signIn(shop.world.logins.operator);
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
  expect((await mailsTo(dashboard.service, nora.email))[0]?.text).toContain('Links were posted as spam.');
});
