import { setTimeout } from 'node:timers/promises';
import { generate } from 'otplib';
import { afterAll, expect, test } from 'vitest';
import { sql } from '../../src/db/sql.ts';
import { testPassword, holds, emailedLinkToken, latestEmail, peopleApp, type Account, type Client } from '../support/people-app.ts';

const app = await peopleApp();
afterAll(() => app.close());

/** A code of the previous, the current, or the next step: all three are valid now. */
const codeOf = (secret: string, step: -1 | 0 | 1) => generate({ secret, epoch: Math.floor(Date.now() / 1000) + step * 30 });

type Guarded = { readonly account: Account; readonly client: Client; readonly secret: string; readonly recoveryCodes: readonly string[] };

/** The previous step's code stops being valid when a step ends, so the test must not send it then. */
async function awayFromTheEdge(): Promise<void> {
  const intoStepMs = Date.now() % 30_000;
  if (intoStepMs > 27_000) await setTimeout(30_000 - intoStepMs);
}

/** Confirmed with the previous step's code, so that two more codes are left for sign-ins. */
async function guarded(): Promise<Guarded> {
  const account = await app.account();
  const client = await app.signedIn(account);
  const { secret } = (await client.call('POST', '/second-factor')).json;
  await awayFromTheEdge();
  const confirmed = await client.call('POST', '/second-factor/confirm', { code: await codeOf(secret, -1) });
  expect(confirmed.status).toBe(200);
  return { account, client, secret, recoveryCodes: confirmed.json.recovery_codes };
}

const signIn = (account: Account, code?: string) =>
  app.browser().call('POST', '/session', { email: account.email, password: testPassword, ...(code === undefined ? {} : { code }) });

test('with a second factor the password alone grants no access, and a code works once', async () => {
  const { account, secret } = await guarded();
  const alone = await signIn(account);
  expect([alone.status, alone.json.reason, alone.headers.get('set-cookie')]).toEqual([401, 'second_factor_required', null]);
  expect((await signIn(account, '000000')).json.reason).toBe('wrong_code');
  const code = await codeOf(secret, 0);
  expect((await signIn(account, code)).status).toBe(200);
  expect((await signIn(account, code)).json.reason).toBe('wrong_code');
  expect((await signIn(account, await codeOf(secret, 1))).status).toBe(200);
});

test('one of twenty concurrent uses of a code succeeds', async () => {
  const { account, secret } = await guarded();
  const code = await codeOf(secret, 0);
  const all = await Promise.all(Array.from({ length: 20 }, () => signIn(account, code)));
  expect(all.filter(({ status }) => status === 200)).toHaveLength(1);
  expect(all.filter(({ json }) => json.reason === 'wrong_code')).toHaveLength(19);
});

test('a sign-in that fails for another reason does not use up the code', async () => {
  const { account, secret } = await guarded();
  const code = await codeOf(secret, 0);
  const wrong = await app.browser().call('POST', '/session', { email: account.email, password: 'not the password', code });
  expect(wrong.json.reason).toBe('wrong_email_or_password');
  expect((await signIn(account, code)).status).toBe(200);
});

test('an app that was not confirmed requires no code', async () => {
  const account = await app.account();
  const client = await app.signedIn(account);
  const begun = await client.call('POST', '/second-factor');
  expect(begun.json.url).toContain(`secret=${begun.json.secret}`);
  expect((await client.call('POST', '/second-factor/confirm', { code: '000000' })).json.reason).toBe('wrong_code');
  expect((await signIn(account)).status).toBe(200);
});

test('each recovery code works once in place of a code, in every spelling', async () => {
  const { account, recoveryCodes, client } = await guarded();
  expect(recoveryCodes).toHaveLength(10);
  expect(new Set(recoveryCodes).size).toBe(10);
  const [first = '', second = ''] = recoveryCodes;
  expect((await signIn(account, first)).status).toBe(200);
  expect((await signIn(account, first)).json.reason).toBe('wrong_code');
  expect((await signIn(account, ` ${second.toUpperCase().replaceAll('-', ' ')}`)).status).toBe(200);
  expect((await client.call('GET', '/session')).json).toMatchObject({ second_factor: true, recovery_codes_left: 8 });
});

test('the database contains neither the secret nor a recovery code in plain text', async () => {
  const { account, secret, recoveryCodes } = await guarded();
  const { database } = app.platform;
  const dump = JSON.stringify([
    await database.all(sql`select users from users where user_id = ${account.userId}`),
    await database.all(sql`select recovery_codes from recovery_codes where user_id = ${account.userId}`),
    await database.all(sql`select audit_log from audit_log`),
  ]);
  for (const clear of [
    secret,
    Buffer.from(secret).toString('hex'),
    ...recoveryCodes,
    ...recoveryCodes.map((code) => code.replaceAll('-', '')),
  ]) {
    expect(holds(dump, clear)).toBe(false);
  }
});

test('a second app cannot replace the first, and switching off requires a recent proof and is reported by email', async () => {
  const { account, client, secret } = await guarded();
  expect((await client.call('POST', '/second-factor')).json.reason).toBe('conflict');
  const old = new Date(Date.now() - 11 * 60_000);
  await app.platform.database.run(sql`update sessions set proved_at = ${old} where user_id = ${account.userId}`);
  expect((await client.call('DELETE', '/second-factor')).json.reason).toBe('proof_required');
  expect((await client.call('POST', '/session/proof', { password: testPassword })).json.reason).toBe('second_factor_required');
  expect((await client.call('POST', '/session/proof', { password: testPassword, code: await codeOf(secret, 0) })).status).toBe(200);
  expect((await client.call('DELETE', '/second-factor')).status).toBe(204);
  expect((await latestEmail(app, account.email)).subject).toBe('Two-factor authentication is off');
  expect((await signIn(account)).status).toBe(200);
});

test('a password reset by a thief of the mailbox does not bypass the second factor', async () => {
  const { account, secret } = await guarded();
  await app.browser().call('POST', '/password-resets', { email: account.email });
  const token = await emailedLinkToken(app, account.email);
  expect((await app.browser().call('POST', '/one-time-links/read', { token })).json).toMatchObject({ second_factor: true });
  const without = await app.browser().call('POST', '/one-time-links/use', { token, password: 'another good one' });
  expect([without.status, without.json.reason]).toEqual([401, 'second_factor_required']);
  const withCode = await app
    .browser()
    .call('POST', '/one-time-links/use', { token, password: 'another good one', code: await codeOf(secret, 0) });
  expect(withCode.status).toBe(200);
});
