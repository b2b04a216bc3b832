import { randomBytes } from 'node:crypto';
import { afterAll, expect, test } from 'vitest';
import { openBody } from '../../src/notify/stored-email.ts';
import { sendWaitingEmails } from '../../src/notify/send-emails.ts';
import { sql } from '../../src/db/sql.ts';
import type { Id } from '../../src/core/ids.ts';
import { startMailServer } from '../support/mail-server.ts';
import { testPassword, emailedLinkToken, peopleApp, type Client, type Json, type PeopleApp } from '../support/people-app.ts';

/** A reader of the link in another person's email can act as that person. */
const server = await startMailServer();
const withServer = await peopleApp({ smtpUrl: server.url });
const sandbox = await peopleApp();
const live = await peopleApp({ mode: 'live', secretKey: randomBytes(32) });
afterAll(async () => {
  for (const app of [withServer, sandbox, live]) await app.close();
  await server.close();
});

const linkSecret = /\/link(\?\S*)?#[A-Za-z0-9_-]{43}/;
const operatorOf = async (app: PeopleApp) => app.signedIn(await app.account({ isOperator: true, hasSecondFactor: true }));

/** One email of each kind that contains a one-time link, sent through the same requests that people make. */
async function everyMailWithLink(app: PeopleApp, operator: Client): Promise<ReadonlyMap<string, string>> {
  const { email } = await app.account();
  const store = await app.store(null);
  const creator = await app.creator();
  const to = (name: string) => `${name}-${randomBytes(4).toString('hex')}@people.example`;
  const [newcomer, member, colleague, person] = [to('new'), to('member'), to('operator'), to('creator')];
  for (const [path, body] of [
    ['/sign-ups', { email: newcomer }],
    ['/password-resets', { email }],
  ] as const)
    expect((await app.browser().call('POST', path, body)).status).toBe(200);
  for (const [path, body] of [
    [`/stores/${store.id}/invitations`, { email: member, role: 'owner' }],
    ['/operator-invitations', { email: colleague }],
    [`/creators/${creator.id}/invitations`, { email: person }],
  ] as const)
    expect((await operator.call('POST', path, body)).status, path).toBe(201);
  const { data }: { data: Json[] } = (await operator.call('GET', '/mails?limit=50')).json;
  const written = [newcomer, email, member, colleague, person];
  const found = new Map(written.map((address) => [address, data.find(({ to: sentTo }) => sentTo === address).id as string]));
  for (const address of written) expect(await emailedLinkToken(app, address), address).toHaveLength(43);
  return found;
}

