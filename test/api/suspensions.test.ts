import { afterAll, expect, test } from 'vitest';
import { publicId } from '../../src/core/ids.ts';
import { findUserByEmail } from '../../src/people/users-sql.ts';
import { openMerchant, type Json } from '../support/merchant.ts';
import { createCreatorPerson, emailsTo, createPerson } from '../support/portal.ts';

const merchant = await openMerchant();
afterAll(() => merchant.service.stop());

const historyOf = async (creator: string): Promise<Json[]> => (await merchant.api('GET', `/creators/${creator}/suspensions`)).json.data;

test('suspends without a body, with an empty one, and with a reason; each suspension is in the history', async () => {
  const nora = await createCreatorPerson(merchant.service);
  const path = `/creators/${nora.id}`;
  expect(await merchant.api('POST', `${path}/suspend`)).toMatchObject({
    status: 200,
    json: { status: 'suspended', suspension_reason: null },
  });
  expect(await merchant.api('POST', `${path}/unsuspend`)).toMatchObject({ status: 200, json: { status: 'active' } });
  expect((await merchant.api('POST', `${path}/suspend`, {})).status).toBe(200);
  await merchant.api('POST', `${path}/unsuspend`);
  const body = { reason: 'Links were posted as spam.', note: 'Ticket 4711' };
  expect((await merchant.api('POST', `${path}/suspend`, body)).json).toMatchObject({ suspension_reason: 'Links were posted as spam.' });
  const history = await historyOf(nora.id);
  expect(history.map(({ reason, note, ended_at: ended }: Json) => [reason, note, ended === null])).toEqual([
    ['Links were posted as spam.', 'Ticket 4711', true],
    [null, null, false],
    [null, null, false],
  ]);
});

test('the creator reads the reason in the API and in an email, and the note nowhere', async () => {
  const nora = await createCreatorPerson(merchant.service);
  await merchant.api('POST', `/creators/${nora.id}/suspend`, { reason: 'Links were posted as spam.', note: 'Ticket 4711' });
  const own = await nora.ask('GET', `/creators/${nora.id}`);
  expect(own.json.suspension_reason).toBe('Links were posted as spam.');
  const exported = await nora.ask('GET', '/profile/export');
  expect(exported.text).toContain('Links were posted as spam.');
  const mails = await emailsTo(merchant.service, nora.email);
  expect(mails.map(({ subject }) => subject)).toEqual(['Your creator account is suspended']);
  expect(mails[0]?.text).toContain('Reason: Links were posted as spam.');
  expect(own.text + exported.text + JSON.stringify(mails)).not.toContain('4711');
  expect(await nora.ask('GET', `/creators/${nora.id}/suspensions`)).toMatchObject({ status: 403, json: { reason: 'operator_only' } });
  await merchant.api('POST', `/creators/${nora.id}/unsuspend`);
  expect((await emailsTo(merchant.service, nora.email))[0]?.subject).toBe('Your creator account is active again');
});

test('a second suspension keeps the first time and emails only a new reason; the audit log has both', async () => {
  const nora = await createCreatorPerson(merchant.service);
  const path = `/creators/${nora.id}/suspend`;
  const first = (await merchant.api('POST', path, { reason: 'Under review' })).json;
  await merchant.moveClock('1h');
  const again = (await merchant.api('POST', path)).json;
  expect([again.suspended_at, again.suspension_reason]).toEqual([first.suspended_at, 'Under review']);
  expect(await emailsTo(merchant.service, nora.email)).toHaveLength(1);
  const other = (await merchant.api('POST', path, { reason: 'Self-purchases' })).json;
  expect([other.suspended_at, other.suspension_reason]).toEqual([first.suspended_at, 'Self-purchases']);
  expect(await emailsTo(merchant.service, nora.email)).toHaveLength(2);
  expect(await historyOf(nora.id)).toHaveLength(1);
  const log = (await merchant.api('GET', '/audit-log?limit=20')).json.data;
  const entries = log.filter(({ action, subject }: Json) => action === 'creator.suspend' && subject.includes(nora.id));
  expect(entries.map(({ details }: Json) => details)).toEqual([{ reason: 'Self-purchases' }, {}, { reason: 'Under review' }]);
});

test.each([{ reason: '' }, { reason: 'two\nlines' }, { reason: 'x'.repeat(501) }, { note: 'a\u0000b' }, { why: 'x' }])(
  'a suspension with %o is rejected, and nothing changes',
  async (body) => {
    const nora = await createCreatorPerson(merchant.service);
    expect((await merchant.api('POST', `/creators/${nora.id}/suspend`, body)).status).toBe(400);
    expect((await nora.ask('GET', `/creators/${nora.id}`)).json.status).toBe('active');
  },
);

test('erasing the creator removes reason and note from the history; erasing the operator removes their name', async () => {
  const { service, database } = merchant;
  const [nora, otto] = [await createCreatorPerson(service), await createPerson(service, 'Otto Suspender')];
  const user = await findUserByEmail(database, otto.email);
  if (user === null) throw new Error('the person was just made');
  await database.pool.query('update users set is_operator = true where user_id = $1', [user.userId]);
  await otto.ask('POST', `/creators/${nora.id}/suspend`, { reason: 'Spam', note: 'Seen by Otto' });
  expect(await historyOf(nora.id)).toMatchObject([{ suspended_by_name: 'Otto Suspender' }]);
  expect((await merchant.api('POST', `/people/${publicId('user', user.userId)}/erase`, {})).status).toBe(204);
  expect(await historyOf(nora.id)).toMatchObject([{ suspended_by_name: 'erased', reason: 'Spam' }]);
  expect((await merchant.api('POST', `/creators/${nora.id}/erase`, {})).status).toBe(204);
  expect(await historyOf(nora.id)).toMatchObject([{ reason: null, note: null }]);
});
