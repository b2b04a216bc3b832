import { randomBytes } from 'node:crypto';
import { generate } from 'otplib';
import { afterAll, expect, test } from 'vitest';
import { createApiKey } from '../../src/people/api-keys.ts';
import { operatorParty, storeParty } from '../../src/people/party.ts';
import { sql } from '../../src/db/sql.ts';
import { testPassword, emailedLinkToken, peopleApp } from '../support/people-app.ts';

const live = await peopleApp({ mode: 'live', secretKey: randomBytes(32) });
const sandbox = await peopleApp();
afterAll(async () => {
  for (const app of [live, sandbox]) await app.close();
});

const missing = [403, 'second_factor_setup_required'];
const withReason = ({ status, json }: { readonly status: number; readonly json: { readonly reason?: string } }) => [status, json.reason];

test('in live mode an operator without a second factor can only set one up, and has full access once it is on', async () => {
  const account = await live.account({ isOperator: true });
  const store = await live.store(account);
  const client = await live.signedIn(account);
  expect((await client.call('GET', '/session')).json).toMatchObject({
    is_operator: true,
    second_factor: false,
    second_factor_required: true,
  });
  for (const [method, path, body] of [
    ['GET', '/stores'],
    ['GET', `/stores/${store.id}`],
    ['GET', '/mails'],
    ['GET', '/operators'],
    ['GET', '/sessions'],
    ['POST', '/stores', { name: 'Mine', site_url: 'https://mine.example' }],
    ['POST', '/api-keys', { name: 'k' }],
    ['POST', '/operator-invitations', { email: 'second@operator.example' }],
    ['PATCH', '/profile', { name: 'Another' }],
  ] as const) {
    expect(withReason(await client.call(method, path, body)), `${method} ${path}`).toEqual(missing);
  }
  const { secret } = (await client.call('POST', '/second-factor')).json;
  expect((await client.call('POST', '/second-factor/confirm', { code: await generate({ secret }) })).status).toBe(200);
  expect((await client.call('GET', '/stores')).status).toBe(200);
  expect((await client.call('GET', '/session')).json).toMatchObject({ second_factor: true, second_factor_required: false });
});

test('in live mode an operator can replace the authenticator app, but cannot switch the second factor off', async () => {
  const account = await live.account({ isOperator: true, hasSecondFactor: true });
  const client = await live.signedIn(account);
  expect(withReason(await client.call('DELETE', '/second-factor'))).toEqual([409, 'conflict']);
  const person = await live.account({ hasSecondFactor: true });
  expect((await (await live.signedIn(person)).call('DELETE', '/second-factor')).status).toBe(204);
});

test("in live mode an operator's keys work only while that operator has a second factor", async () => {
  const { database } = live.platform;
  const account = await live.account({ isOperator: true, hasSecondFactor: true });
  const store = await live.store(null);
  const made = { name: 'k', madeBy: account.userId };
  const whole = live.program((await createApiKey(database, { ...made, party: operatorParty, scopes: [] })).key);
  const narrow = live.program((await createApiKey(database, { ...made, party: storeParty(store.storeId), scopes: ['store:read'] })).key);
  expect([(await whole.call('GET', '/stores')).status, (await narrow.call('GET', `/stores/${store.id}`)).status]).toEqual([200, 200]);
  await database.run(sql`update users set totp_confirmed_at = null where user_id = ${account.userId}`);
  for (const [program, path] of [
    [whole, '/stores'],
    [narrow, `/stores/${store.id}`],
  ] as const)
    expect(withReason(await program.call('GET', path)), path).toEqual(missing);
});

test('in live mode a new operator who accepts an invitation must set up a second factor first', async () => {
  const inviter = await live.signedIn(await live.account({ isOperator: true, hasSecondFactor: true }));
  expect((await inviter.call('POST', '/operator-invitations', { email: 'new@operator.example' })).status).toBe(201);
  const joining = live.browser();
  const token = await emailedLinkToken(live, 'new@operator.example');
  const joined = await joining.call('POST', '/one-time-links/use', { token, name: 'New', password: testPassword });
  expect(joined.status).toBe(200);
  // Another operator has approved them: test/people/operator-approvals.test.ts.
  await live.platform.database.run(sql`update users set is_operator = true where email = 'new@operator.example'`);
  expect((await joining.call('GET', '/session')).json).toMatchObject({ is_operator: true, second_factor_required: true });
  expect(withReason(await joining.call('GET', '/stores'))).toEqual(missing);
});

test('in the sandbox an operator and their keys work without a second factor', async () => {
  const account = await sandbox.account({ isOperator: true });
  const client = await sandbox.signedIn(account);
  expect((await client.call('GET', '/session')).json.second_factor_required).toBe(false);
  expect((await client.call('GET', '/stores')).status).toBe(200);
  const { key } = (await client.call('POST', '/api-keys', { name: 'k' })).json;
  expect((await sandbox.program(key).call('GET', '/stores')).status).toBe(200);
});
