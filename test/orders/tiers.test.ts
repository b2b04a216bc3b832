import { afterAll, expect, test } from 'vitest';
import { sql } from '../../src/db/sql.ts';
import { dayMs, plusDays, secondMs } from '../../src/core/time.ts';
import { checks } from '../../src/app/verify.ts';
import { expectSuccess } from '../support/billing.ts';
import { subscriberOf } from '../support/subscriber.ts';
import type { Json } from '../support/merchant.ts';
import { openProgram } from '../support/program.ts';

const opened = await openProgram();
const { merchant, store, program, member, commissionOf, sell: earns } = opened;
afterAll(() => merchant.service.stop());

const rules = { order_rules: [{ basis_points: 1_000 }], subscription_rules: [{ basis_points: 1_000 }] };
const newTerms = (terms: object) => opened.addTerms({ ...rules, ...terms });
const tiersOf = (thresholds: readonly number[], fields: object = {}) => ({
  measure: 'approved_commissions',
  period: 'month',
  tiers: thresholds.map((threshold, index) => ({
    threshold,
    order_rules: [{ basis_points: 1_500 + 500 * index }],
    subscription_rules: [{ basis_points: 1_500 + 500 * index }],
  })),
  ...fields,
});
const approve = (...commissions: readonly Json[]) =>
  opened.decide(
    'approve',
    commissions.map(({ id }) => id),
  );
const ratesOfMember = async (): Promise<Json> => (await merchant.api('GET', `${program}/members/${member.id}/rates`)).json;

test('a program without tiers answers as before', async () => {
  const { json } = await newTerms({});
  expect(Object.keys(json)).not.toContain('tiers');
  expect((await ratesOfMember()).tiers).toBeNull();
  expect((await earns()).explanation).toContain('10% of 100.00 USD is 10.00 USD.');
});

test('an order earns by the tier that approvals have reached, and says so', async () => {
  const added = await newTerms({ tiers: tiersOf([2, 3]) });
  expect(added.json.tiers).toMatchObject({
    measure: 'approved_commissions',
    period: 'month',
    time_zone: 'UTC',
    tiers: [{ threshold: 2 }, { threshold: 3 }],
  });
  const [one, two] = [await earns(), await earns()];
  expect([one.amount_cents, two.amount_cents]).toEqual([1_000, 1_000]);
  expect((await ratesOfMember()).tiers).toMatchObject({ figure: 0, current: null, next: { number: 1, missing: 2 } });
  await approve(one);
  expect((await earns()).amount_cents).toBe(1_000);
  await approve(two);
  const reached = await earns();
  expect(reached.amount_cents).toBe(1_500);
  const today = merchant.at().slice(0, 10);
  expect(reached.explanation).toContain(`15% of 100.00 USD is 15.00 USD (tier 1 since ${today}: 2 approved commissions in the month)`);
  expect((await commissionOf({ json: { conversion_id: one.id } })).amount_cents).toBe(1_000);
  const { json: sales } = await merchant.api('GET', `/creators/${merchant.world.creator.id}/commissions`);
  expect(JSON.stringify(sales)).toContain('(tier 1 since');
});

test('the creator and the store see the tier, and what is missing to the next one', async () => {
  const { json: own } = await merchant.api('GET', `/creators/${merchant.world.creator.id}/memberships/${member.id}/rates`);
  expect(own.tiers).toMatchObject({ figure: 2, current: { number: 1, reached_at: expect.any(String) }, next: { number: 2, missing: 1 } });
  expect(own.rates.map(({ level }: Json) => level)).toEqual(['tier', 'program']);
  expect(await ratesOfMember()).toEqual(own);
  expect((await merchant.api('GET', `${program}/members/${merchant.world.program.id.replace('prog', 'mem')}/rates`)).status).toBe(404);
});

test('a late order earns by the tier of its time', async () => {
  const order = await merchant.order({ order_subtotal_cents: 10_000 });
  const late = merchant.at();
  await approve(await earns());
  expect((await earns()).amount_cents).toBe(2_000);
  expect((await commissionOf(await merchant.convert({ ...order, occurred_at: late }))).amount_cents).toBe(1_500);
});

test('a rejection lowers the tier for later orders, and changes no earlier one', async () => {
  const before = await earns();
  expect(before.amount_cents).toBe(2_000);
  const { json: list } = await merchant.api('GET', `${store}/commissions?state=approved`);
  await opened.decide('reject', [list.data[0].id]);
  expect((await earns()).amount_cents).toBe(1_500);
  expect((await commissionOf({ json: { conversion_id: before.id } })).amount_cents).toBe(2_000);
});

test('a reversal lowers the tier for later orders', async () => {
  const order = await merchant.order({ order_subtotal_cents: 10_000 });
  await approve(await commissionOf(await merchant.convert(order)));
  expect((await earns()).amount_cents).toBe(2_000);
  expectSuccess(await merchant.reverse({ order_id: order.order_id }));
  expect((await earns()).amount_cents).toBe(1_500);
});

