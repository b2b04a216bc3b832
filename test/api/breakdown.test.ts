import { expect, test } from 'vitest';
import { openSharedMerchant, type Json } from '../support/merchant.ts';

const merchant = await openSharedMerchant();
const path = `/stores/${merchant.world.store.id}/breakdown`;
const sell = async (query: string, order_subtotal_cents: number) => {
  const click_id = await merchant.click(`${merchant.world.link.url}${query}`);
  const order = await merchant.order({ order_subtotal_cents, click_id });
  await merchant.convert(order);
  return order;
};
await sell('?sub=newsletter', 10_000);
await sell('?sub=newsletter', 20_000);
await sell('?sub=video', 50_000);
const returned = await sell('', 7_000);
await merchant.reverse({ order_id: returned.order_id });
await merchant.click(`${merchant.world.link.url}?sub=unsold`);

const read = async (query: string): Promise<Json> => (await merchant.api('GET', `${path}?${query}`)).json;
const metrics = ['clicks', 'orders', 'revenue_cents', 'earned_cents'] as const;

test.each(['creator', 'program', 'link', 'sub_id', 'referrer_host'])('by %s, the rows and the others add up to the totals', async (by) => {
  for (const limit of [1, 10]) {
    const { rows, other, totals, is_complete: isComplete } = await read(`by=${by}&limit=${limit}`);
    expect(isComplete).toBe(true);
    for (const metric of metrics) expect([...rows, other].reduce((sum: number, row: Json) => sum + row[metric], 0)).toBe(totals[metric]);
    expect(totals).toEqual({ clicks: 5, leads: 0, orders: 4, revenue_cents: 87_000, earned_cents: 8_000 });
  }
});

test('sub-IDs are ranked by revenue or another metric, and orders without one are a row', async () => {
  const { rows, other } = await read('by=sub_id');
  expect(rows.map(({ key, clicks, orders, revenue_cents: cents }: Json) => [key, clicks, orders, cents])).toEqual([
    ['video', 1, 1, 50_000],
    ['newsletter', 2, 2, 30_000],
    [null, 1, 1, 7_000],
    ['unsold', 1, 0, 0],
  ]);
  expect(other).toEqual({ rows: 0, clicks: 0, leads: 0, orders: 0, revenue_cents: 0, earned_cents: 0 });
  const byClicks = await read('by=sub_id&rank_by=clicks&limit=1');
  expect(byClicks.rows.map(({ key }: Json) => key)).toEqual(['newsletter']);
  expect(byClicks.other.rows).toBe(3);
});

test('creators, programs, and links have names', async () => {
  const { creator, program } = merchant.world;
  expect((await read('by=creator')).rows[0]).toMatchObject({ key: creator.id, name: 'Cora Creator' });
  expect((await read('by=program')).rows[0]).toMatchObject({ key: program.id });
  expect((await read('by=link')).rows[0]).toMatchObject({ key: merchant.world.link.url.split('/').at(-1), creator_name: 'Cora Creator' });
});

test('the file has all rows and the others', async () => {
  const headers = { authorization: `Bearer ${merchant.world.operator_key}`, accept: 'text/csv' };
  const text = await (await fetch(`${merchant.service.url}/api/v1${path}?by=sub_id`, { headers })).text();
  expect(text.split('\r\n').slice(0, 3)).toEqual([
    'key,name,creator_name,clicks,orders,revenue_cents,earned_cents,leads',
    'video,video,,1,1,50000,5000,0',
    'newsletter,newsletter,,2,2,30000,3000,0',
  ]);
  expect(text).toContain('other,,,0,0,0,0,0');
});

test('a period without events is empty, and sub-IDs are read for at most 92 days', async () => {
  const empty = await read('by=creator&from=2020-01-01&to=2020-01-31');
  expect(empty).toMatchObject({ rows: [], is_complete: true, totals: { clicks: 0, revenue_cents: 0 } });
  expect((await merchant.api('GET', `${path}?by=sub_id&days=93`)).status).toBe(400);
  expect((await merchant.api('GET', `${path}?by=weather`)).status).toBe(400);
});
