import { expect, test } from 'vitest';
import { dayMs } from '../../src/core/time.ts';
import { anotherBiller } from '../support/billing.ts';
import { openSharedMerchantAlone, type Json } from '../support/merchant.ts';
import { reviewerOf } from '../support/review.ts';

const merchant = await openSharedMerchantAlone();
const conversions = `/stores/${merchant.world.store.id}/commissions`;
const { sale } = reviewerOf(merchant);
const start = Date.parse(merchant.at()) - 5 * dayMs;
// Two orders have the same time.
for (const days of [0, 1, 1, 2, 3])
  await sale({ click_id: await merchant.clickAt(new Date(start)), occurred_at: new Date(start + days * dayMs).toISOString() });

/** All rows of a list, read in pages of two. */
async function readPages(path: string, query: string): Promise<readonly Json[]> {
  const rows: Json[] = [];
  let cursor = '';
  for (let pages = 0; pages < 10; pages += 1) {
    const { status, json } = await merchant.api('GET', `${path}?limit=2${query}${cursor}`);
    expect(status).toBe(200);
    rows.push(...json.data);
    if (json.next_cursor === null) return rows;
    cursor = `&cursor=${json.next_cursor}`;
  }
  throw new Error('the list does not end');
}
const idsOf = (rows: readonly Json[]) => rows.map(({ id }) => id);

test('lists conversions from the latest or from the earliest, with the same rows and each of them once', async () => {
  const latest = await readPages(conversions, '');
  const times = latest.map(({ occurred_at: at }) => at);
  expect(times).toEqual(times.toSorted().toReversed());
  expect(idsOf(await readPages(conversions, '&sort=-occurred_at'))).toEqual(idsOf(latest));
  expect(idsOf(await readPages(conversions, '&sort=occurred_at'))).toEqual(idsOf(latest).toReversed());
  expect(latest).toHaveLength(5);
});

test('sorts what a search by order finds too', async () => {
  const [{ order_id: order }] = (await readPages(conversions, '')) as [Json];
  const prefix = encodeURIComponent(String(order).slice(0, 3));
  const latest = idsOf(await readPages(conversions, `&q=${prefix}`));
  expect(latest.length).toBeGreaterThan(1);
  expect(idsOf(await readPages(conversions, `&q=${prefix}&sort=occurred_at`))).toEqual(latest.toReversed());
});

test('exports the sorted rows', async () => {
  const headers = { authorization: `Bearer ${merchant.world.operator_key}`, accept: 'text/csv' };
  const response = await fetch(`${merchant.service.url}/api/v1${conversions}?sort=occurred_at`, { headers });
  const [, ...lines] = (await response.text()).trimEnd().split('\r\n');
  expect(lines.map((line) => line.split(',')[0])).toEqual(idsOf(await readPages(conversions, '&sort=occurred_at')));
});

test('rejects an unknown sort, and a cursor of another sort', async () => {
  const unknown = await merchant.api('GET', `${conversions}?sort=amount_cents`);
  expect([unknown.status, unknown.json]).toEqual([400, expect.objectContaining({ errors: [expect.objectContaining({ field: 'sort' })] })]);
  const cursorOf = async (query: string) => (await merchant.api('GET', `${conversions}?limit=2${query}`)).json.next_cursor;
  const [usual, earliest] = [await cursorOf(''), await cursorOf('&sort=occurred_at')];
  for (const query of [`sort=occurred_at&cursor=${usual}`, `cursor=${earliest}`, `sort=-occurred_at&cursor=${earliest}`])
    expect((await merchant.api('GET', `${conversions}?${query}`)).json).toMatchObject({ errors: [{ field: 'cursor' }] });
  expect((await merchant.api('GET', `${conversions}?sort=-occurred_at&cursor=${usual}`)).status).toBe(200);
});

test('sorts invoices by number and by total', async () => {
  const biller = await anotherBiller(merchant);
  for (const amount of [2_000, 1_200, 1_600]) {
    await biller.billable(amount);
    await biller.run();
  }
  const numbers = async (sort: string) =>
    (await biller.merchant.api('GET', `${biller.store}/invoices${sort}`)).json.data.map(({ total_cents: total }: Json) => total);
  expect(await numbers('')).toEqual([1_600, 1_200, 2_000]);
  expect(await numbers('?sort=number')).toEqual([2_000, 1_200, 1_600]);
  expect(await numbers('?sort=total_cents')).toEqual([1_200, 1_600, 2_000]);
  expect(await numbers('?sort=-total_cents')).toEqual([2_000, 1_600, 1_200]);
});