test('a partial refund keeps the rate of the tier', async () => {
  const order = await merchant.order({ order_subtotal_cents: 10_000 });
  const reply = await merchant.convert(order);
  const refund = { refund_id: 'tier-1', order_id: order.order_id, amount_cents: 5_000, occurred_at: merchant.at() };
  expect((await merchant.post('v2/orders/refunds', refund)).json.reason).toBe('recorded');
  const left = await commissionOf(reply);
  expect([left.amount_cents, left.explanation.match(/tier 1 since/g)?.length]).toEqual([750, 2]);
});

test('a subscription copies the tier at the bind', async () => {
  const subscriber = subscriberOf(merchant);
  expectSuccess(await subscriber.bind());
  expectSuccess(await newTerms({}));
  const paid = await commissionOf(await subscriber.reportInvoice());
  expect(paid.explanation).toContain('(tier 1 since');
  // An invoice may have been paid before the tier was reached, and the subscription reported later: the tier is that of the bind.
  const early = await commissionOf(await subscriber.reportInvoice({ occurred_at: merchant.at(-5 * dayMs) }));
  expect(early.explanation).toContain('(tier 1 since');
  expectSuccess(await newTerms({ tiers: tiersOf([2, 3]) }));
});

test('revenue counts what is left after partial refunds', async () => {
  expectSuccess(await newTerms({ tiers: tiersOf([1_000_000_000], { measure: 'approved_revenue' }) }));
  const { figure } = (await ratesOfMember()).tiers;
  const order = await merchant.order({ order_subtotal_cents: 10_000 });
  const commission = await commissionOf(await merchant.convert(order));
  await approve(commission);
  const refund = { refund_id: 'tier-2', order_id: order.order_id, amount_cents: 4_000, occurred_at: merchant.at() };
  expectSuccess(await merchant.post('v2/orders/refunds', refund));
  expectSuccess(await newTerms({ tiers: tiersOf([Number(figure) + 6_000], { measure: 'approved_revenue' }) }));
  expect((await ratesOfMember()).tiers).toMatchObject({ figure: Number(figure) + 6_000, current: { number: 1 }, next: null });
  expect((await earns()).explanation).toContain('of approved revenue in the month)');
});

test('groups and memberships precede tiers, and the simulator shows which rule wins', async () => {
  const tiers = tiersOf([1]);
  const simulate = async (terms: object) =>
    (
      await merchant.api('POST', `${program}/simulate`, {
        order: { order_subtotal_cents: 10_000 },
        click_creator_id: member.creator_id,
        terms: { ...rules, tiers, ...terms },
      })
    ).json;
  expect((await simulate({})).earned[0]).toMatchObject({ amount_cents: 1_500, rule: { level: 'tier', tier: { number: 1, threshold: 1 } } });
  const own_rates = [{ member_id: member.id, order_rules: [{ basis_points: 500 }] }];
  expect((await simulate({ own_rates })).earned[0]).toMatchObject({ amount_cents: 500, rule: { level: 'member' } });
});

test.each<[what: string, field: string, tiers: object]>([
  ['thresholds that do not ascend', 'tiers.tiers.1.threshold', tiersOf([5, 5])],
  ['a threshold of 0', 'tiers.tiers.0.threshold', tiersOf([0])],
  ['no tier', 'tiers.tiers', tiersOf([])],
  ['no rule', 'tiers.tiers.0.order_rules', tiersOf([], { tiers: [{ threshold: 1 }] })],
  ['a rule without a rate', 'tiers.tiers.0.order_rules.0', tiersOf([], { tiers: [{ threshold: 1, order_rules: [{}] }] })],
  ['an unknown time zone', 'tiers.time_zone', tiersOf([1], { time_zone: 'Europe/Nowhere' })],
])('rejects tiers with %s', async (_what, field, tiers) => {
  const { status, json } = await newTerms({ tiers });
  expect([status, json.errors[0].field]).toEqual([422, field]);
});

test('tiers are compared, exported, and imported', async () => {
  expectSuccess(await newTerms({ tiers: tiersOf([2], { time_zone: 'Europe/Berlin' }) }));
  const { json: file } = await merchant.api('GET', `${program}/terms-file`);
  expectSuccess(await newTerms({}));
  const { json: changes } = await merchant.api('POST', `${program}/terms-preview`, file);
  expect(changes.changes).toMatchObject([
    {
      field: 'tiers',
      effect: 'depends',
      before: 'none',
      after: expect.stringMatching(/^from 2 approved commissions: 15%; .*; counted in a calendar month, Europe\/Berlin time$/),
    },
  ]);
  expect((await merchant.api('POST', `${program}/terms`, file)).json.tiers).toEqual(file.tiers);
});

