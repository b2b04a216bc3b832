import { afterAll, beforeEach, expect, test } from 'vitest';
import { termsOfProgram } from '../../src/merchants/terms-sql.ts';
import { ruleFor, subscriptionRuleFor, termsInForce } from '../../src/merchants/terms.ts';
import { turnTrackingOn } from '../../src/merchants/stores-sql.ts';
import { readPublicId } from '../../src/core/ids.ts';
import { invariant } from '../../src/core/invariant.ts';
import { modulesApp, type Json } from '../support/modules-app.ts';

let store: Json;
let program: Json;
let path: string;

const share = { product_id: null, basis_points: 1_000, flat_cents: null };
const good = { order_rules: [{ basis_points: 1_000 }], subscription_rules: [], pays: 'order' };

const app = await modulesApp();
afterAll(() => app.close());
const alice = await app.person();
beforeEach(async () => {
  app.moveTo(new Date('2026-03-01T12:00:00.000Z'));
  store = (await alice('POST', '/stores', { name: 'Shop', site_url: 'https://shop.example' })).json;
  program = (await alice('POST', `/stores/${store.id}/programs`, { name: 'Friends', landing_url: 'https://shop.example' })).json;
  path = `/stores/${store.id}/programs/${program.id}/terms`;
});

const names = () => {
  const [storeId, programId] = [readPublicId('store', store.id), readPublicId('prog', program.id)];
  invariant(storeId !== null && programId !== null, 'a created resource has an id');
  return { storeId, programId };
};

test('returns a new version in full, effective now, with the program’s window and hold', async () => {
  const { status, json } = await alice('POST', path, good);
  expect(status).toBe(201);
  expect(json).toEqual({
    version: 1,
    effective_from: '2026-03-01T12:00:00.000Z',
    made_at: '2026-03-01T12:00:00.000Z',
    attribution_days: 30,
    hold_days: 30,
    approval: 'manual',
    auto_approve_days: null,
    pays: 'order',
    order_rules: [share],
    subscription_rules: [],
    codes: 'off',
    returning: null,
    leads: [],
  });
  expect((await alice('GET', path)).json).toEqual({ data: [json], next_cursor: null });
});

test('accepts a version’s rules as the API returned them', async () => {
  const subscription_rules = [
    { product_id: 'plan', price_id: 'monthly', basis_points: 2_000, max_invoices: 12 },
    { product_id: 'plan', flat_cents: 500 },
    { flat_cents: 100, max_months: null },
  ];
  const first = (
    await alice('POST', path, { ...good, pays: 'product', order_rules: [{ product_id: 'mug', flat_cents: 250 }], subscription_rules })
  ).json;
  expect(first.subscription_rules.map(({ max_invoices, max_months }: Json) => [max_invoices, max_months])).toEqual([
    [12, null],
    [null, 12],
    [null, null],
  ]);
  const { pays, order_rules } = first;
  const second = (await alice('POST', path, { pays, order_rules, subscription_rules: first.subscription_rules })).json;
  expect(second).toEqual({ ...first, version: 2 });
});

test('orders read the terms that were sent', async () => {
  const subscription_rules = [{ product_id: 'plan\u0001', price_id: '月', basis_points: 2_000, max_invoices: 3 }];
  await alice('POST', path, { pays: 'product', order_rules: [{ product_id: 'mug', flat_cents: 250 }], subscription_rules });
  const terms = termsInForce(await termsOfProgram(app.platform.database, names()), app.platform.clock.now());
  invariant(terms !== null, 'a version was added');
  expect(ruleFor(terms, { productId: 'mug' })?.rate).toEqual({ is: 'flat', cents: 250n });
  expect(subscriptionRuleFor(terms, { productId: 'plan\u0001', priceId: '月' })).toMatchObject({
    rate: { is: 'share', basisPoints: 2_000 },
    maxInvoices: 3,
  });
});

test.each<[field: string, body: object]>([
  ['order_rules.1', { ...good, order_rules: [{ basis_points: 1 }, { flat_cents: 1 }] }],
  ['order_rules.0', { ...good, order_rules: [{}] }],
  ['order_rules.0', { ...good, order_rules: [{ basis_points: 1, flat_cents: 1 }] }],
  ['order_rules.0.basis_points', { ...good, order_rules: [{ basis_points: 10_001 }] }],
  ['order_rules.0.product_id', { ...good, order_rules: [{ product_id: 'mug', basis_points: 1 }] }],
  [
    'subscription_rules.1',
    {
      ...good,
      subscription_rules: [
        { product_id: 'p', basis_points: 1 },
        { product_id: 'p', flat_cents: 1 },
      ],
    },
  ],
  ['subscription_rules.0.max_months', { ...good, subscription_rules: [{ basis_points: 1, max_months: 0 }] }],
  ['effective_from', { ...good, effective_from: '2026-02-30T00:00:00Z' }],
  ['effective_from', { ...good, effective_from: '2026-04-01' }],
  ['effective_from', { ...good, effective_from: '2126-04-01T00:00:00Z' }],
  ['order_rules', {}],
])('impossible terms are 422 and name %s, and no version is added: %j', async (field, body) => {
  const { status, json } = await alice('POST', path, body);
  expect([status, json.reason, json.errors.map((problem: Json) => problem.field)]).toEqual([422, 'unprocessable', [field]]);
  expect((await alice('GET', path)).json.data).toEqual([]);
});

