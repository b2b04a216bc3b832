import { afterAll, afterEach, expect, test } from 'vitest';
import { newId, readPublicId } from '../../src/core/ids.ts';
import { sql } from '../../src/db/sql.ts';
import { deliverEarnings } from '../../src/payouts/deliver-earnings.ts';
import { anotherBiller, differences, expectSuccess, latestInvoice, type Biller } from '../support/billing.ts';
import { openMerchantAlone, type ApiResponse, type Json } from '../support/merchant.ts';

/** Partial refunds of commissions that are in a payout: refused by the postback, and credited to the store by an operator. */
const first = await openMerchantAlone();
afterAll(() => first.service.stop());
expectSuccess(await first.api('PUT', '/billing-settings', { fee_basis_points: 1_000 }));
afterEach(async () => {
  const found = await differences(first);
  if (found.length > 0) throw new Error(`verification found differences: ${JSON.stringify(found)}`);
});

type Paid = { readonly biller: Biller; readonly orderId: string; readonly commission: string };

/** An order of 100.00 whose commission is collected. */
async function collected(fields: object = {}, terms?: object): Promise<Paid> {
  const biller = await anotherBiller(first);
  const { merchant, store } = biller;
  if (terms) expectSuccess(await merchant.api('POST', `${store}/programs/${merchant.world.program.id}/terms`, terms));
  const order = await merchant.order({ order_subtotal_cents: 10_000, ...fields });
  const commission = expectSuccess(await merchant.convert(order)).json.conversion_id;
  // A second order, so that the invoice is large enough to be charged.
  await merchant.convert(await merchant.order({ order_subtotal_cents: 20_000 }));
  expectSuccess(await merchant.api('POST', `${store}/commissions/approve`, { filter: { state: 'pending' } }));
  await merchant.moveClock('31d');
  await biller.run();
  return { biller, orderId: order.order_id, commission };
}

/** An order of 100.00 whose commission was paid to its creator. */
async function inPayout(fields: object = {}, terms?: object): Promise<Paid> {
  const paid = await collected(fields, terms);
  const { merchant } = paid.biller;
  const { platform } = merchant.service;
  await deliverEarnings(platform, platform.clock.now());
  expectSuccess(await merchant.api('POST', '/payout-runs', { creator_id: merchant.world.creator.id, minimum_cents: 0 }));
  expect((await merchant.commissionOf(paid.orderId)).state).toBe('paid');
  return paid;
}

const setPayout = ({ biller: { merchant }, commission }: Paid, payoutId: string | null) =>
  merchant.database.run(sql`
    update commissions set payout_id = ${payoutId} where store_id = ${merchant.storeId}
      and commission_id = ${readPublicId('com', commission)}`);
const credit = ({ biller: { merchant, store }, commission }: Paid, fields: object): Promise<ApiResponse> =>
  merchant.api('POST', `${store}/commissions/${commission}/late-refunds`, { reason: 'returned', ...fields });
const report = ({ biller: { merchant }, orderId }: Paid, fields: object): Promise<ApiResponse> =>
  merchant.post('v2/orders/refunds', { order_id: orderId, occurred_at: merchant.at(), ...fields });
const creditLeft = async ({ biller: { merchant, store } }: Paid): Promise<number> =>
  expectSuccess(await merchant.api('GET', `${store}/billing`)).json.credit_left_cents;
const history = async ({ biller: { merchant, store }, commission }: Paid): Promise<Json> =>
  expectSuccess(await merchant.api('GET', `${store}/commissions/${commission}/story`)).json;
const sale = async ({ biller: { merchant }, commission }: Paid): Promise<Json> =>
  (await merchant.api('GET', `/creators/${merchant.world.creator.id}/commissions`)).json.data.find(({ id }: Json) => id === commission);

