import { afterAll, expect, test } from 'vitest';
import { readPublicId } from '../../src/core/ids.ts';
import { invariant } from '../../src/core/invariant.ts';
import { sql } from '../../src/db/sql.ts';
import { turnTrackingOn } from '../../src/merchants/stores-sql.ts';
import { modulesApp, type Json } from '../support/modules-app.ts';

const app = await modulesApp();
afterAll(() => app.close());
const [alice, bob] = [await app.person(), await app.person()];
const store = (await alice('POST', '/stores', { name: 'Shop', site_url: 'https://shop.example/' })).json;

const idOf = (json: Json) => {
  const storeId = readPublicId('store', json.id);
  invariant(storeId !== null, 'a store has an id');
  return storeId;
};

test('returns a created store in full, with tracking off', async () => {
  const { status, json } = await alice('POST', '/stores', { name: 'Mugs & more', site_url: 'https://mugs.example' });
  expect(status).toBe(201);
  expect(json).toEqual({
    id: expect.stringMatching(/^store_[0-9a-z]{26}$/),
    name: 'Mugs & more',
    site_url: 'https://mugs.example',
    status: 'active',
    tracking_key: expect.stringMatching(/^tk_[A-Za-z0-9_-]{24}$/),
    tracking_on: false,
    tracking_on_at: null,
    integration: 'enabled',
    archived_at: null,
    created_at: '2026-03-01T12:00:00.000Z',
  });
  expect((await alice('GET', `/stores/${json.id}`)).json).toEqual(json);
});

test('a person who creates a store owns it; a store created with an operator’s key has no owner', async () => {
  expect((await alice('GET', `/stores/${store.id}`)).status).toBe(200);
  const { json } = await app.operator('POST', '/stores', { name: 'For a person', site_url: 'https://person.example' });
  expect((await app.operator('GET', `/stores/${json.id}`)).json).toEqual(json);
  expect((await alice('GET', `/stores/${json.id}`)).status).toBe(404);
});

test('tracking keys are unique across stores', async () => {
  const again = (await bob('POST', '/stores', { name: 'Shop', site_url: 'https://shop.example/' })).json;
  expect(again.tracking_key).not.toBe(store.tracking_key);
});

test('a key that is not an operator’s creates no store, and neither does an unauthenticated request', async () => {
  const key = app.keyOfStore(idOf(store), ['store:read', 'store:manage']);
  const body = { name: 'Shop', site_url: 'https://shop.example' };
  expect((await key('POST', '/stores', body)).json).toMatchObject({ ok: false, reason: 'permission_missing' });
  expect(await app.anonymous('POST', '/stores', body)).toMatchObject({ status: 401, json: { reason: 'not_signed_in' } });
});

test.each<[field: string, body: unknown]>([
  ['name', { site_url: 'https://shop.example' }],
  ['name', { name: '', site_url: 'https://shop.example' }],
  ['name', { name: ' ', site_url: 'https://shop.example' }],
  ['name', { name: 'a\u0000b', site_url: 'https://shop.example' }],
  ['name', { name: 'line\nbreak', site_url: 'https://shop.example' }],
  ['name', { name: 'half \ud800', site_url: 'https://shop.example' }],
  ['name', { name: 'x'.repeat(201), site_url: 'https://shop.example' }],
  ['name', { name: 1, site_url: 'https://shop.example' }],
  ['site_url', { name: 'Shop' }],
  ['site_url', { name: 'Shop', site_url: null }],
  ['owner', { name: 'Shop', site_url: 'https://shop.example', owner: 'me' }],
  ['body', []],
])('a store with a wrong %s is 400 and names it', async (field, body) => {
  const { status, json } = await alice('POST', '/stores', body);
  expect([status, json.ok, json.reason, json.errors[0].field]).toEqual([400, false, 'invalid_request', field]);
});

test('a body that is not JSON is 400 json_required', async () => {
  expect((await alice('POST', '/stores', '{')).json).toMatchObject({ ok: false, reason: 'json_required' });
});

test("a site that cannot be a store's address is 422 with the reason", async () => {
  const { status, json } = await alice('POST', '/stores', { name: 'Shop', site_url: 'shop.example' });
  expect([status, json.reason, json.errors]).toEqual([
    422,
    'unprocessable',
    [{ field: 'site_url', message: 'must start with https:// or http:// and a host' }],
  ]);
});

test('a person lists their own stores, newest first, page by page, and an operator lists all', async () => {
  const carol = await app.person();
  const made: string[] = [];
  for (let number = 1; number <= 5; number++) {
    app.moveTo(new Date(Date.UTC(2026, 2, 2, number)));
    made.unshift((await carol('POST', '/stores', { name: `Shop ${number}`, site_url: 'https://shop.example' })).json.id);
  }
  const pages: string[][] = [];
  let cursor: string | null = null;
  do {
    const { json }: Json = await carol('GET', `/stores?limit=2${cursor === null ? '' : `&cursor=${cursor}`}`);
    pages.push(json.data.map(({ id }: Json) => id));
    cursor = json.next_cursor;
  } while (cursor !== null);
  expect(pages).toEqual([made.slice(0, 2), made.slice(2, 4), made.slice(4)]);
  const all = (await app.operator('GET', '/stores?limit=200')).json.data.map(({ id }: Json) => id);
  expect(all).toEqual(expect.arrayContaining([...made, store.id]));
});

test.each([['limit=0'], ['limit=201'], ['limit=x'], ['cursor=x'], ['cursor='], ['page=2']])(
  'the list rejects the query %s: 400',
  async (query) => {
    expect(await alice('GET', `/stores?${query}`)).toMatchObject({ status: 400, json: { reason: 'invalid_request' } });
  },
);

