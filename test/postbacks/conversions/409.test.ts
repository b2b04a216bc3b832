import { expect, test } from 'vitest';
import { expectAccepted, expectRefused } from '../../support/expect-response.ts';
import { openSharedMerchantAlone, otherMerchant } from '../../support/merchant.ts';
import { rowsWritten } from '../../support/rows.ts';

/** The brackets in a title name the section of the interface that the test verifies, and the row or rule in it. */
const merchant = await openSharedMerchantAlone();

const others: ReadonlyArray<readonly [what: string, change: (order: Readonly<Record<string, unknown>>) => object | Promise<object>]> = [
  ['another click', async () => ({ click_id: await merchant.click() })],
  ['no click', () => ({ click_id: null })],
  ['another currency', () => ({ currency: 'EUR' })],
  ['a currency in lower case', () => ({ currency: 'usd' })],
  ['another subtotal', () => ({ order_subtotal_cents: 10_006, eligible_amount_cents: 10_005 })],
  ['another eligible amount', () => ({ eligible_amount_cents: 10_004, line_items: [item('a', 9_999), item('b', 5)] })],
  ['a time one millisecond later', ({ occurred_at }) => ({ occurred_at: new Date(Date.parse(String(occurred_at)) + 1).toISOString() })],
  ['a time that cannot be read', () => ({ occurred_at: 'yesterday' })],
  ['lines in another order', () => ({ line_items: [item('b', 5), item('a', 10_000)] })],
  ['no lines', () => ({ line_items: null })],
  ['another order_name', () => ({ order_name: '#2' })],
  ['an order_name with a space behind', () => ({ order_name: '#1 ' })],
  ['another customer_id', () => ({ customer_id: 'c2' })],
  ['another discount_code', () => ({ discount_code: 'D2' })],
  ['metadata with another value', () => ({ metadata: { a: [1, 3] } })],
];
const item = (product_id: string, amount_minor_units: number) => ({ product_id, amount_minor_units, quantity: 1 });

test.each(others)(
  'rejects a repeated order_id with %s as duplicate_order_conflict, and keeps the first order [Endpoints, conversions]',
  async (_what, change) => {
    const optional = { order_name: '#1', customer_id: 'c1', discount_code: 'D1', metadata: { a: [1, 2] } };
    const order = await merchant.order({ ...optional, click_id: await merchant.click(), line_items: [item('a', 10_000), item('b', 5)] });
    const { transaction_id, conversion_id } = (await merchant.convert(order)).json;
    const changed = { ...order, ...(await change(order)) };
    const rows = await rowsWritten(merchant.database, async () => {
      expectRefused(await merchant.convert(changed), 409, 'duplicate_order_conflict', 'never');
    });
    expect(rows).toEqual({ postback_log: '1 new' });
    const again = await merchant.convert(order);
    expectAccepted(again, 'duplicate_order', { transaction_id, conversion_id }, { isReplay: true });
  },
);

test('the space of order_ids is the store: another store may use the same one [Conversion request, order_id]', async () => {
  const order = await merchant.order();
  const other = otherMerchant(merchant);
  expect((await merchant.convert(order)).json.reason).toBe('recorded');
  expect((await other.convert({ ...order, click_id: await other.click() })).json.reason).toBe('recorded');
});

test('compares order_ids exactly: capitals, spaces, and composed characters differ [Conversion request, order_id]', async () => {
  for (const order_id of ['Order-é', 'order-é', 'Order-é ', 'Order-e\u0301'])
    expect((await merchant.convert(await merchant.order({ order_id, click_id: await merchant.click() }))).json.reason).toBe('recorded');
});