test('credits the store with what the refund would have taken and with its fee, and the creator keeps the commission', async () => {
  const paid = await inPayout();
  expect((await history(paid)).late_refunds).toBeUndefined();
  const before = await sale(paid);
  expect((await report(paid, { refund_id: 'r-1', amount_cents: 2_505 })).json.reason).toBe('paid_conversion_not_auto_reversed');
  const { status, json } = await credit(paid, { refund_id: 'r-1', amount_cents: 2_505 });
  expect([status, json]).toMatchObject([
    201,
    {
      credit_note: { kind: 'after', lines_cents: 250, fee_cents: 25, reason: 'Refund r-1: returned' },
      commission_cents: 250,
      remaining_commission_cents: 750,
      remaining_cents: 7_495,
    },
  ]);
  expect(await creditLeft(paid)).toBe(275);
  expect(await paid.biller.merchant.commissionOf(paid.orderId)).toMatchObject({ state: 'paid', amountCents: 1_000n });
  expect(await history(paid)).toMatchObject({
    credit_note: null,
    late_refunds: [
      { refund_id: 'r-1', amount_cents: 2_505, commission_cents: 250, credit_note: 'CN-00001', reason: 'Refund r-1: returned' },
    ],
  });
  const after = await sale(paid);
  expect(after.explanation).toBe(
    `${before.explanation} 25.05 USD of the order was refunded after the payout had begun, so you keep the commission.`,
  );
  expect({ ...after, explanation: before.explanation }).toEqual(before);
  const { json: log } = await paid.biller.merchant.api('GET', '/audit-log?limit=5');
  expect(JSON.stringify(log.data)).toContain('commission.credit_late_refund');
});

test('credits several refunds like one of their sum, each of them once, and lists the invoice line once', async () => {
  const paid = await inPayout();
  for (const [refund_id, amount_cents, commission_cents] of [
    ['a', 3_333, 333],
    ['b', 3_333, 334],
    ['c', 3_334, 333],
  ] as const)
    expect((await credit(paid, { refund_id, amount_cents })).json).toMatchObject({ commission_cents });
  expect(await credit(paid, { refund_id: 'a', amount_cents: 1 })).toMatchObject({
    status: 409,
    json: { message: 'This refund of the commission was already credited with CN-00001.' },
  });
  expect(await credit(paid, { refund_id: 'd', amount_cents: 1 })).toMatchObject({
    status: 422,
    json: { errors: [{ field: 'amount_cents' }] },
  });
  expect((await latestInvoice(paid.biller)).lines).toHaveLength(2);
});

test('of concurrent copies of a refund, and of refunds that exceed the order together, credits only what fits', async () => {
  const paid = await inPayout();
  const copies = await Promise.all(Array.from({ length: 8 }, () => credit(paid, { refund_id: 'same', amount_cents: 1_000 })));
  expect(copies.map(({ status }) => status).toSorted()).toEqual([201, ...Array.from({ length: 7 }, () => 409)]);
  const others = await Promise.all(
    Array.from({ length: 8 }, (_none, place) => credit(paid, { refund_id: `other ${place}`, amount_cents: 4_000 })),
  );
  expect(others.map(({ status }) => status).toSorted()).toEqual([201, 201, ...Array.from({ length: 6 }, () => 422)]);
  expect(await creditLeft(paid)).toBe(990);
});

test('computes from the copied terms: a flat amount is borne only when less than it remains', async () => {
  const paid = await inPayout({}, { order_rules: [{ flat_cents: 1_000 }], subscription_rules: [] });
  expect(await credit(paid, { refund_id: 'r', amount_cents: 9_000 })).toMatchObject({
    status: 409,
    json: { message: 'The refund would have taken nothing of the commission.' },
  });
  expect((await credit(paid, { refund_id: 'r', amount_cents: 9_400 })).json).toMatchObject({ commission_cents: 400 });
  expect((await credit(paid, { refund_id: 's', amount_cents: 600 })).json).toMatchObject({ commission_cents: 600, remaining_cents: 0 });
});