test('a tier that gives less than the one below it is found before it is saved', async () => {
  const [lower, higher] = tiersOf([2, 3]).tiers;
  const tiers = tiersOf([], { tiers: [lower, { ...higher, order_rules: [{ basis_points: 1_200 }] }] });
  const { json } = await merchant.api('POST', `${program}/terms-preview`, { ...rules, tiers });
  expect(json.warnings).toMatchObject([{ field: 'tiers.tiers.1.order_rules', message: expect.stringContaining('12% instead of 15%') }]);
});

test.each(['month', 'days_30', 'days_90'])(
  'approvals before the period of %s do not count, in the time zone of the terms',
  async (period) => {
    expectSuccess(await newTerms({ tiers: tiersOf([1], { period, time_zone: 'Pacific/Kiritimati' }) }));
    const start = new Date((await ratesOfMember()).tiers.period_start);
    const approvedAt = (at: Date) =>
      merchant.database.run(sql`
      update commissions set approved_at = ${at} where store_id = ${merchant.storeId} and approved_at is not null`);
    await approvedAt(new Date(start.getTime() - 1));
    expect((await ratesOfMember()).tiers).toMatchObject({ figure: 0, current: null, next: { number: 1, missing: 1 } });
    expect((await earns()).amount_cents).toBe(1_000);
    await approvedAt(start);
    expect((await ratesOfMember()).tiers).toMatchObject({ current: { number: 1, reached_at: start.toISOString() }, next: null });
    expect((await earns()).amount_cents).toBe(1_500);
  },
);

test('orders at the same time as the approval that reaches a tier earn either rate, with the facts of that rate', async () => {
  const longAgo = new Date('2020-01-01T00:00:00.000Z');
  await merchant.database.run(sql`
    update commissions set approved_at = ${longAgo} where store_id = ${merchant.storeId} and approved_at is not null`);
  expectSuccess(await newTerms({ tiers: tiersOf([1]) }));
  const pending = await earns();
  const orders = await Promise.all(Array.from({ length: 20 }, () => merchant.order({ order_subtotal_cents: 10_000 })));
  const [replies] = await Promise.all([Promise.all(orders.map((order) => merchant.convert(order))), approve(pending)]);
  const { current } = (await ratesOfMember()).tiers;
  for (const reply of replies) {
    const { occurred_at: at, amount_cents: amount, explanation } = await commissionOf(reply);
    const isReached = amount === 1_500;
    expect(explanation.includes('(tier 1 since')).toBe(isReached);
    expect(isReached && at < current.reached_at).toBe(false);
  }
  expect((await earns()).amount_cents).toBe(1_500);
});

const subscriptionCheck = 'a subscription earns by the rule and the tier of its bind';
const checkNames = [
  'a tier that applied was reached by what was counted',
  'a rule that applied is one of its terms version',
  subscriptionCheck,
];
const findings = async (): Promise<readonly boolean[]> =>
  Promise.all(
    checks
      .filter(({ what }) => checkNames.includes(what))
      .map(async ({ differences }) => (await differences(merchant.database)).length > 0),
  );
/** In all commissions of a tier by count: what was copied of the tier, by the time of the order. */
async function changeTier(field: string, valueAt: (occurredAt: Date) => unknown): Promise<number> {
  const changed = await merchant.database.all<{ readonly commissionId: string; readonly occurredAt: Date }>(sql`
    select commission_id, occurred_at from commissions
    where store_id = ${merchant.storeId}
      and earned @> '[{"rule": {"level": "tier", "tier": {"measure": "approved_commissions"}}}]'`);
  for (const { commissionId, occurredAt } of changed)
    await merchant.database.run(sql`
      update commissions
      set earned = jsonb_set(earned, array['0', 'rule', 'tier', ${field}], ${JSON.stringify(valueAt(occurredAt))}::jsonb)
      where store_id = ${merchant.storeId} and commission_id = ${commissionId}`);
  return changed.length;
}

test('every tier that applied was reached by what was counted, and each changed fact is found', async () => {
  expect(await findings()).toEqual([false, false, false]);
  const before = await merchant.database.all<{ readonly commissionId: string; readonly earned: object }>(sql`
    select commission_id, earned from commissions where store_id = ${merchant.storeId}`);
  const changes: ReadonlyArray<readonly [field: string, to: (occurredAt: Date) => unknown, found: readonly boolean[]]> = [
    ['figure', () => 0, [false, true, true]],
    ['threshold', () => 77, [false, true, true]],
    ['number', () => 7, [true, true, true]],
    ['measure', () => 'approved_revenue', [false, true, true]],
    ['reached_at', (at) => new Date(at.getTime() + secondMs), [false, true, true]],
    ['reached_at', (at) => plusDays(at, -95), [false, true, true]],
  ];
  for (const [field, to, found] of changes) {
    expect(await changeTier(field, to)).toBeGreaterThan(0);
    expect(await findings(), field).toEqual(found);
    for (const { commissionId, earned } of before)
      await merchant.database.run(sql`
        update commissions set earned = ${JSON.stringify(earned)}::jsonb
        where store_id = ${merchant.storeId} and commission_id = ${commissionId}`);
  }
  expect(await findings()).toEqual([false, false, false]);
});
