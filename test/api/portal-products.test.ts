import { expect, test } from 'vitest';
import { readPublicId } from '../../src/core/ids.ts';
import { invariant } from '../../src/core/invariant.ts';
import { dayMs } from '../../src/core/time.ts';
import { listProducts } from '../../src/reports/product-results-sql.ts';
import { expectSuccess } from '../support/billing.ts';
import { openSharedMerchant, otherMerchant, type Json } from '../support/merchant.ts';
import { createCreatorPerson, joinProgram } from '../support/portal.ts';

const merchant = await openSharedMerchant();

const path = () => `/creators/${merchant.world.creator.id}/product-results`;
const products = async (query = ''): Promise<Json> => expectSuccess(await merchant.api('GET', `${path()}${query}`)).json;

type Line = readonly [product: string, cents: number, quantity?: number];
const lineItems = (lines: readonly Line[]) =>
  lines.map(([product_id, amount_minor_units, quantity = 1]) => ({ product_id, amount_minor_units, quantity }));

async function sell(lines: readonly Line[] | null, fields: Json = {}, store = merchant): Promise<string> {
  const order_subtotal_cents = lines?.reduce((sum, [, cents]) => sum + cents, 0) ?? 5_000;
  const order = await store.order({ order_subtotal_cents, ...(lines && { line_items: lineItems(lines) }), ...fields });
  return expectSuccess(await store.convert(order)).json.order_id ?? order.order_id;
}

const sumOf = (rows: readonly Json[], field: string): number => rows.reduce((sum, row) => sum + row[field], 0);

/** Products, other products, and orders without products are everything that the creator's results show. */
async function expectToAddUp(answer: Json, query = ''): Promise<void> {
  const { totals } = expectSuccess(await merchant.api('GET', `/creators/${merchant.world.creator.id}/results${query}`)).json;
  const { clicks: _clicks, leads: _leads, ...amounts } = totals;
  expect(answer.totals).toEqual(amounts);
  for (const field of ['revenue_cents', 'earned_cents'])
    expect(sumOf([...answer.products, answer.other, answer.without_products], field), field).toBe(totals[field]);
}

test('products are ranked by their share of the commissions, which adds up to the cent', async () => {
  await sell([
    ['mug', 333],
    ['poster', 333],
    ['sticker', 334, 3],
  ]);
  await sell([
    ['mug', 10_000, 2],
    ['mug', 5_000],
  ]);
  const answer = await products();
  const { id: store_id } = merchant.world.store;
  const store_name = expectSuccess(await merchant.api('GET', `/stores/${store_id}`)).json.name;
  expect(answer.products).toEqual([
    { product_id: 'mug', store_id, store_name, orders: 2, units: 4, revenue_cents: 15_333, earned_cents: 1_533 },
    { product_id: 'sticker', store_id, store_name, orders: 1, units: 3, revenue_cents: 334, earned_cents: 34 },
    { product_id: 'poster', store_id, store_name, orders: 1, units: 1, revenue_cents: 333, earned_cents: 33 },
  ]);
  expect(answer).toMatchObject({ is_complete: true, other: { revenue_cents: 0, earned_cents: 0 }, without_products: { orders: 0 } });
  await expectToAddUp(answer);
});

test('orders without line items and products after the limit have their own rows', async () => {
  await sell(null);
  const answer = await products('?limit=1');
  expect(answer.products.map(({ product_id: product }: Json) => product)).toEqual(['mug']);
  expect(answer.other).toEqual({ revenue_cents: 667, earned_cents: 67 });
  expect(answer.without_products).toEqual({ orders: 1, revenue_cents: 5_000, earned_cents: 500 });
  await expectToAddUp(answer);
});

test('a program that pays per product shows what each line earned, also after a partial refund', async () => {
  const { link_url } = merchant.world.per_product;
  const before = await products();
  const order_id = await sell(
    [
      ['sku-a', 3_000],
      ['sku-b', 1_000],
    ],
    { click_id: await merchant.click(link_url) },
  );
  const earned = async (): Promise<Json> =>
    Object.fromEntries((await products()).products.map(({ product_id: product, earned_cents: cents }: Json) => [product, cents]));
  const { rates } = expectSuccess(await merchant.api('GET', `/creators/${merchant.world.creator.id}/commissions?limit=1`)).json.data[0];
  for (const { product_id: product, amount_cents: cents } of rates) expect(await earned()).toMatchObject({ [product]: cents });
  const refund = { refund_id: 'r1', order_id, occurred_at: merchant.at(), line_items: lineItems([['sku-a', 3_000]]) };
  expectSuccess(await merchant.post('v2/orders/refunds', refund));
  const after = await products();
  expect(await earned()).toMatchObject({ 'sku-a': 0 });
  expect(after.totals.orders).toBe(before.totals.orders + 1);
  await expectToAddUp(after);
});

