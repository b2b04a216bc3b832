import { afterAll, expect, test } from 'vitest';
import { sql } from '../../src/db/sql.ts';
import { hourMs, plusDays, realNow } from '../../src/core/time.ts';
import { deleteOldOutreach } from '../../src/outreach/retention.ts';
import { runImports } from '../../src/outreach/run-imports.ts';
import { openMerchantAlone, type ApiResponse, type Json } from '../support/merchant.ts';
import { createCreatorPerson, createPerson, emailsTo, joinProgram, signIn } from '../support/portal.ts';
import { reportMeasurement } from '../support/size.ts';
import { movedBy } from '../support/rows.ts';

// Without the queue: the tests run the job themselves.
const merchant = await openMerchantAlone();
afterAll(() => merchant.service.stop());
const owner = await signIn(merchant.service, merchant.world.logins.merchant);
const path = `/stores/${merchant.world.store.id}/creator-imports`;
const program = merchant.world.program.id;

const upload = (csv: string, more: object = {}): Promise<ApiResponse> =>
  owner('POST', path, { file_name: 'creators.csv', csv, program_id: program, ...more });
const rowsOf = async (id: string, query = ''): Promise<readonly Json[]> => (await owner('GET', `${path}/${id}/rows${query}`)).json.data;
const read = async (id: string): Promise<Json> => (await owner('GET', `${path}/${id}`)).json;
const run = () => runImports(merchant.service.platform);

test('a file is previewed with an error per row, its columns are changed, and nothing is sent before it starts', async () => {
  const made = await upload('Address;Who;Remark\r\na@one.example;Ann;first\r\nnonsense;Bob;\r\na@one.example;Ann again;\r\n');
  expect(made.status, made.text).toBe(201);
  const { id } = made.json;
  expect(made.json).toMatchObject({ state: 'draft', columns: { email: null }, rows: { total: 3, invalid: 3, ready: 0 } });
  expect((await owner('POST', `${path}/${id}/start`)).json.reason).toBe('unprocessable');
  const columns = { email: 0, name: 1, program: null, note: 2 };
  const changed = await owner('PATCH', `${path}/${id}`, { columns, message: 'Welcome' });
  expect(changed.json, changed.text).toMatchObject({ columns, message: 'Welcome', rows: { total: 3, invalid: 2, ready: 1 } });
  expect(await rowsOf(id)).toMatchObject([
    { row: 2, email: 'a@one.example', name: 'Ann', note: 'first', state: 'ready', reason: null },
    { row: 3, state: 'invalid', reason: 'email_invalid', cells: ['nonsense', 'Bob', ''] },
    { row: 4, state: 'invalid', reason: 'duplicate' },
  ]);
  expect((await rowsOf(id, '?state=invalid&limit=1')).map(({ row }) => row)).toEqual([3]);
  expect((await owner('PATCH', `${path}/${id}`, { columns: { ...columns, email: 7 } })).json.errors[0].field).toBe('columns.email');
  expect(await emailsTo(merchant.service, 'a@one.example')).toEqual([]);
});

test('an import invites each valid row once, skips members, and adds the note when the creator accepts', async () => {
  const member = await createCreatorPerson(merchant.service, 'Mia Member');
  await joinProgram(merchant, member);
  const person = await createPerson(merchant.service, 'Nils New');
  const { id } = (await upload(`email,name,notes\n${member.email},Mia,\n${person.email},Nils,"met in Rome, 12%"\n`)).json;
  expect((await owner('POST', `${path}/${id}/start`)).json.state).toBe('running');
  await Promise.all([run(), run()]);
  expect(await read(id)).toMatchObject({
    state: 'done',
    rows: { total: 2, invited: 1, skipped: 1, ready: 0 },
    ended_at: expect.any(String),
  });
  expect((await rowsOf(id)).map(({ state, reason }) => [state, reason])).toEqual([
    ['skipped', 'already_member'],
    ['invited', null],
  ]);
  expect(await emailsTo(merchant.service, person.email)).toHaveLength(1);
  const [invitation] = (await person.ask('GET', '/profile/program-invitations')).json.data;
  const { creator_id: creator } = (await person.ask('POST', `/profile/program-invitations/${invitation.id}/accept`, {})).json;
  const notes = (await owner('GET', `/stores/${merchant.world.store.id}/creators/${creator}/notes`)).json.data;
  expect(notes).toMatchObject([{ text: 'met in Rome, 12%' }]);
  expect((await owner('POST', `${path}/${id}/start`)).json.reason).toBe('unprocessable');
  expect((await owner('POST', `${path}/${id}/cancel`)).json.reason).toBe('conflict');
});

