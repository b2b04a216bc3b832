import { afterAll, expect, test } from 'vitest';
import { hashPassword } from '../../src/people/passwords.ts';
import { lockUser, updatePassword } from '../../src/people/users-sql.ts';
import { sql } from '../../src/db/sql.ts';
import { untilLockWaits } from '../support/lock-waits.ts';
import { testPassword, holds, peopleApp } from '../support/people-app.ts';

const app = await peopleApp();
afterAll(() => app.close());

const all = <Row>(...query: Parameters<typeof sql>) => app.platform.database.all<Row>(sql(...query));
const run = (...query: Parameters<typeof sql>) => app.platform.database.run(sql(...query));
const daysAgo = (days: number) => new Date(Date.now() - days * 86_400_000);

test('sign-in sets a cookie that scripts cannot read, and returns the signed-in person', async () => {
  const account = await app.account({ name: 'Ada' });
  const store = await app.store(account);
  const client = app.browser();
  const response = await client.call('POST', '/session', { email: account.email.toUpperCase(), password: testPassword });
  expect(response.status).toBe(200);
  expect(response.headers.getSetCookie()[0]).toMatch(
    /^__Host-tributary=[A-Za-z0-9_-]{43}; Path=\/; Max-Age=7776000; HttpOnly; SameSite=Lax; Secure$/,
  );
  expect(response.json).toMatchObject({
    name: 'Ada',
    email: account.email,
    is_operator: false,
    creator_id: null,
    second_factor: false,
    mode: 'sandbox',
  });
  expect(response.json.stores).toEqual([
    { id: store.id, role: 'owner', permissions: expect.arrayContaining(['team:write', 'store:read']) },
  ]);
  const again = await client.call('GET', '/session');
  expect(again.status).toBe(200);
  expect(again.json).toEqual(response.json);
});

test('a wrong password and an unknown address get the same bytes', async () => {
  const known = await app.account();
  const wrong = await app.browser().call('POST', '/session', { email: known.email, password: 'not the password' });
  const unknown = await app.browser().call('POST', '/session', { email: 'nobody@people.example', password: 'not the password' });
  expect(wrong.status).toBe(401);
  expect(wrong.json.reason).toBe('wrong_email_or_password');
  expect([unknown.status, unknown.text]).toEqual([wrong.status, wrong.text]);
});

test('a session stolen from the database grants no access: the table has only hashes', async () => {
  const account = await app.account();
  const client = await app.signedIn(account);
  const token = client.cookie().split('=')[1] ?? '';
  const [row] = await all<{ tokenHash: Buffer }>`select token_hash from sessions where user_id = ${account.userId}`;
  const whole = JSON.stringify(await all`select sessions from sessions where user_id = ${account.userId}`);
  expect(token).toHaveLength(43);
  expect(holds(whole, token)).toBe(false);
  for (const encoding of ['hex', 'base64url'] as const) {
    const stolen = row?.tokenHash.toString(encoding) ?? '';
    const thief = await app.browser().call('GET', '/session', undefined, { cookie: `__Host-tributary=${stolen}` });
    expect(thief.status).toBe(401);
  }
});

test('sign-out ends the session for every holder of its cookie', async () => {
  const client = await app.signedIn(await app.account());
  const cookie = client.cookie();
  const out = await client.call('DELETE', '/session');
  expect(out.status).toBe(204);
  expect(out.headers.get('set-cookie')).toContain('Max-Age=0');
  expect((await app.browser().call('GET', '/session', undefined, { cookie })).status).toBe(401);
});

