import { afterAll, expect, test, vi } from 'vitest';
import { axeViolations } from '../support/axe-violations.ts';
import { openMerchantDashboard } from '../support/dashboard.ts';

vi.setConfig({ testTimeout: 240_000, hookTimeout: 120_000 });

const { dashboard, merchant } = await openMerchantDashboard();
afterAll(() => dashboard.stop());
const store = `/stores/${merchant.world.store.id}`;
const ben = (await merchant.api('POST', '/creators', { name: 'Ben Codes', email: 'ben-codes@example.com' })).json;
await merchant.api('POST', `${store}/programs/${merchant.world.program.id}/members`, { creator_id: ben.id });

test('a merchant counts codes, creates one, and sees which rule decided an order', async () => {
  const { logins, program, creator } = merchant.world;
  const visitor = await dashboard.visitor();
  const { page } = visitor;
  await visitor.signIn(logins.merchant);
  await visitor.open(`${store}/codes`);
  await page.getByText('No discount codes yet').waitFor();
  await page.getByRole('button', { name: 'Create code' }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByLabel('Owner').selectOption({ label: 'Ben Codes, Friends of the shop' });
  await dialog.getByRole('textbox', { name: 'Code' }).fill('BEN20');
  await dialog.getByRole('button', { name: 'Create code' }).click();
  await page.getByText('BEN20', { exact: true }).first().waitFor();
  await page.getByText(/the program has active codes/).waitFor();

  await visitor.open(`${store}/programs/${program.id}/new-terms`);
  await page.getByLabel('Discount codes').selectOption({ label: 'Earn for orders without a click that counts' });
  await page.getByLabel('Returning customers').selectOption({ label: 'Earn for a limited time' });
  await page.getByLabel('Later orders, at most').fill('0');
  await page.getByRole('textbox', { name: 'Discount code', exact: true }).fill('BEN20');
  await page.getByLabel('Click', { exact: true }).selectOption({ label: 'No click' });
  await page.getByRole('button', { name: 'Add version' }).click();
  await page.getByText('must be a whole number from 1 to 10,000').waitFor();
  await page.getByLabel('Later orders, at most').fill('3');
  await page.getByRole('button', { name: 'Simulate order' }).click();
  await page.getByText('Earned by Ben Codes').waitFor();
  await page.getByText('Discount codes earn for orders without a click').waitFor();
  expect(await axeViolations(visitor)).toEqual([]);
  await page.getByRole('button', { name: 'Add version' }).click();
  // The preview in the form has the same text, so it alone does not show that the version was saved.
  await page.waitForURL((url) => url.pathname.endsWith(program.id));
  await page.getByText('Returning customers earn for 90 days, up to 3 later orders').waitFor();
  const { data: versions } = (await merchant.api('GET', `${store}/programs/${program.id}/terms`)).json;
  expect(versions[0]).toMatchObject({ codes: 'when_no_click', returning: { days: 90, orders: 3, new_click: 'last_click' } });

  // The next version keeps what the form was not asked to change.
  await visitor.open(`${store}/programs/${program.id}/new-terms`);
  expect(await page.getByLabel('Discount codes').inputValue()).toBe('when_no_click');
  expect(await page.getByLabel('Days after the first order').inputValue()).toBe('90');

  const both = await merchant.order({ discount_code: 'ben20', customer_id: 'c-1' });
  const { json } = await merchant.convert(both);
  await visitor.open(`${store}/conversions?open=${json.conversion_id}`);
  await page.getByText('The terms count the click first').waitFor();
  await page.getByText(/The discount code BEN20 of/).waitFor();

  await visitor.open(`${store}/attribution`);
  await page.getByText('Codes earn before clicks').first().waitFor();
  await page.getByText('1 order of the period had two creators', { exact: false }).waitFor();
  expect(await axeViolations(visitor)).toEqual([]);
  await visitor.open(`${store}/creators/${creator.id}`);
  await page.getByText(/Codes earn before clicks: 0\.00 USD instead of/).waitFor();
  expect(visitor.complaints).toEqual([]);
});

/** Independent of the test above, whose terms and code may exist. */
const countCodes = async (code: string, creator_id: string) => {
  const program = `${store}/programs/${merchant.world.program.id}`;
  await merchant.api('POST', `${program}/terms`, { order_rules: [{ basis_points: 1_000 }], codes: 'when_no_click' });
  await merchant.api('POST', `${program}/codes`, { code, creator_id });
};

test('a merchant searches, pauses, resumes, and ends codes, and pauses one that may have leaked', async () => {
  await countCodes('BEN20', ben.id);
  const orders = await Promise.all(Array.from({ length: 20 }, () => merchant.order({ click_id: null, discount_code: 'BEN20' })));
  await Promise.all(orders.map((order) => merchant.convert(order)));
  const { json: link } = await merchant.api('POST', `${store}/programs/${merchant.world.program.id}/links`, { creator_id: ben.id });
  await merchant.click(link.url);
  const visitor = await dashboard.visitor();
  const { page } = visitor;
  await visitor.signIn(merchant.world.logins.merchant);
  await expect.poll(async () => (await merchant.api('GET', `${store}/code-leaks`)).json.data.length).toBe(1);
  await visitor.open(`${store}/codes`);
  await page.getByText('More than one order for two clicks on the owner’s links').waitFor();
  expect(await axeViolations(visitor)).toEqual([]);
  await page.getByRole('button', { name: 'Pause BEN20' }).first().click();
  await page.getByRole('dialog').getByRole('button', { name: 'Pause' }).click();
  await page.getByRole('button', { name: 'Resume BEN20' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Resume' }).click();
  await page.getByRole('button', { name: 'Edit BEN20' }).click();
  await page
    .getByRole('dialog')
    .getByLabel(/Orders per customer/)
    .fill('2');
  await page.getByRole('dialog').getByRole('button', { name: 'Save' }).click();
  await page.getByText('2 orders per customer').waitFor();
  await page.getByLabel('Code or owner’s name').fill('nothing like it');
  await page.getByText('No matching codes').waitFor();
  await page.getByLabel('Code or owner’s name').fill('ben c');
  await page.getByRole('button', { name: 'End BEN20' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'End' }).click();
  await page.getByRole('button', { name: 'Edit BEN20' }).waitFor({ state: 'detached' });
  expect((await merchant.api('GET', `${store}/codes`)).json.data[0]).toMatchObject({ status: 'ended', orders_per_customer: 2 });
  expect(visitor.complaints).toEqual([]);
});

test('a creator sees and copies their own codes, with their results', async () => {
  const { creator, logins } = merchant.world;
  await countCodes('CORA15', creator.id);
  await merchant.convert(await merchant.order({ click_id: null, discount_code: 'CORA15' }));
  const visitor = await dashboard.visitor({ width: 390, scheme: 'dark' });
  const { page } = visitor;
  await visitor.signIn(logins.creator);
  await visitor.open('/creator/codes');
  await page.getByText('CORA15').first().waitFor();
  await page.getByRole('button', { name: 'Copy the code CORA15' }).waitFor();
  await page.getByText('10.01').first().waitFor();
  expect(await axeViolations(visitor)).toEqual([]);
  expect(visitor.complaints).toEqual([]);
});
