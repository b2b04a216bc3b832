import { afterAll, expect, test } from 'vitest';
import { sql } from '../../src/db/sql.ts';
import { checks } from '../../src/app/verify.ts';
import { expectSuccess } from '../support/billing.ts';
import { subscriberOf } from '../support/subscriber.ts';
import type { Json } from '../support/merchant.ts';
import { openProgram } from '../support/program.ts';

let vip: Json;

const opened = await openProgram();
const { merchant, program, member, commissionOf, sell: earns } = opened;
afterAll(() => merchant.service.stop());

const rules = { order_rules: [{ basis_points: 1_000 }], subscription_rules: [{ basis_points: 1_000 }] };
const newTerms = (terms: object) => opened.addTerms({ ...rules, ...terms });
const differencesOf = (check: string) => checks.find(({ what }) => what === check)?.differences(merchant.database);

test('a program with the same rates for everyone answers as before', async () => {
  const { json } = await newTerms({});
  expect(Object.keys(json)).not.toContain('own_rates');
  expect(Object.keys(member)).not.toContain('group');
  const commission = await earns();
  expect(commission.amount_cents).toBe(1_000);
  expect(commission.explanation).toContain('10% of 100.00 USD is 10.00 USD.');
  const [row] = await merchant.database.all<{ earned: Json }>(sql`select earned from commissions where store_id = ${merchant.storeId}`);
  expect(Object.keys(row?.earned[0])).not.toContain('rule');
});

test('a merchant creates, lists, and renames groups, and moves members between them', async () => {
  const created = await merchant.api('POST', `${program}/groups`, { name: 'Stars' });
  expect([created.status, created.json]).toEqual([201, expect.objectContaining({ name: 'Stars', members: 0 })]);
  vip = created.json;
  expect((await merchant.api('POST', `${program}/groups`, { name: 'stars' })).json.reason).toBe('conflict');
  expect((await merchant.api('PATCH', `${program}/groups/${vip.id}`, { name: 'VIP' })).json.name).toBe('VIP');
  const other = (await merchant.api('POST', `${program}/groups`, { name: 'New' })).json;
  expect((await merchant.api('PATCH', `${program}/groups/${other.id}`, { name: 'vip' })).json.reason).toBe('conflict');
  const moved = await merchant.api('PUT', `${program}/members/${member.id}/group`, { group_id: vip.id });
  expect(moved.json).toEqual({ member_id: member.id, group_id: vip.id });
  const { json: groups } = await merchant.api('GET', `${program}/groups`);
  expect(groups.data.map(({ name, members }: Json) => [name, members])).toEqual([
    ['New', 0],
    ['VIP', 1],
  ]);
  expect((await merchant.api('GET', `${program}/members`)).json.data[0].group).toEqual({ id: vip.id, name: 'VIP' });
  const wrong = await merchant.api('PUT', `${program}/members/${member.id}/group`, { group_id: merchant.world.program.id });
  expect([wrong.status, wrong.json.errors[0].field]).toEqual([422, 'group_id']);
});

test('an order earns by the rate of its creator’s group, and says so to both sides', async () => {
  const added = await newTerms({ own_rates: [{ group_id: vip.id, order_rules: [{ basis_points: 1_500 }] }] });
  expect(added.json.own_rates).toMatchObject([{ group_id: vip.id, member_id: null, order_rules: [{ basis_points: 1_500 }] }]);
  const commission = await earns();
  expect(commission.amount_cents).toBe(1_500);
  expect(commission.explanation).toContain('15% of 100.00 USD is 15.00 USD (the rate of the group VIP)');
  const { json: sales } = await merchant.api('GET', `/creators/${merchant.world.creator.id}/commissions`);
  expect(sales.data[0].explanation).toContain('(the rate of your group)');
  expect(JSON.stringify(sales.data[0])).not.toContain('VIP');
});

test('the rate of a membership precedes its group’s, and a partial refund keeps it', async () => {
  const own_rates = [
    { group_id: vip.id, order_rules: [{ basis_points: 1_500 }] },
    { member_id: member.id, order_rules: [{ basis_points: 2_000 }], subscription_rules: [{ flat_cents: 700 }] },
  ];
  expect((await newTerms({ own_rates })).status).toBe(201);
  const order = await merchant.order({ order_subtotal_cents: 10_000 });
  const reply = await merchant.convert(order);
  expect((await commissionOf(reply)).amount_cents).toBe(2_000);
  expectSuccess(await newTerms({ own_rates: [] }));
  const refund = { refund_id: 'own-1', order_id: order.order_id, amount_cents: 5_000, occurred_at: merchant.at() };
  expect((await merchant.post('v2/orders/refunds', refund)).json.reason).toBe('recorded');
  const left = await commissionOf(reply);
  expect(left.amount_cents).toBe(1_000);
  expect(left.explanation.match(/the creator’s own rate/g)).toHaveLength(2);
  expectSuccess(await newTerms({ own_rates }));
});

