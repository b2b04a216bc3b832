import { afterAll, expect, test, vi } from 'vitest';
import { axeViolations } from '../support/axe-violations.ts';
import { openMerchantDashboard } from '../support/dashboard.ts';
import { paths, subscriberOf } from '../support/subscriber.ts';

vi.setConfig({ testTimeout: 240_000, hookTimeout: 120_000 });

const { dashboard, merchant } = await openMerchantDashboard();
afterAll(() => dashboard.stop());
const store = `/stores/${merchant.world.store.id}`;

test('a merchant sets what leads earn, simulates a lead, and keeps the rules in the next version', async () => {
  const { logins, program } = merchant.world;
  const visitor = await dashboard.visitor();
  const { page } = visitor;
  await visitor.signIn(logins.merchant);
  await visitor.open(`${store}/programs/${program.id}/new-terms`);
  await page.getByRole('button', { name: 'Add lead rule' }).click();
  await page.getByRole('button', { name: 'Add lead rule' }).click();
  const [first, second] = [1, 2].map((number) => page.getByRole('group', { name: `Lead rule ${number}`, exact: true }));
  if (!first || !second) throw new Error('there are two');
  await first.getByLabel('Amount, USD').fill('2.50');
  await first.getByLabel('Paid per month, at most').fill('0');
  await second.getByLabel('Kind').fill('booked call');
  await second.getByLabel('Amount, USD').fill('25');
  await page.getByRole('button', { name: 'Add version' }).click();
  await page.getByText('must be a whole number from 1 to 1,000,000').waitFor();
  await first.getByLabel('Paid per month, at most').fill('50');
  await page.getByText('2.50 USD for each sign-up, at most 50 a month').waitFor();
  expect(await axeViolations(visitor)).toEqual([]);
  await page.getByRole('button', { name: 'Add version' }).click();
  await page.waitForURL((url) => url.pathname.endsWith(program.id));
  const { data: versions } = (await merchant.api('GET', `${store}/programs/${program.id}/terms`)).json;
  expect(versions[0].leads).toEqual([
    { kind: 'sign_up', flat_cents: 250, max_per_month: 50 },
    { kind: 'booked call', flat_cents: 2_500, max_per_month: null },
  ]);

  const simulator = page.getByRole('group', { name: 'Simulate a lead' });
  await simulator.getByLabel('Already paid this month').fill('50');
  await simulator.getByRole('button', { name: 'Simulate lead' }).click();
  await simulator
    .getByText(/used up|at most|limit/i)
    .first()
    .waitFor();
  await simulator.getByLabel('Already paid this month').fill('49');
  await simulator.getByRole('button', { name: 'Simulate lead' }).click();
  await simulator.getByText('2.50 USD', { exact: true }).waitFor();

  await visitor.open(`${store}/programs/${program.id}/new-terms`);
  await page.getByRole('button', { name: 'Remove lead rule 1' }).click();
  await page.getByText('2.50 USD for each sign-up, at most 50 a month').waitFor();
  await page.getByRole('button', { name: 'Add version' }).click();
  await page.waitForURL((url) => url.pathname.endsWith(program.id));
  const { data: later } = (await merchant.api('GET', `${store}/programs/${program.id}/terms`)).json;
  expect(later[0].leads).toEqual([{ kind: 'booked call', flat_cents: 2_500, max_per_month: null }]);
  expect(visitor.complaints).toEqual([]);
});

test('creators read what leads earn, on the page of the program and among their rates', async () => {
  const { logins, program } = merchant.world;
  const visitor = await dashboard.visitor();
  const { page } = visitor;
  await visitor.open(`/programs/${program.id}`);
  await page.getByText('25.00 USD for each lead of the kind booked call').waitFor();
  await visitor.signIn(logins.creator);
  await visitor.open('/creator/programs');
  await page.getByRole('button', { name: 'View rates: Friends of the shop' }).click();
  await page.getByRole('dialog').getByText('25.00 USD for each lead of the kind booked call').waitFor();
  expect(await axeViolations(visitor)).toEqual([]);
  expect(visitor.complaints).toEqual([]);
});

test('the details of a lead name it, without an eligible amount, which it does not have', async () => {
  const lead = { lead_id: 'call-1', kind: 'booked call', click_id: await merchant.click(), occurred_at: merchant.at() };
  const { json } = await merchant.post('v2/leads', lead);
  const visitor = await dashboard.visitor();
  const { page } = visitor;
  await visitor.signIn(merchant.world.logins.merchant);
  await visitor.open(`${store}/conversions?open=${json.conversion_id}`);
  await page.getByRole('dialog').getByText('Lead occurred').waitFor();
  const labels = await page.getByRole('dialog').getByRole('term').allInnerTexts();
  expect(labels).toContain('Lead');
  expect(labels).not.toContain('Invoice');
  expect(labels).not.toContain('Eligible amount');
  await visitor.closeDialog();
  expect(await page.getByRole('row').filter({ hasText: 'call-1' }).innerText()).toContain('–');
});

test('both see by which code a subscription was bound', async () => {
  const { logins, program, creator } = merchant.world;
  const { id, ...terms } = { id: program.id, order_rules: [], subscription_rules: [{ basis_points: 2_000 }], codes: 'when_no_click' };
  await merchant.api('POST', `${store}/programs/${id}/terms`, terms);
  await merchant.api('POST', `${store}/programs/${id}/codes`, { code: 'PODCAST', creator_id: creator.id });
  const subscriber = subscriberOf(merchant);
  const { json } = await merchant.post(paths.bind, await subscriber.bindBody({ click_id: null, discount_code: 'podcast' }));
  const visitor = await dashboard.visitor();
  await visitor.signIn(logins.merchant);
  await visitor.open(`${store}/subscriptions?open=${json.binding_id}`);
  await visitor.page
    .getByRole('dialog')
    .getByText(/^The discount code PODCAST belongs to/)
    .waitFor();
  expect(await axeViolations(visitor)).toEqual([]);
  const other = await dashboard.visitor();
  await other.signIn(logins.creator);
  await other.open('/creator/subscriptions');
  await other.page.getByText('The discount code PODCAST belongs to you.').waitFor();
  expect([...visitor.complaints, ...other.complaints]).toEqual([]);
});
