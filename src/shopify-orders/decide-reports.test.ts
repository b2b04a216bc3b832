import { expect, test } from 'vitest';
import { decideReports, refundedGoods } from './decide-reports.ts';
import type { ShopifyOrder, ShopifyRefund } from './shopify-order.ts';

const at = new Date('2026-03-01T12:00:00.000Z');
/** 100 USD of goods, 5 for shipping, 10 of tax on the goods and 0.50 on the shipping. */
const order: ShopifyOrder = {
  id: '1',
  name: '#1001',
  isTest: false,
  currency: 'USD',
  isPaid: true,
  isRefundedWhole: false,
  processedAt: at,
  cancelledAt: null,
  taxesIncluded: false,
  subtotal: 10_000,
  tax: 1_050,
  shippingTax: 50,
  total: 11_550,
  codes: [],
  cartClick: null,
  lineClick: null,
  refunds: [],
};
const refund: ShopifyRefund = { id: '2', at, paidBack: 0, lines: 0, linesTax: 0, shipping: 0, shippingTax: 0 };
const click = 'rmc_1';

test.each<[what: string, changed: Partial<ShopifyOrder>, facts: { click?: string | null; isLiveService?: boolean }, reason: string]>([
  ['an unpaid order in euros', { isPaid: false, currency: 'EUR', isTest: true }, { click: null, isLiveService: true }, 'not_paid'],
  ['an order in euros without a click', { currency: 'EUR', isTest: true }, { click: null, isLiveService: true }, 'no_click'],
  ['a test payment in euros', { currency: 'EUR', isTest: true }, { isLiveService: true }, 'not_usd'],
  ['a test payment on a live service', { isTest: true }, { isLiveService: true }, 'test_order'],
])('%s is not reported', (_what, changed, facts, reason) => {
  expect(decideReports({ order: { ...order, ...changed }, click, isLiveService: false, ...facts })).toEqual({ is: 'unused', reason });
});

test.each<[what: string, changed: Partial<ShopifyOrder>, clickId: string | null, reports: object]>([
  [
    'an order by click',
    {},
    click,
    { conversion: { orderId: '1', clickId: click, eligibleAmountCents: 10_000, orderSubtotalCents: 10_000, test: null, occurredAt: at } },
  ],
  [
    'prices that include tax',
    { taxesIncluded: true, subtotal: 11_000, total: 11_550 },
    click,
    { conversion: { eligibleAmountCents: 10_000, orderSubtotalCents: 11_000 } },
  ],
  ['an order by code', { codes: ['A'] }, null, { conversion: { clickId: null, discountCodes: ['A'] } }],
  ['a test order', { isTest: true }, 'rmv_1', { conversion: { test: true } }],
  [
    'a partial refund',
    { refunds: [{ ...refund, paidBack: 2_200, lines: 2_000, linesTax: 200 }] },
    click,
    { reversal: null, refunds: [{ refundId: '2', orderId: '1', amountCents: 2_000, occurredAt: at }] },
  ],
  ['a restocking without money', { refunds: [{ ...refund, lines: 2_000, linesTax: 200 }] }, click, { reversal: null, refunds: [] }],
  [
    'a refund of everything',
    { isRefundedWhole: true, refunds: [{ ...refund, paidBack: 2_200, lines: 2_000, linesTax: 200 }] },
    click,
    { reversal: { orderId: '1', reason: 'refunded', occurredAt: at }, refunds: [] },
  ],
  ['a cancellation', { cancelledAt: at }, click, { reversal: { orderId: '1', reason: 'cancelled', occurredAt: at }, refunds: [] }],
])('%s is reported', (_what, changed, clickId, reports) => {
  const decided = decideReports({ order: { ...order, ...changed }, click: clickId, isLiveService: clickId === 'rmv_1' });
  expect(decided).toMatchObject({ is: 'reports', ...reports });
});

test.each<[what: string, changed: Partial<ShopifyRefund>, order: Partial<ShopifyOrder>, cents: number]>([
  ['lines', { paidBack: 2_200, lines: 2_000, linesTax: 200 }, {}, 2_000],
  ['lines with tax in their prices', { paidBack: 2_200, lines: 2_200, linesTax: 200 }, { taxesIncluded: true, subtotal: 11_000 }, 2_000],
  ['lines, of which less was paid back', { paidBack: 500, lines: 2_000, linesTax: 200 }, {}, 500],
  ['shipping only', { paidBack: 550, shipping: 500, shippingTax: 50 }, {}, 0],
  ['an amount without lines: its share of the goods, rounded down', { paidBack: 1_000 }, {}, 865],
  ['lines and more than they cost', { paidBack: 3_200, lines: 2_000, linesTax: 200 }, {}, 2_865],
  ['nothing', {}, {}, 0],
])('a refund of %s', (_what, changed, changedOrder, cents) => {
  expect(refundedGoods({ ...order, ...changedOrder }, { ...refund, ...changed })).toBe(cents);
});
