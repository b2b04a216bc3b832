import { afterAll, beforeAll, expect, test } from 'vitest';
import { expectSuccess } from '../support/billing.ts';
import { openMerchant, type Json, type Merchant } from '../support/merchant.ts';
import { expectStatementsToAgree, moveToNextMonth } from '../support/statements.ts';
import { subscriberOf } from '../support/subscriber.ts';

/** Orders by a discount code and by a returning customer, and a subscription by a code, from their reports to the statements. */
let merchant: Merchant;
let store: string;
let month: string;
/** Of an order beyond what the terms count of a returning customer. */
let refusal: string;
const commissionIds: Record<string, string> = {};

const sell = async (order_id: string, fields: object): Promise<void> => {
  const order = await merchant.order({ order_id, order_subtotal_cents: 100_050, click_id: null, ...fields });
  commissionIds[order_id] = expectSuccess(await merchant.convert(order)).json.conversion_id;
};

beforeAll(async () => {
  merchant = await openMerchant();
  await merchant.moveToSpring();
  const { world } = merchant;
  store = `/stores/${world.store.id}`;
  const program = `${store}/programs/${world.program.id}`;
  await merchant.api('PUT', '/billing-settings', { fee_basis_points: 500, minimum_cents: 0, early_cents: 100_000_000 });
  const rules = { order_rules: [{ basis_points: 1_000 }], subscription_rules: [{ basis_points: 2_000 }] };
  const attribution = { codes: 'when_no_click', returning: { days: 30, orders: 1 } };
  expectSuccess(await merchant.api('POST', `${program}/terms`, { ...rules, ...attribution }));
  expectSuccess(await merchant.api('POST', `${program}/codes`, { code: 'ADA10', creator_id: world.creator.id }));
  await sell('by code', { discount_codes: ['ada10'], customer_id: 'customer 1' });
  await sell('by customer', { customer_id: 'customer 1' });
  const beyond = await merchant.order({ order_id: 'beyond', click_id: null, customer_id: 'customer 1' });
  refusal = (await merchant.convert(beyond)).json.reason;
  const subscriber = subscriberOf(merchant, 'sub');
  expectSuccess(await subscriber.bind({ click_id: null, discount_codes: ['ADA10'], customer_id: 'customer 2' }));
  commissionIds['invoice'] = expectSuccess(await subscriber.reportInvoice({ invoice_id: 'invoice' })).json.conversion_id;
  expectSuccess(
    await merchant.post('v2/orders/refunds', { refund_id: 'r', order_id: 'by code', amount_cents: 50_050, occurred_at: merchant.at() }),
  );
  expectSuccess(await merchant.api('POST', `${store}/commissions/approve`, { filter: { state: 'pending' } }));
  await merchant.moveClock('31d');
  await merchant.api('PUT', `${store}/payment-method`, { sandbox: 'ok' });
  await merchant.api('POST', '/billing-runs', { store_id: world.store.id, minimum_cents: 0 });
  month = await moveToNextMonth(merchant);
});
afterAll(() => merchant.service.stop());

const commissionOf = async (name: string): Promise<Json> => (await merchant.api('GET', `${store}/commissions/${commissionIds[name]}`)).json;

test('each commission is paid to the owner of the code, and says which rule decided', async () => {
  const [order, later, invoice] = [await commissionOf('by code'), await commissionOf('by customer'), await commissionOf('invoice')];
  expect([order.amount_cents, later.amount_cents]).toEqual([5_000, 10_005]);
  expect([order, later, invoice].map(({ state }) => state)).toEqual(['paid', 'paid', 'paid']);
  expect(refusal).toBe('missing_referral_click');
  expect(order.explanation).toContain('The discount code ADA10 belongs to');
  expect(later.explanation).toContain('The customer first came through');
  const path = `/creators/${merchant.world.creator.id}/commissions/${commissionIds['by customer']}`;
  expect((await merchant.api('GET', path)).json.explanation).toContain('The customer first came through you');
});

test('page, CSV, PDF, API, and ledger of the month agree to the cent, for the store and for the creator', async () => {
  const { creator } = await expectStatementsToAgree(merchant, month);
  const { amount_cents: invoice } = await commissionOf('invoice');
  expect(creator.closing.available_cents + creator.closing.paid_cents + creator.closing.in_payout_cents).toBe(5_000 + 10_005 + invoice);
});

test('the books agree', async () => {
  expect((await merchant.api('POST', '/ledger/verify')).json).toMatchObject({ ok: true, differences: [] });
});
