import { setTimeout as pause } from 'node:timers/promises';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { verify } from '../../src/app/verify.ts';
import { sql } from '../../src/db/sql.ts';
import { expectSuccess } from '../support/billing.ts';
import { hashOf, merchantIn, openMerchant, type ApiResponse, type Json, type Merchant } from '../support/merchant.ts';
import { startTestServiceOn } from '../support/service.ts';

/** One store, as the servers of two of our processes see it. */
let here: Merchant;
let there: Merchant;
const copies = 200;
beforeAll(async () => {
  here = await openMerchant();
  there = merchantIn(await startTestServiceOn(here.service.databaseUrl), here.world);
  const program = `/stores/${here.world.store.id}/programs/${here.world.program.id}`;
  const terms = { order_rules: [{ basis_points: 1_000 }], codes: 'before_click', returning: { days: 30, orders: 3 } };
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

/** A sender repeats what is answered 503, which a busy machine may do. */
async function convert(merchant: Merchant, body: object): Promise<ApiResponse> {
  for (;;) {
    const response = await merchant.convert(body);
    if (response.status !== 503) return response;
    await pause(200);
  }
}
const many = (bodyOf: (index: number) => object): Promise<ApiResponse[]> =>
  Promise.all(Array.from({ length: copies }, (_none, index) => convert(index % 2 === 0 ? here : there, bodyOf(index))));

function tally(responses: readonly ApiResponse[]): Readonly<Record<string, number>> {
  const counts: Record<string, number> = {};
  for (const { status, json } of responses) counts[`${status} ${json.reason}`] = (counts[`${status} ${json.reason}`] ?? 0) + 1;
  return counts;
}

test('200 copies of an order with a code record it once', async () => {
  const order = await here.order({ click_id: null, discount_code: 'BEN10' });
  expect(tally(await many(() => order))).toEqual({ '200 recorded': 1, '200 duplicate_order': copies - 1 });
});

test('200 copies of an order that takes the last use of a code are all answered like the first', async () => {
  const used = await here.order({ click_id: null, discount_code: 'THRICE', customer_id: 'race last' });
  for (const orderId of ['race last 1', 'race last 2']) await convert(here, { ...used, order_id: orderId });
  expect(tally(await many(() => used))).toEqual({ '200 recorded': 1, '200 duplicate_order': copies - 1 });
});

test('200 orders of one customer use a code exactly as often as its limit', async () => {
  const order = await here.order({ click_id: null, discount_code: 'THRICE', customer_id: 'race limit' });
  const responses = await many((index) => ({ ...order, order_id: `race limit ${index}` }));
  // The customer is bound by the first order, and the binding earns three later orders.
  expect(tally(responses)).toEqual({ '200 recorded': 6, '422 missing_referral_click': copies - 6 });
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
  const responses = await many((index) => ({
    ...order,
    order_id: `race against ${index}`,
    ...(index % 4 === 0 ? {} : { discount_code: 'BEN10' }),
  }));
  expect(tally(responses)).toEqual({ '200 recorded': 151, '422 referral_click_already_converted': 49 });
});

test('200 first orders of one customer bind the customer once', async () => {
  const clicks = await Promise.all(Array.from({ length: copies }, () => here.click()));
  const order: Json = await here.order({ click_id: null, customer_id: 'race bind' });
  const responses = await many((index) => ({ ...order, order_id: `race bind ${index}`, click_id: clicks[index] }));
  expect(tally(responses)).toEqual({ '200 recorded': copies });
  const bindings = await here.database.all(sql`
    select 1 as one from customer_bindings where store_id = ${here.storeId} and customer_hash = ${hashOf('race bind')}`);
  expect(bindings).toHaveLength(1);
});

test('the books have no differences after the races', async () => {
  expect((await verify(here.service.platform)).filter(({ differences }) => differences.length > 0)).toEqual([]);
});
