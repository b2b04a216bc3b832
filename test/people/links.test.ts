import { afterAll, expect, test } from 'vitest';
import { createOperator, createFirstOperatorLink } from '../../src/people/operators.ts';
import { sql } from '../../src/db/sql.ts';
import { testPassword, holds, emailedLinkToken, latestEmail, peopleApp } from '../support/people-app.ts';

const app = await peopleApp();
afterAll(() => app.close());

const all = <Row>(...query: Parameters<typeof sql>) => app.platform.database.all<Row>(sql(...query));
const run = (...query: Parameters<typeof sql>) => app.platform.database.run(sql(...query));
const tokenIn = (url: string | null) => url?.split('#')[1] ?? '';

const newPerson = { name: 'New Person', password: testPassword };
const use = (body: object) => app.browser().call('POST', '/one-time-links/use', body);
const read = (token: string) => app.browser().call('POST', '/one-time-links/read', { token });
const withReason = ({ status, json }: { readonly status: number; readonly json: { readonly reason?: string } }) => [status, json.reason];
const gone = [410, 'link_used_or_expired'];

test('a person signs up with an emailed link, a name and a password', async () => {
  const email = 'mara@shop.example';
  const query = await app.browser().call('POST', '/sign-ups', { email: 'Mara@Shop.example' });
  expect([query.status, query.json]).toMatchObject([200, { delivered_by: 'operator' }]);
  expect(query.json.message).toContain('No email server');
  const token = await emailedLinkToken(app, email);
  expect((await read(token)).json).toMatchObject({ purpose: 'sign-up', email, account: 'new', second_factor: false, invitation: null });
  const client = app.browser();
  const used = await client.call('POST', '/one-time-links/use', { token, ...newPerson });
  expect(used.json).toMatchObject({ email, name: 'New Person', is_operator: false, stores: [] });
  expect((await client.call('GET', '/session')).status).toBe(200);
  expect((await app.browser().call('POST', '/session', { email, password: testPassword })).status).toBe(200);
});

test('password reset and sign-up return the same bytes for known and unknown addresses and send one email', async () => {
  const { email } = await app.account();
  for (const path of ['/password-resets', '/sign-ups']) {
    const known = await app.browser().call('POST', path, { email });
    const unknown = await app.browser().call('POST', path, { email: `unknown-of${path.slice(1)}@people.example` });
    expect([known.status, known.text]).toEqual([unknown.status, unknown.text]);
  }
  const subjects = async (to: string) =>
    (await all<{ subject: string }>`select subject from mails where to_address = ${to}`).map(({ subject }) => subject);
  expect(await subjects(email)).toEqual(['Reset your Tributary password', 'You already have a Tributary account']);
  expect(await subjects('unknown-ofpassword-resets@people.example')).toEqual(['No Tributary account uses this address']);
  expect(await subjects('unknown-ofsign-ups@people.example')).toEqual(['Confirm your email address for Tributary']);
});

test('a password reset link works once, ends every session, and invalidates the other reset links', async () => {
  const account = await app.account();
  const thief = await app.signedIn(account);
  await app.browser().call('POST', '/password-resets', { email: account.email });
  const earlier = await emailedLinkToken(app, account.email);
  await app.browser().call('POST', '/password-resets', { email: account.email });
  const token = await emailedLinkToken(app, account.email);
  expect((await use({ token, password: 'another good one' })).status).toBe(200);
  expect((await thief.call('GET', '/session')).status).toBe(401);
  expect(withReason(await use({ token, password: 'a third good one' }))).toEqual(gone);
  expect(withReason(await use({ token: earlier, password: 'a third good one' }))).toEqual(gone);
  expect((await latestEmail(app, account.email)).subject).toBe('Your password was changed');
  expect((await app.browser().call('POST', '/session', { email: account.email, password: 'another good one' })).status).toBe(200);
});