test('a file names groups: the start needs a recent proof, and a creator who accepts is in the group and earns by its rates', async () => {
  const programPath = `/stores/${merchant.world.store.id}/programs/${program}`;
  const group = (await owner('POST', `${programPath}/groups`, { name: 'Stars' })).json.id;
  const [person, other] = [await createPerson(merchant.service, 'Gil Group'), await createPerson(merchant.service, 'Olga Other')];
  const made = await upload(`email,group_name\n${person.email},stars\n${other.email},\nwrong@group.example,Moons\n`);
  const { id } = made.json;
  expect(made.json).toMatchObject({ columns: { email: 0, group: 1 }, rows: { ready: 2, invalid: 1 } });
  const rows = await rowsOf(id);
  expect(rows.map(({ group_id, reason }) => [group_id, reason])).toEqual([
    [group, null],
    [undefined, null],
    [undefined, 'group_unknown'],
  ]);
  await merchant.database.run(sql`update sessions set proved_at = ${movedBy(sql`proved_at`, -hourMs)}`);
  expect((await owner('POST', `${path}/${id}/start`)).json.reason).toBe('proof_required');
  await merchant.database.run(sql`update sessions set proved_at = ${movedBy(sql`proved_at`, hourMs)}`);
  expect((await owner('POST', `${path}/${id}/start`)).json.state).toBe('running');
  await run();
  const { data: invitations } = (await owner('GET', `/stores/${merchant.world.store.id}/creator-invitations?limit=2`)).json;
  expect(invitations.map(({ email, group_id }: Json) => [email, group_id]).toSorted()).toEqual(
    [
      [person.email, group],
      [other.email, undefined],
    ].toSorted(),
  );
  for (const { ask } of [person, other]) {
    const [invitation] = (await ask('GET', '/profile/program-invitations')).json.data;
    expect((await ask('POST', `/profile/program-invitations/${invitation.id}/accept`, {})).json.status).toBe('approved');
  }
  const members = (await owner('GET', `${programPath}/members?limit=200`)).json.data;
  expect(members.find(({ creator_name: name }: Json) => name === 'Gil Group').group).toEqual({ id: group, name: 'Stars' });
  expect(members.find(({ creator_name: name }: Json) => name === 'Olga Other')).not.toHaveProperty('group');
  const headers = { authorization: `Bearer ${merchant.world.operator_key}`, accept: 'text/csv' };
  const csv = await (await fetch(`${merchant.service.url}/api/v1/stores/${merchant.world.store.id}/creators`, { headers })).text();
  const [header = '', ...lines] = csv.trim().split('\r\n');
  expect(header.split(',').slice(-2)).toEqual(['group_id', 'group_name']);
  expect(lines.find((line) => line.includes('Gil Group'))?.endsWith(`,${group},Stars`)).toBe(true);
  expect(lines.find((line) => line.includes('Olga Other'))?.endsWith(',,')).toBe(true);
});

