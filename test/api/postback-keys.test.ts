import { createHash } from 'node:crypto';
import { afterAll, beforeEach, expect, test } from 'vitest';
import { findIntegration } from '../../src/merchants/integration-sql.ts';
import { postbackKeyTouches } from '../../src/merchants/postback-keys.ts';
import { readPublicId } from '../../src/core/ids.ts';
import { invariant } from '../../src/core/invariant.ts';
import { modulesApp, type Json } from '../support/modules-app.ts';

let store: Json;
let keysPath: string;

const app = await modulesApp();
afterAll(() => app.close());
const alice = await app.person();
beforeEach(async () => {
  store = (await alice('POST', '/stores', { name: 'Shop', site_url: 'https://shop.example' })).json;
  keysPath = `/stores/${store.id}/postback-keys`;
});

const sha256 = (text: string) => createHash('sha256').update(text).digest();
const authenticate = async (key: string, trackingKey = store.tracking_key) =>
  findIntegration(app.platform.tenants, trackingKey, sha256(key));

test('shows a postback key once, with 256 random bits, and stores only its hash', async () => {
  const { status, json } = await alice('POST', keysPath);
  expect(status).toBe(201);
  expect(json).toEqual({
    id: expect.stringMatching(/^pbkey_[0-9a-z]{26}$/),
    key: expect.stringMatching(/^pbk_[A-Za-z0-9_-]{43}$/),
    last4: json.key.slice(-4),
    created_at: '2026-03-01T12:00:00.000Z',
    last_used_at: null,
  });
  const { key, ...rest } = json;
  expect((await alice('GET', keysPath)).json).toEqual({ data: [rest], next_cursor: null });
  const { rows } = await app.platform.database.pool.query('select * from postback_keys');
  expect(rows.some((row) => row.key_hash.equals(sha256(key)))).toBe(true);
  const dump = await app.platform.database.pool.query(`
    select (select json_agg(k)::text from postback_keys k) || (select json_agg(a)::text from audit_log a) as everything`);
  expect(dump.rows[0].everything).not.toContain(key);
});

test('two keys work in parallel, a third is 422 limit_reached, and deleting one allows another', async () => {
  const [first, second] = [await alice('POST', keysPath), await alice('POST', keysPath)];
  expect(await alice('POST', keysPath)).toMatchObject({ status: 422, json: { ok: false, reason: 'limit_reached' } });
  expect(await alice('DELETE', `${keysPath}/${first.json.id}`)).toMatchObject({ status: 204, text: '' });
  const third = await alice('POST', keysPath);
  expect(third.status).toBe(201);
  expect((await alice('GET', keysPath)).json.data.map(({ id }: Json) => id).sort()).toEqual([second.json.id, third.json.id].sort());
});

test('of twenty concurrent requests two create a key, in every round', async () => {
  for (let round = 0; round < 8; round++) {
    const other = (await alice('POST', '/stores', { name: 'Busy', site_url: 'https://shop.example' })).json;
    const made = await Promise.all(Array.from({ length: 20 }, () => alice('POST', `/stores/${other.id}/postback-keys`)));
    expect(made.filter(({ status }) => status === 201)).toHaveLength(2);
    expect(made.filter(({ json }) => json.reason === 'limit_reached')).toHaveLength(18);
  }
});

test('the same Idempotency-Key creates one key, and shows it again', async () => {
  const first = await alice('POST', keysPath, undefined, { 'idempotency-key': 'k' });
  const second = await alice('POST', keysPath, undefined, { 'idempotency-key': 'k' });
  expect(second.text).toBe(first.text);
  expect((await alice('GET', keysPath)).json.data).toHaveLength(1);
});

test('deleting twice succeeds; an unknown key is 404', async () => {
  const { json } = await alice('POST', keysPath);
  expect((await alice('DELETE', `${keysPath}/${json.id}`)).status).toBe(204);
  expect((await alice('DELETE', `${keysPath}/${json.id}`)).status).toBe(204);
  expect((await alice('DELETE', `${keysPath}/${json.id.slice(0, -1)}${json.id.endsWith('0') ? '1' : '0'}`)).status).toBe(404);
  expect((await alice('DELETE', `${keysPath}/${json.key}`)).status).toBe(404);
});

test('lists keys page by page, newest first', async () => {
  const first = await alice('POST', keysPath);
  app.moveTo(new Date('2026-03-02T00:00:00.000Z'));
  const second = await alice('POST', keysPath);
  const page = (await alice('GET', `${keysPath}?limit=1`)).json;
  expect(page.data[0].id).toBe(second.json.id);
  const next = (await alice('GET', `${keysPath}?limit=1&cursor=${page.next_cursor}`)).json;
  expect([next.data[0].id, next.next_cursor]).toEqual([first.json.id, null]);
});

test('a key authenticates only for its own tracking key', async () => {
  const { key } = (await alice('POST', keysPath)).json;
  const other = (await alice('POST', '/stores', { name: 'Other', site_url: 'https://other.example' })).json;
  expect(await authenticate(key)).toMatchObject({ is: 'open', integration: { storeId: readPublicId('store', store.id) } });
  expect(await authenticate(key, other.tracking_key)).toEqual({ is: 'unknown' });
  expect(await authenticate(key, 'tk_none')).toEqual({ is: 'unknown' });
  expect(await authenticate(`${key}x`)).toEqual({ is: 'unknown' });
});

test('a deleted key no longer authenticates, and the other one still does', async () => {
  const [first, second] = [(await alice('POST', keysPath)).json, (await alice('POST', keysPath)).json];
  await alice('DELETE', `${keysPath}/${first.id}`);
  expect([(await authenticate(first.key)).is, (await authenticate(second.key)).is]).toEqual(['unknown', 'open']);
});

test('only a holder of the key learns that an integration is disabled or a store is archived', async () => {
  const { id, key } = (await alice('POST', keysPath)).json;
  await alice('POST', `/stores/${store.id}/integration/disable`);
  expect(await authenticate(key)).toMatchObject({ is: 'disabled', integration: { postbackKeyId: readPublicId('pbkey', id) } });
  await alice('POST', `/stores/${store.id}/archive`);
  expect((await authenticate(key)).is).toBe('archived');
  expect((await authenticate('pbk_other')).is).toBe('unknown');
  await alice('POST', `/stores/${store.id}/unarchive`);
  await alice('POST', `/stores/${store.id}/integration/enable`);
  expect((await authenticate(key)).is).toBe('open');
});

test('writes "last used" at most once a minute, across processes', async () => {
  const { json } = await alice('POST', keysPath);
  const found = await authenticate(json.key);
  invariant(found.is === 'open', 'the key was just made');
  const usedAt = async () => (await alice('GET', keysPath)).json.data[0].last_used_at;
  const at = (seconds: number) => new Date(Date.UTC(2026, 2, 3) + seconds * 1_000);

  const touch = postbackKeyTouches(app.platform);
  touch(found.integration, at(0));
  await expect.poll(usedAt).toBe(at(0).toISOString());
  touch(found.integration, at(59));
  postbackKeyTouches(app.platform)(found.integration, at(59.5));
  await new Promise((resolve) => setTimeout(resolve, 100));
  expect(await usedAt()).toBe(at(0).toISOString());
  touch(found.integration, at(60));
  await expect.poll(usedAt).toBe(at(60).toISOString());
});
