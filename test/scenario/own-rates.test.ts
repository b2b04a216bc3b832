import { expect, test } from 'vitest';
import { expectSuccess } from '../support/billing.ts';
import type { Json } from '../support/merchant.ts';
import { openMerchantInSpring, payMonth, testStatementsAndBooks } from '../support/paid-month.ts';
import { subscriberOf } from '../support/subscriber.ts';

/** A creator who moves to a group and gets an own rate, from the postbacks to the statements of their month. */
const { merchant, store, program } = await openMerchantInSpring();
const commissionIds: Record<string, string> = {};

async function placeOrder(order_id: string, fields: object = {}): Promise<void> {
  const reply = await merchant.convert(await merchant.order({ order_id, order_subtotal_cents: 10_000, ...fields }));
  commissionIds[order_id] = reply.json.conversion_id;
}

const commissionOf = async (name: string): Promise<Json> => (await merchant.api('GET', `${store}/commissions/${commissionIds[name]}`)).json;

const member = (await merchant.api('GET', `${program}/members`)).json.data[0];
const group = (await merchant.api('POST', `${program}/groups`, { name: 'Stars' })).json;
const rules = { order_rules: [{ basis_points: 1_000 }], subscription_rules: [{ basis_points: 1_000 }] };
const ofGroup = { group_id: group.id, order_rules: [{ basis_points: 1_500 }], subscription_rules: [{ flat_cents: 700 }] };
expectSuccess(await merchant.api('POST', `${program}/terms`, { ...rules, own_rates: [ofGroup] }));
await placeOrder('before');
// Reported after the move to the group, but placed before it.
const late = await merchant.order({ order_id: 'late', order_subtotal_cents: 10_000 });
await merchant.moveClock('1h');
expectSuccess(await merchant.api('PUT', `${program}/members/${member.id}/group`, { group_id: group.id }));
commissionIds['late'] = (await merchant.convert(late)).json.conversion_id;
await placeOrder('in group');
const subscriber = subscriberOf(merchant, 'sub');
expectSuccess(await subscriber.bind());
const ofMember = { member_id: member.id, order_rules: [{ basis_points: 2_500 }] };
expectSuccess(await merchant.api('POST', `${program}/terms`, { ...rules, own_rates: [ofGroup, ofMember] }));
await placeOrder('own rate');
// The subscription keeps the rate of the group from its bind.
commissionIds['invoice'] = (await subscriber.reportInvoice({ invoice_id: 'invoice' })).json.conversion_id;
const refund = { refund_id: 'r-own', order_id: 'own rate', amount_cents: 4_000, occurred_at: merchant.at() };
expectSuccess(await merchant.post('v2/orders/refunds', refund));
expectSuccess(await merchant.api('PUT', `${program}/members/${member.id}/group`, { group_id: null }));
await merchant.api('POST', `${store}/commissions/approve`, { filter: { state: 'pending' } });
const month = await payMonth(merchant);

/** 10% before the group, 15% in it, 25% of the 60.00 USD that remain, and 7.00 USD for the invoice. */
const earned = { before: 1_000, late: 1_000, 'in group': 1_500, 'own rate': 1_500, invoice: 700 };

test('each commission is what the rate of its time gives, and its explanation names the rate', async () => {
  for (const [name, amount] of Object.entries(earned)) expect([name, (await commissionOf(name)).amount_cents]).toEqual([name, amount]);
  expect((await commissionOf('late')).explanation).toContain('10% of 100.00 USD is 10.00 USD (the program’s rate)');
  expect((await commissionOf('in group')).explanation).toContain('(the rate of the group Stars)');
  expect((await commissionOf('own rate')).explanation).toContain('25% of 60.00 USD is 15.00 USD (the creator’s own rate)');
  expect((await commissionOf('invoice')).explanation).toContain('7.00 USD (the rate of the group Stars)');
});

testStatementsAndBooks(merchant, month, Object.values(earned));
