import { generate } from 'otplib';
import { afterAll, expect, test } from 'vitest';
import { insertRole } from '../../src/people/team-sql.ts';
import { sql } from '../../src/db/sql.ts';
import { testPassword, emailedLinkToken, peopleApp, type Account, type Client, type Json } from '../support/people-app.ts';

/** A person who suspects a break-in can view their access, is notified about it, and can end it. */
const app = await peopleApp();
afterAll(() => app.close());

const subjectsTo = async ({ email }: Pick<Account, 'email'>): Promise<readonly string[]> => {
  const rows = await app.platform.database.all<{ subject: string }>(
    sql`select subject from mails where to_address = ${email} order by mail_id`,
  );
  return rows.map(({ subject }) => subject);
};
const countOf = async (account: Account, subject: string) => (await subjectsTo(account)).filter((one) => one === subject).length;
const newKey = 'A new API key was created';
const newDevice = 'New sign-in to your account';
const wrongCode = 'Wrong code entered for your account';

async function ownerWithKey() {
  const account = await app.account();
  const store = await app.store(account);
  const client = await app.signedIn(account);
  const { key } = (await client.call('POST', `/stores/${store.id}/api-keys`, { name: 'k', scopes: ['store:read'] })).json;
  return { account, store, client, program: app.program(key), path: `/stores/${store.id}` };
}
async function reset({ email }: Account, body: object = {}): Promise<Client> {
  await app.browser().call('POST', '/password-resets', { email });
  const client = app.browser();
  const used = await client.call('POST', '/one-time-links/use', {
    token: await emailedLinkToken(app, email),
    password: 'another good one',
    ...body,
  });
  expect(used.status, used.text).toBe(200);
  return client;
}

test('a password reset by email ends all sessions, devices and API keys, and the audit log names each key', async () => {
  const { account, client, program, path } = await ownerWithKey();
  expect((await program.call('GET', path)).status).toBe(200);
  const recovered = await reset(account);
  expect((await client.call('GET', '/session')).status).toBe(401);
  expect((await program.call('GET', path)).status).toBe(401);
  expect((await recovered.call('GET', '/profile/devices')).json.data).toHaveLength(1);
  const log: Json[] = (await recovered.call('GET', `${path}/audit-log?limit=5`)).json.data;
  expect(log.filter(({ action }) => action === 'api_key.revoked')).toHaveLength(1);
});

test('a password reset by email keeps the API keys on request; the sessions end in any case', async () => {
  const { account, client, program, path } = await ownerWithKey();
  await reset(account, { end_keys: false });
  expect((await client.call('GET', '/session')).status).toBe(401);
  expect((await program.call('GET', path)).status).toBe(200);
});

test('the settings end all other sessions, devices and keys in one step, or keep the keys', async () => {
  const { account, client, program, path } = await ownerWithKey();
  const thief = await app.signedIn(account);
  expect((await client.call('POST', '/profile/end-all', { keys: false })).json).toEqual({
    sessions_ended: 1,
    devices_forgotten: 1,
    keys_revoked: 0,
  });
  expect([(await thief.call('GET', '/session')).status, (await program.call('GET', path)).status]).toEqual([401, 200]);
  expect((await client.call('POST', '/profile/end-all', {})).json.keys_revoked).toBe(1);
  expect([(await client.call('GET', '/session')).status, (await program.call('GET', path)).status]).toEqual([200, 401]);
});

test('a password change keeps the keys unless the request ends them', async () => {
  const { client, program, path } = await ownerWithKey();
  const change = (from: string, to: string, more: object = {}) =>
    client.call('PUT', '/password', { current_password: from, new_password: to, ...more });
  expect((await change(testPassword, 'another good one')).status).toBe(204);
  expect((await program.call('GET', path)).status).toBe(200);
  expect((await change('another good one', 'a third good one', { end_keys: true })).status).toBe(204);
  expect((await program.call('GET', path)).status).toBe(401);
});

test('people can list and revoke the keys that they created in every store, and not those of others', async () => {
  const { client, program, path, store } = await ownerWithKey();
  const [key] = (await client.call('GET', '/profile/api-keys')).json.data;
  expect(key).toMatchObject({ name: 'k', kind: 'store', store_id: store.id, creator_id: null });
  const stranger = await app.signedIn(await app.account());
  expect((await stranger.call('GET', '/profile/api-keys')).json.data).toEqual([]);
  expect((await stranger.call('DELETE', `/profile/api-keys/${key.id}`)).status).toBe(404);
  expect((await client.call('DELETE', `/profile/api-keys/${key.id}`)).status).toBe(204);
  expect((await program.call('GET', path)).status).toBe(401);
});

