import { expect, test } from 'vitest';
import { expectRefused } from '../../support/expect-response.ts';
import { openSharedMerchantAlone } from '../../support/merchant.ts';
import { rowsWritten } from '../../support/rows.ts';

/** The brackets in a title name the section of the interface that the test verifies, and the row or rule in it. */
const merchant = await openSharedMerchantAlone();

const bytesMax = 16_384;

test('accepts 16,384 bytes; one more is 413, logged without the body, and burns nothing [Limits, Request body size]', async () => {
  const order = await merchant.order();
  const text = JSON.stringify(order);
  const rows = await rowsWritten(merchant.database, async () => {
    expectRefused(await merchant.convert(text.padEnd(bytesMax + 1)), 413, 'payload_too_large', 'never');
  });
  expect(rows).toEqual({ postback_log: '1 new' });
  const { json } = await merchant.api('GET', `/stores/${merchant.world.store.id}/tracking-log?status=413`);
  expect(json.data).toMatchObject([{ reason: 'payload_too_large', subject: null, body: null }]);
  expect((await merchant.convert(text.padEnd(bytesMax))).json.reason).toBe('recorded');
});
