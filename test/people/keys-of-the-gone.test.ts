import { setTimeout as pause } from 'node:timers/promises';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { deleteRole, insertRole } from '../../src/people/team-sql.ts';
import { endOperatorKeysOf } from '../../src/people/ended-keys.ts';
import { lockPerson, updateIsOperator } from '../../src/people/users-sql.ts';
import type { Role } from '../../src/people/permissions.ts';
import { publicId, type Id } from '../../src/platform/ids.ts';
import { freshDatabase } from '../support/database.ts';
import { peopleApp, type Account, type Came, type Client, type Json, type PeopleApp } from '../support/people-app.ts';

/** Whoever is gone has no key left: what they made ends with what they may do. */
let app: PeopleApp;
beforeAll(async () => {
  app = await peopleApp({ databaseUrl: (await freshDatabase()).url });
});
afterAll(() => app.close());

async function storeWithOwner() {
  const owner = await app.account({ name: 'Olga Owner' });
  return { owner, store: await app.store(owner), client: await app.signedIn(owner) };
}
const join = (storeId: Id<'store'>, { userId }: Account, role: Role) =>
  insertRole(app.platform.database, { userId, storeId, role, now: new Date() });
async function keyOf(client: Client, path: string, body: object = { scopes: ['store:read'] }): Promise<{ id: string; key: string }> {
  const made = await client.call('POST', path, { name: 'k', ...body });
  expect(made.status, made.text).toBe(201);
  return made.json;
}
const opens = async (key: string): Promise<boolean> => (await app.program(key).call('GET', '/session')).status === 200;

test('whoever is taken out of a team leaves no key of that store that works; others of theirs, and those of others, stay', async () => {
  const { store, client } = await storeWithOwner();
  const person = await app.account({ name: 'Gerda Gone' });
  await join(store.storeId, person, 'owner');
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

test('a team change that is refused ends no key', async () => {
  const { store, client, owner } = await storeWithOwner();
  const { key } = await keyOf(client, `/stores/${store.id}/api-keys`);
  expect((await client.call('DELETE', `/stores/${store.id}/team/${publicId('user', owner.userId)}`)).status).toBe(409);
  expect(await opens(key)).toBe(true);
});

test('whoever is no operator any more leaves no key of the operators, of a store or of a creator that is not theirs', async () => {
  const [stays, person, creator] = [await app.account({ isOperator: true }), await app.account({ isOperator: true }), await app.creator()];
  const own = await app.store(person);
  const { store } = await storeWithOwner();
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

test('a key that is made at the very moment in which its maker is taken out of the team is not made', async () => {
  const { store } = await storeWithOwner();
  const person = await app.account();
  await join(store.storeId, person, 'owner');
  const gone = await app.signedIn(person);
  const path = `/stores/${store.id}/api-keys`;
  const { key } = await keyOf(gone, path, { scopes: ['team:write', 'store:read'] });
  const asked: Array<Promise<Came>> = [];
  await app.platform.database.transaction(async (tx) => {
    await lockPerson(tx, person.userId);
    await deleteRole(tx, { userId: person.userId, storeId: store.storeId });
    for (const who of [gone, app.program(key)]) asked.push(who.call('POST', path, { name: 'k', scopes: ['store:read'] }));
    await pause(300);
  });
  for (const came of asked) expect((await came).json.reason).toBe('permission_missing');
});

test('whoever is no operator any more keeps of a store’s keys only those that their role there could make', async () => {
  const [stays, person] = [await app.account({ isOperator: true }), await app.account({ isOperator: true })];
  const { store } = await storeWithOwner();
  await join(store.storeId, person, 'viewer');
  const [gone, client] = [await app.signedIn(person), await app.signedIn(stays)];
  const path = `/stores/${store.id}/api-keys`;
  const wide = await keyOf(gone, path, { scopes: ['team:write', 'store:read'] });
  const child = await keyOf(app.program(wide.key), path, { scopes: ['team:write'] });
  const narrow = await keyOf(gone, path);
  expect((await client.call('DELETE', `/operators/${publicId('user', person.userId)}`)).status).toBe(204);
  expect(await Promise.all([wide, child, narrow].map(({ key }) => opens(key)))).toEqual([false, false, true]);
});

test('a key that is made at the very moment in which its maker is no operator any more may do no more than their role', async () => {
  const person = await app.account({ isOperator: true });
  const { store } = await storeWithOwner();
  await join(store.storeId, person, 'viewer');
  const gone = await app.signedIn(person);
  const path = `/stores/${store.id}/api-keys`;
  const { key } = await keyOf(gone, path, { scopes: ['team:write', 'store:read'] });
  const asked: Array<Promise<Came>> = [];
  await app.platform.database.transaction(async (tx) => {
    await lockPerson(tx, person.userId);
    await updateIsOperator(tx, { userId: person.userId, isOperator: false });
    await endOperatorKeysOf(tx, { madeBy: person.userId, creatorId: null, now: new Date() });
    for (const who of [gone, app.program(key)]) asked.push(who.call('POST', path, { name: 'k', scopes: ['team:write'] }));
    await pause(300);
  });
  for (const came of asked) expect((await came).json.reason).toBe('permission_missing');
});