test("a new API key is reported by one email to its creator and to the store's other owners, and to no other team member", async () => {
  const { account, store, client, path } = await ownerWithKey();
  const [owner, viewer] = [await app.account(), await app.account()];
  const now = new Date();
  await insertRole(app.platform.database, { userId: owner.userId, storeId: store.storeId, role: 'owner', now });
  await insertRole(app.platform.database, { userId: viewer.userId, storeId: store.storeId, role: 'viewer', now });
  expect(await countOf(account, newKey)).toBe(1);
  await client.call('POST', `${path}/api-keys`, { name: 'second', scopes: ['store:read'] });
  expect([await countOf(account, newKey), await countOf(owner, newKey), await countOf(viewer, newKey)]).toEqual([2, 1, 0]);
});

test('a new operator API key is reported by email to every operator', async () => {
  const [maker, other] = [await app.account({ isOperator: true }), await app.account({ isOperator: true })];
  await (await app.signedIn(maker)).call('POST', '/api-keys', { name: 'k' });
  expect([await countOf(maker, newKey), await countOf(other, newKey)]).toEqual([1, 1]);
});

test('a sign-in from an unknown browser is reported by email, and the next one from it is not', async () => {
  const account = await app.account();
  const client = await app.signedIn(account);
  expect(await countOf(account, newDevice)).toBe(1);
  await client.call('DELETE', '/session');
  await client.call('POST', '/session', { email: account.email, password: testPassword });
  expect(await countOf(account, newDevice)).toBe(1);
  await app.signedIn(account);
  expect(await countOf(account, newDevice)).toBe(2);
});

test('a device cookie is hidden from scripts, valid for its account only, and invalid when it is changed', async () => {
  const [account, another] = [await app.account(), await app.account()];
  const client = await app.signedIn(account);
  const response = await client.call('POST', '/session', { email: account.email, password: testPassword });
  const set = response.headers.getSetCookie().find((line) => line.includes('tributary_device_')) ?? '';
  expect(set).toMatch(/^__Host-tributary_device_[0-9a-f]{16}=dev_\w+\.[\w-]+; Path=\/; Max-Age=34560000; HttpOnly; SameSite=Lax; Secure$/);
  await client.call('POST', '/session', { email: another.email, password: testPassword });
  expect(await countOf(another, newDevice)).toBe(1);
  const changed = client
    .cookies()
    .replaceAll(/(tributary_device_[^=]+=[^.]+\.)(.)/g, (_, start, first) => start + (first === 'A' ? 'B' : 'A'));
  await app.browser().call('POST', '/session', { email: account.email, password: testPassword }, { cookie: changed });
  expect(await countOf(account, newDevice)).toBe(2);
});

test('removing a device ends its sessions, and its next sign-in is reported by email', async () => {
  const account = await app.account();
  const [here, there] = [await app.signedIn(account), await app.signedIn(account)];
  const devices: Json[] = (await here.call('GET', '/profile/devices')).json.data;
  expect(devices).toHaveLength(2);
  const other = devices.find(({ is_current: isCurrent }) => !isCurrent);
  expect((await here.call('DELETE', `/profile/devices/${other.id}`)).status).toBe(204);
  expect([(await here.call('GET', '/session')).status, (await there.call('GET', '/session')).status]).toEqual([200, 401]);
  await there.call('POST', '/session', { email: account.email, password: testPassword });
  expect(await countOf(account, newDevice)).toBe(3);
});

test('a wrong code is reported to the owner by email at most once an hour', async () => {
  const account = await app.account({ hasSecondFactor: true });
  const guess = () => app.browser().call('POST', '/session', { email: account.email, password: testPassword, code: '000000' });
  for (let turn = 0; turn < 4; turn += 1) expect((await guess()).json.reason).toBe('wrong_code');
  expect(await countOf(account, wrongCode)).toBe(1);
  expect((await guess()).json.reason).toBe('wrong_code');
  expect(await countOf(account, wrongCode)).toBe(1);
});

test('a code of a new authenticator app replaces the former app; the former app and its recovery codes stop working', async () => {
  const account = await app.account({ hasSecondFactor: true });
  const client = await app.signedIn(account);
  const { secret } = (await client.call('POST', '/second-factor/replacement')).json;
  expect((await client.call('POST', '/second-factor/replacement/confirm', { code: '000000' })).json.reason).toBe('wrong_code');
  const signIn = (code: string) => app.browser().call('POST', '/session', { email: account.email, password: testPassword, code });
  // The present app counts until the new one is confirmed.
  const before = await app.signedIn(account);
  expect((await before.call('GET', '/session')).status).toBe(200);
  const replaced = await client.call('POST', '/second-factor/replacement/confirm', { code: await generate({ secret }) });
  expect(replaced.json.recovery_codes).toHaveLength(10);
  await app.platform.database.run(sql`update users set totp_last_step = null where user_id = ${account.userId}`);
  expect((await signIn(await generate({ secret: account.totpSecret ?? '' }))).json.reason).toBe('wrong_code');
  expect((await signIn(await generate({ secret }))).status).toBe(200);
});
