import { setTimeout as pause } from 'node:timers/promises';
import { afterAll, expect, test } from 'vitest';
import { expectRefused } from '../../support/expect-response.ts';
import { openMerchant } from '../../support/merchant.ts';
import { rowsWritten } from '../../support/rows.ts';

/** The brackets in a title name the section of the interface that the test verifies, and the row or rule in it. */
const merchant = await openMerchant();
afterAll(() => merchant.service.stop());

/** "Key good, store open" may be remembered this long, and a little more for a loaded machine. */
const rememberedMs = 2_200;

const closings = [
  ['a disabled integration', 'integration/disable', 'integration/enable', 'integration_disabled'],
  ['an archived store', 'archive', 'unarchive', 'store_archived'],
] as const;
test.each(closings)(
  '%s: 403 before the body is looked at, and a line in the log [Authentication 4]',
  async (_what, close, open, reason) => {
    const order = await merchant.order();
    expect((await merchant.api('POST', `/stores/${merchant.world.store.id}/${close}`)).status).toBeLessThan(300);
    await pause(rememberedMs);
    const rows = await rowsWritten(merchant.database, async () => {
      expectRefused(await merchant.convert(order), 403, reason, 'never');
      expectRefused(await merchant.convert('not JSON'), 403, reason, 'never');
      expectRefused(await merchant.convert('x'.repeat(20_000)), 403, reason, 'never');
    });
    expect(rows).toEqual({ postback_log: '3 new' });
    const { json } = await merchant.api('GET', `/stores/${merchant.world.store.id}/tracking-log?reason=${reason}`);
    expect(json.data).toHaveLength(3);
    expect(json.data[0]).toMatchObject({ status: 403, subject: null, body: null });

    expect((await merchant.api('POST', `/stores/${merchant.world.store.id}/${open}`)).status).toBeLessThan(300);
    expect((await merchant.convert(order)).json.reason, 'nothing was burned').toBe('recorded');
  },
);

test('answers 401 to a wrong key of a closed store [Authentication 2]', async () => {
  await merchant.api('POST', `/stores/${merchant.world.store.id}/integration/disable`);
  const wrong = { authorization: 'Bearer wrong' };
  expectRefused(await merchant.convert(await merchant.order(), wrong), 401, 'invalid_postback_key', 'never');
  await merchant.api('POST', `/stores/${merchant.world.store.id}/integration/enable`);
});