test.each<[field: string, body: object]>([
  ['pays', { ...good, pays: 'click' }],
  ['order_rules', { ...good, order_rules: {} }],
  ['order_rules', { ...good, order_rules: Array.from({ length: 501 }, () => ({ basis_points: 1 })) }],
  ['order_rules.0.basis_points', { ...good, order_rules: [{ basis_points: '10' }] }],
  ['order_rules.0.basis_points', { ...good, order_rules: [{ basis_points: 1.5 }] }],
  ['order_rules.0.price_id', { ...good, order_rules: [{ basis_points: 1, price_id: 'x' }] }],
  ['order_rules.0.product_id', { ...good, order_rules: [{ basis_points: 1, product_id: '' }] }],
  ['order_rules.0.product_id', { ...good, order_rules: [{ basis_points: 1, product_id: 'a\u0000' }] }],
  ['order_rules.0.product_id', { ...good, order_rules: [{ basis_points: 1, product_id: '\ud800' }] }],
  ['order_rules.0.product_id', { ...good, order_rules: [{ basis_points: 1, product_id: 'x'.repeat(501) }] }],
  ['effective_from', { ...good, effective_from: 1_772_366_400 }],
  ['version', { ...good, version: 7 }],
])('a wrong %s is 400 and is named: %#', async (field, body) => {
  const { status, json } = await alice('POST', path, body);
  expect([status, json.reason]).toEqual([400, 'invalid_request']);
  expect(json.errors.map((problem: Json) => problem.field)).toContain(field);
});

test('terms may begin in the past until the program is first published, and never after', async () => {
  const past = { ...good, effective_from: '2026-02-01T01:00:00+01:00' };
  expect(await alice('POST', path, past)).toMatchObject({ status: 201, json: { effective_from: '2026-02-01T00:00:00.000Z' } });
  await turnTrackingOn(app.platform.database, names().storeId, app.platform.clock.now());
  await alice('POST', path.replace(/terms$/, 'publish'));
  await alice('POST', path.replace(/terms$/, 'pause'));
  expect(await alice('POST', path, past)).toMatchObject({ status: 422, json: { errors: [{ field: 'effective_from' }] } });
  expect((await alice('POST', path, { ...good, effective_from: '2026-03-01T12:00:00Z' })).status).toBe(201);
});

test('concurrent versions are numbered consecutively, and none is lost', async () => {
  const made = await Promise.all(Array.from({ length: 10 }, () => alice('POST', path, good)));
  expect(made.map(({ status }) => status)).toEqual(made.map(() => 201));
  expect(made.map(({ json }) => json.version).sort((one, other) => one - other)).toEqual(made.map((_one, place) => place + 1));
});

test('lists versions page by page, newest first', async () => {
  for (let count = 0; count < 3; count++) await alice('POST', path, good);
  const first = (await alice('GET', `${path}?limit=2`)).json;
  const second = (await alice('GET', `${path}?limit=2&cursor=${first.next_cursor}`)).json;
  expect([...first.data, ...second.data].map(({ version }: Json) => version)).toEqual([3, 2, 1]);
  expect(second.next_cursor).toBeNull();
});

test('the same Idempotency-Key adds one version', async () => {
  const headers = { 'idempotency-key': 'terms' };
  const first = await alice('POST', path, good, headers);
  expect((await alice('POST', path, good, headers)).text).toBe(first.text);
  expect((await alice('GET', path)).json.data).toHaveLength(1);
});

test('a program has at most one thousand versions of its terms', async () => {
  await alice('POST', path, good);
  const { storeId, programId } = names();
  await app.platform.database.pool.query(
    `insert into terms select store_id, program_id, n, effective_from, made_at, attribution_days, hold_days, approval, auto_approve_days,
       pays, order_rules, subscription_rules from terms, generate_series(2, 1000) n where store_id = $1 and program_id = $2`,
    [storeId, programId],
  );
  expect(await alice('POST', path, good)).toMatchObject({ status: 422, json: { reason: 'limit_reached' } });
  const change = await alice('PATCH', path.replace(/\/terms$/, ''), { hold_days: 1 });
  expect(change).toMatchObject({ status: 422, json: { reason: 'limit_reached' } });
  expect((await alice('GET', path.replace(/\/terms$/, ''))).json.hold_days).toBe(30);
});