test('one of ten concurrent uses of a link succeeds, and the others get the answer that it was used', async () => {
  const { email } = await app.account();
  await app.browser().call('POST', '/sign-ups', { email: 'ten@people.example' });
  await app.browser().call('POST', '/password-resets', { email });
  for (const token of [await emailedLinkToken(app, 'ten@people.example'), await emailedLinkToken(app, email)]) {
    const tries = await Promise.all(Array.from({ length: 10 }, () => use({ token, ...newPerson })));
    expect(tries.filter(({ status }) => status === 200)).toHaveLength(1);
    expect(tries.filter(({ status }) => status === 410)).toHaveLength(9);
  }
  expect(await all`select user_id from users where email = 'ten@people.example'`).toHaveLength(1);
});

test('one of two concurrent password reset links succeeds, and the other is reported as expired', async () => {
  for (let round = 0; round < 10; round++) {
    const { email } = await app.account();
    const tokens = [];
    for (const path of ['/password-resets', '/password-resets']) {
      await app.browser().call('POST', path, { email });
      tokens.push(await emailedLinkToken(app, email));
    }
    const tries = await Promise.all(tokens.map((token) => use({ token, password: 'another good one' })));
    expect(tries.map(({ status }) => status).toSorted()).toEqual([200, 410]);
  }
});

test('a refused link is not used up, and the attempt leaves nothing behind', async () => {
  await app.browser().call('POST', '/sign-ups', { email: 'slow@people.example' });
  const token = await emailedLinkToken(app, 'slow@people.example');
  for (const [body, field] of [
    [{ token }, 'name'],
    [{ token, name: 'Slow' }, 'password'],
    [{ token, name: 'Slow', password: 'short' }, 'password'],
    [{ token, name: 'Slow', password: 'slow@people.example' }, 'password'],
  ] as const) {
    const response = await use(body);
    expect([response.status, response.json.errors[0]?.field]).toEqual([400, field]);
  }
  expect(await all`select user_id from users where email = 'slow@people.example'`).toEqual([]);
  expect((await use({ token, ...newPerson })).status).toBe(200);
});

test('a link expires: a password reset after an hour, a sign-up after a day', async () => {
  const account = await app.account();
  await app.browser().call('POST', '/password-resets', { email: account.email });
  await app.browser().call('POST', '/sign-ups', { email: 'late@people.example' });
  const lives = await all<{ purpose: string; madeAt: Date; expiresAt: Date }>`
    select purpose, made_at, expires_at from one_time_links where user_id = ${account.userId} or email = 'late@people.example'`;
  const hours = Object.fromEntries(
    lives.map(({ purpose, madeAt, expiresAt }) => [purpose, Math.round((+expiresAt - +madeAt) / 36_000) / 100]),
  );
  expect(hours).toEqual({ reset_password: 1, sign_up: 24 });
  await run`update one_time_links set expires_at = ${new Date()} where email = 'late@people.example'`;
  const token = await emailedLinkToken(app, 'late@people.example');
  expect(withReason(await read(token))).toEqual(gone);
  expect(withReason(await use({ token, ...newPerson }))).toEqual(gone);
});

test('a link stolen from the database grants no access: tokens are hashed, and emails that contain them are encrypted', async () => {
  await app.browser().call('POST', '/sign-ups', { email: 'sealed@people.example' });
  const token = await emailedLinkToken(app, 'sealed@people.example');
  const dump = JSON.stringify([
    await all`select one_time_links from one_time_links`,
    await all`select encode(body_sealed, 'escape') as body from mails`,
  ]);
  expect(holds(dump, token)).toBe(false);
  const [row] = await all<{ tokenHash: Buffer }>`select token_hash from one_time_links where email = 'sealed@people.example'`;
  expect(withReason(await read(row?.tokenHash.toString('base64url') ?? ''))).toEqual(gone);
});