test('with a mail server, no operator can read the link of a stored email, before it is sent or after', async () => {
  const operator = await operatorOf(withServer);
  const mails = await everyMailWithLink(withServer, operator);
  for (let round = 0; round < 2; round += 1) {
    for (const [to, id] of mails) {
      const { json, text } = await operator.call('GET', `/mails/${id}`);
      expect(json, to).toMatchObject({ to, link_removed: true });
      expect(text, to).not.toMatch(linkSecret);
      expect(json.html, to).not.toMatch(/#[A-Za-z0-9_-]{43}/);
    }
    await sendWaitingEmails(withServer.platform);
  }
});

test('the database keeps no link of a sent email, not even encrypted, and the recipient receives the whole link', async () => {
  const { platform } = withServer;
  await withServer.browser().call('POST', '/sign-ups', { email: 'whole@people.example' });
  const token = await emailedLinkToken(withServer, 'whole@people.example');
  await sendWaitingEmails(platform);
  expect(server.received.some((mail) => mail.replaceAll('=\r\n', '').includes(token))).toBe(true);
  const rows = await platform.database.all<{ mailId: Id<'mail'>; bodySealed: Buffer }>(
    sql`select mail_id, body_sealed from mails where state = 'sent'`,
  );
  expect(rows.length).toBeGreaterThan(0);
  for (const { mailId, bodySealed } of rows) {
    const body = openBody(platform.secrets, mailId, bodySealed);
    expect(`${body.text} ${body.html}`).not.toMatch(/#[A-Za-z0-9_-]{43}/);
  }
});

test('in live mode without a mail server an operator can open only the links of their own emails', async () => {
  const account = await live.account({ isOperator: true, hasSecondFactor: true });
  const operator = await live.signedIn(account);
  for (const [to, id] of await everyMailWithLink(live, operator)) {
    expect((await operator.call('GET', `/mails/${id}`)).text, to).not.toMatch(linkSecret);
  }
  await live.browser().call('POST', '/password-resets', { email: account.email });
  const { data }: { data: Json[] } = (await operator.call('GET', '/mails?limit=5')).json;
  const own = data.find(({ to }) => to === account.email);
  expect((await operator.call('GET', `/mails/${own.id}`)).text).toMatch(linkSecret);
});

test('an API key can never read the text of an email, not even in the sandbox', async () => {
  const operator = await operatorOf(sandbox);
  const { key } = (await operator.call('POST', '/api-keys', { name: 'k' })).json;
  const mails = await everyMailWithLink(sandbox, operator);
  const program = sandbox.program(key);
  expect((await program.call('GET', '/mails')).text).not.toMatch(/#[A-Za-z0-9_-]{43}/);
  for (const id of mails.values()) {
    const { status, json } = await program.call('GET', `/mails/${id}`);
    expect([status, json.reason]).toEqual([403, 'permission_missing']);
  }
});

test('in the sandbox without a mail server an operator can pass links on, and the audit log names the operator', async () => {
  const account = await sandbox.account({ isOperator: true, name: 'Olive Operator' });
  const operator = await sandbox.signedIn(account);
  const victim = await sandbox.account({ name: 'Vera Victim' });
  await operator.call('POST', '/password-resets', { email: victim.email });
  const { data }: { data: Json[] } = (await operator.call('GET', '/mails?limit=5')).json;
  const mail = data.find(({ to }) => to === victim.email);
  await sandbox.platform.database.run(sql`
    update sessions set proved_at = ${new Date(Date.now() - 11 * 60_000)} where user_id = ${account.userId}`);
  expect((await operator.call('GET', `/mails/${mail.id}`)).json.reason).toBe('proof_required');
  await sandbox.platform.database.run(sql`update sessions set proved_at = ${new Date()} where user_id = ${account.userId}`);
  const { json: opened } = await operator.call('GET', `/mails/${mail.id}`);
  const token = /#([A-Za-z0-9_-]{43})/.exec(opened.text)?.[1];
  expect(opened.link_removed).toBe(false);
  // This is the operator's own browser, where they are signed in.
  expect((await operator.call('POST', '/one-time-links/use', { token, password: 'another good one' })).status).toBe(200);

  const entries = await sandbox.platform.database.all<{ action: string; actorName: string; details: Json }>(sql`
    select action, actor_name, details from audit_log
    where action in ('password.reset_asked', 'mail.link_opened', 'password.reset') order by audit_entry_id desc limit 3`);
  const [reset, openedEntry, requested] = entries;
  expect(requested).toMatchObject({ action: 'password.reset_asked', actorName: 'Olive Operator' });
  expect(openedEntry).toMatchObject({ action: 'mail.link_opened', actorName: 'Olive Operator', details: { to: victim.email } });
  expect(reset).toMatchObject({
    action: 'password.reset',
    actorName: 'Vera Victim',
    details: { asked_by_name: 'Olive Operator', link_opened_by_name: 'Olive Operator', used_while_signed_in_as_name: 'Olive Operator' },
  });
});

test('one person can complete sign-up, invitation and password reset in the sandbox without a mail server', async () => {
  const operator = await operatorOf(sandbox);
  const linkFor = async (email: string) => {
    const { data }: { data: Json[] } = (await operator.call('GET', '/mails?limit=5')).json;
    const { json } = await operator.call('GET', `/mails/${data.find(({ to }) => to === email).id}`);
    return /#([A-Za-z0-9_-]{43})/.exec(json.text)?.[1];
  };
  const use = async (email: string, body: object) =>
    (await sandbox.browser().call('POST', '/one-time-links/use', { token: await linkFor(email), ...body })).status;
  const person = { name: 'Walker', password: testPassword };
  await sandbox.browser().call('POST', '/sign-ups', { email: 'walker@people.example' });
  expect(await use('walker@people.example', person)).toBe(200);
  const store = await sandbox.store(null);
  await operator.call('POST', `/stores/${store.id}/invitations`, { email: 'guest@people.example', role: 'viewer' });
  expect(await use('guest@people.example', person)).toBe(200);
  await sandbox.browser().call('POST', '/password-resets', { email: 'walker@people.example' });
  expect(await use('walker@people.example', { password: 'another good one' })).toBe(200);
});
