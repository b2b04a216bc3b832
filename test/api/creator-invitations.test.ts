import { afterAll, expect, test } from 'vitest';
import { sql } from '../../src/db/sql.ts';
import { plusDays, realNow } from '../../src/core/time.ts';
import { deleteOldOutreach } from '../../src/outreach/retention.ts';
import { openMerchant, type Json } from '../support/merchant.ts';
import { anonymousClient, createCreatorPerson, createPerson, emailsTo, joinProgram, password, signIn } from '../support/portal.ts';

const merchant = await openMerchant();
afterAll(() => merchant.service.stop());
const owner = await signIn(merchant.service, merchant.world.logins.merchant);
const path = `/stores/${merchant.world.store.id}/creator-invitations`;
const program = merchant.world.program.id;

const invite = async (emails: readonly string[], more: object = {}): Promise<Json> =>
  (await owner('POST', path, { program_id: program, emails, ...more })).json;
const listed = async (query = ''): Promise<readonly Json[]> => (await owner('GET', `${path}${query}`)).json.data;
const lastEmailTo = async (email: string) => (await emailsTo(merchant.service, email))[0];
const tokenIn = (text = '') => /\/link\?next=[^#]+#(\S+)/.exec(text)?.[1] ?? '';

test('a person without an account signs up by the link of the email, accepts, and is an approved creator', async () => {
  const email = 'ines@invited.example';
  const { results } = await invite([email.toUpperCase(), email], { message: 'We like your videos, see evil.example' });
  expect(results).toEqual([{ email, outcome: 'invited', invitation_id: expect.stringMatching(/^pinv_/) }]);
  const sent = await lastEmailTo(email);
  expect(sent?.subject).toBe('You’re invited to a partner program');
  expect(sent?.text).toContain('We like your videos');
  expect(sent?.text).not.toContain('evil.example');
  const made = await anonymousClient(merchant.service)('POST', '/one-time-links/use', {
    token: tokenIn(sent?.text),
    name: 'Ines Invited',
    password,
  });
  expect(made.status, made.text).toBe(200);
  const ines = await signIn(merchant.service, { email, password });
  const own = (await ines('GET', '/profile/program-invitations')).json.data;
  expect(own).toMatchObject([{ program_id: program, program_name: 'Friends of the shop', message: expect.stringContaining('videos') }]);
  const accepted = await ines('POST', `/profile/program-invitations/${own[0].id}/accept`, {});
  expect([accepted.status, accepted.json.status]).toEqual([200, 'approved']);
  expect((await ines('GET', '/profile/program-invitations')).json.data).toEqual([]);
  expect((await ines('POST', `/profile/program-invitations/${own[0].id}/accept`, {})).status).toBe(404);
  expect(await listed('?status=accepted')).toMatchObject([{ email, status: 'accepted', creator_id: accepted.json.creator_id }]);
  const profile = await owner('GET', `/stores/${merchant.world.store.id}/creators/${accepted.json.creator_id}`);
  expect(profile.json).toMatchObject({ name: 'Ines Invited', memberships: [{ status: 'approved' }] });
});

test('a creator with an account finds the invitation in the portal and gets no sign-up link; a member is not invited again', async () => {
  const nora = await createCreatorPerson(merchant.service, 'Nora Newcomer');
  const { results } = await invite([nora.email]);
  expect(results[0].outcome).toBe('invited');
  expect((await lastEmailTo(nora.email))?.text).toContain(`/sign-in?next=${encodeURIComponent(`/programs/${program}`)}`);
  expect((await invite([nora.email])).results[0].outcome).toBe('already_invited');
  const [own] = (await nora.ask('GET', '/profile/program-invitations')).json.data;
  expect((await nora.ask('POST', `/profile/program-invitations/${own.id}/accept`, {})).json.creator_id).toBe(nora.id);
  expect((await invite([nora.email])).results[0].outcome).toBe('already_member');
  const waiting = await createCreatorPerson(merchant.service, 'Walter Waiting');
  await waiting.ask('POST', `/programs/${program}/applications`, {});
  expect((await invite([waiting.email])).results[0].outcome).toBe('already_applied');
});

test('a removed member is approved again by accepting, and a declined invitation leaves everything as it was', async () => {
  const { ask, email, id } = await createCreatorPerson(merchant.service, 'Rita Removed');
  const { member } = await joinProgram(merchant, { ask, email, id, password });
  const at = `/stores/${merchant.world.store.id}/programs/${program}/members/${member}`;
  await owner('PATCH', at, { status: 'removed' });
  await invite([email]);
  const open = async () => (await ask('GET', '/profile/program-invitations')).json.data[0];
  expect((await ask('POST', `/profile/program-invitations/${(await open()).id}/decline`, {})).status).toBe(204);
  const status = async () => (await ask('GET', `/creators/${id}/memberships`)).json.data[0].status;
  expect(await status()).toBe('removed');
  await invite([email]);
  await ask('POST', `/profile/program-invitations/${(await open()).id}/accept`, {});
  expect(await status()).toBe('approved');
});

test('an invitation is sent again up to five times and revoked; a revoked or expired one cannot be accepted', async () => {
  const person = await createPerson(merchant.service, 'Petra Person');
  const id = (await invite([person.email])).results[0].invitation_id;
  const again = await owner('POST', `${path}/${id}/resend`, {});
  expect([again.status, again.json.sends, again.json.status]).toEqual([200, 2, 'open']);
  for (const _ of [3, 4, 5]) expect((await owner('POST', `${path}/${id}/resend`, {})).status).toBe(200);
  expect((await owner('POST', `${path}/${id}/resend`, {})).json.reason).toBe('limit_reached');
  await merchant.database.run(sql`update program_invitations set expires_at = ${realNow()} where email = ${person.email}`);
  expect((await person.ask('GET', '/profile/program-invitations')).json.data).toEqual([]);
  expect((await person.ask('POST', `/profile/program-invitations/${id}/accept`, {})).status).toBe(404);
  expect((await listed('?status=expired')).map(({ email }) => email)).toEqual([person.email]);
  expect((await owner('DELETE', `${path}/${id}`)).status).toBe(204);
  expect((await owner('DELETE', `${path}/${id}`)).json.reason).toBe('conflict');
  expect((await owner('POST', `${path}/${id}/resend`, {})).json.reason).toBe('conflict');
});

test('two concurrent invitations of one address send one email', async () => {
  const email = 'twice@invited.example';
  const answers = await Promise.all([invite([email]), invite([email])]);
  expect(answers.map(({ results }) => results[0].outcome).toSorted()).toEqual(['already_invited', 'invited']);
  expect(await emailsTo(merchant.service, email)).toHaveLength(1);
});

test('a store sends 2,000 invitations in 24 hours at most, and invites to a published program only', async () => {
  await merchant.database.run(sql`
    insert into program_invitations (invitation_id, store_id, program_id, email, state, made_at, made_by, made_by_name, sent_at, sends,
      expires_at)
    select gen_random_uuid(), ${merchant.storeId}, gen_random_uuid(), 'busy ' || n, 'revoked', ${realNow()}, 'user_x', 'X', ${realNow()}, 1,
      ${realNow()} from generate_series(1, 2000) as n`);
  expect((await invite(['late@invited.example'])).reason).toBe('limit_reached');
  await merchant.database.run(sql`delete from program_invitations where email like 'busy %'`);
  const programs = `/stores/${merchant.world.store.id}/programs`;
  const { landing_url: landing } = (await owner('GET', `${programs}/${program}`)).json;
  const draft = (await owner('POST', programs, { name: 'Draft', landing_url: landing })).json;
  expect((await owner('POST', path, { program_id: draft.id, emails: ['a@b.example'] })).json.reason).toBe('unprocessable');
  expect((await owner('POST', path, { program_id: 'prog_none', emails: ['a@b.example'] })).status).toBe(404);
});

test('the list is filtered by program, exported as CSV, and shows whether the email was sent', async () => {
  const rows = await listed(`?program_id=${program}`);
  expect(rows.length).toBeGreaterThan(3);
  expect(rows.every(({ delivery }) => ['waiting', 'kept', 'sent'].includes(delivery))).toBe(true);
  expect(await listed('?program_id=none')).toEqual([]);
  const headers = { authorization: `Bearer ${merchant.world.operator_key}`, accept: 'text/csv' };
  const file = await (await fetch(`${merchant.service.url}/api/v1${path}`, { headers })).text();
  expect(file.split('\r\n')[0]).toBe('id,email,name,program_id,program_name,status,delivery,sent_at,expires_at,ended_at,creator_id');
  expect(file.trim().split('\r\n')).toHaveLength(rows.length + 1);
});

test('erasing a person deletes the invitations to them, and old invitations are deleted 90 days after their period', async () => {
  const person = await createPerson(merchant.service, 'Erik Erased');
  await invite([person.email]);
  expect((await person.ask('GET', '/profile/export')).json.person.program_invitations).toMatchObject([
    { email: person.email, state: 'open' },
  ]);
  expect((await person.ask('POST', '/profile/erase', {})).status).toBe(204);
  const count = async (email: string) =>
    (await merchant.database.all(sql`select 1 from program_invitations where email = ${email}`)).length;
  expect(await count(person.email)).toBe(0);
  await invite(['old@invited.example']);
  await merchant.database.run(
    sql`update program_invitations set expires_at = ${plusDays(realNow(), -91)} where email = 'old@invited.example'`,
  );
  await deleteOldOutreach(merchant.service.platform);
  expect(await count('old@invited.example')).toBe(0);
});
