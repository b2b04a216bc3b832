import { afterAll, expect, test } from 'vitest';
import { expectRefused } from '../../support/expect-response.ts';
import { holdCommission, openMerchant, putCommission } from '../../support/merchant.ts';
import { rowsWritten } from '../../support/rows.ts';

/** The brackets in a title name the section of the interface. Sets holds with SQL; test/review sets them through the dashboard's API. */
const merchant = await openMerchant();
afterAll(() => merchant.service.stop());

const holds = ['dispute', 'fraud_review', 'creator_suspended', 'merchant_request'];
test.each(holds)(
  'held (%s): 500 active_hold, to be tried daily; once it is decided the same refund passes [Errors, rule 4]',
  async (hold) => {
    const order = await merchant.order();
    await merchant.convert(order);
    await holdCommission(merchant, order.order_id, hold);
    const reversal = { order_id: order.order_id, reason: 'refunded' };
    const rows = await rowsWritten(merchant.database, async () => {
      expectRefused(await merchant.reverse(reversal), 500, 'active_hold', 'daily');
      expectRefused(await merchant.reverse(reversal), 500, 'active_hold', 'daily');
    });
    expect(rows).toEqual({ postback_log: '2 new' });
    await holdCommission(merchant, order.order_id, null);
    expect((await merchant.reverse(reversal)).json.reason).toBe('recorded');
  },
);

test('a hold comes before the invoice: the reply changes once the hold is decided [Errors, rule 4]', async () => {
  const order = await merchant.order();
  await merchant.convert(order);
  await putCommission(merchant, order.order_id, 'billed');
  await holdCommission(merchant, order.order_id, 'dispute');
  expectRefused(await merchant.reverse({ order_id: order.order_id }), 500, 'active_hold', 'daily');
  await holdCommission(merchant, order.order_id, null);
  expectRefused(await merchant.reverse({ order_id: order.order_id }), 422, 'paid_conversion_not_auto_reversed', 'never');
});
