import { afterAll, expect, test } from 'vitest';
import { checks } from '../../src/app/verify.ts';
import { sql } from '../../src/db/sql.ts';
import { expectSuccess } from '../support/billing.ts';
import type { Json } from '../support/merchant.ts';
import { openProgram } from '../support/program.ts';

const opened = await openProgram();
const { merchant, store, program, member, commissionOf } = opened;
afterAll(() => merchant.service.stop());

const rules = { order_rules: [{ basis_points: 1_000 }] };
const newTerms = (budget?: object) => opened.addTerms({ ...rules, ...(budget && { budget }) });
const sell = (cents = 10_000) => opened.sell({ order_subtotal_cents: cents });
const used = async (): Promise<Json> => (await merchant.api('GET', `${program}/budget`)).json;

test('a program without a budget answers as before', async () => {
  expect(Object.keys((await newTerms()).json)).not.toContain('budget');
  expect(await used()).toMatchObject({ budget: null, program_month_used_cents: 0, program_total_used_cents: 0 });
  expect((await sell()).amount_cents).toBe(1_000);
});

test('an order whose commission would exceed the budget is recorded and earns nothing, and says why to both sides', async () => {
  const added = await newTerms({ program_month_cents: 2_500 });
  expect(added.json.budget).toEqual({
    program_month_cents: 2_500,
    program_total_cents: null,
    creator_month_cents: null,
    creator_total_cents: null,
  });
  expect((await sell()).amount_cents).toBe(1_000);
  const order = await merchant.order({ order_subtotal_cents: 10_000 });
  const reply = await merchant.convert(order);
  expect([reply.status, reply.json.reason]).toEqual([200, 'recorded']);
  const commission = await commissionOf(reply);
  expect([commission.amount_cents, commission.eligible_cents, commission.state]).toEqual([0, 10_000, 'pending']);
  expect(commission.explanation).toContain(
    'the commission of 10.00 USD would exceed the program’s budget of 25.00 USD a month, of which 20.00 USD were used',
  );
  const { json: sales } = await merchant.api('GET', `/creators/${merchant.world.creator.id}/commissions`);
  expect(sales.data[0].explanation).toContain('the program’s budget for the month does not cover the commission');
  expect(JSON.stringify(sales.data[0])).not.toContain('2500');
  // What is left covers a smaller commission.
  expect((await sell(5_000)).amount_cents).toBe(500);
  expect(await used()).toMatchObject({ program_month_used_cents: 2_500, program_total_used_cents: 2_500 });
  // A refund of an order that earned nothing takes nothing.
  const refund = { refund_id: 'budget-1', order_id: order.order_id, amount_cents: 4_000, occurred_at: merchant.at() };
  expect((await merchant.post('v2/orders/refunds', refund)).json.reason).toBe('recorded');
  expect((await commissionOf(reply)).amount_cents).toBe(0);
});

test('a rejection gives its part of the budget back, and a repeated order keeps what it earned', async () => {
  const order = await merchant.order({ order_subtotal_cents: 10_000 });
  const stopped = await merchant.convert(order);
  expect((await commissionOf(stopped)).amount_cents).toBe(0);
  const { json: list } = await merchant.api('GET', `${store}/commissions?state=pending`);
  const full = list.data.find(({ amount_cents: amount }: Json) => amount === 1_000);
  await opened.decide('reject', [full.id]);
  expect((await used()).program_month_used_cents).toBe(1_500);
  expect((await merchant.convert(order)).json.conversion_id).toBe(stopped.json.conversion_id);
  expect((await commissionOf(stopped)).amount_cents).toBe(0);
  expect((await sell()).amount_cents).toBe(1_000);
});

test('orders at the same time do not exceed the budget together', async () => {
  const { program_total_used_cents: before } = await used();
  expectSuccess(await newTerms({ creator_total_cents: Number(before) + 3_000 }));
  const orders = await Promise.all(Array.from({ length: 20 }, () => merchant.order({ order_subtotal_cents: 10_000 })));
  const replies = await Promise.all(orders.map((order) => merchant.convert(order)));
  const earned = (await Promise.all(replies.map(commissionOf))).filter(({ amount_cents: amount }) => amount > 0);
  expect(earned).toHaveLength(3);
  expect((await used()).program_total_used_cents).toBe(Number(before) + 3_000);
});

test('the simulator and the rates of a member show the budget', async () => {
  const order = { order_subtotal_cents: 10_000 };
  const { json } = await merchant.api('POST', `${program}/simulate`, { order, click_creator_id: member.creator_id });
  expect(json.earned[0]).toMatchObject({ amount_cents: 0, budget: { limit: 'creator_total', commission_cents: 1_000 } });
  const { json: rates } = await merchant.api('GET', `${program}/members/${member.id}/rates`);
  expect(rates.budget).toMatchObject({ creator_month_cents: null, creator_total_cents: rates.budget.total_used_cents });
  expect(Object.keys(rates.budget)).not.toContain('program_month_cents');
});

test('budgets are compared, exported, imported, and kept when the settings of the program change', async () => {
  const { json: file } = await merchant.api('GET', `${program}/terms-file`);
  const { json: changes } = await merchant.api('POST', `${program}/terms-preview`, rules);
  expect(changes.changes).toMatchObject([
    { field: 'budget', effect: 'better', before: expect.stringMatching(/in all for each creator$/), after: 'no limit' },
  ]);
  expectSuccess(await newTerms());
  expect((await merchant.api('POST', `${program}/terms`, file)).json.budget).toEqual(file.budget);
  expectSuccess(await merchant.api('PATCH', program, { hold_days: 12 }));
  expect((await merchant.api('GET', `${program}/terms`)).json.data[0]).toMatchObject({ hold_days: 12, budget: file.budget });
});

test.each([['program_month_cents'], ['creator_total_cents']])('rejects a negative %s', async (limit) => {
  const { status, json } = await newTerms({ [limit]: -1 });
  expect([status, json.errors[0].field]).toEqual([422, `budget.${limit}`]);
});

test('the books agree', async () => {
  expect((await merchant.api('POST', '/ledger/verify')).json).toMatchObject({ ok: true, differences: [] });
});

test('an order that a budget stopped is found if it would not have exceeded it, or if its terms have another limit', async () => {
  const check = checks.find(({ what }) => what === 'an order that a budget stopped would have exceeded it');
  const change = async (field: string, value: number) => {
    await merchant.database.run(sql`
      update commissions set earned = jsonb_set(earned, array['0', 'budget', ${field}], to_jsonb(${value}::int))
      where store_id = ${merchant.storeId} and earned -> 0 -> 'budget' is not null`);
    return (await check?.differences(merchant.database))?.length;
  };
  const { stopped } = await merchant.database.one<{ readonly stopped: bigint }>(sql`
    select count(*) as stopped from commissions where store_id = ${merchant.storeId} and earned -> 0 -> 'budget' is not null`);
  expect(Number(stopped)).toBeGreaterThan(1);
  expect(await check?.differences(merchant.database)).toEqual([]);
  expect(await change('used_cents', 0)).toBe(Number(stopped));
  expect(await change('used_cents', 1_000_000)).toBe(0);
  expect(await change('limit_cents', 7)).toBe(Number(stopped));
});
