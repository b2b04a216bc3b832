import { expect, test } from 'vitest';
import { openSharedMerchant, otherMerchant, type Json } from '../support/merchant.ts';

const simulate = (body: Json) => merchant.api('POST', path, body);

const merchant = await openSharedMerchant();
const path = `/stores/${merchant.world.store.id}/programs/${merchant.world.program.id}/simulate`;

test('a simulated order earns the same as the real order, and is not stored', async () => {
  const { json } = await simulate({ order: { order_subtotal_cents: 12_005, occurred_at: merchant.at() } });
  expect(json).toMatchObject({ status: 200, reason: 'recorded', commission_cents: 1_201, eligible_cents: 12_005, terms_version: 1 });
  expect(json.explanation).toContain('12.01 USD');

  const order = await merchant.order({ order_subtotal_cents: 12_005 });
  expect((await merchant.convert(order)).status).toBe(200);
  const commission = await merchant.commissionOf(order.order_id);
  expect(commission.amountCents).toBe(BigInt(json.commission_cents));
  const { json: listed } = await merchant.api('GET', `/stores/${merchant.world.store.id}/commissions`);
  expect(listed.data).toHaveLength(1);
});

test('a simulated order outside the window earns nothing, with the reason', async () => {
  const clicked = merchant.at(-31 * 86_400_000);
  const { json } = await simulate({ order: { order_subtotal_cents: 12_000, occurred_at: merchant.at() }, clicked_at: clicked });
  expect(json).toMatchObject({ status: 422, reason: 'attribution_window_expired', commission_cents: null });
  expect(json.explanation).toContain('30 days');
});

test('simulates terms without creating them', async () => {
  const terms = { pays: 'product', order_rules: [{ product_id: 'mug', flat_cents: 150 }, { basis_points: 500 }] };
  const line_items = [
    { product_id: 'mug', amount_minor_units: 2_000, quantity: 3 },
    { product_id: 'tea', amount_minor_units: 1_000, quantity: 1 },
  ];
  const { json } = await simulate({ order: { order_subtotal_cents: 3_000, line_items }, terms });
  expect(json).toMatchObject({ commission_cents: 500, terms_version: 2, reason: 'recorded' });
  expect(json.earned.map((part: Json) => part.amount_cents)).toEqual([450, 50]);
  const { json: made } = await merchant.api('GET', path.replace('/simulate', '/terms'));
  expect(made.data).toHaveLength(1);
});

test.each<[what: string, body: Json, field: string]>([
  ['no amount', { order: {} }, 'order.order_subtotal_cents'],
  ['an amount that is no whole number', { order: { order_subtotal_cents: 1.5 } }, 'order.order_subtotal_cents'],
  [
    'a line item without its product',
    { order: { order_subtotal_cents: 1, line_items: [{ amount_minor_units: 1 }] } },
    'order.line_items.0.product_id',
  ],
  ['a click at no time', { order: { order_subtotal_cents: 1 }, clicked_at: 'yesterday' }, 'clicked_at'],
])('rejects %s with its field', async (_what, body, field) => {
  const { status, json } = await simulate(body);
  expect(status).toBe(400);
  expect(json.errors[0].field).toBe(field);
});

test("another store's program cannot be simulated", async () => {
  const other = otherMerchant(merchant);
  const { status } = await merchant.api('POST', path.replace(merchant.world.store.id, other.world.store.id), {
    order: { order_subtotal_cents: 1 },
  });
  expect(status).toBe(404);
});

test('a simulation credits codes and returning customers by the decision of real orders, and says which rule decided', async () => {
  const program = path.replace('/simulate', '');
  const { json: ben } = await merchant.api('POST', '/creators', { name: 'Ben Codes', email: 'ben-codes@example.com' });
  await merchant.api('POST', `${program}/members`, { creator_id: ben.id });
  expect((await merchant.api('POST', `${program}/codes`, { code: 'BEN10', creator_id: ben.id })).status).toBe(201);
  const order = { order_subtotal_cents: 10_000, discount_code: 'ben10' };
  const rules = { order_rules: [{ basis_points: 1_000 }] };
  const codes = { ...rules, codes: 'when_no_click' };

  const { json: off } = await simulate({ order, clicked_at: null });
  expect(off).toMatchObject({ reason: 'missing_referral_click', commission_cents: null, attribution: null, creator_id: null });
  const { json: byCode } = await simulate({ order, clicked_at: null, terms: codes });
  expect(byCode).toMatchObject({ commission_cents: 1_000, creator_id: ben.id, creator_name: 'Ben Codes', attribution: { rule: 'code' } });
  expect(byCode.explanation).toContain('The discount code BEN10 belongs to Ben Codes.');

  const { json: byClick } = await simulate({ order, click_creator_id: merchant.world.creator.id, terms: codes });
  expect(byClick).toMatchObject({
    creator_id: merchant.world.creator.id,
    attribution: { rule: 'click', compared: { by: 'code', creator_name: 'Ben Codes' } },
  });
  const { json: unnamed } = await simulate({ order, terms: { ...rules, codes: 'before_click' } });
  expect(unnamed).toMatchObject({
    creator_id: ben.id,
    attribution: { rule: 'code_before_click', compared: { creator_name: 'another creator' } },
  });

  const returning = { ...rules, returning: { days: 30, orders: 2, new_click: 'first_partner' } };
  const customer = { first_order_at: merchant.at(-86_400_000), creator_id: ben.id };
  const plain = { order_subtotal_cents: 10_000 };
  const { json: later } = await simulate({ order: plain, clicked_at: null, customer: { ...customer, later_orders: 1 }, terms: returning });
  expect(later).toMatchObject({ creator_id: ben.id, attribution: { rule: 'returning_customer', customer_order: 2 } });
  const { json: limit } = await simulate({ order: plain, clicked_at: null, customer: { ...customer, later_orders: 2 }, terms: returning });
  expect(limit.reason).toBe('missing_referral_click');
  const { json: first } = await simulate({ order: plain, customer, terms: returning });
  expect(first).toMatchObject({ creator_id: ben.id, attribution: { rule: 'first_partner', compared: { by: 'click' } } });
  expect((await simulate({ order: plain, customer: { first_order_at: 'soon' } })).status).toBe(400);
  const { json: listed } = await merchant.api('GET', `/stores/${merchant.world.store.id}/codes`);
  expect(listed.data[0].orders).toBe(0);
});
