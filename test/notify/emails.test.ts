import { formatMessage } from '../../src/messages/format-message.ts';
import { randomBytes } from 'node:crypto';
import { afterAll, beforeEach, expect, test } from 'vitest';
import { enqueueEmail } from '../../src/people/enqueue-email.ts';
import { signUpEmail } from '../../src/notify/account-emails.ts';
import { checkMailServer } from '../../src/notify/smtp.ts';
import { attemptsMax, deleteOldEmails, emailRetentionDays, sendWaitingEmails } from '../../src/notify/send-emails.ts';
import { sql } from '../../src/db/sql.ts';
import { newId } from '../../src/core/ids.ts';
import { freshDatabase } from '../support/database.ts';
import { startMailServer } from '../support/mail-server.ts';
import { peopleApp, type Json } from '../support/people-app.ts';

/** `app` and `second` are two processes of one installation with a mail server; `withoutServer` is an installation without one. */
const server = await startMailServer();
const { url: databaseUrl } = await freshDatabase();
const installation = { databaseUrl, secretKey: randomBytes(32), smtpUrl: server.url };
const app = await peopleApp(installation);
const second = await peopleApp(installation);
const withoutServer = await peopleApp();
beforeEach(() => server.refuseWith(null));
afterAll(async () => {
  for (const one of [app, second, withoutServer]) await one.close();
  await server.close();
});

const all = <Row>(...args: Parameters<typeof sql>) => app.platform.database.all<Row>(sql(...args));
const run = (...args: Parameters<typeof sql>) => app.platform.database.run(sql(...args));
/** Has the length of a real token. */
const token = 'token'.padEnd(43, 'x');
const content = signUpEmail({ url: `https://tributary.example/link#${token}`, hours: 24 });
const enqueueTo = (to: string, { platform } = app) => enqueueEmail(platform.database, platform.secrets, { to, content, storeId: null });
const stateOf = async (to: string) =>
  (await all<{ state: string; attempts: number }>`select state, attempts from mails where to_address = ${to}`)[0];
const receivedFor = (to: string) => server.received.filter((email) => email.includes(`To: ${to}`));

test('an email is sent once, as text and HTML, with its sender', async () => {
  await enqueueTo('once@people.example');
  expect(await sendWaitingEmails(app.platform)).toBe(1);
  expect(await sendWaitingEmails(app.platform)).toBe(0);
  const [email = '', ...others] = receivedFor('once@people.example');
  expect(others).toEqual([]);
  expect(email).toContain('From: Tributary <no-reply@tributary.example>');
  expect(email).toContain('Subject: Confirm your email address for Tributary');
  expect(email).toContain('Content-Type: text/plain');
  expect(email).toContain('Content-Type: text/html');
  expect(email.replaceAll('=\r\n', '').match(new RegExp(`https://tributary\\.example/link#${token}`, 'g'))?.length).toBeGreaterThanOrEqual(
    2,
  );
  expect(await stateOf('once@people.example')).toEqual({ state: 'sent', attempts: 1 });
});

test('an email with a link to unsubscribe has the headers that mail clients show as a button', async () => {
  const [to, unsubscribeUrl] = ['unsubscribe@people.example', 'https://tributary.example/unsubscribe/a/b/c'];
  await enqueueEmail(app.platform.database, app.platform.secrets, { to, content, storeId: null, unsubscribeUrl });
  await sendWaitingEmails(app.platform);
  const [email = ''] = receivedFor(to);
  expect(email).toContain(`List-Unsubscribe: <${unsubscribeUrl}>`);
  expect(email).toContain('List-Unsubscribe-Post: List-Unsubscribe=One-Click');
  expect(receivedFor('once@people.example')[0]).not.toContain('List-Unsubscribe');
});

