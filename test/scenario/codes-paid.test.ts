import { expect, test } from 'vitest';
import { expectSuccess } from '../support/billing.ts';
import type { Json } from '../support/merchant.ts';
import { openMerchantInSpring, payMonth, testStatementsAndBooks } from '../support/paid-month.ts';
import { subscriberOf } from '../support/subscriber.ts';

/** Orders by a discount code and by a returning customer, and a subscription by a code, from their reports to the statements. */
const { merchant, store, program } = await openMerchantInSpring();
const commissionIds: Record<string, string> = {};

const sell = async (order_id: string, fields: object): Promise<void> => {
  const order = await merchant.order({ order_id, order_subtotal_cents: 100_050, click_id: null, ...fields });
  commissionIds[order_id] = expectSuccess(await merchant.convert(order)).json.conversion_id;
};

const rules = { order_rules: [{ basis_points: 1_000 }], subscription_rules: [{ basis_points: 2_000 }] };
const attribution = { codes: 'when_no_click', returning: { days: 30, orders: 1 } };
expectSuccess(await merchant.api('POST', `${program}/terms`, { ...rules, ...attribution }));
expectSuccess(await merchant.api('POST', `${program}/codes`, { code: 'ADA10', creator_id: merchant.world.creator.id }));
await sell('by code', { discount_codes: ['ada10'], customer_id: 'customer 1' });
await sell('by customer', { customer_id: 'customer 1' });
/** Beyond what the terms count of a returning customer. */
const beyond = await merchant.order({ order_id: 'beyond', click_id: null, customer_id: 'customer 1' });
const { reason: refusal } = (await merchant.convert(beyond)).json;
const subscriber = subscriberOf(merchant, 'sub');
expectSuccess(await subscriber.bind({ click_id: null, discount_codes: ['ADA10'], customer_id: 'customer 2' }));
commissionIds['invoice'] = expectSuccess(await subscriber.reportInvoice({ invoice_id: 'invoice' })).json.conversion_id;
expectSuccess(
  await merchant.post('v2/orders/refunds', { refund_id: 'r', order_id: 'by code', amount_cents: 50_050, occurred_at: merchant.at() }),
);
expectSuccess(await merchant.api('POST', `${store}/commissions/approve`, { filter: { state: 'pending' } }));
const month = await payMonth(merchant);

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

testStatementsAndBooks(merchant, month, [5_000, 10_005, (await commissionOf('invoice')).amount_cents]);
