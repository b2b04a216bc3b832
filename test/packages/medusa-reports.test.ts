import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { expect, test } from 'vitest';
import type { Json } from '../support/merchant.ts';

/** The plugin is a CommonJS package with its own compiler options, so the type check of this project does not follow these imports. */
const load = createRequire(import.meta.url);
const { mayNameCreator, reportsOf } = load('../../packages/medusa/src/reports/order-reports.ts');

/** Recorded from a real Medusa server; `npm run test:medusa` compares the fields with the server again. */
const recorded: Json = JSON.parse(readFileSync('test/packages/medusa-orders.json', 'utf8'));
const orderOf = (name: string): Json => {
  const order = recorded[name];
  if (order === undefined) throw new Error(`no order ${name} was recorded`);
  return order;
};
const operationsOf = (order: Json): readonly string[] => reportsOf(order).map(({ operation }: Json) => operation);

test('reports what was paid for the goods, after the promotion and without tax and shipping', () => {
  const order = orderOf('refunded in part');
  const [conversion, refund, ...others] = reportsOf(order);
  expect(others).toEqual([]);
  expect(conversion).toEqual({
    operation: 'conversion',
    fields: {
      orderId: order.id,
      clickId: order.metadata?.['rm_click'],
      currency: 'USD',
      orderSubtotalCents: 8_640,
      occurredAt: order.payment_collections?.[0]?.payments?.[0]?.captures?.[0]?.created_at,
      lineItems: [{ productId: 'apron', amountMinorUnits: 8_640, quantity: 2 }],
      orderName: `#${order.display_id}`,
      customerId: order.customer_id,
      discountCodes: ['CORA10'],
      country: 'US',
      test: null,
    },
  });
  // 20.00 of 104.11 USD, of which 86.40 USD are goods.
  expect(refund).toMatchObject({
    operation: 'order_refund',
    fields: { orderId: order.id, amountCents: 1_659, lineItems: [{ productId: 'apron', amountMinorUnits: 1_659 }] },
  });
});

test('a full refund and a cancellation are reversals, also after partial refunds', () => {
  expect(operationsOf(orderOf('refunded'))).toEqual(['conversion', 'order_refund', 'reversal']);
  const canceled = reportsOf(orderOf('canceled'));
  expect(canceled.map(({ operation }: Json) => operation)).toEqual(['conversion', 'reversal']);
  expect(canceled[1]?.fields).toMatchObject({ reason: 'canceled' });
});

test('reports nothing for an order that is not paid, or that names no creator', () => {
  const paid = orderOf('with a code');
  expect(operationsOf(orderOf('authorized'))).toEqual([]);
  expect(operationsOf(orderOf('without a creator'))).toEqual([]);
  expect(reportsOf(orderOf('without a creator'), { everyOrder: true })).toHaveLength(1);
  expect(operationsOf(paid)).toEqual(['conversion']);
  expect(mayNameCreator(paid)).toBe(false);
  const unlinked = { ...paid, promotions: [{ code: 'NEW', is_automatic: false, metadata: null }] };
  expect(operationsOf(unlinked)).toEqual([]);
  expect(mayNameCreator(unlinked)).toBe(true);
});

const at = (minute: number): string => `2026-11-26T10:${String(minute).padStart(2, '0')}:00.000Z`;
const simple = (changes: Json = {}): Json => ({
  ...orderOf('with a code'),
  items: [
    { product_id: 'prod_1', variant_sku: 'apron', quantity: 1, total: 51.84, tax_total: 3.84 },
    { product_id: 'prod_2', variant_sku: null, quantity: 3, total: '10.53', tax_total: '0.78' },
  ],
  ...changes,
});
const paidWith = (captures: readonly [number, number][], refunds: readonly [number, number][] = []) => [
  {
    amount: 100,
    payments: [
      {
        captures: captures.map(([amount, minute]) => ({ id: `capt_${minute}`, amount, created_at: at(minute) })),
        refunds: refunds.map(([amount, minute]) => ({ id: `ref_${minute}`, amount, created_at: at(minute) })),
      },
    ],
  },
];

test('names products by their SKU, or by their ID, and the lines add up to the amount of the order', () => {
  const [conversion] = reportsOf(simple());
  expect(conversion?.fields).toMatchObject({
    orderSubtotalCents: 5_775,
    lineItems: [
      { productId: 'apron', amountMinorUnits: 4_800, quantity: 1 },
      { productId: 'prod_2', amountMinorUnits: 975, quantity: 3 },
    ],
  });
});

test('an order is paid at the capture that completes its payment, not at an earlier part', () => {
  expect(reportsOf(simple({ payment_collections: paidWith([[60, 1]]) }))).toEqual([]);
  const both = simple({
    payment_collections: paidWith([
      [40, 7],
      [60, 1],
    ]),
  });
  expect(reportsOf(both)[0]?.fields).toMatchObject({ occurredAt: at(7) });
});

test('the shares of all partial refunds never exceed the amount of the order, and the last refund is a reversal', () => {
  const payments = paidWith(
    [[100, 1]],
    [
      [33.33, 2],
      [33.33, 3],
      [33.33, 4],
      [0.01, 5],
    ],
  );
  const reports = reportsOf(simple({ payment_collections: payments }));
  expect(reports.map(({ operation }: Json) => operation)).toEqual([
    'conversion',
    'order_refund',
    'order_refund',
    'order_refund',
    'reversal',
  ]);
  const amounts = reports.flatMap((report: Json) => (report.operation === 'order_refund' ? [report.fields.amountCents] : []));
  expect(amounts).toEqual([1_924, 1_925, 1_925]);
  // Two products: Medusa does not say which one came back.
  for (const report of reports) if (report.operation === 'order_refund') expect(report.fields.lineItems).toBeNull();
});

test('refunds of an order that was edited are shares of what was recorded', () => {
  const order = simple({ items: [], payment_collections: paidWith([[100, 1]], [[50, 2]]) });
  expect(reportsOf(order, { recordedCents: 8_000 })[1]?.fields).toMatchObject({ amountCents: 4_000 });
});

test('the order of a test link is reported as a test', () => {
  expect(reportsOf(simple({ metadata: { rm_click: 'rmv_abc' } }))[0]?.fields).toMatchObject({ clickId: 'rmv_abc', test: true });
});
