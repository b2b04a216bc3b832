import { afterAll, expect, test } from 'vitest';
import { sql } from '../../src/db/sql.ts';
import { newId, publicId } from '../../src/core/ids.ts';
import { holds, peopleApp } from '../support/people-app.ts';

const app = await peopleApp();
afterAll(() => app.close());

const all = <Row>(...query: Parameters<typeof sql>) => app.platform.database.all<Row>(sql(...query));
const run = (...query: Parameters<typeof sql>) => app.platform.database.run(sql(...query));

test('a key is shown once and is not stored in plain text', async () => {
  const { store, client, owner } = await app.storeWithOwner();
  const path = `/stores/${store.id}/api-keys`;
  const made = await client.call(
    'POST',
    path,
    { name: 'Store server', scopes: ['store:read', 'programs:write'] },
    { 'idempotency-key': 'k1' },
  );
  expect(made.status).toBe(201);
  const { key } = made.json;
  expect(key).toMatch(/^trb_[A-Za-z0-9_-]{43}$/);
  expect(made.json).toMatchObject({ name: 'Store server', last4: key.slice(-4), scopes: ['store:read', 'programs:write'] });
  const listed = await client.call('GET', path);
  expect(listed.text).not.toContain(key);
  expect(listed.json.data).toEqual([
    {
      id: made.json.id,
      name: 'Store server',
      last4: key.slice(-4),
      scopes: ['store:read', 'programs:write'],
      effective_scopes: ['store:read', 'programs:write'],
      created_at: made.json.created_at,
      made_by: publicId('user', owner.userId),
      last_used_at: null,
    },
  ]);
  const dump = JSON.stringify([
    await all`select api_keys from api_keys`,
    await all`select audit_log from audit_log`,
    await all`select encode(reply_sealed, 'escape') as reply from idempotency_keys`,
  ]);
  expect(holds(dump, key)).toBe(false);
  expect(holds(dump, key.slice(4, 20))).toBe(false);
});

test('a key may do what its scopes allow, in its store, until it is revoked', async () => {
  const { store, client } = await app.storeWithOwner();
  const other = await app.storeWithOwner();
  const path = `/stores/${store.id}/api-keys`;
  const made = (await client.call('POST', path, { name: 'Reader', scopes: ['store:read'] })).json;
  const program = app.program(made.key);
  expect((await program.call('GET', path)).status).toBe(200);
  const refused = await program.call('POST', path, { name: 'More', scopes: ['store:read'] });
  expect([refused.status, refused.json.reason]).toEqual([403, 'permission_missing']);
  expect((await program.call('GET', `/stores/${other.store.id}/api-keys`)).status).toBe(404);
  expect((await program.call('GET', '/operators')).json.reason).toBe('operator_only');
  expect((await program.call('GET', '/sessions')).json.reason).toBe('permission_missing');
  expect((await program.call('GET', '/session')).json).toMatchObject({
    actor: made.id,
    name: 'Reader',
    email: null,
    stores: [{ id: store.id, role: null, permissions: ['store:read'] }],
  });
  expect((await client.call('DELETE', `${path}/${made.id}`)).status).toBe(204);
  expect((await program.call('GET', path)).json.reason).toBe('not_signed_in');
  expect((await client.call('DELETE', `${path}/${made.id}`)).status).toBe(404);
});

test('an invalid key grants no access, even with a valid cookie', async () => {
  const { client } = await app.storeWithOwner();
  for (const key of ['trb_', `trb_${'a'.repeat(43)}`, 'a'.repeat(47), '', 'undefined', `trb_${'\u00e9'.repeat(43)}`]) {
    const response = await client.call('GET', '/session', undefined, { authorization: `Bearer ${key}` });
    expect([response.status, response.json.reason]).toEqual([401, 'not_signed_in']);
    expect(response.json.message).toContain('is invalid or revoked');
  }
  expect((await app.browser().call('GET', '/session')).json.message).toContain('Sign in');
});

test('a key cannot create a key with more permissions than its own', async () => {
  const { store, client } = await app.storeWithOwner();
  const path = `/stores/${store.id}/api-keys`;
  const { key } = (await client.call('POST', path, { name: 'Team', scopes: ['team:write', 'store:read'] })).json;
  const program = app.program(key);
  expect((await program.call('POST', path, { name: 'More', scopes: ['billing:write'] })).json.reason).toBe('permission_missing');
  expect((await program.call('POST', path, { name: 'Less', scopes: ['store:read'] })).status).toBe(201);
});