test('a session ends after thirty days without use, and after ninety in any case', async () => {
  const account = await app.account();
  const client = await app.signedIn(account);
  await run`update sessions set last_seen_at = ${daysAgo(29.9)} where user_id = ${account.userId}`;
  expect((await client.call('GET', '/session')).status).toBe(200);
  await run`update sessions set last_seen_at = ${daysAgo(30.1)} where user_id = ${account.userId}`;
  expect((await client.call('GET', '/session')).status).toBe(401);
  await run`update sessions set last_seen_at = ${daysAgo(0)}, expires_at = ${daysAgo(0)} where user_id = ${account.userId}`;
  expect((await client.call('GET', '/session')).status).toBe(401);
  const fresh = await app.account();
  await app.signedIn(fresh);
  const [made] = await all<{
    createdAt: Date;
    expiresAt: Date;
  }>`select created_at, expires_at from sessions where user_id = ${fresh.userId}`;
  expect(Number(made?.expiresAt) - Number(made?.createdAt)).toBe(90 * 86_400_000);
});

test('use extends a session with at most one write a minute', async () => {
  const account = await app.account();
  const client = await app.signedIn(account);
  const lastSeen = async () =>
    (await all<{ lastSeenAt: Date }>`select last_seen_at from sessions where user_id = ${account.userId}`)[0]?.lastSeenAt;
  const before = await lastSeen();
  await client.call('GET', '/session');
  expect(await lastSeen()).toEqual(before);
  await run`update sessions set last_seen_at = ${new Date(Date.now() - 61_000)} where user_id = ${account.userId}`;
  const query = Date.now();
  await client.call('GET', '/session');
  await expect.poll(async () => (await lastSeen())?.getTime()).toBeGreaterThanOrEqual(query);
});

test('a request from another site is refused, signed in or not, and changes nothing', async () => {
  const account = await app.account();
  const client = await app.signedIn(account);
  for (const headers of [
    { 'sec-fetch-site': 'cross-site', origin: 'https://evil.example' },
    { 'sec-fetch-site': 'same-site', origin: 'https://blog.tributary.example' },
    { 'sec-fetch-site': 'same-origin', origin: 'https://evil.example' },
  ]) {
    const response = await client.call('PATCH', '/profile', { name: 'Mallory' }, headers);
    expect([response.status, response.json.reason]).toEqual([403, 'cross_site_request']);
    const signIn = await app.browser().call('POST', '/session', { email: account.email, password: testPassword }, headers);
    expect([signIn.status, signIn.json.reason, signIn.headers.get('set-cookie')]).toEqual([403, 'cross_site_request', null]);
  }
  expect((await client.call('GET', '/session')).json.name).toBe('A person');
});

test('a new sign-in in the same browser ends the previous session', async () => {
  const account = await app.account();
  const client = await app.signedIn(account);
  const before = client.cookie();
  await client.call('POST', '/session', { email: account.email, password: testPassword });
  expect(client.cookie()).not.toBe(before);
  expect((await app.browser().call('GET', '/session', undefined, { cookie: before })).status).toBe(401);
});

test('people can list and end their own sessions; the session of another person is not found', async () => {
  const [account, stranger] = [await app.account(), await app.account()];
  const [here, there] = [await app.signedIn(account), await app.signedIn(account)];
  const listed = (await here.call('GET', '/sessions')).json;
  expect(listed.data).toHaveLength(2);
  const other = listed.data.find((one: { is_current: boolean }) => !one.is_current);
  expect(other.user_agent).toBe('A browser');
  const notMine = await (await app.signedIn(stranger)).call('DELETE', `/sessions/${other.id}`);
  expect(notMine.status).toBe(404);
  expect((await here.call('DELETE', `/sessions/${other.id}`)).status).toBe(204);
  expect((await there.call('GET', '/session')).status).toBe(401);
  expect((await here.call('GET', '/session')).status).toBe(200);
});

