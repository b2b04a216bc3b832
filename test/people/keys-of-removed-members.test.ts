import { afterAll, expect, test } from 'vitest';
import { deleteRole } from '../../src/people/team-sql.ts';
import { revokeKeysBeyondRights } from '../../src/people/end-access.ts';
import { lockUserIfPresent, updateIsOperator } from '../../src/people/users-sql.ts';
import { publicId } from '../../src/core/ids.ts';
import { untilLockWaits } from '../support/lock-waits.ts';
import { peopleApp, type ApiResponse, type Client, type Json } from '../support/people-app.ts';

/** A removed member's keys end together with the member's rights. */
const app = await peopleApp();
afterAll(() => app.close());

async function keyOf(client: Client, path: string, body: object = { scopes: ['store:read'] }): Promise<{ id: string; key: string }> {
  const made = await client.call('POST', path, { name: 'k', ...body });
  expect(made.status, made.text).toBe(201);
  return made.json;
}
const opens = async (key: string): Promise<boolean> => (await app.program(key).call('GET', '/session')).status === 200;

test('removing a team member ends their keys of that store; their other keys and those of others stay', async () => {
  const { store, client } = await app.storeWithOwner();
  const person = await app.account({ name: 'Gerda Gone' });
  await app.join(store.storeId, person, 'owner');
  const own = await app.store(person);
  const gone = await app.signedIn(person);
  const path = `/stores/${store.id}/api-keys`;
  const parent = await keyOf(gone, path, { scopes: ['team:write', 'store:read'] });
  const child = await keyOf(app.program(parent.key), path);
  const [elsewhere, others] = [await keyOf(gone, `/stores/${own.id}/api-keys`), await keyOf(client, path)];
  const user = publicId('user', person.userId);
  expect((await client.call('DELETE', `/stores/${store.id}/team/${user}`)).status).toBe(204);
  expect(await Promise.all([parent, child, elsewhere, others].map(({ key }) => opens(key)))).toEqual([false, false, true, true]);

  const log: Json[] = (await client.call('GET', `/stores/${store.id}/audit-log?limit=3`)).json.data;
  expect(log.map(({ action }) => action).sort()).toEqual(['api_key.revoked', 'api_key.revoked', 'team.removed']);
  const ended = log.filter(({ action }) => action === 'api_key.revoked');
  for (const entry of ended) expect(entry).toMatchObject({ actor_name: 'Olga Owner', details: { made_by: user } });
  expect(ended.map(({ subject }) => subject).sort()).toEqual([parent, child].map(({ id }) => `/api/v1${path}/${id}`).sort());
});

test('a refused team change ends no key', async () => {
  const { store, client, owner } = await app.storeWithOwner();
  const { key } = await keyOf(client, `/stores/${store.id}/api-keys`);
  expect((await client.call('DELETE', `/stores/${store.id}/team/${publicId('user', owner.userId)}`)).status).toBe(409);
  expect(await opens(key)).toBe(true);
});

test('a former operator keeps no key of the operators, or of a store or a creator that is not theirs', async () => {
  const [stays, person, creator] = [await app.account({ isOperator: true }), await app.account({ isOperator: true }), await app.creator()];
  const own = await app.store(person);
  const { store } = await app.storeWithOwner();
  const gone = await app.signedIn(person);
  const client = await app.signedIn(stays);
  const scopes = ['creator:read'];
  const ended = [
    await keyOf(gone, '/api-keys', {}),
    await keyOf(gone, `/stores/${store.id}/api-keys`),
    await keyOf(gone, `/creators/${creator.id}/api-keys`, { scopes }),
  ];
  const kept = [await keyOf(gone, `/stores/${own.id}/api-keys`), await keyOf(client, '/api-keys', {})];
  expect((await client.call('DELETE', `/operators/${publicId('user', person.userId)}`)).status).toBe(204);
  expect(await Promise.all([...ended, ...kept].map(({ key }) => opens(key)))).toEqual([false, false, false, true, true]);
  const log: Json[] = (await client.call('GET', '/audit-log?limit=4')).json.data;
  expect(log.map(({ action }) => action).sort()).toEqual([...ended.map(() => 'api_key.revoked'), 'operator.removed']);
  const paths = ['/api-keys', `/stores/${store.id}/api-keys`, `/creators/${creator.id}/api-keys`];
  const subjects = log.filter(({ action }) => action === 'api_key.revoked').map(({ subject }) => subject);
  expect(subjects.sort()).toEqual(paths.map((path, at) => `/api/v1${path}/${ended[at]?.id}`).sort());
});

test('rejects a key that is created while its creator is removed from the team', async () => {
  const { store } = await app.storeWithOwner();
  const person = await app.account();
  await app.join(store.storeId, person, 'owner');
  const gone = await app.signedIn(person);
  const path = `/stores/${store.id}/api-keys`;
  const { key } = await keyOf(gone, path, { scopes: ['team:write', 'store:read'] });
  const responses: Array<Promise<ApiResponse>> = [];
  await app.platform.database.transaction(async (tx) => {
    await lockUserIfPresent(tx, person.userId);
    await deleteRole(tx, { userId: person.userId, storeId: store.storeId });
    for (const client of [gone, app.program(key)]) responses.push(client.call('POST', path, { name: 'k', scopes: ['store:read'] }));
    await untilLockWaits(app.platform.database, responses.length);
  });
  for (const response of responses) expect((await response).json.reason).toBe('permission_missing');
});

test('a former operator keeps only those store keys that their role in the store could create', async () => {
  const [stays, person] = [await app.account({ isOperator: true }), await app.account({ isOperator: true })];
  const { store } = await app.storeWithOwner();
  await app.join(store.storeId, person, 'viewer');
  const [gone, client] = [await app.signedIn(person), await app.signedIn(stays)];
  const path = `/stores/${store.id}/api-keys`;
  const wide = await keyOf(gone, path, { scopes: ['team:write', 'store:read'] });
  const child = await keyOf(app.program(wide.key), path, { scopes: ['team:write'] });
  const narrow = await keyOf(gone, path);
  expect((await client.call('DELETE', `/operators/${publicId('user', person.userId)}`)).status).toBe(204);
  expect(await Promise.all([wide, child, narrow].map(({ key }) => opens(key)))).toEqual([false, false, true]);
});

test('a key that is created while its creator stops being an operator has only the permissions of their role', async () => {
  const person = await app.account({ isOperator: true });
  const { store } = await app.storeWithOwner();
  await app.join(store.storeId, person, 'viewer');
  const gone = await app.signedIn(person);
  const path = `/stores/${store.id}/api-keys`;
  const { key } = await keyOf(gone, path, { scopes: ['team:write', 'store:read'] });
  const responses: Array<Promise<ApiResponse>> = [];
  await app.platform.database.transaction(async (tx) => {
    await lockUserIfPresent(tx, person.userId);
    await updateIsOperator(tx, { userId: person.userId, isOperator: false });
    await revokeKeysBeyondRights(tx, { madeBy: person.userId, creatorId: null, now: new Date() });
    for (const client of [gone, app.program(key)]) responses.push(client.call('POST', path, { name: 'k', scopes: ['team:write'] }));
    await untilLockWaits(app.platform.database, responses.length);
  });
  for (const response of responses) expect((await response).json.reason).toBe('permission_missing');
});
