import { beforeAll, expect, test } from 'vitest';
import { expectRefused } from '../../support/expect-response.ts';
import { openSharedMerchantAlone, type Merchant } from '../../support/merchant.ts';
import { rowsWritten } from '../../support/rows.ts';

/** The brackets in a title name the section of the interface that the test verifies, and the row or rule in it. */
let merchant: Merchant;
let orderId: string;
beforeAll(async () => {
  merchant = await openSharedMerchantAlone();
  const order = await merchant.order();
  await merchant.convert(order);
  orderId = order.order_id;
});

const isPartial = (name: string) =>
  `${name} would mean a partial refund, and this operation reports full refunds only. Omit it if the order was refunded in full.`;
type InvalidField = readonly [what: string, fields: Readonly<Record<string, unknown>>, field: string, message: string];
const invalidFields: readonly InvalidField[] = [
  ['no order_id', { order_id: null }, '/order_id', 'order_id is required.'],
  ['a number as order_id', { order_id: 7 }, '/order_id', 'order_id must be a string.'],
  ['an order_id of 501 characters', { order_id: 'é'.repeat(501) }, '/order_id', 'order_id must have at most 500 characters.'],
  ['a number as time', { occurred_at: 5 }, '/occurred_at', 'occurred_at must be a string such as 2026-03-01T12:00:00.000Z.'],
  ['a reason that is no text', { reason: {} }, '/reason', 'reason must be a string.'],
  ['a partial refund: amount', { amount: 100 }, '/amount', isPartial('amount')],
  ['a partial refund: amount_cents', { amount_cents: 100 }, '/amount_cents', isPartial('amount_cents')],
  ['a partial refund: amount_minor_units', { amount_minor_units: '100' }, '/amount_minor_units', isPartial('amount_minor_units')],
  ['a refund of everything, as an amount', { refund_amount_cents: 10_005 }, '/refund_amount_cents', isPartial('refund_amount_cents')],
];
test.each(invalidFields)('%s: invalid_payload, and nothing is reversed [Endpoints, reversals]', async (_what, fields, field, message) => {
  const rows = await rowsWritten(merchant.database, async () => {
    expectRefused(await merchant.reverse({ order_id: orderId, ...fields }), 400, 'invalid_payload', { retry: 'never', field, message });
  });
  expect(rows).toEqual({ postback_log: '1 new' });
});

test('what is not JSON: json_required [Errors, 400]', async () => {
  const rows = await rowsWritten(merchant.database, async () => {
    expectRefused(await merchant.reverse(`{"order_id":"${orderId}",}`), 400, 'json_required', 'never');
  });
  expect(rows).toEqual({ postback_log: '1 new' });
});

test('an amount of null is none, and the refund passes [Endpoints, reversals]', async () => {
  const order = await merchant.order();
  await merchant.convert(order);
  expect((await merchant.reverse({ order_id: order.order_id, amount: null })).json.reason).toBe('recorded');
});
