import { afterAll, expect, test } from 'vitest';
import { checks } from '../../src/app/verify.ts';
import { sql } from '../../src/db/sql.ts';
import { expectSuccess } from '../support/billing.ts';
import type { Json } from '../support/merchant.ts';
import { openProgram } from '../support/program.ts';

const { merchant, program, member, commissionOf, sell: earns, addTerms: newTerms } = await openProgram();
afterAll(() => merchant.service.stop());

const creatorSees = async ({ id }: Json): Promise<string> =>
  (await merchant.api('GET', `/creators/${merchant.world.creator.id}/commissions/${id}`)).json.explanation;

const plain = { basis_points: 1_000 };
const ruled = (points: number, conditions: object, fields: object = {}) => ({ basis_points: points, conditions, ...fields });

test('terms keep the conditions of their rules, and rules without conditions are answered as before', async () => {
  const conditions = { new_customers: true, min_order_cents: 5_000, countries: ['US', 'CA', 'US'] };
  const added = await newTerms({
    order_rules: [ruled(2_000, conditions), { ...plain, conditions: { new_customers: false, countries: null } }],
  });
  expect([added.status, added.json.order_rules]).toEqual([
    201,
    [
      {
        product_id: null,
        basis_points: 2_000,
        flat_cents: null,
        conditions: { new_customers: true, min_order_cents: 5_000, countries: ['CA', 'US'] },
      },
      { product_id: null, basis_points: 1_000, flat_cents: null },
    ],
  ]);
  const { json: listed } = await merchant.api('GET', `${program}/terms`);
  expect(listed.data[0].order_rules).toEqual(added.json.order_rules);
});

test.each<[what: string, field: string, body: object]>([
  ['a list of products for whole orders', 'products', { order_rules: [ruled(1, { products: ['a*'] })] }],
  ['a list of products and a product', 'products', { pays: 'product', order_rules: [ruled(1, { products: ['a*'] }, { product_id: 'a' })] }],
  ['an empty list of products', 'products', { pays: 'product', order_rules: [ruled(1, { products: [] })] }],
  ['a minimum of nothing', 'min_order_cents', { order_rules: [ruled(1, { min_order_cents: 0 })] }],
  ['an empty list of countries', 'countries', { order_rules: [ruled(1, { countries: [] })] }],
  ['a country in lower case', 'countries', { order_rules: [ruled(1, { countries: ['us'] })] }],
])('rejects %s', async (_what, field, body) => {
  const { status, json } = await newTerms(body);
  expect([status, json.errors[0].field]).toEqual([422, `order_rules.0.conditions.${field}`]);
});

test('rejects two rules with the same conditions, and conditions that it does not know', async () => {
  const twice = await newTerms({ order_rules: [ruled(1, { new_customers: true }), ruled(2, { new_customers: true, products: null })] });
  expect([twice.status, twice.json.errors[0].field]).toEqual([422, 'order_rules.1']);
  expect((await newTerms({ order_rules: [ruled(1, { metadata: { channel: 'web' } })] })).status).toBe(400);
});

test('a customer is new for one order, and the explanation says why the rule was skipped later', async () => {
  expectSuccess(await newTerms({ order_rules: [ruled(2_000, { new_customers: true }), plain] }));
  const first = await earns({ customer_id: 'ann' });
  expect(first.amount_cents).toBe(2_000);
  expect(first.explanation).toContain('20% of 100.00 USD is 20.00 USD (the program’s rate, for new customers).');
  const second = await earns({ customer_id: 'ann' });
  expect(second.amount_cents).toBe(1_000);
  expect(second.explanation).toContain(
    '10% of 100.00 USD is 10.00 USD (the program’s rate). A rule of 20% for new customers (the program’s rate) was skipped: the customer has ordered before.',
  );
});

test('a refunded first order, and an order from before the rule, count as orders of the customer', async () => {
  expectSuccess(await newTerms({ order_rules: [plain] }));
  const early = await merchant.order({ customer_id: 'early' });
  await merchant.convert(early);
  await merchant.reverse({ order_id: early.order_id });
  expectSuccess(await newTerms({ order_rules: [ruled(2_000, { new_customers: true }), plain] }));
  expect((await earns({ customer_id: 'early' })).amount_cents).toBe(1_000);
});

test('an order without a customer is not one of a new customer, and both sides read why', async () => {
  const commission = await earns();
  expect(commission.amount_cents).toBe(1_000);
  expect(commission.explanation).toContain('was skipped: the order has no customer_id, so it is unknown whether the customer is new.');
  expect(await creatorSees(commission)).toContain('was skipped: the store did not say which customer ordered.');
});

