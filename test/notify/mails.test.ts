import { randomBytes } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { keepMail } from '../../src/notify/mail.ts';
import { signUpLetter } from '../../src/notify/people-letters.ts';
import { reachMailServer } from '../../src/notify/reach.ts';
import { attemptsMax, forgetOldMails, mailDaysKept, sendWaitingMails } from '../../src/notify/send-mails.ts';
import { sql } from '../../src/platform/database/sql.ts';
import { newId } from '../../src/platform/ids.ts';
import { freshDatabase } from '../support/database.ts';
import { mailServer, type MailServer } from '../support/mail-server.ts';
import { peopleApp, type Json, type PeopleApp } from '../support/people-app.ts';

/** With a mail server, a second process of the same installation, and one that has no mail server. */
let server: MailServer;
let app: PeopleApp;
let second: PeopleApp;
let mailless: PeopleApp;
beforeAll(async () => {
  server = await mailServer();
  const { url: databaseUrl } = await freshDatabase();
  const installation = { databaseUrl, secretKey: randomBytes(32), smtpUrl: server.url };
  app = await peopleApp(installation);
  second = await peopleApp(installation);
  mailless = await peopleApp({ databaseUrl: (await freshDatabase()).url });
});
beforeEach(() => server.refuseWith(null));
afterAll(async () => {
  for (const one of [app, second, mailless]) await one.close();
  await server.close();
});

const all = <Row>(...asked: Parameters<typeof sql>) => app.platform.database.all<Row>(sql(...asked));
const run = (...asked: Parameters<typeof sql>) => app.platform.database.run(sql(...asked));
/** As long as a real one. */
const token = 'token'.padEnd(43, 'x');
const letter = signUpLetter({ url: `https://tributary.example/link#${token}`, hours: 24 });
const keepTo = (to: string, { platform } = app) => keepMail(platform.database, platform.secrets, { to, letter, storeId: null });
const stateOf = async (to: string) =>
  (await all<{ state: string; attempts: number }>`select state, attempts from mails where to_address = ${to}`)[0];
const takenFor = (to: string) => server.taken.filter((mail) => mail.includes(`To: ${to}`));

test('a mail is sent once, as text and as HTML, and says from whom', async () => {
  await keepTo('once@people.example');
  expect(await sendWaitingMails(app.platform)).toBe(1);
  expect(await sendWaitingMails(app.platform)).toBe(0);
  const [mail = '', ...others] = takenFor('once@people.example');
  expect(others).toEqual([]);
  expect(mail).toContain('From: Tributary <no-reply@tributary.example>');
  expect(mail).toContain('Subject: Finish your sign-up at Tributary');
  expect(mail).toContain('Content-Type: text/plain');
  expect(mail).toContain('Content-Type: text/html');
  expect(mail.replaceAll('=\r\n', '').match(new RegExp(`https://tributary\\.example/link#${token}`, 'g'))?.length).toBeGreaterThanOrEqual(
    2,
  );
  expect(await stateOf('once@people.example')).toEqual({ state: 'sent', attempts: 1 });
});

test('no mail is sent in clear to a server beyond this machine, unless the operator allows it', async () => {
  const [sent, unencrypted] = [takenFor('elsewhere@people.example').length, server.url.replace('127.0.0.1', '0.0.0.0')];
  const { platform } = app;
  const through = (smtpTls: 'required' | 'optional') => ({ ...platform, config: { ...platform.config, smtpUrl: unencrypted, smtpTls } });
  await keepTo('elsewhere@people.example');
  expect(await sendWaitingMails(through('required'))).toBe(0);
  expect(await reachMailServer({ smtpUrl: unencrypted, smtpTls: 'required' })).toMatch(/STARTTLS|TLS/);
  expect(takenFor('elsewhere@people.example')).toHaveLength(sent);
  expect(await stateOf('elsewhere@people.example')).toMatchObject({ state: 'waiting', attempts: 1 });

  await run`update mails set try_at = made_at where to_address = ${'elsewhere@people.example'}`;
  expect(await sendWaitingMails(through('optional'))).toBe(1);
  expect(takenFor('elsewhere@people.example')).toHaveLength(sent + 1);
});

test('a mail of a transaction that was rolled back is not there', async () => {
  const { database, secrets } = app.platform;
  const work = database.transaction(async (tx) => {
    await keepMail(tx, secrets, { to: 'rolled-back@people.example', letter, storeId: null });
    throw new Error('no');
  });
  await expect(work).rejects.toThrow('no');
  expect(await stateOf('rolled-back@people.example')).toBeUndefined();
});

test('who writes a mail does not wait for the transaction of somebody else who wrote one', async () => {
  const { database, secrets } = app.platform;
  await database.transaction(async (tx) => {
    await keepMail(tx, secrets, { to: 'slow@people.example', letter, storeId: null });
    // While that transaction is open. A lock would be waited for until the database's own time-out, three seconds later.
    await keepTo('quick@people.example');
    expect(await stateOf('quick@people.example')).toEqual({ state: 'waiting', attempts: 0 });
  });
  expect(await sendWaitingMails(app.platform)).toBe(2);
});

test('two processes that send at once send each mail once', async () => {
  const addresses = Array.from({ length: 30 }, (_, place) => `both-${place}@people.example`);
  for (const to of addresses) await keepTo(to);
  const [one, other] = await Promise.all([sendWaitingMails(app.platform), sendWaitingMails(second.platform)]);
  expect(one + other).toBe(30);
  for (const to of addresses) expect(takenFor(to)).toHaveLength(1);
});