test('changes the name and nothing else', async () => {
  const { status, json } = await alice('PATCH', `/stores/${store.id}`, { name: 'New name' });
  expect([status, json]).toEqual([200, { ...store, name: 'New name' }]);
});

test('archiving twice keeps the first time, and restoring twice succeeds', async () => {
  const { json: created } = await alice('POST', '/stores', { name: 'Old', site_url: 'https://old.example' });
  app.moveTo(new Date('2026-04-01T00:00:00.000Z'));
  const archived = { ...created, status: 'archived', archived_at: '2026-04-01T00:00:00.000Z' };
  expect(await alice('POST', `/stores/${created.id}/archive`)).toMatchObject({ status: 200, json: archived });
  app.moveTo(new Date('2026-04-02T00:00:00.000Z'));
  expect((await alice('POST', `/stores/${created.id}/archive`)).json).toEqual(archived);
  expect((await alice('POST', `/stores/${created.id}/unarchive`)).json).toEqual(created);
  expect((await alice('POST', `/stores/${created.id}/unarchive`)).json).toEqual(created);
});

test('a store that was past due before it was archived is past due after it is restored', async () => {
  const { json: created } = await alice('POST', '/stores', { name: 'Owing', site_url: 'https://owing.example' });
  await app.platform.database.pool.query('update stores set past_due_at = $1 where store_id = $2', [new Date(), idOf(created)]);
  const statuses = [(await alice('GET', `/stores/${created.id}`)).json.status];
  for (const verb of ['archive', 'unarchive']) statuses.push((await alice('POST', `/stores/${created.id}/${verb}`)).json.status);
  expect(statuses).toEqual(['past_due', 'archived', 'past_due']);
});

test('the integration can be disabled and enabled repeatedly', async () => {
  const switches = ['disable', 'disable', 'enable', 'enable'];
  const words: string[] = [];
  for (const way of switches) words.push((await alice('POST', `/stores/${store.id}/integration/${way}`)).json.integration);
  expect(words).toEqual(['disabled', 'disabled', 'enabled', 'enabled']);
});

test('tracking is turned on once, and repeating it keeps the first time', async () => {
  const { json: created } = await alice('POST', '/stores', { name: 'Tracked', site_url: 'https://tracked.example' });
  await turnTrackingOn(app.platform.database, idOf(created), new Date('2026-05-01T00:00:00.000Z'));
  await turnTrackingOn(app.platform.database, idOf(created), new Date('2026-05-02T00:00:00.000Z'));
  expect((await alice('GET', `/stores/${created.id}`)).json).toMatchObject({
    tracking_on: true,
    tracking_on_at: '2026-05-01T00:00:00.000Z',
  });
});

test('the same Idempotency-Key creates one store', async () => {
  const body = { name: 'Once', site_url: 'https://once.example' };
  const first = await bob('POST', '/stores', body, { 'idempotency-key': 'once' });
  const second = await bob('POST', '/stores', body, { 'idempotency-key': 'once' });
  expect([second.status, second.text]).toEqual([201, first.text]);
  expect((await bob('GET', '/stores')).json.data.filter(({ name }: Json) => name === 'Once')).toHaveLength(1);
});

test('an operation without the required permission is 403, and changes nothing', async () => {
  const viewer = app.keyOfStore(idOf(store), ['store:read']);
  for (const path of ['archive', 'unarchive', 'integration/disable', 'integration/enable']) {
    expect(await viewer('POST', `/stores/${store.id}/${path}`)).toMatchObject({ status: 403, json: { reason: 'permission_missing' } });
  }
  expect((await viewer('GET', `/stores/${store.id}`)).json).toMatchObject({ status: 'active', integration: 'enabled' });
});

test('a site changes only with the landing pages it would no longer cover: refused with counts, or moved with their paths', async () => {
  const { json: created } = await alice('POST', '/stores', { name: 'Moving', site_url: 'https://from.example' });
  const { json: program } = await alice('POST', `/stores/${created.id}/programs`, {
    name: 'P',
    landing_url: 'https://www.from.example/a/b?c=1',
  });
  const path = `/stores/${created.id}`;
  const refused = await alice('PATCH', path, { site_url: 'https://to.example' });
  expect([refused.status, refused.json.reason]).toEqual([409, 'conflict']);
  expect(refused.json.message).toContain('1 program and 0 links');
  const outside = 'landing pages of 1 program and 0 links are outside https://to.example; move them, or change them first';
  expect(refused.json.errors).toEqual([{ field: 'move_landing_pages', message: outside }]);
  expect((await alice('GET', path)).json.site_url).toBe('https://from.example');
  expect((await bob('PATCH', path, { site_url: 'https://to.example', move_landing_pages: true })).status).toBe(404);
  const moved = await alice('PATCH', path, { site_url: 'https://to.example', move_landing_pages: true });
  expect([moved.status, moved.json]).toEqual([200, { ...created, site_url: 'https://to.example' }]);
  expect((await alice('GET', `${path}/programs/${program.id}`)).json.landing_url).toBe('https://to.example/a/b?c=1');
  expect((await alice('PATCH', path, { site_url: 'ftp://to.example' })).status).toBe(422);
  const entry = await app.platform.database.one<Json>(sql`select details from audit_log where action = 'store.site_changed'`);
  expect(entry.details).toEqual({ from: 'https://from.example', to: 'https://to.example', programs_moved: 1, links_moved: 0 });
});
