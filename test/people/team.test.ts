import { afterAll, expect, test } from 'vitest';
import { createApiKey } from '../../src/people/api-keys.ts';
import { storeParty } from '../../src/people/party.ts';
import { roles, type Role } from '../../src/people/permissions.ts';
import { namesOf } from '../../src/core/names-of.ts';
import { sql } from '../../src/db/sql.ts';
import { newId, publicId } from '../../src/core/ids.ts';
import { testPassword, emailedLinkToken, latestEmail, peopleApp, type Account } from '../support/people-app.ts';

const app = await peopleApp();
afterAll(() => app.close());

const all = <Row>(...query: Parameters<typeof sql>) => app.platform.database.all<Row>(sql(...query));
const run = (...query: Parameters<typeof sql>) => app.platform.database.run(sql(...query));
const gone = [410, 'link_used_or_expired'];

test('an invited person without an account chooses a name and a password and gets the role', async () => {
  const { store, client } = await app.storeWithOwner();
  const email = 'fin@shop.example';
  const invited = await client.call('POST', `/stores/${store.id}/invitations`, { email: 'Fin@shop.example', role: 'finance' });
  expect(invited.status).toBe(201);
  expect(invited.json).toMatchObject({ email, role: 'finance' });
  expect((await client.call('GET', `/stores/${store.id}/invitations`)).json.data).toEqual([invited.json]);
  expect((await latestEmail(app, email)).subject).toBe('You’re invited to Tributary');

  const token = await emailedLinkToken(app, email);
  const read = await app.browser().call('POST', '/one-time-links/read', { token });
  const invitation = { kind: 'store', store_id: store.id, role: 'finance', creator_id: null };
  expect(read.json).toMatchObject({ purpose: 'invitation', email, account: 'new', invitation });
  const joined = await app.browser().call('POST', '/one-time-links/use', { token, name: 'Fin', password: testPassword });
  expect(joined.json.stores).toEqual([{ id: store.id, role: 'finance', permissions: [...roles.finance] }]);
  expect((await client.call('GET', `/stores/${store.id}/invitations`)).json.data).toEqual([]);
  const team = (await client.call('GET', `/stores/${store.id}/team`)).json.data;
  expect(team.map(({ email: address, role }: { email: string; role: string }) => [address, role])).toContainEqual([email, 'finance']);
});

test('an invited person with an account joins with their password, or without it if they are signed in', async () => {
  const { store, client } = await app.storeWithOwner();
  const [one, other] = [await app.account(), await app.account()];
  for (const { email } of [one, other]) await client.call('POST', `/stores/${store.id}/invitations`, { email, role: 'viewer' });

  const token = await emailedLinkToken(app, one.email);
  const use = (body: object) => app.browser().call('POST', '/one-time-links/use', body);
  expect((await app.browser().call('POST', '/one-time-links/read', { token })).json.account).toBe('existing');
  expect((await use({ token, name: 'X' })).json.errors[0].field).toBe('password');
  expect((await use({ token, password: 'a password for the thief' })).json.reason).toBe('wrong_email_or_password');
  expect((await use({ token, password: testPassword })).json.stores[0]).toMatchObject({ id: store.id, role: 'viewer' });

  const signedIn = await app.signedIn(other);
  const cookie = signedIn.cookie();
  const second = await emailedLinkToken(app, other.email);
  expect((await signedIn.call('POST', '/one-time-links/read', { token: second })).json.account).toBe('signed in');
  expect((await signedIn.call('POST', '/one-time-links/use', { token: second })).json.stores[0].role).toBe('viewer');
  expect(signedIn.cookie()).toBe(cookie);
});

test("a person who is signed in to one account cannot join by another account's link", async () => {
  const { store, client } = await app.storeWithOwner();
  const [invited, stranger] = [await app.account(), await app.account()];
  await client.call('POST', `/stores/${store.id}/invitations`, { email: invited.email, role: 'owner' });
  const token = await emailedLinkToken(app, invited.email);
  const other = await app.signedIn(stranger);
  expect((await other.call('POST', '/one-time-links/use', { token })).json.errors[0].field).toBe('password');
  expect((await other.call('GET', '/session')).json.stores).toEqual([]);
});