test('members who are in another group than the file says are reported, and move only on request, with a recent proof', async () => {
  const programPath = `/stores/${merchant.world.store.id}/programs/${program}`;
  const [gold, silver] = await Promise.all(
    ['Gold', 'Silver'].map(async (name): Promise<string> => (await owner('POST', `${programPath}/groups`, { name })).json.id),
  );
  const people = await Promise.all(
    ['Amy Already', 'Sid Silver', 'Nora None', 'Rob Removed'].map((name) => createPerson(merchant.service, name)),
  );
  const first = (await upload(`email,group\n${people.map(({ email }, index) => `${email},${index < 2 ? 'Silver' : ''}`).join('\n')}\n`))
    .json;
  await owner('POST', `${path}/${first.id}/start`);
  await run();
  for (const { ask } of people) {
    const [invitation] = (await ask('GET', '/profile/program-invitations')).json.data;
    expect((await ask('POST', `/profile/program-invitations/${invitation.id}/accept`, {})).json.status).toBe('approved');
  }
  const [amy, sid, nora, rob] = people.map(({ email }) => email);
  const { id } = (await upload(`email,group\n${amy},Gold\n${sid},Silver\n${nora},Gold\n${rob},Gold\n`)).json;
  await owner('POST', `${path}/${id}/start`);
  await run();
  const reasons = async () => (await rowsOf(id)).map(({ state, reason }) => [state, reason]);
  const other = ['skipped', 'member_in_other_group'];
  expect(await reasons()).toEqual([other, ['skipped', 'already_member'], other, other]);
  expect(await read(id)).toMatchObject({ state: 'done', rows: { skipped: 4, invited: 0 }, members_in_other_group: 3 });
  const members = async (): Promise<Json> => (await owner('GET', `${programPath}/members?limit=200`)).json.data;
  const memberOf = async (name: string) => (await members()).find(({ creator_name: one }: Json) => one === name);
  expect((await memberOf('Amy Already')).group).toEqual({ id: silver, name: 'Silver' });

  const robId = (await memberOf('Rob Removed')).id;
  expect((await owner('PATCH', `${programPath}/members/${robId}`, { status: 'removed' })).status).toBe(200);
  await merchant.database.run(sql`update sessions set proved_at = ${movedBy(sql`proved_at`, -hourMs)}`);
  expect((await owner('POST', `${path}/${id}/move-members`)).json.reason).toBe('proof_required');
  await merchant.database.run(sql`update sessions set proved_at = ${movedBy(sql`proved_at`, hourMs)}`);
  expect((await owner('POST', `${path}/${id}/move-members`)).json).toEqual({ moved: 2, remaining: 0 });
  const moved = ['skipped', 'moved_to_group'];
  expect(await reasons()).toEqual([moved, ['skipped', 'already_member'], moved, ['skipped', 'no_longer_member']]);
  for (const name of ['Amy Already', 'Nora None']) expect((await memberOf(name)).group).toEqual({ id: gold, name: 'Gold' });
  expect((await memberOf('Sid Silver')).group).toEqual({ id: silver, name: 'Silver' });
  expect((await owner('POST', `${path}/${id}/move-members`)).json).toEqual({ moved: 0, remaining: 0 });
  expect((await read(id)).members_in_other_group).toBe(0);
  const audit = (await owner('GET', `/stores/${merchant.world.store.id}/audit-log`)).json.data;
  const moves = audit.filter(({ action, details }: Json) => action === 'member.group' && details.group_id === gold);
  expect(moves.map(({ subject }: Json) => subject.split('/').at(-2)).toSorted()).toEqual(
    [(await memberOf('Amy Already')).id, (await memberOf('Nora None')).id].toSorted(),
  );
});

test('500 creators are imported, and a row that is processed twice sends one email', async () => {
  const lines = Array.from({ length: 500 }, (_, index) => `creator-${index}@many.example,Creator ${index}`);
  const { id } = (await upload(`email,name\n${lines.join('\n')}`)).json;
  await owner('POST', `${path}/${id}/start`);
  await merchant.database.transaction(async (tx) => {
    await tx.run(sql`update creator_imports set file_name = file_name where state = 'running'`);
    // Another process works on the import, so this run leaves it alone.
    await run();
  });
  expect((await read(id)).rows).toMatchObject({ ready: 500, invited: 0 });
  const started = performance.now();
  // A run ends after 20 seconds, and the next one continues.
  await expect.poll(async () => (await run(), (await read(id)).state), { timeout: 100_000 }).toBe('done');
  const ms = Math.round(performance.now() - started);
  expect((await read(id)).rows).toMatchObject({ total: 500, invited: 500, ready: 0 });
  const countEmails = () =>
    merchant.database.one<{ count: bigint }>(sql`select count(*) as count from mails where to_address like 'creator-%@many.example'`);
  expect(await countEmails()).toEqual({ count: 500n });
  // As after a crash between the invitation and the state of its row, if they were not in one transaction.
  await merchant.database.run(sql`update creator_import_rows set state = 'ready' where email like 'creator-1%@many.example'`);
  await merchant.database.run(sql`update creator_imports set state = 'running' where state = 'done'`);
  await run();
  expect(await countEmails()).toEqual({ count: 500n });
  expect((await read(id)).rows).toMatchObject({ ready: 0, skipped: 111 });
  reportMeasurement({ what: 'import of 500 creators', measured: `${ms} ms`, limit: 'a minute' });
});

