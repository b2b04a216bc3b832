import { expect, test } from 'vitest';
import { expectRefused } from '../../support/expect-response.ts';
import { openSharedMerchantAlone, otherMerchant } from '../../support/merchant.ts';
import { rowsWritten } from '../../support/rows.ts';

/** The brackets in a title name the section of the interface that the test verifies, and the row or rule in it. */
const merchant = await openSharedMerchantAlone();

test('answers 404 for an unknown order, and stores the reversal once, only to hold the order [Endpoints, reversals]', async () => {
  const first = await rowsWritten(merchant.database, async () => {
    expectRefused(await merchant.reverse({ order_id: 'no-such-order' }), 404, 'unknown_order', 'never');
  });
  expect(first).toEqual({ early_reversals: '1 new', postback_log: '1 new' });
  const second = await rowsWritten(merchant.database, async () => {
    expectRefused(await merchant.reverse({ order_id: 'no-such-order', reason: 'other' }), 404, 'unknown_order', 'never');
  });
  expect(second).toEqual({ postback_log: '1 new' });
});

test("another store's order is unknown, and stays as it is [Endpoints, reversals]", async () => {
  const other = otherMerchant(merchant);
  const order = await other.order({ order_id: 'theirs', click_id: await other.click() });
  await other.convert(order);
  expectRefused(await merchant.reverse({ order_id: 'theirs' }), 404, 'unknown_order', 'never');
  expect((await other.commissionOf('theirs')).state).toBe('pending');
});

test('a refused order is unknown [Endpoints, reversals]', async () => {
  const order = await merchant.order({ currency: 'EUR' });
  expect((await merchant.convert(order)).status).toBe(422);
  expectRefused(await merchant.reverse({ order_id: order.order_id }), 404, 'unknown_order', 'never');
});
