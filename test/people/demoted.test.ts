import { afterAll, expect, test } from 'vitest';
import type { Role } from '../../src/people/permissions.ts';
import { sql } from '../../src/db/sql.ts';
import { publicId } from '../../src/core/ids.ts';
import { testPassword, emailedLinkToken, peopleApp, type Client, type Json } from '../support/people-app.ts';

/** A person who loses a right keeps no access by a key, an invitation, or a stored response. */
const app = await peopleApp();
afterAll(() => app.close());

/** A store with two owners: one who stays, and one who will lose the role. */
async function twoOwners() {
  const [stays, loses] = [await app.account({ name: 'Stella Stays' }), await app.account({ name: 'Dora Demoted' })];
  const store = await app.store(stays);
  await app.join(store.storeId, loses, 'owner');
  const path = `/stores/${store.id}`;
  return { store, path, stays: await app.signedIn(stays), loses, client: await app.signedIn(loses), user: publicId('user', loses.userId) };
}
const keyOf = async (client: Client, path: string, scopes: readonly string[]): Promise<string> =>
  (await client.call('POST', `${path}/api-keys`, { name: 'k', scopes })).json.key;
const demote = async (by: Client, path: string, user: string, role: Role) =>
  expect((await by.call('PATCH', `${path}/team/${user}`, { role })).status).toBe(200);

test("a demoted owner's existing key cannot change anything and reads what the new role can read", async () => {
  const { path, stays, client, user } = await twoOwners();
  const program = app.program(await keyOf(client, path, ['store:read', 'team:write', 'programs:write']));
  expect((await program.call('POST', `${path}/invitations`, { email: 'one@people.example', role: 'viewer' })).status).toBe(201);
  await demote(stays, path, user, 'viewer');
  expect((await program.call('GET', path)).status).toBe(200);
  for (const [method, at, body] of [
    ['POST', `${path}/invitations`, { email: 'back@people.example', role: 'owner' }],
    ['POST', `${path}/api-keys`, { name: 'back', scopes: ['team:write'] }],
    ['POST', `${path}/programs`, { name: 'Mine', landing_url: 'https://shop.example' }],
  ] as const) {
    const response = await program.call(method, at, body);
    expect([response.status, response.json.reason], at).toEqual([403, 'permission_missing']);
  }
  await demote(stays, path, user, 'owner');
  expect((await program.call('POST', `${path}/programs`, { name: 'Mine', landing_url: 'https://shop.example' })).status).toBe(201);
});

test("the list of keys shows which scopes are in effect under the creator's current role", async () => {
  const { path, stays, client, user } = await twoOwners();
  const scopes = ['store:read', 'team:write', 'programs:write'];
  await keyOf(client, path, scopes);
  const listed = async () => (await stays.call('GET', `${path}/api-keys`)).json.data;
  expect(await listed()).toMatchObject([{ scopes, effective_scopes: scopes }]);
  await demote(stays, path, user, 'marketer');
  expect(await listed()).toMatchObject([{ scopes, effective_scopes: ['store:read', 'programs:write'] }]);
});

test("a demotion withdraws the owner's open invitations with an audit entry and keeps those of others", async () => {
  const { path, stays, client, user } = await twoOwners();
  await client.call('POST', `${path}/invitations`, { email: 'second-self@people.example', role: 'owner' });
  const program = app.program(await keyOf(client, path, ['store:read', 'team:write']));
  await program.call('POST', `${path}/invitations`, { email: 'by-key@people.example', role: 'viewer' });
  await stays.call('POST', `${path}/invitations`, { email: 'honest@people.example', role: 'developer' });
  const tokens = [await emailedLinkToken(app, 'second-self@people.example'), await emailedLinkToken(app, 'by-key@people.example')];
  await demote(stays, path, user, 'finance');
  const open: Json[] = (await stays.call('GET', `${path}/invitations`)).json.data;
  expect(open.map(({ email }) => email)).toEqual(['honest@people.example']);
  for (const token of tokens) {
    const used = await app.browser().call('POST', '/one-time-links/use', { token, name: 'Back', password: testPassword });
    expect([used.status, used.json.reason]).toEqual([410, 'link_used_or_expired']);
  }
  const log: Json[] = (await stays.call('GET', `${path}/audit-log?limit=3`)).json.data;
  const withdrawn = log.filter(({ action }) => action === 'team.invitation_withdrawn');
  expect(withdrawn).toHaveLength(2);
  for (const entry of withdrawn) expect(entry).toMatchObject({ actor_name: 'Stella Stays', details: { invited_by: user } });
});

