import { randomBytes } from 'node:crypto';
import { afterAll, expect, onTestFinished, test } from 'vitest';
import { clearUnknownDeviceFailures, checkNetworkLimit, checkUnknownDeviceLimit } from '../../src/people/attempt-limits.ts';
import { createApiKey } from '../../src/people/api-keys.ts';
import { operatorParty } from '../../src/people/party.ts';
import { deleteExpiredPeopleData } from '../../src/people/retention.ts';
import { sql } from '../../src/db/sql.ts';
import { freshDatabase } from '../support/database.ts';
import { testPassword, emailedLinkToken, peopleApp, type ApiResponse, type PeopleApp } from '../support/people-app.ts';

const { url: databaseUrl } = await freshDatabase();
const installation = { databaseUrl, mode: 'live', secretKey: randomBytes(32) } as const;
/** Two processes of one installation share only a database and a secret key. */
const one = await peopleApp(installation);
const other = await peopleApp(installation);
const sandbox = await peopleApp();
afterAll(async () => {
  for (const app of [one, other, sandbox]) await app.close();
});

const refused = (app: PeopleApp, address: string, account: string | null, now = new Date()) =>
  account === null ? checkNetworkLimit(app.platform, address, now) : checkUnknownDeviceLimit(app.platform, { address, account }, now);
const signIn = (app: PeopleApp, email: string, password: string, address?: string) =>
  app.browser(address).call('POST', '/session', { email, password });

test('a network has five attempts a minute on an account across all processes, and the right password does not help it', async () => {
  const { email } = await one.account();
  const tries = [];
  for (let turn = 0; turn < 8; turn++) {
    tries.push(await signIn(turn % 2 === 0 ? one : other, email, turn < 5 ? 'not the password' : testPassword, '192.0.2.50'));
  }
  expect(tries.map(({ status }) => status)).toEqual([401, 401, 401, 401, 401, 429, 429, 429]);
  expect(tries[7]?.json.reason).toBe('too_many_requests');
  expect(Number(tries[7]?.headers.get('retry-after'))).toBeGreaterThan(0);
  expect(Number(tries[7]?.headers.get('retry-after'))).toBeLessThanOrEqual(60);
});

test('five wrong passwords a minute from anywhere do not lock the owner out, neither on a known device nor on a new one', async () => {
  const account = await one.account();
  const known = await one.signedIn(account);
  for (let turn = 0; turn < 12; turn++) await signIn(one, account.email, 'not the password');
  expect((await known.call('POST', '/session', { email: account.email, password: testPassword })).status).toBe(200);
  expect((await signIn(one, account.email, testPassword)).status).toBe(200);
});

test('a distributed attack is slowed: above twenty failures each new network waits before an attempt, for minutes at most', async () => {
  const account = await one.account();
  const known = await one.signedIn(account);
  const attempt = (turn: number) => ({ address: `198.18.${turn >> 8}.${turn & 255}`, account: account.email });
  const start = new Date();
  const refusals = [];
  for (let turn = 0; turn < 100; turn++) refusals.push(await checkUnknownDeviceLimit(one.platform, attempt(turn), start));
  // All attempts arrive together, each from a different network: the first twenty are free, and none of the others is admitted immediately.
  expect(refusals.slice(0, 20)).toEqual(Array.from({ length: 20 }, () => null));
  expect(refusals.slice(20).every((refusal) => refusal?.reason === 'too_many_requests')).toBe(true);
  // A client that waits as long as Retry-After says gets one attempt, and waits again before the next.
  const waitSeconds = refusals[50]?.retryAfterSeconds ?? 0;
  const then = new Date(start.getTime() + waitSeconds * 1_000);
  expect(await checkUnknownDeviceLimit(one.platform, attempt(50), then)).toBeNull();
  expect(await checkUnknownDeviceLimit(one.platform, attempt(50), then)).not.toBeNull();
  // The owner's own browser does not wait at all.
  expect((await known.call('POST', '/session', { email: account.email, password: testPassword })).status).toBe(200);
  // During an attack the owner on a new device waits five minutes at most, and signs in with the right password.
  const counters = sql`update attempts set attempts = 5000 where attempts > 15 and attempts < 5000`;
  await one.platform.database.run(counters);
  const late = { address: '203.0.113.77', account: account.email };
  const wait = (await checkUnknownDeviceLimit(one.platform, late, then))?.retryAfterSeconds ?? 0;
  expect(wait).toBeGreaterThan(60);
  expect(wait).toBeLessThanOrEqual(300);
  expect(await checkUnknownDeviceLimit(one.platform, late, new Date(then.getTime() + wait * 1_000))).toBeNull();
});

