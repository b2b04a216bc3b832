import { afterEach, beforeEach, expect, test } from 'vitest';
import { sql } from '../../src/db/sql.ts';
import { dayMs, hourMs } from '../../src/core/time.ts';
import { publicId } from '../../src/core/ids.ts';
import {
  testPassword,
  emailedLinkToken,
  latestEmail,
  peopleApp,
  type Account,
  type Client,
  type PeopleApp,
} from '../support/people-app.ts';

/** How a person becomes an operator in live mode, and what they may do at first. */
let app: PeopleApp;
let ada: Account;
let adas: Client;
beforeEach(async () => {
  app = await peopleApp({ mode: 'live' });
  ada = await app.account({ isOperator: true, name: 'Ada', hasSecondFactor: true });
  adas = await app.signedIn(ada);
});
afterEach(() => app.close());

/** Invites a person and accepts for them. */
async function joins(by: Client, email: string): Promise<Client> {
  expect((await by.call('POST', '/operator-invitations', { email })).status).toBe(201);
  return accepts(email);
}
async function accepts(email: string): Promise<Client> {
  const client = app.browser();
  const made = { token: await emailedLinkToken(app, email), name: 'Newcomer', password: testPassword };
  const response = await client.call('POST', '/one-time-links/use', made);
  expect(response.status, response.text).toBe(200);
  // In live mode an operator can act only with a second factor.
  await app.platform.database.run(sql`update users set totp_confirmed_at = ${new Date()} where totp_confirmed_at is null`);
  return client;
}
const isOperator = async (client: Client) => (await client.call('GET', '/session')).json.is_operator;
const approvals = async (client: Client) => (await client.call('GET', '/operator-approvals')).json.data;

test('a new operator needs the approval of an existing operator who did not invite them', async () => {
  const ben = await app.account({ isOperator: true, name: 'Ben', hasSecondFactor: true });
  const bens = await app.signedIn(ben);
  const newcomer = await joins(adas, 'new@people.example');
  expect(await isOperator(newcomer)).toBe(false);
  const [waits] = await approvals(adas);
  expect(waits).toMatchObject({ email: 'new@people.example', has_joined: true, invited_by_name: 'Ada', you_may_approve: false });
  expect((await latestEmail(app, ben.email)).subject).toContain('needs approval as an operator');
  const path = `/operator-approvals/${waits.invitation_id}`;
  expect((await adas.call('POST', path)).json.message).toContain('You invited this person');
  expect((await approvals(bens))[0]).toMatchObject({ you_may_approve: true, why_not: null });
  expect((await bens.call('POST', path)).status).toBe(204);
  expect(await isOperator(newcomer)).toBe(true);
  expect(await approvals(bens)).toEqual([]);
  expect((await bens.call('POST', path)).status).toBe(404);
  const listed = (await adas.call('GET', '/operators')).json.data.find(({ email }: { email: string }) => email === 'new@people.example');
  const waitsHours = (Date.parse(listed.established_at) - Date.now()) / hourMs;
  expect(waitsHours).toBeGreaterThan(71.9);
  expect(waitsHours).toBeLessThanOrEqual(72);
});

test('a new operator cannot approve anyone for 72 hours', async () => {
  const newcomer = await joins(adas, 'new@people.example');
  expect(await isOperator(newcomer)).toBe(true);
  await joins(adas, 'sock@people.example');
  const [waits] = await approvals(newcomer);
  expect(waits.why_not).toContain('less than 72 hours');
  expect((await newcomer.call('POST', `/operator-approvals/${waits.invitation_id}`)).status).toBe(422);
  await app.platform.database.run(sql`update users set operator_established_at = ${new Date()} where is_operator`);
  expect((await newcomer.call('POST', `/operator-approvals/${waits.invitation_id}`)).status).toBe(204);
});

test('an invitation that is approved early makes its person an operator when it is accepted', async () => {
  const bens = await app.signedIn(await app.account({ isOperator: true, hasSecondFactor: true }));
  await adas.call('POST', '/operator-invitations', { email: 'new@people.example' });
  const [waits] = await approvals(bens);
  expect(waits).toMatchObject({ has_joined: false, name: null });
  expect((await bens.call('POST', `/operator-approvals/${waits.invitation_id}`)).status).toBe(204);
  expect(await isOperator(await accepts('new@people.example'))).toBe(true);
});

