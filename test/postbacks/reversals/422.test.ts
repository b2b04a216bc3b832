import { expect, test } from 'vitest';
import { dayMs, minuteMs } from '../../../src/core/time.ts';
import { expectRefused } from '../../support/expect-response.ts';
import { openSharedMerchantAlone, putCommission } from '../../support/merchant.ts';
import { rowsWritten } from '../../support/rows.ts';

/** The brackets in a title name the section of the interface that the test verifies, and the row or rule in it. */
const merchant = await openSharedMerchantAlone();

const badTimes: ReadonlyArray<readonly [what: string, occurredAt: () => string]> = [
  ['no time that ever was', () => '2026-13-01T00:00:00Z'],
  ['a date alone', () => '2026-03-01'],
  ['6 minutes ahead', () => merchant.at(6 * minuteMs)],
  ['more than 372 days old', () => merchant.at(-372 * dayMs - minuteMs)],
];
test.each(badTimes)(
  '%s: invalid_occurred_at before the order is looked at, and nothing is kept [Limits, occurred_at age]',
  async (_what, at) => {
    const order = await merchant.order();
    await merchant.convert(order);
    const rows = await rowsWritten(merchant.database, async () => {
      for (const order_id of [order.order_id, 'no-such-order'])
        expectRefused(await merchant.reverse({ order_id, occurred_at: at() }), 422, 'invalid_occurred_at', 'never');
    });
    expect(rows).toEqual({ postback_log: '2 new' });
    expect((await merchant.reverse({ order_id: order.order_id })).json.reason, 'nothing was burned').toBe('recorded');
  },
);

// Sets the state with SQL: invoice, charge and payout take days, which test/scenario covers.
test.each(['billed', 'collected', 'paid'])(
  'a commission that is %s: 422, nothing is reversed, however often [Errors, rule 1]',
  async (state) => {
    const order = await merchant.order();
    await merchant.convert(order);
    await putCommission(merchant, order.order_id, state);
    const rows = await rowsWritten(merchant.database, async () => {
      for (const reason of ['refunded', 'refunded', 'cancelled'])
        expectRefused(await merchant.reverse({ order_id: order.order_id, reason }), 422, 'paid_conversion_not_auto_reversed', 'never');
    });
    expect(rows).toEqual({ postback_log: '3 new' });
    expect((await merchant.commissionOf(order.order_id)).state).toBe(state);
  },
);