test('a network that keeps failing on one account waits longer each time, and a success clears the delay', async () => {
  const attempt = { address: '192.0.2.60', account: 'patient@people.example' };
  let now = new Date();
  const waits = [];
  for (let turn = 0; turn < 12; turn++) {
    const refusal = await checkUnknownDeviceLimit(one.platform, attempt, now);
    if (refusal !== null) {
      waits.push(refusal.retryAfterSeconds ?? 0);
      now = new Date(now.getTime() + (refusal.retryAfterSeconds ?? 0) * 1_000);
    }
  }
  expect(waits.slice(0, 4)).toEqual([60, 120, 240, 480]);
  await clearUnknownDeviceFailures(one.platform, attempt);
  expect(await checkUnknownDeviceLimit(one.platform, attempt, now)).toBeNull();
});

test('a stolen device cookie does not allow unlimited guessing: after twenty failures the device counts as unknown', async () => {
  const account = await one.account();
  const known = await one.signedIn(account);
  const statuses = [];
  for (let turn = 0; turn < 7; turn++)
    statuses.push((await known.call('POST', '/session', { email: account.email, password: 'not the password' })).status);
  expect(statuses).toEqual([401, 401, 401, 401, 401, 429, 429]);
  // Each device has its own counters, so another browser of the same person does not wait.
  expect((await one.signedIn(account)).cookie()).not.toBe('');
});

test('codes and proofs have separate counters: guessing one limits neither the other nor the password', async () => {
  const account = await one.account({ hasSecondFactor: true });
  const client = await one.signedIn(account);
  const proofs = [];
  for (let turn = 0; turn < 6; turn++) proofs.push((await client.call('POST', '/session/proof', { password: 'not the password' })).status);
  expect(proofs).toEqual([401, 401, 401, 401, 401, 429]);
  const second = await one.signedIn(account);
  expect((await second.call('GET', '/session')).status).toBe(200);
  const guessed = await one.account({ hasSecondFactor: true });
  const codes = [];
  for (let turn = 0; turn < 6; turn++) {
    const body = { email: guessed.email, password: testPassword, code: '000000' };
    codes.push((await one.browser().call('POST', '/session', body)).json.reason);
  }
  expect(codes).toEqual([...Array.from({ length: 5 }, () => 'wrong_code'), 'too_many_requests']);
});

test('a thief with the password but no code locks the owner out of neither their own browser nor the recovery by email', async () => {
  const account = await one.account({ hasSecondFactor: true });
  const owner = await one.signedIn(account);
  const guess = { email: account.email, password: testPassword, code: '000000' };
  const guesses = [];
  for (let turn = 0; turn < 7; turn++) guesses.push((await one.browser().call('POST', '/session', guess)).json.reason);
  expect(guesses.at(-1)).toBe('too_many_requests');
  expect((await owner.call('POST', '/session', guess)).json.reason).toBe('wrong_code');
  await one.browser().call('POST', '/password-resets', { email: account.email });
  const reset = { token: await emailedLinkToken(one, account.email), password: 'another good one', code: '000000' };
  expect((await one.browser().call('POST', '/one-time-links/use', reset)).json.reason).toBe('wrong_code');
});

test('an address has five attempts a minute across all accounts; another address is not limited', async () => {
  const address = '192.0.2.77';
  const tries = [];
  for (let turn = 0; turn < 6; turn++) {
    const app = turn % 2 === 0 ? one : other;
    tries.push(await app.browser(address).call('POST', '/session', { email: `nobody-${turn}@people.example`, password: 'x' }));
  }
  expect(tries.map(({ status }) => status)).toEqual([401, 401, 401, 401, 401, 429]);
  const { email } = await one.account();
  expect((await one.browser().call('POST', '/session', { email, password: testPassword })).status).toBe(200);
});

test('the limit is the same for an account that does not exist', async () => {
  const tries = [];
  for (let turn = 0; turn < 6; turn++) tries.push(await signIn(one, 'ghost@people.example', 'x', '192.0.2.61'));
  expect(tries.map(({ status }) => status)).toEqual([401, 401, 401, 401, 401, 429]);
});

test('five of forty concurrent attempts of one network at two processes are admitted', async () => {
  const all = await Promise.all(
    Array.from({ length: 40 }, (_, turn) => refused(turn % 2 === 0 ? one : other, '203.0.113.9', 'storm@people.example')),
  );
  expect(all.filter((refusal) => refusal === null)).toHaveLength(5);
});

test('a new window starts after the minute, and expired counters are deleted', async () => {
  const start = new Date();
  const at = (seconds: number) => new Date(start.getTime() + seconds * 1_000);
  const tryAt = async (seconds: number) => (await refused(one, '198.51.100.1', null, at(seconds))) === null;
  expect([await tryAt(0), await tryAt(1), await tryAt(2), await tryAt(3), await tryAt(4), await tryAt(59.9)]).toEqual([
    true,
    true,
    true,
    true,
    true,
    false,
  ]);
  expect(await tryAt(60)).toBe(true);
  const { database } = one.platform;
  const before = await database.all(sql`select counter from attempts`);
  await database.run(sql`update attempts set window_ends_at = ${at(-1)}`);
  await deleteExpiredPeopleData(one.platform);
  expect(before.length).toBeGreaterThan(0);
  expect(await database.all(sql`select counter from attempts`)).toEqual([]);
});

