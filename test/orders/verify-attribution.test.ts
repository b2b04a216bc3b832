import { afterAll, beforeAll, expect, test } from 'vitest';
import { checks } from '../../src/app/verify.ts';
import { sql, type Sql } from '../../src/db/sql.ts';
import { dayMs, hourMs } from '../../src/core/time.ts';
import { expectSuccess } from '../support/billing.ts';
import { openMerchantAlone, type Json, type Merchant } from '../support/merchant.ts';
import { subscriberOf } from '../support/subscriber.ts';
import { movedBy } from '../support/rows.ts';

let merchant: Merchant;

const rules = {
  order_rules: [{ basis_points: 1_000 }],
  subscription_rules: [
    { basis_points: 500, max_invoices: 6 },
    { product_id: 'coffee', basis_points: 2_000, max_invoices: 12 },
  ],
  codes: 'when_no_click',
  returning: { days: 90, orders: 5 },
  leads: [{ kind: 'sign_up', flat_cents: 100 }],
};

/** Orders, leads, and subscriptions by a click against a code, by a code, and by a customer; Ben is in a group with its own rates. */
beforeAll(async () => {
  merchant = await openMerchantAlone();
  const program = `/stores/${merchant.world.store.id}/programs/${merchant.world.program.id}`;
  const { json: ben } = await merchant.api('POST', '/creators', { name: 'Ben Checked', email: 'ben-checked@example.com' });
  const { json: member } = await merchant.api('POST', `${program}/members`, { creator_id: ben.id });
  const { json: group } = await merchant.api('POST', `${program}/groups`, { name: 'Podcasts' });
  expectSuccess(await merchant.api('PUT', `${program}/members/${member.id}/group`, { group_id: group.id }));
  const own_rates = [{ group_id: group.id, subscription_rules: [{ product_id: 'coffee', basis_points: 2_500, max_months: 12 }] }];
  expectSuccess(await merchant.api('POST', `${program}/terms`, { ...rules, own_rates }));
  expectSuccess(await merchant.api('POST', `${program}/codes`, { code: 'BEN10', creator_id: ben.id }));
  // An hour ago, so that all processes know the terms when the orders arrive.
  await merchant.database.run(sql`update terms set made_at = ${movedBy(sql`made_at`, -hourMs)} where store_id = ${merchant.storeId}`);

  const byCode = { click_id: null, discount_code: 'BEN10' };
  const order = async (fields: Readonly<Record<string, unknown>>): Promise<Json> =>
    expectSuccess(await merchant.convert(await merchant.order(fields))).json;
  await order({ discount_code: 'BEN10' });
  await order({ ...byCode, customer_id: 'c-1' });
  await order({ click_id: null, customer_id: 'c-1' });
  const lead = { kind: 'sign_up', occurred_at: merchant.at() };
  expectSuccess(await merchant.post('v2/leads', { ...lead, lead_id: 'lead-1', discount_code: 'BEN10', customer_id: 'c-2' }));
  const product = { product_id: 'coffee', price_id: 'monthly' };
  const subscriber = subscriberOf(merchant);
  expectSuccess(await subscriber.bind({ ...product, ...byCode, customer_id: 'c-3' }));
  expectSuccess(await subscriber.reportInvoice(product));
  expectSuccess(await subscriberOf(merchant).bind({ ...product, click_id: null, customer_id: 'c-1' }));
  expectSuccess(await subscriberOf(merchant).bind({ ...product, price_id: 'yearly' }));
});
afterAll(() => merchant.service.stop());

const found = async (): Promise<readonly string[]> => {
  const differing = await Promise.all(
    checks.map(async (check) => ({ what: check.what, found: await check.differences(merchant.database) })),
  );
  return differing.flatMap(({ what, found: differences }) => (differences.length === 0 ? [] : [what]));
};

test('verification finds no difference after orders, leads, and subscriptions by codes and customers', async () => {
  expect(await found()).toEqual([]);
});

const orderCheck = 'an order is earned by the click, the code, or the customer that precedes the others';
const leadCheck = 'a lead is earned by the click, the code, or the customer that precedes the others';
const bindCheck = 'a subscription is earned by the click, the code, or the customer that precedes the others';
const ruleCheck = 'a subscription has the first rule that may apply at its bind';
const usesCheck = 'what an order or a subscription used of a code or a customer names it';
const boundCheck = 'a customer is bound by an order, a lead, or a subscription';