test('a rejected or reversed order still counts for its products, and earns nothing', async () => {
  const order_id = await sell([
    ['lamp', 90_000],
    ['bulb', 10],
  ]);
  expect((await products('?limit=1')).products[0]).toMatchObject({ product_id: 'lamp', earned_cents: 9_000 });
  expectSuccess(await merchant.reverse({ order_id }));
  const answer = await products();
  expect(answer.products.find(({ product_id: product }: Json) => product === 'lamp')).toMatchObject({ orders: 1, earned_cents: 0 });
  await expectToAddUp(answer);
});

test('the same product of two stores is two products, and a link shows its own', async () => {
  const other = otherMerchant(merchant);
  await sell([['mug', 50_000]], {}, other);
  const all = await products();
  expect(all.products.filter(({ product_id: product }: Json) => product === 'mug').map(({ store_id: store }: Json) => store)).toEqual([
    other.world.store.id,
    merchant.world.store.id,
  ]);
  await expectToAddUp(all);
  const query = `?link=${other.world.link.url.split('/').at(-1)}`;
  const ofLink = await products(query);
  expect(ofLink.products).toMatchObject([{ product_id: 'mug', store_id: other.world.store.id, revenue_cents: 50_000 }]);
  await expectToAddUp(ofLink, query);
});

test('only the newest orders are read, up to a number and a size of their line items; the totals count all', async () => {
  const creatorId = readPublicId('crt', merchant.world.creator.id);
  invariant(creatorId, 'the seed names its creator');
  const [from, to] = [new Date(merchant.at(-dayMs)), new Date(merchant.at(dayMs))];
  const day = merchant.at().slice(0, 10);
  const range = { from: day, to: day };
  const read = async (limits: { readonly ordersMax: number; readonly bytesMax: number }) => {
    const rows = await listProducts(
      merchant.database,
      { storeId: merchant.storeId, creatorId, code: null, range },
      { from, to, rowsMax: 10, ...limits },
    );
    const [ofOrders, totals] = [rows.filter(({ isTotal }) => !isTotal), rows.find(({ isTotal }) => isTotal)];
    return { products: ofOrders.map(({ productId }) => productId), total: totals?.orders, looked: totals?.looked, bytes: totals?.bytes };
  };
  const all = await read({ ordersMax: 100, bytesMax: 1_000_000 });
  expect(all).toMatchObject({ total: all.looked });
  expect(await read({ ordersMax: 1, bytesMax: 1_000_000 })).toMatchObject({ products: ['lamp', 'bulb'], total: all.total, looked: 1n });
  expect(await read({ ordersMax: 100, bytesMax: 10 })).toMatchObject({ products: [], total: all.total, bytes: all.bytes });
});

test('a creator sees no products of other creators, and cannot name one of their links', async () => {
  const nora = await createCreatorPerson(merchant.service, 'Nora Newcomer');
  await joinProgram(merchant, nora);
  const own = expectSuccess(await nora.ask('GET', `/creators/${nora.id}/product-results`)).json;
  const none = { orders: 0, revenue_cents: 0, earned_cents: 0 };
  expect(own).toMatchObject({ products: [], without_products: none, totals: none, is_complete: true });
  const code = merchant.world.link.url.split('/').at(-1);
  expect((await nora.ask('GET', `/creators/${nora.id}/product-results?link=${code}`)).status).toBe(404);
  const [foreign, missing] = [
    await nora.ask('GET', path()),
    await nora.ask('GET', '/creators/crt_00000000000000000000000000/product-results'),
  ];
  expect([foreign.status, foreign.text]).toEqual([404, missing.text]);
});

test('erasing a customer removes the products of the order, and nothing else', async () => {
  await sell([['diary', 2_000]], { customer_id: 'customer 7' });
  const before = await products();
  expectSuccess(await merchant.api('POST', `/stores/${merchant.world.store.id}/customers/erase`, { customer_id: 'customer 7' }));
  const after = await products();
  expect(after.products.some(({ product_id: product }: Json) => product === 'diary')).toBe(false);
  expect(after.totals).toEqual(before.totals);
  await expectToAddUp(after);
});

test('a lead is not an order, and its commission is beside the products', async () => {
  const { store, program } = merchant.world;
  const leads = [{ kind: 'sign_up', flat_cents: 200 }];
  const terms = { order_rules: [{ basis_points: 1_000 }], subscription_rules: [], leads };
  expectSuccess(await merchant.api('POST', `/stores/${store.id}/programs/${program.id}/terms`, terms));
  const { without_products: before } = await products();
  const lead = { lead_id: 'lead 1', kind: 'sign_up', click_id: await merchant.click(), occurred_at: merchant.at() };
  expectSuccess(await merchant.post('v2/leads', lead));
  const after = await products();
  expect(after.without_products).toEqual({ ...before, earned_cents: before.earned_cents + 200 });
  await expectToAddUp(after);
});

test.each(['?from=2026-02-31', '?days=0', '?limit=101', '?link=%20'])('%s is rejected with 400', async (query) => {
  expect((await merchant.api('GET', `${path()}${query}`)).status).toBe(400);
});