test('a late order earns by the group of its time, and leaving a group changes nothing before', async () => {
  const occurred_at = merchant.at();
  expectSuccess(await newTerms({ own_rates: [{ group_id: vip.id, order_rules: [{ flat_cents: 300 }] }] }));
  const placed = merchant.at();
  const order = await merchant.order({ order_subtotal_cents: 10_000 });
  expectSuccess(await merchant.api('PUT', `${program}/members/${member.id}/group`, { group_id: null }));
  expect(placed >= occurred_at).toBe(true);
  expect((await commissionOf(await merchant.convert({ ...order, occurred_at: placed }))).amount_cents).toBe(300);
  expect((await earns()).amount_cents).toBe(1_000);
  expectSuccess(await merchant.api('PUT', `${program}/members/${member.id}/group`, { group_id: vip.id }));
});

test('an order and a bind whose time is minutes ahead earn by the group at their report, and a later move is no difference', async () => {
  const own_rates = [{ group_id: vip.id, order_rules: [{ flat_cents: 300 }], subscription_rules: [{ flat_cents: 700 }] }];
  expectSuccess(await newTerms({ own_rates }));
  const occurred_at = merchant.at(180_000);
  const order = await merchant.order({ order_subtotal_cents: 10_000 });
  expect((await commissionOf(await merchant.convert({ ...order, occurred_at }))).amount_cents).toBe(300);
  expectSuccess(await subscriberOf(merchant).bind({ occurred_at }));
  expectSuccess(await merchant.api('PUT', `${program}/members/${member.id}/group`, { group_id: null }));
  expect(await differencesOf('a rate that applied is that of the first rule that may apply')).toEqual([]);
  expect(await differencesOf('a subscription has the first rule that may apply at its bind')).toEqual([]);
  expectSuccess(await merchant.api('PUT', `${program}/members/${member.id}/group`, { group_id: vip.id }));
});

test.each<[what: string, field: string, rates: () => object]>([
  ['both subjects', 'own_rates.0', () => ({ group_id: vip.id, member_id: member.id, order_rules: [{ flat_cents: 1 }] })],
  ['no subject', 'own_rates.0', () => ({ order_rules: [{ flat_cents: 1 }] })],
  ['an unknown group', 'own_rates.0.group_id', () => ({ group_id: member.id, order_rules: [{ flat_cents: 1 }] })],
  ['an unknown member', 'own_rates.0.member_id', () => ({ member_id: vip.id, order_rules: [{ flat_cents: 1 }] })],
  ['no rule', 'own_rates.0.order_rules', () => ({ group_id: vip.id })],
  ['a rule without a rate', 'own_rates.0.order_rules.0', () => ({ group_id: vip.id, order_rules: [{}] })],
])('rejects own rates with %s', async (_what, field, rates) => {
  const { status, json } = await newTerms({ own_rates: [rates()] });
  expect([status, json.errors[0].field]).toEqual([422, field]);
});

test('the simulator shows which rule wins for a member', async () => {
  const terms = { ...rules, own_rates: [{ member_id: member.id, order_rules: [{ basis_points: 3_000 }] }] };
  const order = { order_subtotal_cents: 10_000 };
  const simulate = async (fields: object) => (await merchant.api('POST', `${program}/simulate`, { order, ...fields })).json;
  expect((await simulate({ terms, click_creator_id: member.creator_id })).earned[0]).toMatchObject({
    amount_cents: 3_000,
    rule: { level: 'member', member_id: member.id },
  });
  expect((await simulate({ terms })).earned[0]).toMatchObject({ amount_cents: 1_000, rule: { level: 'program' } });
  expect((await simulate({ terms })).earned[0]).not.toHaveProperty('preceded');
  expect((await simulate({ click_creator_id: member.creator_id })).earned[0].rule).toMatchObject({ level: 'group', group_name: 'VIP' });
});

test('the simulator lists the rules that come after the one that won, in order of precedence', async () => {
  const own_rates = [
    { member_id: member.id, order_rules: [{ basis_points: 3_500, conditions: { min_order_cents: 50_000 } }, { basis_points: 3_000 }] },
    { group_id: vip.id, order_rules: [{ basis_points: 1_600, conditions: { new_customers: true } }, { basis_points: 1_500 }] },
  ];
  const body = { order: { order_subtotal_cents: 10_000 }, terms: { ...rules, own_rates }, click_creator_id: member.creator_id };
  const [part] = (await merchant.api('POST', `${program}/simulate`, body)).json.earned;
  expect(part).toMatchObject({ basis_points: 3_000, rule: { level: 'member' }, skipped: [{ level: 'member', failed: 'min_order' }] });
  expect(part.preceded).toMatchObject([
    { level: 'group', basis_points: 1_600, conditions: { new_customers: true } },
    { level: 'group', basis_points: 1_500 },
    { level: 'program', basis_points: 1_000 },
  ]);
  expect(part.preceded.map(({ text }: Json) => text)).toEqual([
    '16% (the rate of the group VIP, for new customers)',
    '15% (the rate of the group VIP)',
    '10% (the program’s rate)',
  ]);
});