test('a server that says "not now" is asked again, after growing pauses, and not for ever', async () => {
  const to = 'later@people.example';
  await keepTo(to);
  server.refuseWith('451 not now');
  const pauses: number[] = [];
  for (let attempt = 1; attempt <= attemptsMax; attempt++) {
    const before = Date.now();
    expect(await sendWaitingMails(app.platform)).toBe(0);
    expect(await sendWaitingMails(app.platform)).toBe(0);
    const [row] = await all<{
      state: string;
      attempts: number;
      tryAt: Date;
    }>`select state, attempts, try_at from mails where to_address = ${to}`;
    expect(row).toMatchObject({ state: attempt < attemptsMax ? 'waiting' : 'failed', attempts: attempt });
    pauses.push(Math.round((Number(row?.tryAt) - before) / 60_000));
    await run`update mails set try_at = ${new Date()} where to_address = ${to}`;
  }
  expect(pauses.slice(0, -1)).toEqual([1, 4, 16, 64, 256]);
  server.refuseWith(null);
  expect(await sendWaitingMails(app.platform)).toBe(0);
});

test('an address that the server says never to is not tried again, and holds up no other mail', async () => {
  await keepTo('never@people.example');
  server.refuseWith('550 nobody of this name');
  await sendWaitingMails(app.platform);
  expect(await stateOf('never@people.example')).toEqual({ state: 'failed', attempts: 1 });
  const [row] = await all<{ lastError: string }>`select last_error from mails where to_address = 'never@people.example'`;
  expect(row?.lastError).toContain('550');
  server.refuseWith(null);
  await keepTo('next@people.example');
  expect(await sendWaitingMails(app.platform)).toBe(1);
});

test('the mail of a sender that died is taken up again when its lease is over, not before', async () => {
  const to = 'orphan@people.example';
  await keepTo(to);
  await run`update mails set attempts = 1, try_at = ${new Date(Date.now() + 300_000)} where to_address = ${to}`;
  expect(await sendWaitingMails(app.platform)).toBe(0);
  await run`update mails set try_at = ${new Date()} where to_address = ${to}`;
  expect(await sendWaitingMails(app.platform)).toBe(1);
  await keepTo('cursed@people.example');
  await run`update mails set attempts = ${attemptsMax} where to_address = 'cursed@people.example'`;
  expect(await sendWaitingMails(app.platform)).toBe(0);
  expect((await stateOf('cursed@people.example'))?.state).toBe('failed');
});

test('without a mail server mails are kept, and the operator reads them in the dashboard', async () => {
  const mailId = await keepTo('kept@people.example', mailless);
  expect(await sendWaitingMails(mailless.platform)).toBe(1);
  const operator = await mailless.signedIn(await mailless.account({ isOperator: true }));
  const listed = (await operator.call('GET', '/mails')).json;
  // The operator's own sign-in from a new device is mailed as well.
  expect(listed.data).toHaveLength(2);
  const kept = listed.data.find(({ to }: Json) => to === 'kept@people.example');
  expect(kept).toMatchObject({ subject: letter.subject, state: 'kept', store_id: null, sent_at: null });
  expect(JSON.stringify(listed)).not.toContain('link#');
  const opened = (await operator.call('GET', `/mails/${kept.id}`)).json;
  expect(opened.text).toContain(`https://tributary.example/link#${token}`);
  expect(opened.html).toContain(`https://tributary.example/link#${token}`);
  const [audit] = await mailless.platform.database.all<{ action: string }>(sql`select action from audit_log where action = 'mail.read'`);
  expect(audit).toEqual({ action: 'mail.read' });
  expect(mailId).toBeDefined();
});

test("a store's people see that its mails went out, and not what they say; no one sees another's", async () => {
  const owner = await mailless.account();
  const store = await mailless.store(owner);
  const client = await mailless.signedIn(owner);
  await client.call('POST', `/stores/${store.id}/invitations`, { email: 'guest@shop.example', role: 'viewer' });
  const listed = (await client.call('GET', `/stores/${store.id}/mails`)).json;
  expect(listed.data).toMatchObject([{ to: 'guest@shop.example', store_id: store.id }]);
  expect((await client.call('GET', `/mails/${listed.data[0].id}`)).json.reason).toBe('operator_only');
  const stranger = await mailless.account();
  const other = await mailless.store(stranger);
  expect((await (await mailless.signedIn(stranger)).call('GET', `/stores/${other.id}/mails`)).json.data).toEqual([]);
});

test('mails are forgotten after ninety days', async () => {
  const old = newId<'mail'>(new Date(Date.now() - (mailDaysKept + 1) * 86_400_000));
  await keepTo('old@people.example');
  await run`update mails set mail_id = ${old} where to_address = 'old@people.example'`;
  await keepTo('young@people.example');
  await forgetOldMails(app.platform);
  expect(await stateOf('old@people.example')).toBeUndefined();
  expect(await stateOf('young@people.example')).toBeDefined();
});

test('of a day that brought more than a thousand mails none outlives the ninety days', async () => {
  const old = newId<'mail'>(new Date(Date.now() - (mailDaysKept + 1) * 86_400_000));
  await run`
    insert into mails (mail_id, made_at, to_address, subject, body_sealed, state, try_at)
    select (${old.slice(0, 24)} || lpad(to_hex(n), 12, '0'))::uuid, ${new Date()}, 'many@people.example', 'Sold', '', 'sent', ${new Date()}
    from generate_series(1, 1500) as n`;
  await forgetOldMails(app.platform);
  expect(await all`select 1 from mails where to_address = 'many@people.example'`).toEqual([]);
});
