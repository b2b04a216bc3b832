import { expect, test } from 'vitest';
import { expectSuccess } from '../support/billing.ts';
import type { Json } from '../support/merchant.ts';
import { openMerchantInSpring, payMonth, testStatementsAndBooks } from '../support/paid-month.ts';

/** Orders under rules with conditions, from the postback to the statements of their month. */
const { merchant, store, program } = await openMerchantInSpring();
const commissionIds: Record<string, string> = {};

const rules = {
  pays: 'product',
  order_rules: [
    { basis_points: 1_000 },
    { basis_points: 3_000, conditions: { products: ['shirt-*'], new_customers: true } },
    { basis_points: 2_000, conditions: { min_order_cents: 10_000 } },
    { flat_cents: 150, conditions: { countries: ['CA', 'US'] } },
  ],
};
const line = (product_id: string, amount_minor_units: number, quantity = 1) => ({ product_id, amount_minor_units, quantity });

async function placeOrder(order_id: string, line_items: ReadonlyArray<ReturnType<typeof line>>, fields: object = {}): Promise<void> {
  const order_subtotal_cents = line_items.reduce((sum, { amount_minor_units: amount }) => sum + amount, 0);
  const reply = await merchant.convert(await merchant.order({ order_id, line_items, order_subtotal_cents, ...fields }));
  commissionIds[order_id] = reply.json.conversion_id;
}

const commissionOf = async (orderId: string): Promise<Json> =>
  (await merchant.api('GET', `${store}/commissions/${commissionIds[orderId]}`)).json;

expectSuccess(await merchant.api('POST', `${program}/terms`, rules));
await placeOrder('first', [line('shirt-red', 5_000), line('mug', 2_000)], { customer_id: 'ann' });
await placeOrder('second', [line('shirt-red', 5_000), line('mug', 2_000)], { customer_id: 'ann', country: 'US' });
await placeOrder('large', [line('mug', 10_000, 5)], { country: 'DE' });
await placeOrder('plain', [line('mug', 3_000)], { country: 'DE' });
// The large order keeps its rule, although what remains is below the minimum.
const refund = { refund_id: 'r-large', order_id: 'large', line_items: [line('mug', 6_000, 3)], occurred_at: merchant.at() };
expectSuccess(await merchant.post('v2/orders/refunds', refund));
// Later terms change nothing for the orders before them.
expectSuccess(await merchant.api('POST', `${program}/terms`, { pays: 'product', order_rules: [{ basis_points: 100 }] }));
await merchant.api('POST', `${store}/commissions/approve`, { filter: { state: 'pending' } });
const month = await payMonth(merchant);

/** 30% of the shirt and 10% of the mug; 1.50 USD for each; 20% of the 40.00 USD that remain; 10%. */
const earned = { first: 1_700, second: 300, large: 800, plain: 300 };

test('each order earns by the first rule whose conditions hold, and its explanation names the skipped ones', async () => {
  for (const [name, amount] of Object.entries(earned)) expect([name, (await commissionOf(name)).amount_cents]).toEqual([name, amount]);
  const { explanation } = await commissionOf('second');
  expect(explanation).toContain(
    'For shirt-red, a rule of 30% for shirt-*, for new customers (the program’s rate for the product) was skipped: the customer has ordered before.',
  );
  expect(explanation).toContain(
    'For mug, a rule of 20% for orders of at least 100.00 USD (the program’s rate) was skipped: the eligible amount is 70.00 USD.',
  );
  expect((await commissionOf('large')).explanation).toContain(
    '20% of 40.00 USD for mug is 8.00 USD (the program’s rate, for orders of at least 100.00 USD)',
  );
});

testStatementsAndBooks(merchant, month, Object.values(earned));