test('a subscription copies the rate of its creator at the bind', async () => {
  const own_rates = [{ member_id: member.id, subscription_rules: [{ flat_cents: 700 }] }];
  expectSuccess(await newTerms({ own_rates }));
  const subscriber = subscriberOf(merchant);
  expectSuccess(await subscriber.bind());
  expectSuccess(await newTerms({ own_rates: [] }));
  const paid = await subscriber.reportInvoice();
  expect(await commissionOf(paid)).toMatchObject({ amount_cents: 700, explanation: expect.stringContaining('the creator’s own rate') });
});

test('a creator sees their own rates, and no one else’s, and the public page shows none', async () => {
  expectSuccess(
    await newTerms({
      own_rates: [
        { group_id: vip.id, order_rules: [{ flat_cents: 300 }] },
        { member_id: member.id, order_rules: [{ basis_points: 2_000 }] },
      ],
    }),
  );
  const { json } = await merchant.api('GET', `/creators/${merchant.world.creator.id}/memberships/${member.id}/rates`);
  expect(json.rates.map(({ level }: Json) => level)).toEqual(['member', 'group', 'program']);
  expect(JSON.stringify(json)).not.toContain(vip.id);
  const { json: ben } = await merchant.api('POST', '/creators', { name: 'Ben Rates', email: 'ben-rates@example.com' });
  const benMember = (await merchant.api('POST', `${program}/members`, { creator_id: ben.id })).json;
  const own = await merchant.api('GET', `/creators/${ben.id}/memberships/${benMember.id}/rates`);
  expect(own.json.rates.map(({ level }: Json) => level)).toEqual(['program']);
  expect((await merchant.api('GET', `/creators/${ben.id}/memberships/${member.id}/rates`)).status).toBe(404);
  const page = await merchant.api('GET', `/programs/${merchant.world.program.id}`);
  expect(JSON.stringify(page.json)).not.toContain('own_rates');
});

test('the rule that applied is the first one that may apply, and a later one is found', async () => {
  const counts = async () => [
    (await differencesOf('a rule that applied is one of its terms version'))?.length,
    (await differencesOf('a rate that applied is that of the first rule that may apply'))?.length,
  ];
  expect(await counts()).toEqual([0, 0]);
  for (const level of ['member', 'group']) {
    const { commissionId, earned } = await merchant.database.one<{ commissionId: string; earned: Json }>(sql`
      select commission_id, earned from commissions
      where store_id = ${merchant.storeId} and source_kind = 'order' and earned #>> '{0,rule,level}' = ${level} limit 1`);
    const put = (parts: Json) =>
      merchant.database.run(sql`
        update commissions set earned = ${JSON.stringify(parts)}::jsonb
        where store_id = ${merchant.storeId} and commission_id = ${commissionId}`);
    await put([{ ...earned[0], rule: { level: 'program' }, basis_points: 1_000, flat_cents: null }]);
    expect(await counts()).toEqual([0, 1]);
    await put(earned);
  }
  expect(await counts()).toEqual([0, 0]);
});

test('every applied rule is one of its terms, and a changed one is found', async () => {
  const check = 'a rule that applied is one of its terms version';
  expect(await differencesOf(check)).toEqual([]);
  await merchant.database.run(sql`
    update terms set own_rates = '[]' where store_id = ${merchant.storeId} and version = (
      select terms_version from commissions where store_id = ${merchant.storeId} and earned @> '[{"rule": {"level": "member"}}]' limit 1)`);
  expect(await differencesOf(check)).not.toEqual([]);
});

test('an exported file with own rates and tiers changes nothing, and another program imports it without own rates', async () => {
  const { json: group } = await merchant.api('POST', `${program}/groups`, { name: 'Exported' });
  const own_rates = [{ group_id: group.id, order_rules: [{ basis_points: 1_500, conditions: { new_customers: true } }] }];
  const tier = { threshold: 5, order_rules: [{ basis_points: 1_400, conditions: { min_order_cents: 10_000 } }, { basis_points: 1_200 }] };
  const tiers = { measure: 'approved_commissions', period: 'month', time_zone: 'UTC', tiers: [tier] };
  expect((await newTerms({ own_rates, tiers })).json.tiers.tiers).toMatchObject([tier]);
  const { json: file } = await merchant.api('GET', `${program}/terms-file`);
  expect([file.own_rates, file.tiers.tiers]).toMatchObject([own_rates, [tier]]);
  expect((await merchant.api('POST', `${program}/terms-preview`, file)).json.changes).toEqual([]);
  const landing_url = merchant.world.store.site_url;
  const { json: other } = await merchant.api('POST', `${opened.store}/programs`, { name: 'Others', landing_url });
  const refused = await merchant.api('POST', `${opened.store}/programs/${other.id}/terms`, file);
  expect([refused.status, refused.json.errors[0].field]).toEqual([422, 'own_rates.0.group_id']);
  const { json: shared } = await merchant.api('GET', `${program}/terms-file?own_rates=false`);
  expect({ ...shared, own_rates: file.own_rates }).toEqual(file);
  expectSuccess(await merchant.api('POST', `${opened.store}/programs/${other.id}/terms`, shared));
  const { changes } = (await merchant.api('POST', `${program}/terms-preview`, shared)).json;
  expect(changes).toMatchObject([{ field: 'own_rates', owner_id: group.id }]);
});
