import { afterAll, beforeEach, expect, test } from 'vitest';
import { turnTrackingOn } from '../../src/merchants/stores-sql.ts';
import { readPublicId } from '../../src/core/ids.ts';
import { invariant } from '../../src/core/invariant.ts';
import { modulesApp, type Json } from '../support/modules-app.ts';

let store: Json;
let path: string;

const good = { name: 'Friends', landing_url: 'https://shop.example/hello' };
const tenPercent = { order_rules: [{ basis_points: 1_000 }], subscription_rules: [], pays: 'order' };

const app = await modulesApp();
afterAll(() => app.close());
const alice = await app.person();
beforeEach(async () => {
  app.moveTo(new Date('2026-03-01T12:00:00.000Z'));
  store = (await alice('POST', '/stores', { name: 'Shop', site_url: 'https://shop.example' })).json;
  path = `/stores/${store.id}/programs`;
});

async function trackingOn(): Promise<void> {
  const storeId = readPublicId('store', store.id);
  invariant(storeId !== null, 'a store has an id');
  await turnTrackingOn(app.platform.database, storeId, app.platform.clock.now());
}

const make = async (body: object = good): Promise<Json> => (await alice('POST', path, body)).json;
const versionsOf = async (program: Json): Promise<Json[]> => (await alice('GET', `${path}/${program.id}/terms`)).json.data;

test('a program starts as a draft with 30 days of attribution, a 30-day hold, and manual approval', async () => {
  const { status, json } = await alice('POST', path, good);
  expect(status).toBe(201);
  expect(json).toEqual({
    id: expect.stringMatching(/^prog_[0-9a-z]{26}$/),
    name: 'Friends',
    landing_url: 'https://shop.example/hello',
    status: 'draft',
    attribution_days: 30,
    hold_days: 30,
    approval: 'manual',
    auto_approve_days: null,
    first_published_at: null,
    questions: [],
    created_at: '2026-03-01T12:00:00.000Z',
  });
  expect((await alice('GET', `${path}/${json.id}`)).json).toEqual(json);
});

test.each([
  [{ attribution_days: 1, hold_days: 0 }],
  [{ attribution_days: 365, hold_days: 90 }],
  [{ approval: 'auto', auto_approve_days: 3 }],
  [{ approval: 'auto', auto_approve_days: 90 }],
  [{ approval: 'manual', auto_approve_days: null }],
])('creates a program with the requested settings: %j', async (settings) => {
  expect(await alice('POST', path, { ...good, ...settings })).toMatchObject({ status: 201, json: settings });
});

test.each<[field: string, body: object]>([
  ['name', { name: undefined }],
  ['name', { name: 'a\u0000' }],
  ['landing_url', { landing_url: undefined }],
  ['attribution_days', { attribution_days: 0 }],
  ['attribution_days', { attribution_days: 366 }],
  ['attribution_days', { attribution_days: 1.5 }],
  ['attribution_days', { attribution_days: '30' }],
  ['hold_days', { hold_days: -1 }],
  ['hold_days', { hold_days: 91 }],
  ['approval', { approval: 'later' }],
  ['auto_approve_days', { approval: 'auto', auto_approve_days: 2 }],
  ['auto_approve_days', { approval: 'auto', auto_approve_days: 91 }],
  ['status', { status: 'published' }],
])('a wrong %s is 400 and is named, in POST and in PATCH', async (field, wrong) => {
  const made = await alice('POST', path, { ...good, ...wrong });
  expect([made.status, made.json.errors[0].field]).toEqual([400, field]);
  if (Object.values(wrong).includes(undefined)) return;
  const changed = await alice('PATCH', `${path}/${(await make()).id}`, wrong);
  expect([changed.status, changed.json.errors[0].field]).toEqual([400, field]);
});

test.each<[field: string, body: object]>([
  ['landing_url', { landing_url: 'https://evil.example/' }],
  ['landing_url', { landing_url: 'http://shop.example/' }],
  ['auto_approve_days', { approval: 'auto' }],
  ['auto_approve_days', { auto_approve_days: 5 }],
])('an impossible setting is 422 and names %s, in POST and in PATCH: %j', async (field, wrong) => {
  const made = await alice('POST', path, { ...good, ...wrong });
  expect([made.status, made.json.reason, made.json.errors[0].field]).toEqual([422, 'unprocessable', field]);
  const program = await make();
  const changed = await alice('PATCH', `${path}/${program.id}`, wrong);
  expect([changed.status, changed.json.errors[0].field]).toEqual([422, field]);
  expect((await alice('GET', `${path}/${program.id}`)).json).toEqual(program);
});

test('lists programs newest first, page by page', async () => {
  const made: string[] = [];
  for (let hour = 1; hour <= 3; hour++) {
    app.moveTo(new Date(Date.UTC(2026, 2, 2, hour)));
    made.unshift((await make()).id);
  }
  const first = (await alice('GET', `${path}?limit=2`)).json;
  const second = (await alice('GET', `${path}?limit=2&cursor=${first.next_cursor}`)).json;
  expect([...first.data, ...second.data].map(({ id }: Json) => id)).toEqual(made);
  expect([first.data.length, second.next_cursor]).toEqual([2, null]);
});

