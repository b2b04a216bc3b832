import { setTimeout as pause } from 'node:timers/promises';
import { afterAll, expect, test } from 'vitest';
import { sql } from '../../../src/db/sql.ts';
import { expectRefused } from '../../support/expect-response.ts';
import { openMerchant, otherMerchant, type ApiResponse } from '../../support/merchant.ts';
import { rowsWritten } from '../../support/rows.ts';

/** The brackets in a title name the section of the interface that the test verifies, and the row or rule in it. */
const merchant = await openMerchant();
afterAll(() => merchant.service.stop());

test('answers 401 without a valid key, and stores nothing [Authentication 2]', async () => {
  const order = await merchant.order();
  const rows = await rowsWritten(merchant.database, async () => {
    for (const headers of [{}, { authorization: 'Bearer' }, { authorization: 'Basic abc' }])
      expectRefused(await merchant.convert(order, headers), 401, 'missing_postback_key', 'never');
    expectRefused(await merchant.convert(order, { authorization: 'Bearer wrong' }), 401, 'invalid_postback_key', 'never');
  });
  expect(rows).toEqual({});
  expect((await merchant.convert(order)).json.reason).toBe('recorded');
});

test("a revoked key, another store's key, and an unknown tracking key get the same reply [Authentication 2]", async () => {
  const order = await merchant.order();
  const other = otherMerchant(merchant);
  const keys = `/stores/${merchant.world.store.id}/postback-keys`;
  const revoked = (await merchant.api('POST', keys)).json;
  const withRevoked = { authorization: `Bearer ${revoked.key}` };
  await merchant.api('DELETE', `${keys}/${revoked.id}`);
  const address = `${merchant.service.url}/api/partner-network/postbacks/nobody/conversions`;
  const answers: ApiResponse[] = [
    await merchant.convert(order, withRevoked),
    await merchant.convert(order, { authorization: `Bearer ${other.world.store.postback_key}` }),
  ];
  for (const response of answers) expectRefused(response, 401, 'invalid_postback_key', 'never');
  const atUnknown = await fetch(address, { method: 'POST', headers: { authorization: `Bearer ${merchant.world.store.postback_key}` } });
  expect([atUnknown.status, await atUnknown.text()]).toEqual([401, answers[0]?.text]);
});

test('rejects a revoked key within the two seconds that a valid one may be cached [Authentication 2]', async () => {
  const keys = `/stores/${merchant.world.store.id}/postback-keys`;
  const made = (await merchant.api('POST', keys)).json;
  const headers = { authorization: `Bearer ${made.key}` };
  expect((await merchant.convert(await merchant.order(), headers)).status).toBe(200);
  await merchant.api('DELETE', `${keys}/${made.id}`);
  await pause(2_100);
  expectRefused(await merchant.convert(await merchant.order(), headers), 401, 'invalid_postback_key', 'never');
});

test('counts requests without a valid key by day and reason [Authentication 2]', async () => {
  const counted = async () => {
    const { count } = await merchant.database.one<{ count: bigint | null }>(
      sql`select sum(count)::bigint as count from door_refusals where reason = 'invalid_postback_key'`,
    );
    return count ?? 0n;
  };
  // What the tests above left uncounted is written every two seconds.
  const settled = async (last: bigint): Promise<bigint> => {
    await pause(2_500);
    const now = await counted();
    return now === last ? now : settled(now);
  };
  const before = await settled(await counted());
  for (let times = 0; times < 3; times++) await merchant.convert({}, { authorization: 'Bearer wrong' });
  await expect.poll(counted).toBe(before + 3n);
});
