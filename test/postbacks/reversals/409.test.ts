import { expect, test } from 'vitest';
import { hourMs } from '../../../src/core/time.ts';
import { expectRefused } from '../../support/expect-response.ts';
import { openSharedMerchantAlone } from '../../support/merchant.ts';
import { rowsWritten } from '../../support/rows.ts';

/** The brackets in a title name the section of the interface that the test verifies, and the row or rule in it. */
const merchant = await openSharedMerchantAlone();

const others: ReadonlyArray<readonly [what: string, fields: () => Readonly<Record<string, unknown>>]> = [
  ['another reason', () => ({ reason: 'cancelled' })],
  ['no reason', () => ({ reason: null })],
  ['another time', () => ({ occurred_at: merchant.at(-hourMs) })],
  ['no time', () => ({ occurred_at: null })],
  ['a time that cannot be read', () => ({ occurred_at: 'x' })],
];
test.each(others)('rejects a repeated reversal with %s as duplicate_order_conflict [Errors, 409]', async (_what, fields) => {
  const order = await merchant.order();
  await merchant.convert(order);
  const reversal = { order_id: order.order_id, reason: 'refunded', occurred_at: merchant.at() };
  await merchant.reverse(reversal);
  const rows = await rowsWritten(merchant.database, async () => {
    expectRefused(await merchant.reverse({ ...reversal, ...fields() }), 409, 'duplicate_order_conflict', 'never');
  });
  expect(rows).toEqual({ postback_log: '1 new' });
  expect((await merchant.reverse(reversal)).json.reason).toBe('duplicate_order');
});
