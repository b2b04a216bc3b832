import { afterAll, expect, test } from 'vitest';
import { anotherBiller } from '../support/billing.ts';
import { openMerchantAlone, type Json } from '../support/merchant.ts';
import { createCreatorPerson } from '../support/portal.ts';

const merchant = await openMerchantAlone();
afterAll(() => merchant.service.stop());
const store = `/stores/${merchant.world.store.id}`;
await merchant.convert(await merchant.order({ order_id: '5512340001', order_name: '#3319' }));
await merchant.convert(await merchant.order({ order_id: 'WEB-33190', order_name: null }));
await merchant.convert(await merchant.order({ order_id: '100%_sure', order_name: '#77' }));
await merchant.api('POST', '/creators', { name: 'Åsa 100%_Ärlig', email: 'asa.search@creators.example' });

async function find(path: string, text: string): Promise<readonly Json[]> {
  const { status, json } = await merchant.api('GET', `${path}?q=${encodeURIComponent(text)}`);
  expect([status, json]).toEqual([200, expect.anything()]);
  return json.data;
}
const orders = async (text: string) => (await find(`${store}/commissions`, text)).map(({ order_id: id }) => id).toSorted();

test.each<readonly [what: string, text: string, found: readonly string[]]>([
  ['the number that customers see, without its #', '3319', ['5512340001']],
  ['the number with its #', '#3319', ['5512340001']],
  ['the beginning of the number', '331', ['5512340001']],
  ['the beginning of the ID of an order that has a number', '5512', ['5512340001']],
  ['the end of an ID', '190', ['WEB-33190']],
  ['an ID in lower case', 'web-33', ['WEB-33190']],
  ['a whole ID with characters that are wildcards elsewhere', '100%_sure', ['100%_sure']],
  ['wildcards alone', '%%', []],
  ['a part of the name of the creator', 'RA CREA', ['100%_sure', '5512340001', 'WEB-33190']],
  ['a backslash', '\\\\', []],
])('finds orders by %s', async (_what, text, found) => {
  expect(await orders(text)).toEqual(found);
});

test.each<readonly [what: string, text: string, found: readonly string[]]>([
  ['a part of the name, without case', '100%_ärLIG', ['Åsa 100%_Ärlig']],
  ['a part of the email address', 'ASA.search@', ['Åsa 100%_Ärlig']],
  ['characters that are wildcards elsewhere', '%_', ['Åsa 100%_Ärlig']],
  ['wildcards alone', '%%', []],
  ['a backslash', '\\\\', []],
  ['the end of the name and the beginning of the email address', 'Ärligasa', []],
])('finds creators of the installation by %s', async (_what, text, found) => {
  expect((await find('/creators', text)).map(({ name }) => name)).toEqual(found);
});

test('counts what the search finds', async () => {
  expect((await merchant.api('GET', `${store}/commissions/totals?q=3319`)).json).toMatchObject({ count: 1, has_more: false });
});

test('finds a single character, and rejects an empty search', async () => {
  for (const path of [`${store}/commissions`, `${store}/creators`, `${store}/invoices`, `${store}/programs`, `${store}/relationships`]) {
    expect((await merchant.api('GET', `${path}?q=a`)).status).toBe(200);
    const { status, json } = await merchant.api('GET', `${path}?q=`);
    expect([status, json.errors[0].field]).toEqual([400, 'q']);
  }
});

test('the order number is no longer found after the data of the customer was erased', async () => {
  await merchant.convert(await merchant.order({ order_id: 'erase-me', order_name: '#9001', customer_id: 'customer-9' }));
  expect(await orders('9001')).toEqual(['erase-me']);
  const erased = await merchant.api('POST', `${store}/customers/erase`, { customer_id: 'customer-9' });
  expect(erased.status).toBe(200);
  expect([await orders('9001'), await orders('erase')]).toEqual([[], ['erase-me']]);
});

test('finds programs, stores, and creators by a part of their name or by their ID', async () => {
  expect((await find(`${store}/programs`, 'IENDS of')).map(({ name }) => name)).toEqual(['Friends of the shop']);
  expect((await find('/stores', merchant.world.store.id)).map(({ id }) => id)).toEqual([merchant.world.store.id]);
  expect((await find('/stores', 'nothing like it')).length).toBe(0);
  await createCreatorPerson(merchant.service, 'Farid Noor');
  expect((await find('/creators', 'noor')).map(({ name }) => name)).toEqual(['Farid Noor']);
});

test('finds invoices by a part of their number', async () => {
  const biller = await anotherBiller(merchant);
  for (const amount of [2_000, 1_200]) {
    await biller.billable(amount);
    await biller.run();
  }
  const numbers = async (text: string) =>
    (await biller.merchant.api('GET', `${biller.store}/invoices?q=${text}`)).json.data.map(({ number }: Json) => number);
  const [second, first] = (await biller.merchant.api('GET', `${biller.store}/invoices`)).json.data.map(({ number }: Json) => number);
  expect(await numbers('inv-')).toEqual([second, first]);
  expect(await numbers(String(first).slice(-3))).toEqual([first]);
});

test("a creator finds own sales and links, and not by the number that only the merchant's customers see", async () => {
  const own = `/creators/${merchant.world.creator.id}`;
  const ids = async (text: string) => (await find(`${own}/commissions`, text)).map(({ order_id: id }) => id);
  expect(await ids('1234')).toEqual(['5512340001']);
  expect(await ids('#3319')).toEqual([]);
  const { code } = merchant.world.link;
  expect((await find(`${own}/links`, code.slice(1))).map((link) => link.code)).toEqual([code]);
});

test('a search of one store finds nothing of another store', async () => {
  const other = await anotherBiller(merchant);
  await other.billable(1_000);
  const mine = (await find(`${store}/commissions`, 'creator')).length;
  expect(mine).toBeGreaterThan(0);
  const theirs = (await other.merchant.api('GET', `${other.store}/commissions`)).json.data.map(({ order_id: id }: Json) => id);
  for (const id of theirs) expect(await orders(id)).toEqual([]);
  for (const id of await orders('5512'))
    expect((await other.merchant.api('GET', `${other.store}/commissions?q=${id}`)).json.data).toEqual([]);
  expect((await other.merchant.api('GET', `${other.store}/creators?q=nobody-of-this-store`)).json.data).toEqual([]);
});