test('an import pauses at the daily limit of invitations and continues the next day', async () => {
  const emails = ['later-1@wait.example', 'later-2@wait.example'];
  const { id } = (await upload(`email\n${emails.join('\n')}`)).json;
  await owner('POST', `${path}/${id}/start`);
  const { count } = await merchant.database.one<{ count: bigint }>(sql`select count(*) as count from program_invitations`);
  await merchant.database.run(sql`
    insert into program_invitations (invitation_id, store_id, program_id, email, state, made_at, made_by, made_by_name, sent_at, sends,
      expires_at)
    select gen_random_uuid(), ${merchant.storeId}, gen_random_uuid(), 'busy ' || n, 'revoked', ${realNow()}, 'user_x', 'X', ${realNow()}, 1,
      ${realNow()} from generate_series(1, ${1_999 - Number(count)}::int) as n`);
  await run();
  expect((await read(id)).rows).toMatchObject({ invited: 1, ready: 1 });
  await merchant.database.run(sql`update program_invitations set sent_at = ${plusDays(realNow(), -1)} where email like 'busy %'`);
  await run();
  expect(await read(id)).toMatchObject({ state: 'done', rows: { invited: 2 } });
});

test('a cancelled import sends nothing more, and a paused program skips its rows', async () => {
  const cancelled = (await upload('email\nnever@cancel.example')).json.id;
  await owner('POST', `${path}/${cancelled}/start`);
  expect((await owner('POST', `${path}/${cancelled}/cancel`)).json.state).toBe('cancelled');
  const paused = (await upload('email\nnever@pause.example')).json.id;
  await owner('POST', `${path}/${paused}/start`);
  await owner('POST', `/stores/${merchant.world.store.id}/programs/${program}/pause`);
  await run();
  expect((await rowsOf(cancelled))[0].state).toBe('ready');
  expect((await rowsOf(paused))[0]).toMatchObject({ state: 'skipped', reason: 'program_not_open' });
  await owner('POST', `/stores/${merchant.world.store.id}/programs/${program}/publish`);
  for (const email of ['never@cancel.example', 'never@pause.example']) expect(await emailsTo(merchant.service, email)).toEqual([]);
});

test.each([
  ['email', 'has no rows'],
  ['email\n"a@b.example', 'quote that is never closed'],
  ['email\n"a"b', 'text after a closing quote'],
  ['email\na@b.example,more', 'more cells than the titles'],
  [`email\n${'x\n'.repeat(5_001)}`, 'more than 5000 rows'],
])('the file %j is rejected: %s', async (csv, message) => {
  const { status, json } = await upload(csv);
  expect([status, json.errors[0].field]).toEqual([400, 'csv']);
  expect(json.errors[0].message).toContain(message);
});

test('the result is exported as CSV with the errors of each row, and another program is chosen by name or ID', async () => {
  const { name } = (await owner('GET', `/stores/${merchant.world.store.id}/programs/${program}`)).json;
  const csv = `email,program\na@csv.example,${program}\nb@csv.example,${name.toUpperCase()}\nc@csv.example,Unknown`;
  const { id } = (await upload(csv)).json;
  expect((await rowsOf(id)).map(({ state, reason }) => reason ?? state)).toEqual(['ready', 'ready', 'program_unknown']);
  const headers = { authorization: `Bearer ${merchant.world.operator_key}`, accept: 'text/csv' };
  const file = await (await fetch(`${merchant.service.url}/api/v1${path}/${id}/rows?state=invalid`, { headers })).text();
  expect(file.trim().split('\r\n')).toEqual([
    'row,email,name,program_id,note,state,reason,group_id',
    '4,c@csv.example,,,,invalid,program_unknown,',
  ]);
  expect((await owner('GET', `${path}?limit=1`)).json.data).toMatchObject([{ id, file_name: 'creators.csv' }]);
  expect((await upload('email\na@b.example', { program_id: 'prog_none' })).status).toBe(404);
  const log = (await owner('GET', `/stores/${merchant.world.store.id}/audit-log?limit=200`)).json.data;
  expect(log.find(({ action }: Json) => action === 'creator_import.create').details).toEqual({ file_name: 'creators.csv', rows: 3 });
});

test('erasing a person deletes the rows with their address, and imports are deleted after 30 days', async () => {
  const person = await createPerson(merchant.service, 'Erik Erased');
  const { id } = (await upload(`email\n${person.email}\nother@erase.example`)).json;
  expect((await person.ask('POST', '/profile/erase', {})).status).toBe(204);
  expect((await rowsOf(id)).map(({ email }) => email)).toEqual(['other@erase.example']);
  await merchant.database.run(sql`update creator_imports set made_at = ${plusDays(realNow(), -31)}`);
  await deleteOldOutreach(merchant.service.platform);
  expect((await owner('GET', path)).json.data).toEqual([]);
  expect((await owner('GET', `${path}/${id}`)).status).toBe(404);
});