test('a withdrawn invitation cannot be used', async () => {
  const { id } = (await adas.call('POST', '/operator-invitations', { email: 'new@people.example' })).json;
  const token = await emailedLinkToken(app, 'new@people.example');
  expect((await adas.call('DELETE', `/operator-invitations/${id}`)).status).toBe(204);
  expect((await adas.call('GET', '/operator-invitations')).json.data).toEqual([]);
  const made = { token, name: 'Newcomer', password: testPassword };
  expect((await app.browser().call('POST', '/one-time-links/use', made)).status).toBe(410);
});

test('a declined person keeps the account and gets no right', async () => {
  const bens = await app.signedIn(await app.account({ isOperator: true, hasSecondFactor: true }));
  const newcomer = await joins(adas, 'new@people.example');
  const [waits] = await approvals(bens);
  expect((await bens.call('DELETE', `/operator-approvals/${waits.invitation_id}`)).status).toBe(204);
  expect((await bens.call('POST', `/operator-approvals/${waits.invitation_id}`)).status).toBe(404);
  expect(await isOperator(newcomer)).toBe(false);
});

test('removing the second operator gains nothing: the next one waits 30 days, and the removed one is notified', async () => {
  const ben = await app.account({ isOperator: true, hasSecondFactor: true });
  expect((await adas.call('DELETE', `/operators/${publicId('user', ben.userId)}`)).status).toBe(204);
  expect((await latestEmail(app, ben.email)).subject).toContain('is no longer an operator');
  await joins(adas, 'sock@people.example');
  const { data } = (await adas.call('GET', '/operators')).json;
  const sock = data.find(({ email }: { email: string }) => email === 'sock@people.example');
  expect((Date.parse(sock.established_at) - Date.now()) / dayMs).toBeGreaterThan(29.9);
});

test('erasing the second operator makes the next one wait 30 days too, and notifies the remaining operators by email', async () => {
  const ben = await app.account({ isOperator: true, hasSecondFactor: true });
  expect((await adas.call('POST', `/people/${publicId('user', ben.userId)}/erase`, {})).status).toBe(204);
  expect((await latestEmail(app, ada.email)).subject).toBe('An operator’s account was erased');
  await joins(adas, 'sock@people.example');
  const { data } = (await adas.call('GET', '/operators')).json;
  const sock = data.find(({ email }: { email: string }) => email === 'sock@people.example');
  expect((Date.parse(sock.established_at) - Date.now()) / dayMs).toBeGreaterThan(29.9);
});

test('in live mode the rules cannot be switched off', async () => {
  expect((await adas.call('PUT', '/operator-rules', { in_force: false })).json.reason).toBe('sandbox_only');
  expect((await adas.call('GET', '/operator-rules')).json).toMatchObject({ in_force: true, wait_hours: 72 });
});

test('the payout limit is 1,000 USD by default in live mode, and a sole operator can neither loosen nor tighten it', async () => {
  const read = (await adas.call('GET', '/payout-settings')).json;
  expect(read).toMatchObject({ second_person_above_cents: 100_000, second_person_is_default: true, live_default_cents: 100_000 });
  const put = (client: Client, above: number | null) =>
    client.call('PUT', '/payout-settings', { minimum_cents: 2_500, second_person_above_cents: above });
  expect((await put(adas, 50_000)).json.message).toContain('You are the only operator');
  expect((await put(adas, null)).json).toMatchObject({ second_person_above_cents: 100_000, second_person_asked: { above_cents: null } });

  const newcomer = await joins(adas, 'new@people.example');
  expect((await put(newcomer, null)).json.message).toContain('less than 72 hours');
  await app.platform.database.run(sql`update users set operator_established_at = ${new Date()} where operator_since is not null`);
  expect((await put(newcomer, null)).json.message).toContain('invited the other in the last 30 days');
  const bens = await app.signedIn(await app.account({ isOperator: true, hasSecondFactor: true }));
  expect((await put(bens, null)).json).toMatchObject({ second_person_above_cents: null, second_person_is_default: false });
});
