import { afterAll, expect, test } from 'vitest';
import { openMerchantAlone } from '../support/merchant.ts';

const merchant = await openMerchantAlone();
afterAll(() => merchant.service.stop());

test('the sandbox clock accepts any number of milliseconds up to 3,700 days', async () => {
  const before = Date.parse((await merchant.api('GET', '/sandbox/clock')).json.now);
  const moved = await merchant.api('POST', '/sandbox/clock', { advance: '1000000000ms' });
  expect(moved.status, moved.text).toBe(200);
  expect(Date.parse(moved.json.now) - before).toBeGreaterThanOrEqual(1_000_000_000);
});

test.each(['319680000001ms', '3701d', '99999999999999999999ms', '-1d', '1.5d', 'NaNms', '', '1'])(
  'the sandbox clock rejects %s and does not move',
  async (advance) => {
    const response = await merchant.api('POST', '/sandbox/clock', { advance });
    expect([response.status, response.json.errors[0].field]).toEqual([400, 'advance']);
  },
);