test('a replay of a first order gets its first response, and earns nothing more', async () => {
  const order = await merchant.order({ customer_id: 'replayed', order_subtotal_cents: 10_000 });
  const [first, again] = [await merchant.convert(order), await merchant.convert(order)];
  expect([again.json.reason, again.json.conversion_id]).toEqual(['duplicate_order', first.json.conversion_id]);
  expect((await commissionOf(first)).amount_cents).toBe(2_000);
});

test('an erased customer is new again', async () => {
  expect((await earns({ customer_id: 'erased' })).amount_cents).toBe(2_000);
  const erased = await merchant.api('POST', `/stores/${merchant.world.store.id}/customers/erase`, { customer_id: 'erased' });
  expect([erased.status, erased.text]).toEqual([200, expect.anything()]);
  expect((await earns({ customer_id: 'erased' })).amount_cents).toBe(2_000);
});

test('a minimum is compared with the eligible amount of the whole order, and a partial refund keeps the rule', async () => {
  expectSuccess(await newTerms({ order_rules: [ruled(2_000, { min_order_cents: 10_000 }), plain] }));
  const small = await earns({ eligible_amount_cents: 9_999 });
  expect(small.amount_cents).toBe(1_000);
  expect(small.explanation).toContain(
    'A rule of 20% for orders of at least 100.00 USD (the program’s rate) was skipped: the eligible amount is 99.99 USD.',
  );
  const order = await merchant.order({ order_subtotal_cents: 10_000 });
  const reply = await merchant.convert(order);
  expect((await commissionOf(reply)).amount_cents).toBe(2_000);
  await merchant.post('v2/orders/refunds', {
    refund_id: 'cond-1',
    order_id: order.order_id,
    amount_cents: 5_000,
    occurred_at: merchant.at(),
  });
  const left = await commissionOf(reply);
  expect([left.amount_cents, left.explanation.match(/for orders of at least 100.00 USD/g).length]).toEqual([1_000, 2]);
});

test('a country is compared as the store sent it, and a creator does not learn another one', async () => {
  expectSuccess(await newTerms({ order_rules: [ruled(2_000, { countries: ['CA', 'US'] }), plain] }));
  expect((await earns({ country: 'us' })).amount_cents).toBe(2_000);
  const french = await earns({ country: 'FR' });
  expect([french.amount_cents, french.explanation]).toEqual([1_000, expect.stringContaining('was skipped: the order is from FR.')]);
  const seen = await creatorSees(french);
  expect(seen).toContain('was skipped: the order is from another country.');
  expect(seen).not.toContain('FR');
  for (const country of [undefined, 'France', 7]) {
    const without = await earns(country === undefined ? {} : { country });
    expect([without.amount_cents, without.explanation]).toEqual([1_000, expect.stringContaining('the order has no country.')]);
  }
});

test('lines earn by lists of products with wildcards, and a line that no rule matches earns nothing', async () => {
  const order_rules = [ruled(2_000, { products: ['shirt-*', 'hat'] }), ruled(500, { countries: ['US'] }, { product_id: 'mug' })];
  expectSuccess(await newTerms({ pays: 'product', order_rules }));
  const line_items = [
    { product_id: 'shirt-red', amount_minor_units: 4_000, quantity: 1 },
    { product_id: 'mug', amount_minor_units: 6_000, quantity: 2 },
  ];
  const commission = await earns({ line_items });
  expect(commission.amount_cents).toBe(800);
  expect(commission.explanation).toContain(
    '20% of 40.00 USD for shirt-red is 8.00 USD (the program’s rate for the product, for shirt-*, hat)',
  );
  expect(commission.explanation).toContain('no rule matches for mug');
  expect(commission.explanation).toContain(
    'For mug, a rule of 5% for orders from US (the program’s rate for the product) was skipped: the order has no country.',
  );
  const nothing = await earns({ line_items: [{ product_id: 'cup', amount_minor_units: 10_000, quantity: 1 }] });
  expect([nothing.amount_cents, nothing.state]).toEqual([0, 'pending']);
});

test('an own rate with a condition falls through to the program', async () => {
  const own_rates = [{ member_id: member.id, order_rules: [ruled(3_000, { min_order_cents: 20_000 })] }];
  expectSuccess(await newTerms({ order_rules: [plain], own_rates }));
  expect((await earns({ order_subtotal_cents: 20_000 })).amount_cents).toBe(6_000);
  const commission = await earns();
  expect(commission.amount_cents).toBe(1_000);
  expect(await creatorSees(commission)).toContain('A rule of 30% for orders of at least 200.00 USD (your own rate) was skipped');
  const { json } = await merchant.api('GET', `/creators/${merchant.world.creator.id}/memberships/${member.id}/rates`);
  expect(json.rates[0].order_rules[0].conditions).toEqual({ min_order_cents: 20_000 });
});