/** What is wrong, the check that must find it, and the statement that makes it wrong. */
const wrongs: ReadonlyArray<readonly [what: string, check: string, breaks: () => Sql]> = [
  [
    'an order by a code of another creator',
    orderCheck,
    () => sql`update discount_codes set creator_id = (select creator_id from orders where click_id is not null limit 1)`,
  ],
  ['a code without a click in a program that counts no codes', orderCheck, () => sql`update terms set codes = 'off'`],
  ['a click that preceded a code, where codes come first', orderCheck, () => sql`update terms set codes = 'before_click'`],
  [
    'an order that names a click and was earned by a code',
    orderCheck,
    () => sql`update orders set click_id = one.id from (select gen_random_uuid() as id) one where attribution ->> 'rule' = 'code'`,
  ],
  [
    'a code that preceded a click, where clicks come first',
    orderCheck,
    () =>
      sql`update orders set attribution = jsonb_set(attribution, '{rule}', '"code_before_click"') where attribution ->> 'rule' = 'code'`,
  ],
  [
    'a customer after the days of the terms',
    orderCheck,
    () => sql`update orders set occurred_at = ${movedBy(sql`occurred_at`, 91 * dayMs)}
    where attribution ->> 'attributed_by' = 'customer'`,
  ],
  [
    'a returning customer in a program that counts none',
    orderCheck,
    () => sql`update terms set returning_orders = null, returning_days = null,
    new_click = null where returning_days is not null`,
  ],
  ['a customer of another creator', orderCheck, () => sql`update customer_bindings set bound_at = ${movedBy(sql`bound_at`, -dayMs)}`],
  [
    'a customer of an earlier creator, where a later one was bound before the order',
    orderCheck,
    () => sql`
      insert into customer_bindings (store_id, customer_hash, number, binding_id, order_hash, program_id, creator_id, link_number, bound_at)
      select store_id, customer_hash, 2, (lpad(to_hex((extract(epoch from now() - interval '1 hour') * 1000)::bigint), 12, '0')
          || substr(replace(gen_random_uuid()::text, '-', ''), 13))::uuid, order_hash, program_id, creator_id, link_number, bound_at
      from customer_bindings where exists (
        select 1 from customer_uses used
        where used.store_id = customer_bindings.store_id and used.subject_id = customer_bindings.binding_id)`,
  ],
  ['a lead by a code in a program that counts no codes', leadCheck, () => sql`update terms set codes = 'off'`],
  ['a subscription by a code in a program that counts no codes', bindCheck, () => sql`update terms set codes = 'off'`],
  [
    'a subscription that is credited to another creator',
    bindCheck,
    () => sql`
    update relationships set creator_id = (select creator_id from orders where click_id is not null limit 1) where click_id is null`,
  ],
  [
    'a subscription with a rate of a later rule',
    ruleCheck,
    () => sql`
    update relationships set basis_points = 500, max_invoices = 6 where click_id is not null`,
  ],
  [
    'a subscription with the rate of the program instead of the group',
    ruleCheck,
    () => sql`
    update relationships set basis_points = 2000, max_invoices = 12, max_months = null where basis_points = 2500`,
  ],
  [
    'a subscription with another limit than its rule',
    ruleCheck,
    () => sql`
    update relationships set max_months = 24 where basis_points = 2500`,
  ],
  ['a subscription with a longer refund hold than its terms', ruleCheck, () => sql`update relationships set hold_days = hold_days + 1`],
  [
    'a customer who is bound to another creator than that of the order',
    boundCheck,
    () => sql`
    update customer_bindings set creator_id = (select creator_id from orders where click_id is not null limit 1)`,
  ],
  [
    'a customer who is bound since another time',
    boundCheck,
    () => sql`update customer_bindings set bound_at = ${movedBy(sql`bound_at`, -dayMs)}`,
  ],
  ['an order of a customer whose use has another number', orderCheck, () => sql`update customer_uses set number = number + 3`],
  ['a use of a customer with another number', usesCheck, () => sql`update customer_uses set number = number + 3`],
  [
    'a use of a code by what was earned by a customer',
    usesCheck,
    () => sql`update customer_uses set subject_id = (select code_id from discount_codes limit 1), number = number + 100`,
  ],
  ['a use that names no order', usesCheck, () => sql`update customer_uses set order_hash = customer_hash`],
  ['a customer who is not bound', 'a customer whose order or lead can bind them is bound', () => sql`delete from customer_bindings`],
];