test('a new name or landing page creates no version of the terms', async () => {
  const program = await make();
  await alice('POST', `${path}/${program.id}/terms`, tenPercent);
  const change = { name: 'Best friends', landing_url: 'https://shop.example/again' };
  expect((await alice('PATCH', `${path}/${program.id}`, change)).json).toEqual({ ...program, ...change });
  expect(await versionsOf(program)).toHaveLength(1);
});

test('a change of window, hold, or approval creates a new version, effective now, with the previous rules', async () => {
  const program = await make();
  const { json: first } = await alice('POST', `${path}/${program.id}/terms`, tenPercent);
  app.moveTo(new Date('2026-03-05T00:00:00.000Z'));
  const { status, json } = await alice('PATCH', `${path}/${program.id}`, { hold_days: 14, approval: 'auto', auto_approve_days: 7 });
  expect([status, json]).toEqual([200, { ...program, hold_days: 14, approval: 'auto', auto_approve_days: 7 }]);
  const settings = {
    hold_days: 14,
    approval: 'auto',
    auto_approve_days: 7,
    effective_from: '2026-03-05T00:00:00.000Z',
    made_at: '2026-03-05T00:00:00.000Z',
  };
  expect(await versionsOf(program)).toEqual([{ ...first, version: 2, ...settings }, first]);
});

test('a change to the current value creates no version', async () => {
  const program = await make();
  await alice('POST', `${path}/${program.id}/terms`, tenPercent);
  expect((await alice('PATCH', `${path}/${program.id}`, { hold_days: 30, approval: 'manual', auto_approve_days: null })).json).toEqual(
    program,
  );
  expect(await versionsOf(program)).toHaveLength(1);
});

test('a version that takes effect later does not undo a change made meanwhile', async () => {
  const program = await make();
  await alice('POST', `${path}/${program.id}/terms`, tenPercent);
  const later = { ...tenPercent, order_rules: [{ basis_points: 500 }], effective_from: '2026-04-01T00:00:00.000Z' };
  await alice('POST', `${path}/${program.id}/terms`, later);
  app.moveTo(new Date('2026-03-10T00:00:00.000Z'));
  await alice('PATCH', `${path}/${program.id}`, { attribution_days: 7 });
  const versions = (await versionsOf(program)).map((terms) => [
    terms.version,
    terms.effective_from.slice(0, 10),
    terms.attribution_days,
    terms.order_rules[0].basis_points,
  ]);
  expect(versions).toEqual([
    [4, '2026-04-01', 7, 500],
    [3, '2026-03-10', 7, 1_000],
    [2, '2026-04-01', 30, 500],
    [1, '2026-03-01', 30, 1_000],
  ]);
});

test('without terms a change is stored for the first version', async () => {
  const program = await make();
  await alice('PATCH', `${path}/${program.id}`, { attribution_days: 7 });
  expect(await versionsOf(program)).toEqual([]);
  expect((await alice('POST', `${path}/${program.id}/terms`, tenPercent)).json).toMatchObject({ version: 1, attribution_days: 7 });
});

test('publishing requires tracking, then terms; repeating it succeeds and keeps the first time', async () => {
  const program = await make();
  const publish = () => alice('POST', `${path}/${program.id}/publish`);
  expect(await publish()).toMatchObject({ status: 422, json: { ok: false, reason: 'tracking_is_off' } });
  await trackingOn();
  expect(await publish()).toMatchObject({ status: 422, json: { ok: false, reason: 'terms_missing' } });
  await alice('POST', `${path}/${program.id}/terms`, tenPercent);
  const published = { ...program, status: 'published', first_published_at: '2026-03-01T12:00:00.000Z' };
  expect(await publish()).toMatchObject({ status: 200, json: published });
  app.moveTo(new Date('2026-03-02T00:00:00.000Z'));
  expect((await publish()).json).toEqual(published);
  expect((await alice('POST', `${path}/${program.id}/pause`)).json).toEqual({ ...published, status: 'paused' });
  expect((await publish()).json).toEqual(published);
});

test('an unpublished program cannot be paused; a paused program stays paused', async () => {
  const program = await make();
  const pause = () => alice('POST', `${path}/${program.id}/pause`);
  expect(await pause()).toMatchObject({ status: 409, json: { ok: false, reason: 'conflict' } });
  await trackingOn();
  await alice('POST', `${path}/${program.id}/terms`, tenPercent);
  await alice('POST', `${path}/${program.id}/publish`);
  expect([(await pause()).json.status, (await pause()).json.status]).toEqual(['paused', 'paused']);
});

test('the same Idempotency-Key creates one program; with another body it is 422', async () => {
  const headers = { 'idempotency-key': 'p' };
  const first = await alice('POST', path, good, headers);
  expect((await alice('POST', path, good, headers)).text).toBe(first.text);
  expect((await alice('POST', path, { ...good, name: 'Other' }, headers)).json.reason).toBe('idempotency_key_reused');
  expect((await alice('GET', path)).json.data).toHaveLength(1);
});
