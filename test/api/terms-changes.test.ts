import { afterAll, beforeEach, expect, test } from 'vitest';
import { modulesApp, type Json } from '../support/modules-app.ts';

let program: string;
const good = {
  order_rules: [{ basis_points: 1_000 }],
  subscription_rules: [{ product_id: 'plan', basis_points: 2_000, max_months: null }],
};

const app = await modulesApp();
afterAll(() => app.close());
const alice = await app.person();
beforeEach(async () => {
  app.moveTo(new Date('2026-03-01T12:00:00.000Z'));
  program = await newProgram();
});

async function newProgram(): Promise<string> {
  const store = (await alice('POST', '/stores', { name: 'Shop', site_url: 'https://shop.example' })).json;
  const { id } = (await alice('POST', `/stores/${store.id}/programs`, { name: 'Friends', landing_url: 'https://shop.example' })).json;
  return `/stores/${store.id}/programs/${id}`;
}

test('two versions are compared in words, with what each change means for creators', async () => {
  await alice('POST', `${program}/terms`, good);
  await alice('POST', `${program}/terms`, { ...good, order_rules: [{ basis_points: 800 }] });
  const changed = { product_id: null, price_id: null, lead_kind: null, owner_id: null, effect: 'worse' };
  const order = {
    ...changed,
    field: 'order_rule',
    before: '10%',
    after: '8%',
    text: 'Commission of one-time orders: 8%, before: 10%.',
  };
  const latest = { from_version: 1, to_version: 2, effect: 'worse', warnings: [], changes: [order] };
  expect((await alice('GET', `${program}/terms-changes`)).json).toEqual(latest);
  expect((await alice('GET', `${program}/terms-changes?from=2&to=1`)).json).toMatchObject({ effect: 'better', from_version: 2 });
  expect((await alice('GET', `${program}/terms-changes?to=1`)).json).toMatchObject({ from_version: null, effect: 'better' });
  for (const query of ['to=3', 'from=7'])
    expect((await alice('GET', `${program}/terms-changes?${query}`)).json).toMatchObject({ reason: 'unprocessable' });
});

test('a version is compared with the one whose place it takes, and not with one that starts later', async () => {
  await alice('POST', `${program}/terms`, good);
  await alice('POST', `${program}/terms`, { ...good, order_rules: [{ basis_points: 500 }], effective_from: '2026-06-01T00:00:00Z' });
  await alice('POST', `${program}/terms`, { ...good, order_rules: [{ basis_points: 700 }] });
  expect((await alice('GET', `${program}/terms-changes`)).json).toMatchObject({ from_version: 1, to_version: 3 });
});

test('a preview checks and compares new terms, and saves nothing', async () => {
  await alice('POST', `${program}/terms`, good);
  const { status, json } = await alice('POST', `${program}/terms-preview`, { ...good, order_rules: [{ basis_points: 1_200 }] });
  expect([status, json.from_version, json.to_version, json.effect]).toEqual([200, 1, 2, 'better']);
  expect((await alice('POST', `${program}/terms-preview`, good)).json).toMatchObject({ effect: null, changes: [] });
  expect((await alice('POST', `${program}/terms-preview`, { ...good, order_rules: [{}] })).status).toBe(422);
  expect((await alice('GET', `${program}/terms`)).json.data).toHaveLength(1);
});

test('an exported file is a body for new terms, also of another program', async () => {
  const attribution = { codes: 'when_no_click', returning: { days: 90, orders: 5, new_click: 'last_click' } };
  await alice('POST', `${program}/terms`, {
    ...good,
    ...attribution,
    pays: 'product',
    order_rules: [{ product_id: 'mug', flat_cents: 250 }],
  });
  const { json: file } = await alice('GET', `${program}/terms-file`);
  expect(file).toMatchObject({ format: 'tributary.terms/1', pays: 'product', ...attribution });
  expect(Object.keys(file)).not.toContain('version');
  const other = await newProgram();
  const created = (await alice('POST', `${other}/terms`, file)).json;
  expect(created.version).toBe(1);
  expect((await alice('GET', `${other}/terms-file?version=1`)).json).toEqual(file);
  expect((await alice('POST', `${other}/terms-preview`, file)).json.changes).toEqual([]);
  expect((await alice('POST', `${other}/terms`, { ...file, format: 'tributary.terms/2' })).status).toBe(400);
});

test('a program without terms has nothing to compare or export', async () => {
  for (const path of ['terms-changes', 'terms-file']) {
    const { status, json }: Json = await alice('GET', `${program}/${path}`);
    expect([status, json.reason]).toEqual([422, 'unprocessable']);
  }
});
