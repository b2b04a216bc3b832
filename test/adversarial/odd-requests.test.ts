import { expect, test } from 'vitest';
import { openSharedMerchant } from '../support/merchant.ts';

/** Requests that no page of the dashboards sends. */
const merchant = await openSharedMerchant();

const anId = '019ca945-0a00-78ce-b2ba-00365de9089e';
const cursorOf = (...parts: readonly string[]) => Buffer.from(JSON.stringify(parts)).toString('base64url');
test.each([
  ['statement', { period: '2026-11', cursor: cursorOf('2026-99-99T99:99:99.999Z', anId, anId, 'a', 'b') }],
  ['statement', { period: '2026-11', cursor: cursorOf('9'.repeat(15), anId, anId, 'a', 'b') }],
  ['statement', { period: '9999-12' }],
  ['statement', { period: '2026-00' }],
  ['statement', { period: '2026-02-30' }],
  ['invoices', { cursor: cursorOf('9'.repeat(19)) }],
  ['invoices', { cursor: cursorOf('-1') }],
  ['credit-notes', { cursor: cursorOf('1e3') }],
  ['billing/lines', { cursor: cursorOf("'; drop table invoices") }],
])('%s rejects the query %j, whose cursor it never returned: 400', async (path, query) => {
  const requestPath = `/stores/${merchant.world.store.id}/${path}?${new URLSearchParams(query).toString()}`;
  expect((await merchant.api('GET', requestPath)).status).toBe(400);
});

test('returns the first month, the last month, and a leap February in every format', async () => {
  const { store, creator, operator_key: key } = merchant.world;
  for (const whose of [`/stores/${store.id}`, `/creators/${creator.id}`])
    for (const period of ['2000-01', '2028-02', '2100-02', '2999-12'])
      for (const accept of ['application/json', 'text/csv', 'application/pdf']) {
        const url = `${merchant.service.url}/api/v1${whose}/statement?period=${period}`;
        const { status } = await fetch(url, { headers: { authorization: `Bearer ${key}`, accept } });
        expect([url, accept, status]).toEqual([url, accept, 200]);
      }
});