test('requires the lines of a program that pays for each product', async () => {
  const line_items = [
    { product_id: 'tea', quantity: 2, amount_minor_units: 6_000 },
    { product_id: 'mug', quantity: 1, amount_minor_units: 4_000 },
  ];
  const rules = [{ product_id: 'tea', basis_points: 2_000 }, { basis_points: 1_000 }];
  const paid = await inPayout({ line_items }, { pays: 'product', order_rules: rules, subscription_rules: [] });
  expect((await credit(paid, { refund_id: 'r', amount_cents: 3_000 })).json.errors).toMatchObject([{ field: 'line_items' }]);
  const tea = { product_id: 'tea', amount_cents: 3_000, quantity: 1 };
  expect((await credit(paid, { refund_id: 'r', line_items: [{ ...tea, product_id: 'cup' }] })).status).toBe(422);
  expect((await credit(paid, { refund_id: 'r', line_items: [tea], amount_cents: 2_999 })).status).toBe(422);
  expect((await credit(paid, { refund_id: 'r', line_items: [tea] })).json).toMatchObject({ commission_cents: 600 });
  expect((await credit(paid, { refund_id: 's', line_items: [{ ...tea, amount_cents: 3_001 }] })).status).toBe(422);
});

test('after a late refund, a credit note takes the rest, also if the payout failed, and the store cannot be credited twice', async () => {
  const paid = await collected();
  await setPayout(paid, newId(new Date()));
  expectSuccess(await credit(paid, { refund_id: 'late', amount_cents: 4_000 }));
  await setPayout(paid, null);
  expect((await report(paid, { refund_id: 'late', amount_cents: 4_000 })).json.reason).toBe('paid_conversion_not_auto_reversed');
  expect((await credit(paid, { refund_id: 'more', amount_cents: 1_000 })).json).toMatchObject({ commission_cents: 100 });
  const { merchant, store } = paid.biller;
  const path = `${store}/invoices/${(await latestInvoice(paid.biller)).id}/credit-notes`;
  const whole = { commission_ids: [paid.commission], reason: 'late' };
  expect((await merchant.api('POST', path, whole)).json.results).toEqual({ [paid.commission]: 'conflict' });
  expect((await merchant.api('POST', path, { ...whole, operator_bears: true })).json).toMatchObject({
    credit_notes: [{ lines_cents: 500 }],
    results: { [paid.commission]: 'ok' },
  });
  expect((await merchant.api('POST', path, { ...whole, operator_bears: true })).json.credit_notes).toEqual([]);
  expect(await credit(paid, { refund_id: 'last', amount_cents: 1 })).toMatchObject({ status: 409 });
  expect(await creditLeft(paid)).toBe(1_100);
  expect(await merchant.commissionOf(paid.orderId)).toMatchObject({ state: 'collected', amountCents: 1_000n });
});

test('of a commission in no payout is left to the postback, and of a lead or of another store is not possible', async () => {
  const paid = await collected();
  expect(await credit(paid, { refund_id: 'r', amount_cents: 1_000 })).toMatchObject({ status: 409, json: { reason: 'conflict' } });
  expect((await report(paid, { refund_id: 'r', amount_cents: 1_000 })).json.reason).toBe('recorded');
  expect((await credit(paid, { refund_id: 'r' })).status).toBe(422);
  const other = await anotherBiller(first);
  expect((await credit({ ...paid, biller: other }, { refund_id: 'r', amount_cents: 1 })).status).toBe(404);
});

test('verification finds a late refund that was credited with another amount', async () => {
  const paid = await inPayout();
  expectSuccess(await credit(paid, { refund_id: 'r', amount_cents: 1_000 }));
  const { merchant } = paid.biller;
  const change = (by: number) =>
    merchant.database.run(sql`
      update credit_note_lines set late_eligible_cents = late_eligible_cents + ${by} where store_id = ${merchant.storeId}`);
  await change(10);
  expect(JSON.stringify(await differences(first))).toContain('an operator bears for late refunds');
  await change(-10);
});