test('a removed owner keeps neither a key nor an invitation', async () => {
  const { path, stays, client, user } = await twoOwners();
  const key = await keyOf(client, path, ['store:read', 'team:write']);
  await client.call('POST', `${path}/invitations`, { email: 'way-back@people.example', role: 'owner' });
  const token = await emailedLinkToken(app, 'way-back@people.example');
  expect((await stays.call('DELETE', `${path}/team/${user}`)).status).toBe(204);
  expect((await app.program(key).call('GET', path)).status).toBe(401);
  expect((await app.browser().call('POST', '/one-time-links/read', { token })).status).toBe(410);
});

test('an invitation is checked again when it is accepted, however its inviter lost the right', async () => {
  const { path, client, loses, store } = await twoOwners();
  await client.call('POST', `${path}/invitations`, { email: 'late@people.example', role: 'owner' });
  const token = await emailedLinkToken(app, 'late@people.example');
  await app.platform.database.run(sql`
    update store_roles set role = 'marketer' where user_id = ${loses.userId} and store_id = ${store.storeId}`);
  const used = await app.browser().call('POST', '/one-time-links/use', { token, name: 'Late', password: testPassword });
  expect([used.status, used.json.reason]).toEqual([410, 'link_used_or_expired']);
  expect(await app.platform.database.all(sql`select 1 from users where email = 'late@people.example'`)).toEqual([]);
});

test("a removed operator's invitations end: to the operators, to stores, and to creators", async () => {
  const [stays, goes] = [await app.account({ isOperator: true }), await app.account({ isOperator: true })];
  const [keeper, client] = [await app.signedIn(stays), await app.signedIn(goes)];
  const [store, creator] = [await app.store(null), await app.creator()];
  const emails = ['op@people.example', 'store@people.example', 'creator-of@people.example'];
  await client.call('POST', '/operator-invitations', { email: emails[0] });
  await client.call('POST', `/stores/${store.id}/invitations`, { email: emails[1], role: 'owner' });
  await client.call('POST', `/creators/${creator.id}/invitations`, { email: emails[2] });
  const tokens = await Promise.all(emails.map((email) => emailedLinkToken(app, email)));
  expect((await keeper.call('DELETE', `/operators/${publicId('user', goes.userId)}`)).status).toBe(204);
  for (const token of tokens) expect((await app.browser().call('POST', '/one-time-links/read', { token })).status).toBe(410);
});

test('one owner remains when two owners demote each other concurrently', async () => {
  const { path, stays, client, user, store } = await twoOwners();
  const team: Json[] = (await stays.call('GET', `${path}/team`)).json.data;
  const other = team.find(({ user_id: id }) => id !== user).user_id;
  const answers = await Promise.all([
    stays.call('PATCH', `${path}/team/${user}`, { role: 'viewer' }),
    client.call('PATCH', `${path}/team/${other}`, { role: 'viewer' }),
  ]);
  expect(answers.map(({ status }) => status).toSorted()).toEqual([200, 403]);
  const owners = await app.platform.database.all(sql`
    select 1 from store_roles where store_id = ${store.storeId} and role = 'owner'`);
  expect(owners).toHaveLength(1);
});

test('a stored response is not repeated for an actor who has fewer rights than when it was created', async () => {
  const { path, stays, client, user } = await twoOwners();
  const program = app.program(await keyOf(client, path, ['store:read', 'integration:write', 'team:write']));
  const once = { 'idempotency-key': 'made-as-owner' };
  const made = await program.call('POST', `${path}/postback-keys`, {}, once);
  expect(made.status).toBe(201);
  expect((await program.call('POST', `${path}/postback-keys`, {}, once)).text).toBe(made.text);
  // A developer may still create such a key, but does not receive the response that was given to an owner.
  await demote(stays, path, user, 'developer');
  const replayed = await program.call('POST', `${path}/postback-keys`, {}, once);
  expect([replayed.status, replayed.json.reason]).toEqual([403, 'permission_missing']);
  expect(replayed.text).not.toContain(made.json.key);
});
