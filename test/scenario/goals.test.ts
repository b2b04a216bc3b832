import { afterAll, beforeAll, expect, test } from 'vitest';
import { expectSuccess } from '../support/billing.ts';
import { openMerchant, type Json, type Merchant } from '../support/merchant.ts';
import { expectStatementsToAgree } from '../support/statements.ts';

/** A goal of two orders in a month is reached: its bonus is approved, invoiced, and paid like the orders. */
let merchant: Merchant;
let month: string;
let bonus: Json;

beforeAll(async () => {
  merchant = await openMerchant();
  await merchant.moveToSpring();
  const { world } = merchant;
  const store = `/stores/${world.store.id}`;
  const program = `${store}/programs/${world.program.id}`;
  await merchant.api('PUT', '/billing-settings', { fee_basis_points: 500, minimum_cents: 0, early_cents: 100_000_000 });
  const goals = [{ orders: 2, period: 'month', amount_cents: 2_500 }];
  expectSuccess(await merchant.api('POST', `${program}/terms`, { order_rules: [{ basis_points: 1_000 }], goals }));
  for (const order_id of ['first', 'second', 'third'])
    await merchant.convert(await merchant.order({ order_id, order_subtotal_cents: 10_005 }));
  const approve = async () => expectSuccess(await merchant.api('POST', `${store}/commissions/approve`, { filter: { state: 'pending' } }));
  await approve();
  await merchant.moveClock('1d');
  [bonus] = (await merchant.api('GET', `${store}/bonuses`)).json.data;
  await approve();
  await merchant.moveClock('31d');
  await merchant.api('PUT', `${store}/payment-method`, { sandbox: 'ok' });
  await merchant.api('POST', '/billing-runs', { store_id: world.store.id, minimum_cents: 0 });
  month = merchant.at().slice(0, 7);
  const next = new Date(Date.UTC(Number(month.slice(0, 4)), Number(month.slice(5)), 1, 12));
  await merchant.moveClock(`${Math.ceil((next.getTime() - Date.parse(merchant.at())) / 3_600_000)}h`);
});
afterAll(() => merchant.service.stop());

test('the bonus is paid once, beside the orders that reached the goal', async () => {
  const store = `/stores/${merchant.world.store.id}`;
  expect((await merchant.api('GET', `${store}/bonuses`)).json.data).toHaveLength(1);
  const { json } = await merchant.api('GET', `${store}/commissions/${bonus.commission_id}`);
  expect([json.state, json.amount_cents]).toEqual(['paid', 2_500]);
  const [invoice] = (await merchant.api('GET', `${store}/invoices`)).json.data;
  const { json: shown } = await merchant.api('GET', `${store}/invoices/${invoice.id}`);
  expect(shown.lines.map(({ order_id: order, bonus_reason: reason }: Json) => order ?? reason).toSorted()).toEqual(
    [bonus.reason, 'first', 'second', 'third'].toSorted(),
  );
});

test('page, CSV, PDF, API, and ledger of the month agree to the cent, for the store and for the creator', async () => {
  const { creator } = await expectStatementsToAgree(merchant, month);
  expect(creator.closing.available_cents + creator.closing.paid_cents + creator.closing.in_payout_cents).toBe(3 * 1_001 + 2_500);
});

test('the books agree', async () => {
  expect((await merchant.api('POST', '/ledger/verify')).json).toMatchObject({ ok: true, differences: [] });
});
