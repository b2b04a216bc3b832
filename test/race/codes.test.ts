import { afterAll, beforeAll, expect, test } from 'vitest';
import { verify } from '../../src/app/verify.ts';
import { sql } from '../../src/db/sql.ts';
import { expectSuccess } from '../support/billing.ts';
import { hashOf, merchantIn, openMerchant, type ApiResponse, type Json, type Merchant } from '../support/merchant.ts';
import { sendAgain, tally } from '../support/send-again.ts';
import { startTestServiceOn } from '../support/service.ts';

/** One store, as the servers of two of our processes see it. */
let here: Merchant;
let there: Merchant;
const copies = 200;
beforeAll(async () => {
  here = await openMerchant();
  there = merchantIn(await startTestServiceOn(here.service.databaseUrl), here.world);
  const program = `/stores/${here.world.store.id}/programs/${here.world.program.id}`;
  const terms = {
    order_rules: [{ basis_points: 1_000 }],
    subscription_rules: [{ basis_points: 2_000 }],
    codes: 'before_click',
    returning: { days: 30, orders: 3 },
  };
  expectSuccess(await here.api('POST', `${program}/terms`, terms));
  const { json: ben } = await here.api('POST', '/creators', { name: 'Ben Races', email: 'ben-races@example.com' });
  await here.api('POST', `${program}/members`, { creator_id: ben.id });
  for (const [code, limit] of [
    ['BEN10', null],
    ['THRICE', 3],
  ] as const) {
    const fields = { code, creator_id: ben.id, orders_per_customer: limit };
    expectSuccess(await here.api('POST', `${program}/codes`, fields));
  }
});
afterAll(async () => {
  await there.service.stop();
  await here.service.stop();
});

const post = (merchant: Merchant, path: string, body: object): Promise<ApiResponse> =>
  sendAgain(
    () => merchant.post(path, body),
    () => void (unavailable += 1),
  );
/** The number of answers 503 so far. */
let unavailable = 0;

const convert = (merchant: Merchant, body: object): Promise<ApiResponse> => post(merchant, 'conversions', body);
const many = (bodyOf: (index: number) => object, path = 'conversions'): Promise<ApiResponse[]> =>
  Promise.all(Array.from({ length: copies }, (_none, index) => post(index % 2 === 0 ? here : there, path, bodyOf(index))));

/** A 503 does not say whether the order was committed. If it was, its repeat is a duplicate. */
async function tallyOfMany(bodyOf: (index: number) => object): Promise<Readonly<Record<string, number>>> {
  const before = unavailable;
  const counts = tally(await many(bodyOf));
  if (unavailable === before) return counts;
  const { '200 duplicate_order': repeated = 0, '200 recorded': recorded = 0, ...others } = counts;
  return { ...others, '200 recorded or duplicate_order': recorded + repeated };
}
/** What 200 orders may be answered if each is sent once, or sent again after a 503. */
const expectAnswers = (counts: Readonly<Record<string, number>>, recorded: number, others: Readonly<Record<string, number>> = {}) =>
  expect([
    { '200 recorded': recorded, ...others },
    { ...withoutDuplicates(others), '200 recorded or duplicate_order': recorded + (others['200 duplicate_order'] ?? 0) },
  ]).toContainEqual(counts);
const withoutDuplicates = ({ '200 duplicate_order': _repeated, ...others }: Readonly<Record<string, number>>) => others;

test('200 copies of an order with a code record it once', async () => {
  const order = await here.order({ click_id: null, discount_code: 'BEN10' });
  expectAnswers(await tallyOfMany(() => order), 1, { '200 duplicate_order': copies - 1 });
});

test('200 copies of an order that takes the last use of a code are all answered like the first', async () => {
  const used = await here.order({ click_id: null, discount_code: 'THRICE', customer_id: 'race last' });
  for (const orderId of ['race last 1', 'race last 2']) await convert(here, { ...used, order_id: orderId });
  expectAnswers(await tallyOfMany(() => used), 1, { '200 duplicate_order': copies - 1 });
});

test('200 orders of one customer use a code exactly as often as its limit', async () => {
  const order = await here.order({ click_id: null, discount_code: 'THRICE', customer_id: 'race limit' });
  const responses = await many((index) => ({ ...order, order_id: `race limit ${index}` }));
  // The customer is bound by the first order, and the binding earns three later orders. The repeat of a lost answer is a duplicate.
  expect(responses.filter(({ json }) => json.reason === 'missing_referral_click')).toHaveLength(copies - 6);
  const by = await Promise.all(
    responses
      .filter(({ status }) => status === 200)
      .map(
        async ({ json }) => (await here.api('GET', `/stores/${here.world.store.id}/commissions/${json.conversion_id}`)).json.attributed_by,
      ),
  );
  expect(by.toSorted()).toEqual(['code', 'code', 'code', 'customer', 'customer', 'customer']);
});