test('no email is sent unencrypted to another machine unless the operator allows it', async () => {
  const [sent, unencrypted] = [receivedFor('elsewhere@people.example').length, server.url.replace('127.0.0.1', '0.0.0.0')];
  const { platform } = app;
  const through = (smtpTls: 'required' | 'optional') => ({ ...platform, config: { ...platform.config, smtpUrl: unencrypted, smtpTls } });
  await enqueueTo('elsewhere@people.example');
  expect(await sendWaitingEmails(through('required'))).toBe(0);
  expect(await checkMailServer({ smtpUrl: unencrypted, smtpTls: 'required' })).toMatch(/STARTTLS|TLS/);
  expect(receivedFor('elsewhere@people.example')).toHaveLength(sent);
  expect(await stateOf('elsewhere@people.example')).toMatchObject({ state: 'waiting', attempts: 1 });

  await run`update mails set try_at = made_at where to_address = ${'elsewhere@people.example'}`;
  expect(await sendWaitingEmails(through('optional'))).toBe(1);
  expect(receivedFor('elsewhere@people.example')).toHaveLength(sent + 1);
});

test('an email of a rolled-back transaction does not exist', async () => {
  const { database, secrets } = app.platform;
  const work = database.transaction(async (tx) => {
    await enqueueEmail(tx, secrets, { to: 'rolled-back@people.example', content, storeId: null });
    throw new Error('no');
  });
  await expect(work).rejects.toThrow('no');
  expect(await stateOf('rolled-back@people.example')).toBeUndefined();
});

test('enqueueing an email does not wait for another transaction that enqueued one', async () => {
  const { database, secrets } = app.platform;
  await database.transaction(async (tx) => {
    await enqueueEmail(tx, secrets, { to: 'slow@people.example', content, storeId: null });
    // The first transaction is still open: a lock would make this wait until the database's timeout of three seconds.
    await enqueueTo('quick@people.example');
    expect(await stateOf('quick@people.example')).toEqual({ state: 'waiting', attempts: 0 });
  });
  expect(await sendWaitingEmails(app.platform)).toBe(2);
});

test('two processes that send at the same time send each email once', async () => {
  const addresses = Array.from({ length: 30 }, (_, index) => `both-${index}@people.example`);
  for (const to of addresses) await enqueueTo(to);
  const [one, other] = await Promise.all([sendWaitingEmails(app.platform), sendWaitingEmails(second.platform)]);
  expect(one + other).toBe(30);
  for (const to of addresses) expect(receivedFor(to)).toHaveLength(1);
});

test('an email that a server rejects for now is retried after growing delays, up to a limit', async () => {
  const to = 'later@people.example';
  await enqueueTo(to);
  server.refuseWith('451 not now');
  const delays: number[] = [];
  for (let attempt = 1; attempt <= attemptsMax; attempt++) {
    const before = Date.now();
    expect(await sendWaitingEmails(app.platform)).toBe(0);
    expect(await sendWaitingEmails(app.platform)).toBe(0);
    const [row] = await all<{
      state: string;
      attempts: number;
      tryAt: Date;
    }>`select state, attempts, try_at from mails where to_address = ${to}`;
    expect(row).toMatchObject({ state: attempt < attemptsMax ? 'waiting' : 'failed', attempts: attempt });
    delays.push(Math.round((Number(row?.tryAt) - before) / 60_000));
    await run`update mails set try_at = ${new Date()} where to_address = ${to}`;
  }
  expect(delays.slice(0, -1)).toEqual([1, 4, 16, 64, 256]);
  server.refuseWith(null);
  expect(await sendWaitingEmails(app.platform)).toBe(0);
});

test('an address that a server rejects permanently is not retried and delays no other email', async () => {
  await enqueueTo('never@people.example');
  server.refuseWith('550 no such mailbox');
  await sendWaitingEmails(app.platform);
  expect(await stateOf('never@people.example')).toEqual({ state: 'failed', attempts: 1 });
  const [row] = await all<{ lastError: string }>`select last_error from mails where to_address = 'never@people.example'`;
  expect(row?.lastError).toContain('550');
  server.refuseWith(null);
  await enqueueTo('next@people.example');
  expect(await sendWaitingEmails(app.platform)).toBe(1);
});

