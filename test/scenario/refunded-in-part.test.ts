import { expect, test } from 'vitest';
import type { Json } from '../support/merchant.ts';
import { openMerchantInSpring, testStatementsAndBooks } from '../support/paid-month.ts';
import { moveToNextMonth } from '../support/statements.ts';
import { subscriberOf } from '../support/subscriber.ts';

/** Orders and an invoice of which parts are refunded before the invoice, after it, and after it was paid. */
const { merchant, store } = await openMerchantInSpring();
const commissionIds: Record<string, string> = {};

const refund = async (fields: Json): Promise<void> => {
  const path = 'order_id' in fields ? 'v2/orders/refunds' : 'v2/recurring/invoices/refunds';
  expect((await merchant.post(path, { occurred_at: merchant.at(), ...fields })).json.reason).toBe('recorded');
};

for (const order_id of ['early', 'billed', 'collected']) {
  const { json } = await merchant.convert(await merchant.order({ order_id, order_subtotal_cents: 10_005 }));
  commissionIds[order_id] = json.conversion_id;
}
const subscriber = subscriberOf(merchant, 'sub');
await subscriber.bind();
commissionIds['in-1'] = (await subscriber.reportInvoice({ invoice_id: 'in-1' })).json.conversion_id;
await refund({ refund_id: 'r-early', order_id: 'early', amount_cents: 2_505, reason: 'returned' });
await refund({ refund_id: 'r-in', relationship_id: 'sub', invoice_id: 'in-1', amount_minor_units: 900, environment: 'live' });
await merchant.api('POST', `${store}/commissions/approve`, { filter: { state: 'pending' } });
await merchant.moveClock('31d');
await merchant.api('PUT', `${store}/payment-method`, { sandbox: 'declined' });
await merchant.api('POST', '/billing-runs', { store_id: merchant.world.store.id, minimum_cents: 0 });
await refund({ refund_id: 'r-billed', order_id: 'billed', amount_cents: 1_111 });
await merchant.api('PUT', `${store}/payment-method`, { sandbox: 'ok' });
await merchant.api('POST', '/billing-runs', { store_id: merchant.world.store.id, minimum_cents: 0 });
await refund({ refund_id: 'r-collected', order_id: 'collected', amount_cents: 5_005, reason: 'damaged' });
const month = await moveToNextMonth(merchant);

/** What is left at 10% of 75.00, 88.94, and 50.00 USD, and 20% of 40.00 USD. */
const left = { early: 750, billed: 889, collected: 500, 'in-1': 800 };

test('each commission is what its rate gives for the rest, and its story explains it', async () => {
  for (const [name, amount] of Object.entries(left)) {
    const path = `${store}/commissions/${commissionIds[name]}`;
    const { json } = await merchant.api('GET', path);
    expect([name, json.amount_cents]).toEqual([name, amount]);
  }
  const { json: early } = await merchant.api('GET', `${store}/commissions/${commissionIds['early']}`);
  expect(early.explanation).toContain('The order earns 10.01 USD: 10% of 100.05 USD is 10.01 USD.');
  expect(early.explanation).toContain(
    '25.05 USD of the order was refunded. Its commission fell from 10.01 USD to 7.50 USD: 10% of 75.00 USD is 7.50 USD.',
  );
  const { json: story } = await merchant.api('GET', `${store}/commissions/${commissionIds['collected']}/story`);
  expect(story.refunds).toMatchObject([
    {
      refund_id: 'r-collected',
      amount_cents: 5_005,
      remaining_cents: 5_000,
      commission_cents: 501,
      credit_note: 'CN-00002',
      reason: 'damaged',
    },
  ]);
  const { json: sale } = await merchant.api('GET', `/creators/${merchant.world.creator.id}/commissions/${commissionIds['early']}`);
  expect(sale).toMatchObject({
    amount_cents: 750,
    eligible_cents: 10_005,
    refunded_cents: 2_505,
    rates: [{ of_cents: 7_500, amount_cents: 750 }],
  });
});

testStatementsAndBooks(merchant, month, Object.values(left));