test('a click and a code in 200 orders earn one order by the click at most, and the code earns the others', async () => {
  const click = await here.click();
  const order = await here.order({ click_id: click });
  const counts = await tallyOfMany((index) => ({
    ...order,
    order_id: `race against ${index}`,
    ...(index % 4 === 0 ? {} : { discount_code: 'BEN10' }),
  }));
  expectAnswers(counts, 151, { '422 referral_click_already_converted': 49 });
});

test('100 orders by clicks against 100 by a code, of one customer: each earns for its creator, and no binding is doubled', async () => {
  const clicks = await Promise.all(Array.from({ length: copies / 2 }, () => here.click()));
  const order: Json = await here.order({ click_id: null, customer_id: 'race both' });
  const counts = await tallyOfMany((index) => ({
    ...order,
    order_id: `race both ${index}`,
    ...(index % 2 === 0 ? { click_id: clicks[index / 2] } : { discount_code: 'BEN10' }),
  }));
  expectAnswers(counts, copies);
  const earned = await here.database.all<{ by: string; creators: bigint; orders: bigint }>(sql`
    select coalesce(attribution ->> 'attributed_by', 'click') as by, count(distinct creator_id) as creators, count(*) as orders
    from orders where store_id = ${here.storeId} and order_id like 'race both %' group by 1 order by 1`);
  expect(earned).toEqual([
    { by: 'click', creators: 1n, orders: 100n },
    { by: 'code', creators: 1n, orders: 100n },
  ]);
  const bindings = await here.database.all<{ number: number; creatorId: string }>(sql`
    select number, creator_id from customer_bindings
    where store_id = ${here.storeId} and customer_hash = ${hashOf('race both')} order by number`);
  expect(bindings.map(({ number }) => number)).toEqual(bindings.map((_binding, index) => index + 1));
  // All orders are of one moment, so a binding to the creator of the one before would have been made from an older state.
  expect(bindings.filter(({ creatorId }, index) => creatorId === bindings[index - 1]?.creatorId)).toEqual([]);
});

const bindPath = 'v2/recurring/relationships';
const bindOf = async (fields: object) => ({
  product_id: here.world.subscription.product_id,
  currency: 'USD',
  environment: 'live',
  occurred_at: here.at(),
  ...fields,
});

test('100 binds of a subscription by its click against 100 by a code: one kind wins, and the other conflicts', async () => {
  const [click, bind] = [await here.click(), await bindOf({ relationship_id: 'race bind' })];
  const responses = await many(
    (index) => ({ ...bind, event_id: `race bind ${index}`, ...(index % 4 < 2 ? { click_id: click } : { discount_code: 'BEN10' }) }),
    bindPath,
  );
  expect(tally(responses)).toEqual({ '200 recorded': 100, '409 duplicate_relationship_conflict': 100 });
  expect(new Set(responses.flatMap(({ status, json }) => (status === 200 ? [json.binding_id] : []))).size).toBe(1);
});

test('200 copies of a bind that takes the last use of a code are all answered like the first', async () => {
  const bind = await bindOf({ discount_code: 'THRICE', customer_id: 'race last bind' });
  for (const name of ['first', 'second'])
    await post(here, bindPath, { ...bind, event_id: `race ${name}`, relationship_id: `race ${name}` });
  const responses = await many(() => ({ ...bind, event_id: 'race last', relationship_id: 'race last' }), bindPath);
  expect(tally(responses)).toEqual({ '200 recorded': copies });
  expect(new Set(responses.map(({ json }) => json.binding_id)).size).toBe(1);
});

test('200 subscriptions of one customer use a code exactly as often as its limit', async () => {
  const bind = await bindOf({ discount_code: 'THRICE', customer_id: 'race bind limit' });
  const responses = await many((index) => ({ ...bind, event_id: `limit ${index}`, relationship_id: `race limit ${index}` }), bindPath);
  // As for orders: three by the code, and three by the binding that the first one made.
  expect(tally(responses)).toEqual({ '200 recorded': 6, '422 missing_referral_click': copies - 6 });
});

test('200 first orders of one customer bind the customer once', async () => {
  const clicks = await Promise.all(Array.from({ length: copies }, () => here.click()));
  const order: Json = await here.order({ click_id: null, customer_id: 'race bind' });
  const responses = await many((index) => ({ ...order, order_id: `race bind ${index}`, click_id: clicks[index] }));
  expect(responses.filter(({ status }) => status !== 200)).toEqual([]);
  const bindings = await here.database.all(sql`
    select 1 as one from customer_bindings where store_id = ${here.storeId} and customer_hash = ${hashOf('race bind')}`);
  expect(bindings).toHaveLength(1);
});

test('the books have no differences after the races', async () => {
  expect((await verify(here.service.platform)).filter(({ differences }) => differences.length > 0)).toEqual([]);
});