test('an operator has all permissions in each store that exists, by a key too', async () => {
  const { store } = await app.storeWithOwner();
  const operator = await app.signedIn(await app.account({ isOperator: true }));
  const { key } = (await operator.call('POST', '/api-keys', { name: 'Seed' })).json;
  const program = app.program(key);
  expect((await program.call('GET', `/stores/${store.id}/team`)).json.data).toHaveLength(1);
  expect((await program.call('POST', `/stores/${store.id}/api-keys`, { name: 'k', scopes: ['store:manage'] })).status).toBe(201);
  expect((await program.call('GET', `/stores/${publicId('store', newId<'store'>(new Date()))}/team`)).status).toBe(404);
  expect((await program.call('GET', '/api-keys')).json.data).toHaveLength(1);
});

test('a deleted key of an operator stops working', async () => {
  const operator = await app.signedIn(await app.account({ isOperator: true }));
  const { key, id } = (await operator.call('POST', '/api-keys', { name: 'Deleted' })).json;
  const program = app.program(key);
  expect((await program.call('GET', '/api-keys')).status).toBe(200);
  expect((await operator.call('DELETE', `/api-keys/${id}`)).status).toBe(204);
  expect((await program.call('GET', '/api-keys')).status).toBe(401);
});

test("a creator's key reads and changes the creator's data, and no store's", async () => {
  const { creatorId, id } = await app.creator();
  const client = await app.signedIn(await app.account({ creatorId }));
  const { store } = await app.storeWithOwner();
  expect((await client.call('POST', `/creators/${id}/api-keys`, { name: 'k', scopes: ['store:read'] })).status).toBe(400);
  const made = (await client.call('POST', `/creators/${id}/api-keys`, { name: 'k', scopes: ['creator:read'] })).json;
  const program = app.program(made.key);
  expect((await program.call('GET', `/creators/${id}/api-keys`)).status).toBe(200);
  expect((await program.call('POST', `/creators/${id}/api-keys`, { name: 'k', scopes: ['creator:read'] })).status).toBe(403);
  expect((await program.call('GET', `/stores/${store.id}/team`)).status).toBe(404);
  expect((await client.call('DELETE', `/creators/${id}/api-keys/${made.id}`)).status).toBe(204);
});

test('creating a key requires a recent proof', async () => {
  const { store, client, owner } = await app.storeWithOwner();
  await run`update sessions set proved_at = ${new Date(Date.now() - 11 * 60_000)} where user_id = ${owner.userId}`;
  const response = await client.call('POST', `/stores/${store.id}/api-keys`, { name: 'k', scopes: ['store:read'] });
  expect([response.status, response.json.reason]).toEqual([403, 'proof_required']);
  expect(await all`select api_key_id from api_keys where store_id = ${store.storeId}`).toEqual([]);
});

test('the last use of a key is accurate to a minute, without a write per request', async () => {
  const { store, client } = await app.storeWithOwner();
  const { key, id } = (await client.call('POST', `/stores/${store.id}/api-keys`, { name: 'k', scopes: ['store:read'] })).json;
  const lastUsed = async () => {
    const { data } = (await client.call('GET', `/stores/${store.id}/api-keys`)).json;
    return data.find((one: { id: string }) => one.id === id).last_used_at;
  };
  await app.program(key).call('GET', '/session');
  await expect.poll(lastUsed).not.toBeNull();
  const first = await lastUsed();
  await app.program(key).call('GET', '/session');
  expect(await lastUsed()).toBe(first);
  await run`update api_keys set last_used_at = ${new Date(Date.now() - 61_000)} where store_id = ${store.storeId}`;
  await app.program(key).call('GET', '/session');
  await expect.poll(async () => Date.parse(await lastUsed())).toBeGreaterThanOrEqual(Date.parse(first));
});

test('a store has at most fifty keys', async () => {
  const { store, client } = await app.storeWithOwner();
  const make = () => client.call('POST', `/stores/${store.id}/api-keys`, { name: 'k', scopes: ['store:read'] });
  for (let turn = 0; turn < 50; turn++) expect((await make()).status).toBe(201);
  expect((await make()).json.reason).toBe('limit_reached');
});