test('the simulator compares the customer and the country of the request, and stores nothing', async () => {
  const terms = { order_rules: [ruled(3_000, { new_customers: true, countries: ['US'] }), plain] };
  const simulate = async (order: object, fields: object = {}) =>
    (await merchant.api('POST', `${program}/simulate`, { order: { order_subtotal_cents: 10_000, ...order }, terms, ...fields })).json;
  const earned = async (...request: Parameters<typeof simulate>) => (await simulate(...request)).earned[0];
  expect(await earned({ country: 'US' })).toMatchObject({
    amount_cents: 3_000,
    rule: { level: 'program', conditions: { new_customers: true, countries: ['US'] }, facts: { customer: 'new', country: 'US' } },
  });
  expect(await earned({ country: 'DE' })).toMatchObject({
    amount_cents: 1_000,
    skipped: [{ level: 'program', basis_points: 3_000, failed: 'countries', facts: { customer: 'new', country: 'DE' } }],
  });
  expect(await earned({ country: 'US', customer_id: 'ann' })).toMatchObject({
    skipped: [{ failed: 'new_customers', facts: { customer: 'known' } }],
  });
  expect(await earned({ country: 'US', customer_id: null })).toMatchObject({ skipped: [{ facts: { customer: 'unnamed' } }] });
  const first_order_at = merchant.at(-86_400_000);
  expect(await earned({ country: 'US' }, { customer: { first_order_at } })).toMatchObject({ skipped: [{ failed: 'new_customers' }] });
});

test('a comparison names the conditions, an export contains them, and an import restores them', async () => {
  const order_rules = [ruled(2_000, { new_customers: true }), ruled(1_500, { countries: ['US'] }), plain];
  expectSuccess(await newTerms({ order_rules }));
  const { json: file } = await merchant.api('GET', `${program}/terms-file`);
  expect(file.order_rules[0].conditions).toEqual({ new_customers: true });
  const preview = async (rules: object[]) => (await merchant.api('POST', `${program}/terms-preview`, { ...file, order_rules: rules })).json;
  expect((await preview(file.order_rules)).changes).toEqual([]);
  expect((await preview([ruled(1_000, { new_customers: true }), ruled(1_500, { countries: ['US'] }), plain])).changes).toMatchObject([
    {
      field: 'order_rule',
      conditions: 'for new customers',
      effect: 'worse',
      text: 'Commission of one-time orders, for new customers: 10%, before: 20%.',
    },
  ]);
  expect(await preview([ruled(1_500, { countries: ['US'] }), ruled(2_000, { new_customers: true }), plain])).toMatchObject({
    effect: 'depends',
    changes: [{ field: 'order_of_rules', before: 'for new customers; for orders from US' }],
  });
  expect((await preview([ruled(2_000, { new_customers: true }), plain])).changes).toMatchObject([
    { after: 'no such rule', effect: 'depends' },
  ]);
});

const applied = checks.filter(({ what }) =>
  [
    'a rule that applied is one of its terms version',
    'a rule with conditions applied exactly where they hold',
    'a customer was new for one order',
  ].includes(what),
);
const differences = async (): Promise<readonly number[]> =>
  Promise.all(applied.map(async ({ differences: find }) => (await find(merchant.database)).length));

test('every rule that applied is one of its terms, its conditions hold, and a changed fact is found', async () => {
  expect(await differences()).toEqual([0, 0, 0]);
  const change = (from: string, to: string) =>
    merchant.database.run(sql`
    update commissions set earned = replace(earned::text, ${from}, ${to})::jsonb where store_id = ${merchant.storeId}`);
  await change('"country": "US"', '"country": "ZZ"');
  expect(await differences()).toEqual([0, 1, 0]);
  await change('"country": "ZZ"', '"country": "US"');
  await change('"countries": ["CA", "US"]', '"countries": ["US"]');
  expect(await differences()).toEqual([5, 0, 0]);
  await change('"countries": ["US"]', '"countries": ["CA", "US"]');
  await change('"failed": "countries"', '"failed": "min_order"');
  expect((await differences())[1]).toBeGreaterThan(0);
  await change('"failed": "min_order"', '"failed": "countries"');
  await merchant.database.run(sql`delete from first_orders where store_id = ${merchant.storeId}`);
  expect((await differences())[2]).toBeGreaterThan(0);
});
