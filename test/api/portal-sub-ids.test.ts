import { afterAll, expect, test } from 'vitest';
import { expectSuccess } from '../support/billing.ts';
import { openMerchant, otherMerchant, type Json } from '../support/merchant.ts';
import { createCreatorPerson, joinProgram, signIn } from '../support/portal.ts';

const merchant = await openMerchant();
afterAll(() => merchant.service.stop());
const cora = await signIn(merchant.service, merchant.world.logins.creator);
const path = `/creators/${merchant.world.creator.id}/sub-ids`;

const read = async (query = ''): Promise<Json> => expectSuccess(await cora('GET', `${path}${query}`)).json;
const visit = (sub: string) => merchant.click(`${merchant.world.link.url}${sub}`);

test('clicks and orders are counted by sub-id, most clicks first, across all stores and without rejected orders', async () => {
  for (const sub of ['?sub=newsletter', '?sub=newsletter', '?sub=video', '']) await visit(sub);
  const order = async (sub: string, cents: number) =>
    (await merchant.convert(await merchant.order({ click_id: await visit(sub), order_subtotal_cents: cents }))).json.conversion_id;
  await order('?sub=newsletter', 10_000);
  const refused = await order('?sub=video', 20_000);
  expectSuccess(
    await merchant.api('POST', `/stores/${merchant.world.store.id}/commissions/reject`, { ids: [refused], reason: 'own order' }),
  );
  const other = otherMerchant(merchant);
  await other.convert(await other.order({ order_subtotal_cents: 30_000 }));

  const { data, is_complete: isComplete } = await read();
  expect(isComplete).toBe(true);
  expect(data.slice(0, 2)).toMatchObject([
    { sub_id: 'newsletter', clicks: 3, orders: 1, earned_cents: 1_000 },
    { sub_id: 'video', clicks: 2, orders: 1, earned_cents: 0 },
  ]);
  expect(data[2]).toMatchObject({ sub_id: null, clicks: 2, orders: 1 });
  const [all, links] = [
    data.reduce((sum: number, { clicks }: Json) => sum + clicks, 0),
    expectSuccess(await cora('GET', path.replace('sub-ids', 'links'))).json,
  ];
  expect(all).toBe(links.data.reduce((sum: number, { clicks }: Json) => sum + clicks, 0));
  expect((await read(`?store_id=${merchant.world.store.id}`)).data.find(({ sub_id: sub }: Json) => sub === null)).toMatchObject({
    clicks: 1,
    orders: 0,
  });
});

const history = async (query: string): Promise<Json> =>
  expectSuccess(await cora('GET', `/creators/${merchant.world.creator.id}/sub-id-results?${query}`)).json;

test('the results of one sub-id by day add up to its row in the list, in all stores or one', async () => {
  const day = merchant.at().slice(0, 10);
  const sold = { clicks: 3, leads: 0, orders: 1, revenue_cents: 10_000, earned_cents: 1_000 };
  expect(await history('sub_id=newsletter')).toMatchObject({
    sub_id: 'newsletter',
    to: day,
    is_complete: true,
    totals: sold,
    days: [{ day, ...sold }],
  });
  expect((await history('sub_id=video')).totals).toEqual({ clicks: 2, leads: 0, orders: 1, revenue_cents: 20_000, earned_cents: 0 });
  expect((await history(`sub_id=newsletter&store_id=${merchant.world.other_store.id}`)).days).toEqual([]);
  expect(await history('sub_id=unknown')).toMatchObject({ totals: { clicks: 0, orders: 0 }, days: [], is_complete: true });
});

test('a sub-id has one row for each day with activity', async () => {
  const first = merchant.at().slice(0, 10);
  await merchant.moveClock('3d');
  await visit('?sub=newsletter');
  const { from, days, totals } = await history('sub_id=newsletter');
  expect(days.map(({ day, clicks, orders }: Json) => [day, clicks, orders])).toEqual([
    [first, 3, 1],
    [merchant.at().slice(0, 10), 1, 0],
  ]);
  expect(totals).toMatchObject({ clicks: 4, orders: 1 });
  expect((await history(`sub_id=newsletter&from=${from}&to=${first}`)).totals).toMatchObject({ clicks: 3, orders: 1 });
});

test('another creator’s sub-id has no results, and the other creator’s page is not found', async () => {
  const nora = await createCreatorPerson(merchant.service, 'Nora Newcomer');
  await joinProgram(merchant, nora);
  const own = await nora.ask('GET', `/creators/${nora.id}/sub-id-results?sub_id=newsletter`);
  expect(expectSuccess(own).json).toMatchObject({ totals: { clicks: 0, orders: 0 }, days: [] });
  expect((await nora.ask('GET', `/creators/${merchant.world.creator.id}/sub-id-results?sub_id=newsletter`)).status).toBe(404);
  expect((await cora('GET', `/creators/${merchant.world.creator.id}/sub-id-results`)).status).toBe(400);
});

test('only the requested days count', async () => {
  const today = merchant.at().slice(0, 10);
  await merchant.moveClock('40d');
  expect((await read()).data).toEqual([]);
  await visit('?sub=late');
  expect((await read()).data).toEqual([{ sub_id: 'late', clicks: 1, orders: 0, earned_cents: 0 }]);
  expect((await read(`?from=${today}&to=${today}`)).data[0]).toMatchObject({ sub_id: 'newsletter', clicks: 1 });
});

test.each([
  ['from=2026-02-31', 'from'],
  ['from=2026-02-10&to=2026-02-09', 'from'],
  ['from=2026-01-01&to=2026-06-01', 'from'],
])('rejects an invalid range with its field: %s', async (query, field) => {
  const response = await cora('GET', `${path}?${query}`);
  expect([response.status, response.json.errors[0].field]).toEqual([400, field]);
});

test('excludes another creator’s clicks on the same store, and their page is not found', async () => {
  const stranger = merchant.world.creator.id.replace(/.{6}$/, '000000');
  expect((await cora('GET', `/creators/${stranger}/sub-ids`)).status).toBe(404);
  expect((await read(`?store_id=${merchant.world.store.id.replace(/.{6}$/, '000000')}`)).data).toEqual([]);
});