test('the email of a crashed sender is sent again when its lease ends, not earlier', async () => {
  const to = 'orphan@people.example';
  await enqueueTo(to);
  await run`update mails set attempts = 1, try_at = ${new Date(Date.now() + 300_000)} where to_address = ${to}`;
  expect(await sendWaitingEmails(app.platform)).toBe(0);
  await run`update mails set try_at = ${new Date()} where to_address = ${to}`;
  expect(await sendWaitingEmails(app.platform)).toBe(1);
  await enqueueTo('cursed@people.example');
  await run`update mails set attempts = ${attemptsMax} where to_address = 'cursed@people.example'`;
  expect(await sendWaitingEmails(app.platform)).toBe(0);
  expect((await stateOf('cursed@people.example'))?.state).toBe('failed');
});

test('without a mail server emails are archived, and the operator reads them in the dashboard', async () => {
  const mailId = await enqueueTo('kept@people.example', withoutServer);
  expect(await sendWaitingEmails(withoutServer.platform)).toBe(1);
  const operator = await withoutServer.signedIn(await withoutServer.account({ isOperator: true }));
  const listed = (await operator.call('GET', '/mails')).json;
  // The second email reports the operator's sign-in from a new device.
  expect(listed.data).toHaveLength(2);
  const kept = listed.data.find(({ to }: Json) => to === 'kept@people.example');
  expect(kept).toMatchObject({ subject: formatMessage('en', content.subject), state: 'kept', store_id: null, sent_at: null });
  expect(JSON.stringify(listed)).not.toContain('link#');
  const opened = (await operator.call('GET', `/mails/${kept.id}`)).json;
  expect(opened.text).toContain(`https://tributary.example/link#${token}`);
  expect(opened.html).toContain(`https://tributary.example/link#${token}`);
  const [audit] = await withoutServer.platform.database.all<{ action: string }>(
    sql`select action from audit_log where action = 'mail.read'`,
  );
  expect(audit).toEqual({ action: 'mail.read' });
  expect(mailId).toBeDefined();
});

test("a store's team sees the list of the store's emails without their content, and not those of other stores", async () => {
  const owner = await withoutServer.account();
  const store = await withoutServer.store(owner);
  const client = await withoutServer.signedIn(owner);
  await client.call('POST', `/stores/${store.id}/invitations`, { email: 'guest@shop.example', role: 'viewer' });
  const listed = (await client.call('GET', `/stores/${store.id}/mails`)).json;
  expect(listed.data).toMatchObject([{ to: 'guest@shop.example', store_id: store.id }]);
  expect((await client.call('GET', `/mails/${listed.data[0].id}`)).json.reason).toBe('operator_only');
  const stranger = await withoutServer.account();
  const other = await withoutServer.store(stranger);
  expect((await (await withoutServer.signedIn(stranger)).call('GET', `/stores/${other.id}/mails`)).json.data).toEqual([]);
});

test('emails are deleted after ninety days', async () => {
  const old = newId<'mail'>(new Date(Date.now() - (emailRetentionDays + 1) * 86_400_000));
  await enqueueTo('old@people.example');
  await run`update mails set mail_id = ${old} where to_address = 'old@people.example'`;
  await enqueueTo('young@people.example');
  await deleteOldEmails(app.platform);
  expect(await stateOf('old@people.example')).toBeUndefined();
  expect(await stateOf('young@people.example')).toBeDefined();
});

test('more than a thousand emails of one day are all deleted after ninety days', async () => {
  const old = newId<'mail'>(new Date(Date.now() - (emailRetentionDays + 1) * 86_400_000));
  await run`
    insert into mails (mail_id, made_at, to_address, subject, body_sealed, state, try_at)
    select (${old.slice(0, 24)} || lpad(to_hex(n), 12, '0'))::uuid, ${new Date()}, 'many@people.example', 'Sold', '', 'sent', ${new Date()}
    from generate_series(1, 1500) as n`;
  await deleteOldEmails(app.platform);
  expect(await all`select 1 from mails where to_address = 'many@people.example'`).toEqual([]);
});
