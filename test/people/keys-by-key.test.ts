import { afterAll, expect, test } from 'vitest';
import { openMerchant, type Json } from '../support/merchant.ts';

const merchant = await openMerchant();
afterAll(() => merchant.service.stop());

test('a key that was created by a key counts as the same person, so that creating keys does not provide a second person', async () => {
  const made = await merchant.api('POST', '/api-keys', { name: 'Child' });
  expect(made.status).toBe(201);
  const { json } = await merchant.api('GET', '/api-keys');
  const makers = json.data.map(({ made_by: by }: Json) => by);
  expect(makers).toHaveLength(2);
  expect(new Set(makers)).toEqual(new Set([expect.stringMatching(/^user_/)]));
});