test.each(wrongs)('%s is found', async (_what, check, breaks) => {
  const undone = new Error('undone');
  const within = merchant.database.transaction(async (tx) => {
    expect(await tx.run(breaks())).toBeGreaterThan(0);
    const differences = (await checks.find(({ what }) => what === check)?.differences(tx)) ?? [];
    expect(differences).toContainEqual({ storeId: merchant.storeId, detail: expect.any(String) });
    throw undone;
  });
  await expect(within).rejects.toBe(undone);
});

test('an order and a subscription of the same ID, each of a returning customer, are no difference', async () => {
  const own = await openMerchantAlone();
  const program = `/stores/${own.world.store.id}/programs/${own.world.program.id}`;
  expectSuccess(await own.api('POST', `${program}/terms`, rules));
  await own.database.run(sql`update terms set made_at = ${movedBy(sql`made_at`, -hourMs)} where store_id = ${own.storeId}`);
  for (const customer of ['c-1', 'c-2']) {
    expectSuccess(await own.convert(await own.order({ customer_id: customer })));
    expectSuccess(await own.convert(await own.order({ click_id: null, customer_id: customer })));
  }
  expectSuccess(await own.convert(await own.order({ click_id: null, customer_id: 'c-1', order_id: 'shared' })));
  const bind = { product_id: 'coffee', price_id: 'monthly', click_id: null, customer_id: 'c-2' };
  expectSuccess(await subscriberOf(own).bind({ ...bind, relationship_id: 'shared' }));
  expectSuccess(await subscriberOf(own).bind({ ...bind, customer_id: 'c-1' }));
  const stored = await own.database.all<{ attribution: Json }>(sql`
    select attribution from orders where store_id = ${own.storeId} and order_id = 'shared'
    union all select attribution from relationships where store_id = ${own.storeId} and relationship_id = 'shared'`);
  expect(stored.map(({ attribution }) => [attribution.attributed_by, attribution.customer_order])).toEqual([
    ['customer', 2],
    ['customer', 2],
  ]);
  for (const name of [orderCheck, bindCheck, usesCheck])
    expect(await checks.find(({ what }) => what === name)?.differences(own.database)).toEqual([]);
  await own.service.stop();
});

test('the lead of a customer who is bound to the first partner is no difference, although a lead uses up no order', async () => {
  const own = await openMerchantAlone();
  const program = `/stores/${own.world.store.id}/programs/${own.world.program.id}`;
  const { json: ben } = await own.api('POST', '/creators', { name: 'Ben First', email: 'ben-first@example.com' });
  expectSuccess(await own.api('POST', `${program}/members`, { creator_id: ben.id }));
  const returning = { days: 90, orders: 5, new_click: 'first_partner' };
  expectSuccess(await own.api('POST', `${program}/terms`, { ...rules, returning }));
  expectSuccess(await own.api('POST', `${program}/codes`, { code: 'BEN10', creator_id: ben.id }));
  await own.database.run(sql`update terms set made_at = ${movedBy(sql`made_at`, -hourMs)} where store_id = ${own.storeId}`);
  expectSuccess(await own.convert(await own.order({ customer_id: 'c-1' })));
  const lead = { lead_id: 'lead-1', kind: 'sign_up', occurred_at: own.at(), discount_code: 'BEN10', customer_id: 'c-1' };
  expectSuccess(await own.post('v2/leads', lead));
  const stored = await own.database.one<{ attribution: Json }>(sql`select attribution from leads where store_id = ${own.storeId}`);
  expect(stored.attribution).toMatchObject({ rule: 'first_partner', attributed_by: 'customer' });
  const check = checks.find(({ what }) => what === leadCheck);
  expect(await check?.differences(own.database)).toEqual([]);
  await own.service.stop();
});