test('a refused network does not count against the account', async () => {
  const { database } = one.platform;
  await database.run(sql`delete from attempts`);
  for (let turn = 0; turn < 30; turn++) await refused(one, '2001:db8:7:7::1', 'victim@people.example');
  // Five of the thirty reached the account. The network's window is full for all its addresses; other networks are not limited.
  expect(await refused(one, '203.0.113.200', 'bystander@people.example')).toBeNull();
  expect(await refused(one, '2001:db8:7:7:ffff::2', 'bystander@people.example')).not.toBeNull();
  const counted = await database.all<{ attempts: number }>(sql`select attempts from attempts order by attempts desc limit 3`);
  expect(counted.map(({ attempts }) => attempts)).toEqual([31, 5, 5]);
});

test('an address receives at most five emails an hour from all requests together', async () => {
  const tries = [];
  for (let turn = 0; turn < 6; turn++) {
    tries.push(await one.browser().call('POST', turn % 2 === 0 ? '/sign-ups' : '/password-resets', { email: 'flooded@people.example' }));
  }
  expect(tries.map(({ status }) => status)).toEqual([200, 200, 200, 200, 200, 429]);
  const mails = await one.platform.database.all(sql`select mail_id from mails where to_address = 'flooded@people.example'`);
  expect(mails).toHaveLength(5);
});

test("an owner invites one address at most five times an hour, because it may be a stranger's; an operator has no such limit", async () => {
  const owner = await one.account();
  const store = await one.store(owner);
  const clients = [await one.signedIn(owner), await one.signedIn(await one.account({ isOperator: true, hasSecondFactor: true }))];
  const invited = [];
  for (const client of clients)
    for (let turn = 0; turn < 6; turn++) {
      const email = turn % 2 === 0 ? 'stranger@people.example' : 'Stranger@people.example';
      invited.push((await client.call('POST', `/stores/${store.id}/invitations`, { email, role: 'viewer' })).status);
    }
  expect(invited).toEqual([201, 201, 201, 201, 201, 429, 201, 201, 201, 201, 201, 201]);
});

test('the counters contain neither an address nor an email', async () => {
  await refused(one, '192.0.2.123', 'somebody@people.example');
  const rows = JSON.stringify(await one.platform.database.all(sql`select encode(counter, 'escape') as counter from attempts`));
  expect(rows).not.toContain('192.0.2');
  expect(rows).not.toContain('somebody');
});

/** The results of concurrent requests, and the number of started and of whole seconds in which a limit could restart. */
async function burst(count: number, call: () => Promise<ApiResponse>) {
  const began = performance.now();
  const answers = await Promise.all(Array.from({ length: count }, call));
  const windows = Math.floor((performance.now() - began) / 1_000) + 1;
  return { windows, through: answers.filter(({ status }) => status !== 429).length, refused: answers.find(({ status }) => status === 429) };
}

test('in live mode a session, a key and an anonymous address have 25 requests a second each', async () => {
  const client = await one.signedIn(await one.account());
  const { userId: madeBy } = await one.account({ isOperator: true, hasSecondFactor: true });
  const { key } = await createApiKey(one.platform.database, { name: 'k', party: operatorParty, scopes: [], madeBy });
  const program = one.program(key);
  const anonymous = one.browser();
  for (const caller of [client, program, anonymous]) {
    const { windows, through } = await burst(40, () => caller.call('GET', '/session'));
    // A slow machine may spread the requests over two seconds, and each second admits 25.
    expect(through).toBeGreaterThanOrEqual(25);
    expect(through).toBeLessThanOrEqual(Math.min(40, 25 * windows));
  }
  // If sixty requests take three seconds, none exceeds the limit, so the test repeats them.
  let late: ApiResponse | undefined;
  for (let turn = 0; turn < 20 && late === undefined; turn += 1) late = (await burst(60, () => program.call('GET', '/session'))).refused;
  expect(late?.json.reason).toBe('too_many_requests');
  expect(late?.headers.get('retry-after')).toBe('1');
});

test('in the sandbox an operator has no limit, by a key or by a session', async () => {
  // Fewer requests than the usual limit, which would wait for a connection too long on a busy machine.
  const limited = await peopleApp({ requestsPerSecond: 2 });
  onTestFinished(limited.close);
  const { key } = await createApiKey(limited.platform.database, { name: 'k', party: operatorParty, scopes: [], madeBy: null });
  const session = await limited.signedIn(await limited.account({ isOperator: true }));
  for (const caller of [limited.program(key), session]) {
    const all = await Promise.all(Array.from({ length: 40 }, () => caller.call('GET', '/session')));
    expect(all.filter(({ status }) => status === 200)).toHaveLength(40);
  }
});

test('in the sandbox sign-in has 60 attempts a minute', async () => {
  for (let turn = 0; turn < 60; turn++) expect(await refused(sandbox, '192.0.2.1', null)).toBeNull();
  expect(await refused(sandbox, '192.0.2.1', null)).not.toBeNull();
});