test('the token follows the # of the link, so that no server and no log sees it', async () => {
  await app.browser().call('POST', '/sign-ups', { email: 'fragment@people.example' });
  expect((await latestEmail(app, 'fragment@people.example')).text).toMatch(/https:\/\/tributary\.example\/link#[A-Za-z0-9_-]{43}\n/);
});

test('a start without an operator prints a link; only the newest link works, and none after the first operator', async () => {
  const fresh = await peopleApp();
  try {
    const useIt = (body: object) => fresh.browser().call('POST', '/one-time-links/use', body);
    const earlier = tokenIn(await createFirstOperatorLink(fresh.platform));
    const token = tokenIn(await createFirstOperatorLink(fresh.platform));
    const first = { email: 'Olive@operator.example', name: 'Olive', password: testPassword };
    expect(withReason(await useIt({ token: earlier, ...first }))).toEqual(gone);
    const without = await useIt({ token, name: 'Olive', password: testPassword });
    expect([without.status, without.json.errors[0].field]).toEqual([400, 'email']);
    const used = await useIt({ token, ...first });
    expect(used.json).toMatchObject({ is_operator: true, email: 'olive@operator.example' });
    expect(await createFirstOperatorLink(fresh.platform)).toBeNull();
  } finally {
    await fresh.close();
  }
});

test('a first operator link does not work once there is an operator', async () => {
  const fresh = await peopleApp();
  try {
    const token = tokenIn(await createFirstOperatorLink(fresh.platform));
    await fresh.account({ isOperator: true });
    const late = await fresh
      .browser()
      .call('POST', '/one-time-links/use', { token, email: 'x@y.example', name: 'X', password: testPassword });
    expect(withReason(late)).toEqual(gone);
  } finally {
    await fresh.close();
  }
});

test('the command line can make any person an operator and restores access after a lost password and phone', async () => {
  const made = await createOperator(app.platform, { email: 'Oscar@operator.example', name: 'Oscar' });
  expect(made.isNewPerson).toBe(true);
  const used = await use({ token: tokenIn(made.url), password: testPassword });
  expect(used.json).toMatchObject({ name: 'Oscar', email: 'oscar@operator.example', is_operator: true });

  const locked = await app.account();
  await run`update users set totp_sealed = ${Buffer.of(0)}, totp_confirmed_at = ${new Date()} where user_id = ${locked.userId}`;
  const again = await createOperator(app.platform, { email: locked.email, name: 'ignored' });
  expect(again.isNewPerson).toBe(false);
  const back = await use({ token: tokenIn(again.url), password: 'another good one' });
  expect(back.json).toMatchObject({ name: 'A person', is_operator: true, second_factor: false });
});

test('a person who signs up with a German browser gets German emails, until they choose another language', async () => {
  const email = 'grete@people.example';
  const german = { 'accept-language': 'de-AT,de;q=0.9' };
  const client = app.browser();
  await client.call('POST', '/sign-ups', { email }, german);
  expect((await latestEmail(app, email)).subject).toBe('Bestätigen Sie Ihre E-Mail-Adresse für Tributary');
  const token = await emailedLinkToken(app, email);
  const used = await client.call('POST', '/one-time-links/use', { token, ...newPerson }, german);
  expect(used.json).toMatchObject({ email, language: 'de' });
  // The account's language takes precedence over the one of a request.
  await app.browser().call('POST', '/password-resets', { email }, { 'accept-language': 'en' });
  expect((await latestEmail(app, email)).subject).toBe('Setzen Sie Ihr Tributary-Passwort zurück');
  expect((await client.call('PATCH', '/profile', { language: 'en' })).json).toMatchObject({ name: newPerson.name, language: 'en' });
  await app.browser().call('POST', '/password-resets', { email }, german);
  expect((await latestEmail(app, email)).subject).toBe('Reset your Tributary password');
  expect((await client.call('PATCH', '/profile', { language: 'tlh' })).status).toBe(400);
});
