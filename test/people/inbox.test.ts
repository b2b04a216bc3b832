import { afterAll, expect, test } from 'vitest';
import { newDeviceEmail, passwordChangedEmail, signUpEmail } from '../../src/notify/account-emails.ts';
import type { EmailContent } from '../../src/notify/render-email.ts';
import { deleteOldEmails, emailRetentionDays } from '../../src/notify/send-emails.ts';
import { enqueueEmail } from '../../src/people/enqueue-email.ts';
import { updateLanguage } from '../../src/people/users-sql.ts';
import { sql } from '../../src/db/sql.ts';
import { newId } from '../../src/core/ids.ts';
import { dayMs } from '../../src/core/time.ts';
import { peopleApp, testPassword, type Account, type Client, type Json } from '../support/people-app.ts';

const app = await peopleApp();
afterAll(() => app.close());

const url = 'https://tributary.example/account?part=sessions';
const device = newDeviceEmail({ browser: 'Firefox', at: new Date('2026-03-01T12:00:00Z'), url });
const password = passwordChangedEmail({ url, keysEnded: 0 });
const withLink = signUpEmail({ url: `https://tributary.example/link#${'token'.padEnd(43, 'x')}`, hours: 24 });

const send = (to: string, content: EmailContent) =>
  enqueueEmail(app.platform.database, app.platform.secrets, { to, content, storeId: null });
const pathOf = '/profile/notifications';
const inboxOf = async (client: Client): Promise<readonly Json[]> => (await client.call('GET', pathOf)).json.data;
const unreadOf = async (client: Client): Promise<number> => (await client.call('GET', `${pathOf}/unread`)).json.unread;

/** A person without the notifications of the sign-in. */
async function person(): Promise<{ readonly account: Account; readonly client: Client }> {
  const account = await app.account();
  const client = await app.signedIn(account);
  await app.platform.database.run(sql`delete from mails where to_address = ${account.email}`);
  return { account, client };
}

test('an email to an account appears in its inbox, with the page that its button opens', async () => {
  const { account, client } = await person();
  await send(account.email, device);
  await send(account.email, password);
  expect(await inboxOf(client)).toMatchObject([
    { subject: 'Your password was changed', path: null, read_at: null },
    { subject: expect.stringContaining('sign'), text: expect.stringContaining('2026'), path: '/account?part=sessions' },
  ]);
});

test('an email with a one-time link appears in no inbox, and neither does one to an address without an account', async () => {
  const { account, client } = await person();
  await send(account.email, withLink);
  await send('stranger@people.example', device);
  expect(await inboxOf(client)).toEqual([]);
});

test('an entry has the language of the person', async () => {
  const { account, client } = await person();
  await updateLanguage(app.platform.database, { userId: account.userId, language: 'de' });
  await send(account.email, password);
  const [entry] = await inboxOf(client);
  expect(entry.subject).toMatch(/Passwort/);
});

test('a person marks one entry as read, or also all older ones', async () => {
  const { account, client } = await person();
  for (const content of [device, password, device]) await send(account.email, content);
  const [newest, middle, oldest] = await inboxOf(client);
  expect(await unreadOf(client)).toBe(3);
  expect((await client.call('POST', `${pathOf}/${middle.id}/read`, {})).status).toBe(204);
  expect((await inboxOf(client)).map(({ read_at: at }) => at !== null)).toEqual([false, true, false]);
  expect((await client.call('POST', `${pathOf}/${middle.id}/read`, { older: true })).status).toBe(204);
  expect((await inboxOf(client)).map(({ id, read_at: at }) => [id, at !== null])).toEqual([
    [newest.id, false],
    [middle.id, true],
    [oldest.id, true],
  ]);
  expect(await unreadOf(client)).toBe(1);
});

test('a person sees and marks only their own entries', async () => {
  const [one, other] = [await person(), await person()];
  await send(one.account.email, device);
  const [entry] = await inboxOf(one.client);
  expect(await inboxOf(other.client)).toEqual([]);
  expect((await other.client.call('POST', `${pathOf}/${entry.id}/read`, { older: true })).status).toBe(404);
  expect(await unreadOf(one.client)).toBe(1);
});

test('an export contains the entries, and an erasure deletes them, also those sent to a former address', async () => {
  const { account, client } = await person();
  await send(account.email, device);
  await app.platform.database.run(sql`update mails set to_address = 'former@people.example' where user_id = ${account.userId}`);
  const exported = (await client.call('GET', '/profile/export')).json;
  expect(exported.person.mails).toMatchObject([{ to_address: 'former@people.example', read_at: null }]);
  expect((await client.call('POST', '/profile/erase', { current_password: testPassword })).status).toBe(204);
  expect(await app.platform.database.all(sql`select 1 as one from mails where user_id = ${account.userId}`)).toEqual([]);
});

test('an entry is deleted with its email after 90 days', async () => {
  const { account, client } = await person();
  await send(account.email, device);
  const old = newId<'mail'>(new Date(Date.now() - (emailRetentionDays + 1) * dayMs));
  await app.platform.database.run(sql`update mails set mail_id = ${old} where user_id = ${account.userId}`);
  await deleteOldEmails(app.platform);
  expect(await inboxOf(client)).toEqual([]);
});