test('an invitation works once, until it expires, is withdrawn or is replaced', async () => {
  const { store, client } = await app.storeWithOwner();
  const invite = async (email: string) => {
    const { json } = await client.call('POST', `/stores/${store.id}/invitations`, { email, role: 'viewer' });
    return { id: json.id as string, token: await emailedLinkToken(app, email) };
  };
  const use = async (token: string) => {
    const response = await app.browser().call('POST', '/one-time-links/use', { token, name: 'Somebody', password: testPassword });
    return [response.status, response.json.reason];
  };
  const once = await invite('once@shop.example');
  expect((await use(once.token))[0]).toBe(200);
  expect(await use(once.token)).toEqual(gone);

  const [first, second] = [await invite('twice@shop.example'), await invite('twice@shop.example')];
  expect(await use(first.token)).toEqual(gone);
  expect((await use(second.token))[0]).toBe(200);

  const withdrawn = await invite('withdrawn@shop.example');
  expect((await client.call('DELETE', `/stores/${store.id}/invitations/${withdrawn.id}`)).status).toBe(204);
  expect((await client.call('DELETE', `/stores/${store.id}/invitations/${withdrawn.id}`)).status).toBe(404);
  expect(await use(withdrawn.token)).toEqual(gone);
  expect((await app.browser().call('POST', '/one-time-links/read', { token: withdrawn.token })).status).toBe(410);

  const late = await invite('late@shop.example');
  const [life] = await all<{
    madeAt: Date;
    expiresAt: Date;
  }>`select made_at, expires_at from invitations where email = 'late@shop.example'`;
  expect(Number(life?.expiresAt) - Number(life?.madeAt)).toBe(7 * 86_400_000);
  await run`update invitations set expires_at = ${new Date()} where email = 'late@shop.example'`;
  expect(await use(late.token)).toEqual(gone);
});

test('a team member is not invited again', async () => {
  const { store, client, owner } = await app.storeWithOwner();
  const again = await client.call('POST', `/stores/${store.id}/invitations`, { email: owner.email, role: 'viewer' });
  expect([again.status, again.json.reason]).toEqual([409, 'conflict']);
});

test('the last owner keeps the role and stays in the team', async () => {
  const { store, client, owner } = await app.storeWithOwner();
  const path = `/stores/${store.id}/team/${publicId('user', owner.userId)}`;
  for (const response of [await client.call('PATCH', path, { role: 'viewer' }), await client.call('DELETE', path)]) {
    expect([response.status, response.json.reason]).toEqual([409, 'conflict']);
  }
  const second = await app.account();
  await app.join(store.storeId, second, 'owner');
  expect((await client.call('PATCH', path, { role: 'viewer' })).json.role).toBe('viewer');
  expect((await client.call('DELETE', path)).status).toBe(403);
});

test('one owner remains when two owners remove each other concurrently', async () => {
  for (let round = 0; round < 10; round++) {
    const { store, client, owner } = await app.storeWithOwner();
    const second = await app.account();
    await app.join(store.storeId, second, 'owner');
    const other = await app.signedIn(second);
    const path = ({ userId }: Account) => `/stores/${store.id}/team/${publicId('user', userId)}`;
    await Promise.all([client.call('DELETE', path(second)), other.call('DELETE', path(owner))]);
    expect(await all`select user_id from store_roles where store_id = ${store.storeId} and role = 'owner'`).toHaveLength(1);
  }
});

test("an invitation does not reduce an owner's rights", async () => {
  const { store, client } = await app.storeWithOwner();
  const person = await app.account();
  await client.call('POST', `/stores/${store.id}/invitations`, { email: person.email, role: 'viewer' });
  await app.join(store.storeId, person, 'owner');
  const token = await emailedLinkToken(app, person.email);
  const used = await app.browser().call('POST', '/one-time-links/use', { token, password: testPassword });
  expect(used.json.stores[0].role).toBe('owner');
});

test("another's store returns the same bytes as one that does not exist, to people and to keys, on every path", async () => {
  const { store, owner } = await app.storeWithOwner();
  const stranger = await app.storeWithOwner();
  const missing = publicId('store', newId<'store'>(new Date()));
  const { key } = await createApiKey(app.platform.database, {
    name: 'k',
    party: storeParty(stranger.store.storeId),
    scopes: namesOf({ 'store:read': 0, 'team:write': 0 }),
    madeBy: null,
  });
  const user = publicId('user', owner.userId);
  const some = publicId('invite', newId<'invite'>(new Date()));
  const paths = [
    ['GET', 'team'],
    ['PATCH', `team/${user}`, { role: 'viewer' }],
    ['DELETE', `team/${user}`],
    ['GET', 'invitations'],
    ['POST', 'invitations', { email: 'a@b.example', role: 'viewer' }],
    ['DELETE', `invitations/${some}`],
    ['GET', 'api-keys'],
    ['POST', 'api-keys', { name: 'k', scopes: ['store:read'] }],
    ['GET', 'audit-log'],
    ['GET', 'mails'],
  ] as const;
  for (const caller of [stranger.client, app.program(key)]) {
    for (const [method, path, body] of paths) {
      const [theirs, nobodys, noId] = [
        await caller.call(method, `/stores/${store.id}/${path}`, body),
        await caller.call(method, `/stores/${missing}/${path}`, body),
        await caller.call(method, `/stores/anything/${path}`, body),
      ];
      expect([theirs.status, theirs.json.reason], `${method} ${path}`).toEqual([404, 'not_found']);
      expect(theirs.text).toBe(nobodys.text);
      expect(theirs.text).toBe(noId.text);
    }
  }
});