test('a new password ends all other sessions, works immediately, and is reported by email', async () => {
  const account = await app.account();
  const [here, there] = [await app.signedIn(account), await app.signedIn(account)];
  const wrong = await here.call('PUT', '/password', { current_password: 'not the password', new_password: 'another good one' });
  expect(wrong.json.reason).toBe('wrong_email_or_password');
  const weak = await here.call('PUT', '/password', { current_password: testPassword, new_password: 'aaaaaaaaaaaa' });
  expect([weak.status, weak.json.errors[0].field]).toEqual([400, 'new_password']);
  expect((await here.call('PUT', '/password', { current_password: testPassword, new_password: 'another good one' })).status).toBe(204);
  expect((await here.call('GET', '/session')).status).toBe(200);
  expect((await there.call('GET', '/session')).status).toBe(401);
  expect((await app.browser().call('POST', '/session', { email: account.email, password: testPassword })).status).toBe(401);
  expect((await app.browser().call('POST', '/session', { email: account.email, password: 'another good one' })).status).toBe(200);
  const mails = await all<{ subject: string }>`
    select subject from mails where to_address = ${account.email} and subject not like 'New sign-in%'`;
  expect(mails).toEqual([{ subject: 'Your password was changed' }]);
});

test('a password change during a sign-in with the old password refuses that sign-in', async () => {
  const account = await app.account();
  const { database } = app.platform;
  const query = await database.transaction(async (tx) => {
    await lockUser(tx, account.userId);
    const signIn = app.browser().call('POST', '/session', { email: account.email, password: testPassword });
    // The request has checked the old password and waits for the row lock that the test holds.
    await untilLockWaits(database, 1);
    await updatePassword(tx, { userId: account.userId, passwordHash: await hashPassword('another good one') });
    return { signIn };
  });
  expect((await query.signIn).json.reason).toBe('wrong_email_or_password');
  expect(await all`select session_id from sessions where user_id = ${account.userId}`).toEqual([]);
});

test('the audit log records sign-ins and changes, and contains neither passwords nor codes', async () => {
  const account = await app.account();
  const client = await app.signedIn(account);
  await client.call('PUT', '/password', { current_password: testPassword, new_password: 'another good one' });
  await client.call('POST', '/session/proof', { password: 'another good one', code: '123456' });
  const rows = await all<{ action: string; actor: string; entry: unknown }>`
    select action, actor, audit_log as entry from audit_log where actor_name = 'A person' order by audit_entry_id desc limit 3`;
  expect(rows.map(({ action }) => action)).toEqual(['session.proved', 'password.changed', 'session.started']);
  expect(rows.every(({ actor }) => actor.startsWith('user_'))).toBe(true);
  const everything = JSON.stringify(await all`select audit_log from audit_log`);
  for (const secret of [testPassword, 'another good one', '123456']) expect(everything).not.toContain(secret);
});

test('a sensitive operation requires a proof that is at most ten minutes old', async () => {
  const account = await app.account();
  const client = await app.signedIn(account);
  const old = new Date(Date.now() - 10 * 60_000 - 1_000);
  await run`update sessions set proved_at = ${old} where user_id = ${account.userId}`;
  const refused = await client.call('POST', '/second-factor');
  expect([refused.status, refused.json.reason]).toEqual([403, 'proof_required']);
  expect((await client.call('POST', '/session/proof', { password: 'not the password' })).status).toBe(401);
  expect((await client.call('POST', '/second-factor')).status).toBe(403);
  const proved = await client.call('POST', '/session/proof', { password: testPassword });
  expect(proved.status).toBe(200);
  expect(Date.parse(proved.json.proved_until)).toBeGreaterThan(Date.now() + 9 * 60_000);
  expect((await client.call('POST', '/second-factor')).status).toBe(200);
});

test('over http the cookie has the plain name, and a cookie with the other name grants no access', async () => {
  const plain = await peopleApp({ baseUrl: 'http://localhost:3000' });
  try {
    const client = await plain.signedIn(await plain.account());
    expect(client.cookie()).toMatch(/^tributary_session=/);
    const renamed = client.cookie().replace('tributary_session', '__Host-tributary');
    expect((await plain.browser().call('GET', '/session', undefined, { cookie: renamed })).status).toBe(401);
  } finally {
    await plain.close();
  }
});
