import { randomBytes } from 'node:crypto';
import { Writable } from 'node:stream';
import { pino } from 'pino';
import { afterAll, beforeEach, expect, onTestFinished, test } from 'vitest';
import { publicId } from '../../src/core/ids.ts';
import { countUnauthenticated } from '../../src/tracking/count-unauthenticated.ts';
import { freshDatabase } from '../support/database.ts';
import { testPassword, peopleApp } from '../support/people-app.ts';

type Line = Readonly<Record<string, unknown>>;
const lines: Line[] = [];
const log = pino(
  { level: 'info', base: null },
  new Writable({
    write(chunk: Buffer, _encoding, done) {
      lines.push(JSON.parse(chunk.toString('utf8')) as Line);
      done();
    },
  }),
);
const secretKey = randomBytes(32);
const { url: databaseUrl } = await freshDatabase();
const app = await peopleApp({ databaseUrl, log, secretKey });
afterAll(() => app.close());
beforeEach(() => void (lines.length = 0));

const events = () => lines.filter((line) => 'event' in line);

test('logs a wrong password once, with the account and without the address or the password', async () => {
  const { userId, email } = await app.account();
  const client = app.browser();
  const { headers } = await client.call('POST', '/session', { email, password: 'a wrong and long password' });
  expect(events()).toEqual([
    expect.objectContaining({
      event: 'sign_in_failed',
      reason: 'wrong_email_or_password',
      method: 'POST',
      route: '/api/v1/session',
      requestId: headers.get('request-id'),
      user: publicId('user', userId),
      addressHash: expect.stringMatching(/^[0-9a-f]{64}$/),
    }),
  ]);
  const text = JSON.stringify(lines);
  for (const secret of [email, 'a wrong and long password', client.address]) expect(text).not.toContain(secret);
});

test('logs a sign-in to an unknown account without the address that was typed', async () => {
  await app.browser().call('POST', '/session', { email: 'my-password@nowhere.example', password: testPassword });
  expect(events()).toMatchObject([{ event: 'sign_in_failed', user: null, actor: null }]);
  expect(JSON.stringify(lines)).not.toContain('my-password');
});

test('logs a wrong code of the second factor once, with the account and without the code', async () => {
  const account = await app.account({ hasSecondFactor: true });
  const client = app.browser();
  await client.call('POST', '/session', { email: account.email, password: testPassword });
  expect(events()).toEqual([]);
  await client.call('POST', '/session', { email: account.email, password: testPassword, code: '012 345' });
  expect(events()).toMatchObject([{ event: 'second_factor_failed', reason: 'wrong_code', user: publicId('user', account.userId) }]);
  expect(JSON.stringify(lines)).not.toMatch(/012 ?345/);
});

test('logs a wrong password of a recent proof with its sender', async () => {
  const account = await app.account();
  const client = await app.signedIn(account);
  await client.call('POST', '/session/proof', { password: 'a wrong and long password' });
  const user = publicId('user', account.userId);
  expect(events()).toMatchObject([{ event: 'sign_in_failed', route: '/api/v1/session/proof', user, actor: user }]);
});

test("logs access to another's store, to an operators' page, and with an unknown key, but not the key", async () => {
  const stranger = await app.account();
  const store = await app.store(await app.account());
  const client = await app.signedIn(stranger);
  lines.length = 0;
  const actor = publicId('user', stranger.userId);
  expect((await client.call('GET', `/stores/${store.id}`)).status).toBe(404);
  expect((await client.call('GET', '/operators')).status).toBe(403);
  const key = `trb_${'x'.repeat(43)}`;
  expect((await app.program(key).call('GET', `/stores/${store.id}`)).status).toBe(401);
  expect(events()).toMatchObject([
    { event: 'access_refused', reason: 'not_found', route: '/api/v1/stores/:store', actor },
    { event: 'access_refused', reason: 'operator_only', route: '/api/v1/operators', actor },
    { event: 'access_refused', reason: 'not_signed_in', credential: 'key', actor: null },
  ]);
  expect(JSON.stringify(lines)).not.toContain(key);
});

test('logs neither a session request of a browser without a session nor a resource that does not exist', async () => {
  const account = await app.account();
  const client = await app.signedIn(account);
  const store = await app.store(account);
  lines.length = 0;
  expect((await app.browser().call('GET', '/session')).status).toBe(401);
  expect((await client.call('GET', `/stores/${store.id}/programs/prog_00000000000000000000000000`)).status).toBe(404);
  expect((await client.call('PATCH', `/stores/${store.id}`, {})).status).toBe(400);
  expect(events()).toEqual([]);
});

test('logs a one-time link that does not work, but not the link', async () => {
  const token = 'k'.repeat(43);
  await app.browser().call('POST', '/one-time-links/read', { token });
  expect(events()).toMatchObject([{ event: 'one_time_link_refused', reason: 'link_used_or_expired' }]);
  expect(JSON.stringify(lines)).not.toContain(token);
});

test('logs attempts beyond a limit', async () => {
  const client = app.browser();
  const { email } = await app.account();
  for (let attempt = 0; attempt < 70; attempt += 1) await client.call('POST', '/session', { email, password: 'wrong but long enough' });
  expect(events().at(-1)).toMatchObject({ event: 'attempts_limited', reason: 'too_many_requests', route: '/api/v1/session' });
});

test('logs a request rate limit once in each second', async () => {
  const limitedApp = await peopleApp({ databaseUrl, log, secretKey, requestsPerSecond: 5 });
  onTestFinished(limitedApp.close);
  const program = limitedApp.program('trb_nobody');
  const answers = await Promise.all(Array.from({ length: 100 }, () => program.call('GET', '/stores')));
  const refused = answers.filter(({ status }) => status === 429).length;
  const limited = events().filter(({ event }) => event === 'requests_limited');
  expect(refused).toBeGreaterThan(limited.length);
  expect(limited.length).toBeGreaterThan(0);
});

test('logs postbacks without a valid key as one line with their count, and no rejection for lack of capacity', async () => {
  const refusals = countUnauthenticated(app.platform);
  for (let attempt = 0; attempt < 3; attempt += 1) refusals.count('invalid_postback_key');
  refusals.count('temporarily_unavailable');
  await refusals.close();
  expect(events()).toMatchObject([{ event: 'postback_key_refused', reason: 'invalid_postback_key', count: '3' }]);
});