test('a person, an invitation or a key of another store is not found, even by an owner', async () => {
  const [one, other] = [await app.storeWithOwner(), await app.storeWithOwner()];
  const invited = await other.client.call('POST', `/stores/${other.store.id}/invitations`, { email: 'x@shop.example', role: 'viewer' });
  const made = await other.client.call('POST', `/stores/${other.store.id}/api-keys`, { name: 'k', scopes: ['store:read'] });
  const here = `/stores/${one.store.id}`;
  for (const response of [
    await one.client.call('PATCH', `${here}/team/${publicId('user', other.owner.userId)}`, { role: 'viewer' }),
    await one.client.call('DELETE', `${here}/team/${publicId('user', other.owner.userId)}`),
    await one.client.call('DELETE', `${here}/invitations/${invited.json.id}`),
    await one.client.call('DELETE', `${here}/api-keys/${made.json.id}`),
  ]) {
    expect(response.status).toBe(404);
  }
  expect((await app.program(made.json.key).call('GET', `/stores/${other.store.id}/team`)).status).toBe(200);
});

test.each(namesOf(roles))('a %s has exactly the permissions of the role in the store', async (role) => {
  const { store } = await app.storeWithOwner();
  const person = await app.account();
  await app.join(store.storeId, person, role);
  const client = await app.signedIn(person);
  expect((await client.call('GET', `/stores/${store.id}/team`)).status).toBe(200);
  const invited = await client.call('POST', `/stores/${store.id}/invitations`, { email: 'guest@shop.example', role: 'viewer' });
  expect(invited.status).toBe(role === 'owner' ? 201 : 403);
});

test('a key that may invite cannot invite people to more permissions than it has', async () => {
  const { store } = await app.storeWithOwner();
  const party = storeParty(store.storeId);
  const { key } = await createApiKey(app.platform.database, { name: 'Inviter', party, scopes: ['team:write', 'store:read'], madeBy: null });
  const invite = (role: Role) => app.program(key).call('POST', `/stores/${store.id}/invitations`, { email: `${role}@shop.example`, role });
  expect((await invite('viewer')).status).toBe(201);
  expect((await latestEmail(app, 'viewer@shop.example')).subject).toBe('You’re invited to Tributary');
  for (const role of ['owner', 'finance', 'developer'] as const) expect((await invite(role)).json.reason).toBe('permission_missing');
});

test('operators invite operators, and the last operator cannot be removed', async () => {
  const fresh = await peopleApp();
  try {
    const operator = await fresh.account({ isOperator: true });
    const client = await fresh.signedIn(operator);
    const path = `/operators/${publicId('user', operator.userId)}`;
    expect((await client.call('DELETE', path)).json.reason).toBe('conflict');
    const invited = await client.call('POST', '/operator-invitations', { email: 'second@operator.example' });
    expect(invited.status).toBe(201);
    expect((await client.call('GET', '/operator-invitations')).json.data).toEqual([invited.json]);
    const token = await emailedLinkToken(fresh, 'second@operator.example');
    const second = fresh.browser();
    expect((await second.call('POST', '/one-time-links/use', { token, name: 'Second', password: testPassword })).json.is_operator).toBe(
      true,
    );
    expect((await client.call('GET', '/operators')).json.data).toHaveLength(2);
    expect((await second.call('DELETE', path)).status).toBe(204);
    expect((await client.call('GET', '/operators')).json.reason).toBe('operator_only');
  } finally {
    await fresh.close();
  }
});

test("an operator invites a creator's person, who then belongs to that creator only", async () => {
  const [creator, other] = [await app.creator(), await app.creator()];
  const operator = await app.signedIn(await app.account({ isOperator: true }));
  const invited = await operator.call('POST', `/creators/${creator.id}/invitations`, { email: 'cora@creator.example' });
  expect(invited.status).toBe(201);
  const token = await emailedLinkToken(app, 'cora@creator.example');
  const cora = app.browser();
  const joined = await cora.call('POST', '/one-time-links/use', { token, name: 'Cora', password: testPassword });
  expect(joined.json).toMatchObject({ creator_id: creator.id, creator_permissions: ['creator:read', 'creator:write'] });
  expect((await cora.call('GET', `/creators/${creator.id}/api-keys`)).status).toBe(200);

  const [theirs, nobodys] = [
    await cora.call('GET', `/creators/${other.id}/api-keys`),
    await cora.call('GET', `/creators/${publicId('crt', newId<'crt'>(new Date()))}/api-keys`),
  ];
  expect([theirs.status, theirs.text]).toEqual([404, nobodys.text]);
  expect((await cora.call('POST', `/creators/${creator.id}/invitations`, { email: 'x@y.example' })).json.reason).toBe('operator_only');
  expect((await operator.call('POST', `/creators/${creator.id}/invitations`, { email: 'x@y.example' })).json.reason).toBe('conflict');
  await operator.call('POST', `/creators/${other.id}/invitations`, { email: 'cora@creator.example' });
  const second = await cora.call('POST', '/one-time-links/use', { token: await emailedLinkToken(app, 'cora@creator.example') });
  expect([second.status, second.json.reason]).toEqual([409, 'conflict']);
});
