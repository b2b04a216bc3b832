import { afterAll, expect, test } from 'vitest';
import { anotherBiller } from '../support/billing.ts';
import { openMerchantAlone, otherMerchant, type Json, type Merchant } from '../support/merchant.ts';
import { createCreatorPerson } from '../support/portal.ts';
import { subscriberOf } from '../support/subscriber.ts';

const merchant = await openMerchantAlone();
afterAll(() => merchant.service.stop());
await merchant.convert(await merchant.order({ order_id: '5512340001', order_name: '#3319', customer_id: 'cus_Ahmed' }));
for (const last of [0, 1, 2, 3, 4, 5])
  await merchant.convert(await merchant.order({ order_id: `55123411${last}`, order_name: `#3319${last}`, customer_id: 'cus_Other' }));

async function search(text: string, of: Merchant = merchant): Promise<Json> {
  const { status, json } = await of.api('GET', `/stores/${of.world.store.id}/search?q=${encodeURIComponent(text)}`);
  expect([status, json]).toEqual([200, expect.anything()]);
  return json;
}
const ordersOf = (found: readonly Json[]) => found.map(({ order_id: id }) => id);

test('finds at most five orders by the beginning of an ID or name, the whole one first, then the latest', async () => {
  expect(ordersOf((await search('3319')).commissions)).toEqual(['5512340001', '551234115', '551234114', '551234113', '551234112']);
  expect(ordersOf((await search('#33195')).commissions)).toEqual(['551234115']);
  expect(ordersOf((await search('551234110')).commissions)).toEqual(['551234110']);
  expect(ordersOf((await search('40001')).commissions)).toEqual([]);
  expect(ordersOf((await search('##')).commissions)).toEqual([]);
});

test('finds the latest orders of a customer by the whole ID', async () => {
  expect(ordersOf((await search('cus_Ahmed')).customer_orders)).toEqual(['5512340001']);
  expect((await search('cus_Other')).customer_orders).toHaveLength(5);
  expect((await search('cus_Ahm')).customer_orders).toEqual([]);
});

test('finds creators, programs, and a conversion by name or public ID, and no order by the name of its creator', async () => {
  const { creator, program } = merchant.world;
  const byName = await search('RA CREA');
  expect(byName).toMatchObject({ creators: [{ id: creator.id, name: 'Cora Creator' }], commissions: [] });
  expect((await search(creator.id)).creators).toHaveLength(1);
  expect((await search('iends of')).programs).toMatchObject([{ id: program.id, name: 'Friends of the shop' }]);
  expect((await search(program.id)).programs).toHaveLength(1);
  const [first] = (await search('5512340001')).commissions;
  expect((await search(first.id)).commissions).toEqual([first]);
});

test('finds subscriptions by the beginning of the ID, and invoices by a part of the number', async () => {
  const biller = await anotherBiller(merchant);
  await biller.billable(2_000);
  await biller.run();
  expect((await subscriberOf(merchant, 'sub_A%1').bind()).status).toBe(200);
  for (const [text, found] of [
    ['sub_A', 1],
    ['sub_A%1', 1],
    ['sub%', 0],
    ['A%1', 0],
  ] as const)
    expect((await search(text)).subscriptions, text).toHaveLength(found);
  const [invoice] = (await biller.merchant.api('GET', `${biller.store}/invoices`)).json.data;
  expect((await search(invoice.number, biller.merchant)).invoices).toEqual([invoice]);
});

test('a search finds nothing of another store', async () => {
  const other = otherMerchant(merchant);
  const nothing = { commissions: [], customer_orders: [], subscriptions: [], programs: [], invoices: [] };
  const [first] = (await search('5512340001')).commissions;
  for (const text of ['5512340001', '#3319', 'cus_Ahmed', first.id, merchant.world.program.id])
    expect(await search(text, other)).toMatchObject(nothing);
});

test('a search needs two characters', async () => {
  const { status, json } = await merchant.api('GET', `/stores/${merchant.world.store.id}/search?q=a`);
  expect([status, json.errors]).toEqual([400, [{ field: 'q', message: expect.stringContaining('2 characters') }]]);
});

test('operators find stores and creators by any part of a recent name, by address, or by ID', async () => {
  await createCreatorPerson(merchant.service, 'Farid Noor');
  const find = async (text: string) => (await merchant.api('GET', `/search?q=${encodeURIComponent(text)}`)).json;
  expect((await find('noor')).creators).toMatchObject([{ name: 'Farid Noor' }]);
  expect((await find('FARID')).creators).toMatchObject([{ name: 'Farid Noor' }]);
  const { store, creator } = merchant.world;
  expect((await find(store.id)).stores).toMatchObject([{ id: store.id }]);
  expect((await find(creator.id)).creators).toMatchObject([{ id: creator.id }]);
  expect(await find('no such name')).toEqual({ stores: [], creators: [] });
});

test('counts what awaits the store, for the menu', async () => {
  const { json } = await merchant.api('GET', `/stores/${merchant.world.store.id}/pending-work`);
  expect(json).toEqual({ to_review: 7, open_disputes: 0, unpaid_invoices: 0, applications: 0 });
});
