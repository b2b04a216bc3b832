import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { expect, test } from 'vitest';
import type { Json } from '../support/merchant.ts';

/** The plugin is a CommonJS package with its own compiler options, so the type check of this project does not follow these imports. */
const load = createRequire(import.meta.url);
const { mayNameCreator, reportsOf } = load('../../packages/vendure/src/order-reports.ts');

/** Recorded from a real Vendure server; `npm run test:vendure` compares the fields with the server again. */
const recorded: Json = JSON.parse(readFileSync('test/packages/vendure-orders.json', 'utf8'));
const orderOf = (name: string): Json => {
  const order = recorded[name];
  if (order === undefined) throw new Error(`no order ${name} was recorded`);
  return order;
};
const operationsOf = (order: Json, options: Json = {}): readonly string[] =>
  reportsOf(order, options).map(({ operation }: Json) => operation);

test('reports what was paid for the products, after the promotion and without tax and shipping', () => {
  const order = orderOf('refunded in part');
  const [conversion, refund, ...others] = reportsOf(order);
  expect(others).toEqual([]);
  expect(conversion).toEqual({
    operation: 'conversion',
    fields: {
      orderId: order.code,
      clickId: order.clickId,
      currency: 'USD',
      orderSubtotalCents: 8_640,
      occurredAt: order.payments[0].settledAt,
      lineItems: [{ productId: 'apron', amountMinorUnits: 8_640, quantity: 2 }],
      orderName: order.code,
      customerId: order.customerId,
      discountCodes: ['CORA10'],
      country: 'US',
      test: null,
    },
  });
  expect(refund).toEqual({
    operation: 'order_refund',
    fields: {
      refundId: `${order.code}-${order.refunds[0].id}`,
      orderId: order.code,
      amountCents: 4_320,
      lineItems: [{ productId: 'apron', amountMinorUnits: 4_320, quantity: 1 }],
      occurredAt: order.refunds[0].settledAt,
      reason: 'refunded',
    },
  });
});

test('a full refund and a cancellation are reversals, also after partial refunds', () => {
  expect(operationsOf(orderOf('refunded'))).toEqual(['conversion', 'order_refund', 'reversal']);
  const canceled = reportsOf(orderOf('canceled'));
  expect(canceled.map(({ operation }: Json) => operation)).toEqual(['conversion', 'reversal']);
  expect(canceled[0].fields.orderSubtotalCents).toBe(4_800);
  expect(canceled[1].fields).toMatchObject({ reason: 'canceled', occurredAt: orderOf('canceled').canceledAt });
});

test('reports nothing for an order that is not paid, or that names no creator', () => {
  const paid = orderOf('with a code');
  expect(operationsOf(orderOf('authorized'))).toEqual([]);
  expect(operationsOf(orderOf('without a creator'))).toEqual([]);
  expect(operationsOf(orderOf('without a creator'), { everyOrder: true })).toEqual(['conversion']);
  expect(operationsOf(paid)).toEqual(['conversion']);
  expect(mayNameCreator(paid)).toBe(false);
  const unlinked = { ...paid, namesCreator: false };
  expect(operationsOf(unlinked)).toEqual([]);
  expect(mayNameCreator(unlinked)).toBe(true);
});

const at = (minute: number): string => `2026-11-26T10:${String(minute).padStart(2, '0')}:00.000Z`;
const line = (id: string, amountCents: number, quantity: number): Json => ({
  id,
  productId: `sku-${id}`,
  quantity,
  amountCents,
  taxRate: 8,
});
const paidWith = (payments: readonly (readonly [number, number])[]): Json =>
  payments.map(([amountCents, minute]) => ({ id: `${minute}`, amountCents, settledAt: at(minute) }));