test('a repeated request with its Idempotency-Key gets the same response, including the secret, and creates nothing', async () => {
  const { store, client } = await app.storeWithOwner();
  const path = `/stores/${store.id}/api-keys`;
  const send = (name: string) => client.call('POST', path, { name, scopes: ['store:read'] }, { 'idempotency-key': 'order-7' });
  const first = await send('Once');
  const again = await send('Once');
  expect([again.status, again.text]).toEqual([201, first.text]);
  expect([first.headers.get('idempotent-replayed'), again.headers.get('idempotent-replayed')]).toEqual([null, 'true']);
  expect(again.headers.get('content-type')).toBe(first.headers.get('content-type'));
  const otherBody = await send('Twice');
  expect([otherBody.status, otherBody.json.reason]).toEqual([422, 'idempotency_key_reused']);
  expect((await client.call('GET', path)).json.data).toHaveLength(1);
});

test('ten concurrent requests with one Idempotency-Key create one key and get the same response', async () => {
  const { store, client } = await app.storeWithOwner();
  const path = `/stores/${store.id}/api-keys`;
  const body = { name: 'Once', scopes: ['store:read'] };
  const response = await Promise.all(Array.from({ length: 10 }, () => client.call('POST', path, body, { 'idempotency-key': 'at-once' })));
  expect(new Set(response.map(({ status, text }) => `${status} ${text}`)).size).toBe(1);
  expect(response[0]?.status).toBe(201);
  expect((await client.call('GET', path)).json.data).toHaveLength(1);
});

test("one actor's Idempotency-Key has no effect for another", async () => {
  const [one, other] = [await app.storeWithOwner(), await app.storeWithOwner()];
  const make = ({ client, store }: typeof one) =>
    client.call('POST', `/stores/${store.id}/api-keys`, { name: 'k', scopes: ['store:read'] }, { 'idempotency-key': 'same' });
  const [first, second] = [await make(one), await make(other)];
  expect([first.status, second.status]).toEqual([201, 201]);
  expect(second.json.key).not.toBe(first.json.key);
});

test('a refused request stores no row and no audit entry, and its Idempotency-Key stays free', async () => {
  const { store, client, owner } = await app.storeWithOwner();
  const audited = () => all`select audit_entry_id from audit_log where store_id = ${store.storeId}`;
  const before = await audited();
  const headers = { 'idempotency-key': 'try' };
  const refused = await client.call('POST', `/stores/${store.id}/invitations`, { email: owner.email, role: 'viewer' }, headers);
  expect(refused.status).toBe(409);
  expect(await audited()).toEqual(before);
  expect(await all`select invitation_id from invitations where store_id = ${store.storeId}`).toEqual([]);
  const good = await client.call('POST', `/stores/${store.id}/invitations`, { email: 'new@shop.example', role: 'viewer' }, headers);
  expect(good.status).toBe(201);
  expect(await audited()).toHaveLength(before.length + 1);
});

test('rejects an Idempotency-Key that is too long instead of truncating it', async () => {
  const { store, client } = await app.storeWithOwner();
  const body = { name: 'k', scopes: ['store:read'] };
  const response = await client.call('POST', `/stores/${store.id}/api-keys`, body, { 'idempotency-key': 'x'.repeat(256) });
  expect([response.status, response.json.errors[0].field]).toEqual([400, 'Idempotency-Key']);
});

test('the audit log shows, in pages, who created and revoked which key, to the store and to the operator', async () => {
  const { store, client, owner } = await app.storeWithOwner();
  const path = `/stores/${store.id}/api-keys`;
  const made = (await client.call('POST', path, { name: 'Server', scopes: ['store:read'] })).json;
  await client.call('DELETE', `${path}/${made.id}`);
  const log = (await client.call('GET', `/stores/${store.id}/audit-log`)).json;
  expect(log.data).toMatchObject([
    { action: 'api_key.revoked', actor: publicId('user', owner.userId), subject: `/api/v1${path}/${made.id}`, store_id: store.id },
    { action: 'api_key.made', subject: `/api/v1${path}/${made.id}`, details: { name: 'Server', scopes: ['store:read'] } },
  ]);
  const page = (await client.call('GET', `/stores/${store.id}/audit-log?limit=1`)).json;
  expect(page.data).toEqual([log.data[0]]);
  const rest = (await client.call('GET', `/stores/${store.id}/audit-log?limit=1&cursor=${page.next_cursor}`)).json;
  expect([rest.data, rest.next_cursor]).toEqual([[log.data[1]], null]);
  const operator = await app.signedIn(await app.account({ isOperator: true }));
  expect((await operator.call('GET', '/audit-log?limit=200')).json.data).toEqual(expect.arrayContaining(log.data));
  expect((await client.call('GET', '/audit-log')).json.reason).toBe('operator_only');
});
