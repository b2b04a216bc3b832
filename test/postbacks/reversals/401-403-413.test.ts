import { setTimeout as pause } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { expectRefused } from '../../support/expect-response.ts';
import { openSharedMerchantAlone } from '../../support/merchant.ts';
import { rowsWritten } from '../../support/rows.ts';

/** Reversals pass the same request checks as conversions. */
const merchant = await openSharedMerchantAlone();
const order = await merchant.order();
await merchant.convert(order);
const reversal = { order_id: order.order_id };

test('answers 401 without a valid key, and stores nothing [Authentication 2]', async () => {
  const rows = await rowsWritten(merchant.database, async () => {
    expectRefused(await merchant.reverse(reversal, {}), 401, 'missing_postback_key', 'never');
    expectRefused(await merchant.reverse(reversal, { authorization: 'Bearer wrong' }), 401, 'invalid_postback_key', 'never');
  });
  expect(rows).toEqual({});
});

test('larger than 16 KiB: 413, and nothing is reversed [Limits, Request body size]', async () => {
  const rows = await rowsWritten(merchant.database, async () => {
    expectRefused(await merchant.reverse(JSON.stringify(reversal).padEnd(16_385)), 413, 'payload_too_large', 'never');
  });
  expect(rows).toEqual({ postback_log: '1 new' });
});

test('with the integration off: 403, nothing is reversed; once it is on the same refund passes [Authentication 4]', async () => {
  const integration = `/stores/${merchant.world.store.id}/integration`;
  await merchant.api('POST', `${integration}/disable`);
  await pause(2_200);
  const rows = await rowsWritten(merchant.database, async () => {
    expectRefused(await merchant.reverse(reversal), 403, 'integration_disabled', 'never');
  });
  expect(rows).toEqual({ postback_log: '1 new' });
  await merchant.api('POST', `${integration}/enable`);
  expect((await merchant.reverse(reversal)).json.reason).toBe('recorded');
});