const refundedWith = (amountCents: number, minute: number, lines: Json = []): Json => ({
  id: `${minute}`,
  amountCents,
  settledAt: at(minute),
  lines,
});
/** Products of 57.75 USD, paid with 72.37 USD: with tax and shipping of 10.00 USD. */
const simple = (changes: Json = {}): Json => ({
  ...orderOf('with a code'),
  totalWithTaxCents: 7_237,
  lines: [line('a', 4_800, 1), line('b', 975, 3)],
  payments: paidWith([[7_237, 1]]),
  refunds: [],
  ...changes,
});
const amountsOf = (order: Json): readonly number[] =>
  reportsOf(order).flatMap(({ operation, fields }: Json) => (operation === 'order_refund' ? [fields.amountCents] : []));

test('an order is paid at the settlement that completes its total, not at an earlier part', () => {
  expect(operationsOf(simple({ payments: paidWith([[7_000, 1]]) }))).toEqual([]);
  const both = simple({
    payments: paidWith([
      [237, 7],
      [7_000, 1],
    ]),
  });
  expect(reportsOf(both)[0].fields).toMatchObject({ occurredAt: at(7), orderSubtotalCents: 5_775 });
});

test('an order that was modified after its report keeps its refunds, as shares of what was recorded', () => {
  const modified = simple({ totalWithTaxCents: 9_999, refunds: [refundedWith(1_000, 2)] });
  expect(operationsOf(modified)).toEqual([]);
  const reports = reportsOf(modified, { recordedCents: 5_775 });
  expect(reports[1].fields).toMatchObject({ amountCents: 797, lineItems: null });
});

test('a surcharge below zero reduces the products, and the lines add up to the amount', () => {
  const { orderSubtotalCents, lineItems } = reportsOf(simple({ reductionCents: -1_000 }))[0].fields;
  expect(orderSubtotalCents).toBe(4_775);
  expect(lineItems.map(({ amountMinorUnits }: Json) => amountMinorUnits)).toEqual([3_969, 806]);
});

test('a refund that names units is their price, and a share of it if less was refunded', () => {
  const two = [{ lineId: 'b', quantity: 2 }];
  // Two of three units: 6.50 USD, with tax 7.02 USD.
  const whole = simple({ refunds: [refundedWith(702, 2, two)] });
  expect(reportsOf(whole)[1].fields).toMatchObject({
    amountCents: 650,
    lineItems: [{ productId: 'sku-b', amountMinorUnits: 650, quantity: 2 }],
  });
  // With shipping on top, still the price of the units.
  expect(amountsOf(simple({ refunds: [refundedWith(1_702, 2, two)] }))).toEqual([650]);
  const half = simple({ refunds: [refundedWith(351, 2, two)] });
  expect(reportsOf(half)[1].fields.lineItems).toEqual([{ productId: 'sku-b', amountMinorUnits: 325 }]);
});

test('partial refunds never exceed the amount of the order, and the last refund is a reversal', () => {
  const all = [
    { lineId: 'a', quantity: 1 },
    { lineId: 'b', quantity: 3 },
  ];
  const order = simple({ refunds: [refundedWith(2_000, 2), refundedWith(5_200, 3, all), refundedWith(37, 4)] });
  expect(operationsOf(order)).toEqual(['conversion', 'order_refund', 'order_refund', 'reversal']);
  const [first = 0, second = 0] = amountsOf(order);
  expect([first, first + second]).toEqual([1_595, 5_775]);
});

test('a refund of a canceled order is not reported, and an earlier one is', () => {
  const order = simple({ canceledAt: at(5), refunds: [refundedWith(1_000, 2), refundedWith(1_000, 6)] });
  expect(operationsOf(order)).toEqual(['conversion', 'order_refund', 'reversal']);
});

test('the order of one seller of a marketplace is not reported beside the order of the customer', () => {
  expect(operationsOf(simple({ type: 'Seller' }))).toEqual([]);
  expect(operationsOf(simple({ type: 'Aggregate' }))).toEqual(['conversion']);
});

test('the order of a test link is reported as a test', () => {
  expect(reportsOf(simple({ clickId: 'rmv_abc' }))[0].fields).toMatchObject({ clickId: 'rmv_abc', test: true });
});
