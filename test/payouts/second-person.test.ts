import { afterAll, beforeEach, expect, test } from 'vitest';
import { setPayoutMethod } from '../../src/creators/payout-methods.ts';
import { updateCreator } from '../../src/people/users-sql.ts';
import { sql } from '../../src/db/sql.ts';
import { readPublicId, type Id } from '../../src/core/ids.ts';
import { invariant } from '../../src/core/invariant.ts';
import { createPayee } from '../support/collected-commissions.ts';
import type { Json } from '../support/merchant.ts';
import { anotherOperator, openOperatorPayouts, type OperatorPayouts } from '../support/operator-payouts.ts';

/** Rules for the second person of a payout. The first operator uses an API key, the others use sessions. */
const office = await openOperatorPayouts();
const merchant = office.merchant;
afterAll(() => merchant.service.stop());
const third = await anotherOperator(merchant);
beforeEach(async () => void (await office.settings({ second_person_above_cents: 1_000 })));

type Api = OperatorPayouts['second'];
const db = () => merchant.service.platform.database;
const confirm = (api: Api, payout: Json) => api('POST', `/payouts/${payout.id}/confirm`);
const userOf = async (api: Api): Promise<Id<'user'>> => {
  const userId = readPublicId('user', (await api('GET', '/session')).json.actor);
  invariant(userId, 'a session has a user');
  return userId;
};
const shown = async (api: Api, payout: Json): Promise<Json> =>
  (await api('GET', '/payouts?limit=100')).json.data.find((one: Json) => one.id === payout.id);

/** A payout of a run that the first operator's key started. */
async function waiting(amount = 5_000, word: string | null = 'ok') {
  const { id, creatorId } = await office.earner([amount], word);
  const [payout] = (await office.runFor(id)).payouts;
  expect(payout.state).toBe('awaiting_second');
  return { payout, creatorId, id };
}

/** A payout of a scheduled run, which no person started. */
async function ofTheCalendar() {
  const made = await waiting();
  await db().run(sql`update payouts set started_by = 'system', started_by_user_id = null where creator_id = ${made.creatorId}`);
  return made;
}

/** Applies a change while the work runs. */
async function whileUser(userId: Id<'user'>, change: object, work: () => Promise<string>): Promise<string> {
  const [column, value] = Object.entries(change)[0] ?? [];
  const before = await db().one<Json>(sql`select email, creator_id from users where user_id = ${userId}`);
  if (column === 'email') await db().run(sql`update users set email = ${value} where user_id = ${userId}`);
  else await updateCreator(db(), { userId, creatorId: value });
  try {
    return await work();
  } finally {
    await db().run(sql`update users set email = ${before.email}, creator_id = ${before.creatorId} where user_id = ${userId}`);
  }
}

/** Why a confirmation is rejected. The list must show the same reason beforehand. */
async function refusalOf(api: Api, payout: Json): Promise<string> {
  const came = await confirm(api, payout);
  const { state, you_may_confirm: may, why_not: why } = await shown(api, payout);
  invariant(
    came.status === 422 && state === 'awaiting_second' && !may && why === came.json.message,
    `the list and the response have the same reason: ${came.text}`,
  );
  return why;
}

test('no API key can confirm a payout', async () => {
  const { payout } = await waiting();
  const { key } = (await office.second('POST', '/api-keys', { name: 'my hand' })).json;
  const url = `${merchant.service.url}/api/v1/payouts/${payout.id}/confirm`;
  const came = await fetch(url, { method: 'POST', headers: { authorization: `Bearer ${key}` } });
  expect([came.status, await came.json()]).toEqual([
    422,
    expect.objectContaining({ message: expect.stringContaining('API keys cannot confirm payouts') }),
  ]);
});

test('a person who started a run by API key cannot confirm it in a session', async () => {
  const { payout, creatorId } = await waiting();
  const userId = await userOf(office.second);
  await db().run(sql`update payouts set started_by = 'key_x', started_by_user_id = ${userId} where creator_id = ${creatorId}`);
  expect(await refusalOf(office.second, payout)).toMatch(/You or one of your API keys started the run/);
  expect((await confirm(third, payout)).json.state).toBe('paid');
});

test('the payee cannot confirm their own payout', async () => {
  const { payout, creatorId } = await waiting();
  expect(await whileUser(await userOf(office.second), { creator_id: creatorId }, () => refusalOf(office.second, payout))).toMatch(
    /You are the creator/,
  );
});

test('a person with the payee’s mailbox cannot confirm the payout, however the address is spelled', async () => {
  const { payout } = await waiting();
  const spelled = { email: 'Cora+other@people.example' };
  expect(await whileUser(await userOf(office.second), spelled, () => refusalOf(office.second, payout))).toMatch(/email address/);
});

test('a person who is or was paid to the payee’s account cannot confirm the payout', async () => {
  const { secrets, clock } = merchant.service.platform;
  const to = { manual: 'DE02 1203 0000 0000 2020 51' };
  const other = await createPayee(merchant.service.platform, null);
  await db().run(sql`update creators set email = 'other@people.example' where creator_id = ${other}`);
  for (const account of [to, { manual: 'DE99 1203 0000 0000 2020 99' }])
    await setPayoutMethod(db(), secrets, { creatorId: other, to: account, at: clock.now(), hasEarned: false, setBy: null });
  const { id, creatorId } = await office.earner([5_000], null);
  const spelled = { manual: 'de02-1203 0000-0000202051' };
  await setPayoutMethod(db(), secrets, { creatorId, to: spelled, at: clock.now(), hasEarned: false, setBy: null });
  const [payout] = (await office.runFor(id)).payouts;
  expect(await whileUser(await userOf(office.second), { creator_id: other }, () => refusalOf(office.second, payout))).toMatch(
    /same payout account/,
  );
});

test('the person who set the payout method cannot confirm the payout', async () => {
  const { payout, id, creatorId } = await waiting();
  await db().run(sql`update payout_methods set set_by_user_id = ${await userOf(office.second)} where creator_id = ${creatorId}`);
  expect(await refusalOf(office.second, payout)).toMatch(/You set the payout method/);
  expect((await merchant.api('GET', `/creators/${id}/payouts`)).json.data).toMatchObject([{ state: 'awaiting_second' }]);
});

test('a scheduled payout needs two different people, and says how many are missing', async () => {
  const { payout } = await ofTheCalendar();
  expect(await shown(office.second, payout)).toMatchObject({ confirmations_needed: 2, confirmations_missing: 2, you_may_confirm: true });
  const first = await confirm(office.second, payout);
  expect(first.json).toMatchObject({
    state: 'awaiting_second',
    confirmations_missing: 1,
    confirmations: [{ name: 'Olive Operator', counts: true, why_not: null }],
    you_may_confirm: false,
    why_not: expect.stringContaining('You already confirmed this payout'),
  });
  expect((await confirm(office.second, payout)).status).toBe(409);
  expect((await confirm(third, payout)).json).toMatchObject({ state: 'paid', confirmations_needed: 2, confirmations_missing: 0 });
});

test('two concurrent confirmations both count, and the payout is sent once', async () => {
  const { payout, id } = await ofTheCalendar();
  const came = await Promise.all([confirm(office.second, payout), confirm(third, payout)]);
  expect(came.map(({ status }) => status)).toEqual([200, 200]);
  expect((await merchant.api('GET', `/creators/${id}/payouts`)).json.data).toMatchObject([{ state: 'paid', amount_cents: 5_000 }]);
});

test('a payout that is confirmed and rejected concurrently ends in one of the two ways', async () => {
  const { payout, id } = await waiting();
  const [confirmed, refusal] = await Promise.all([
    confirm(office.second, payout),
    third('POST', `/payouts/${payout.id}/refuse`, { reason: 'look again' }),
  ]);
  const [{ state }] = (await merchant.api('GET', `/creators/${id}/payouts`)).json.data;
  const isPaid = confirmed.status === 200;
  expect([confirmed.status, refusal.status, state]).toEqual(isPaid ? [200, 409, 'paid'] : [409, 200, 'failed']);
});

test('a confirmation does not count if its person loses the right before the payout is sent', async () => {
  const { payout, id } = await ofTheCalendar();
  const leaving = await anotherOperator(merchant);
  const user = (await leaving('GET', '/session')).json.actor;
  expect((await confirm(leaving, payout)).json.confirmations_missing).toBe(1);
  expect((await office.second('DELETE', `/operators/${user}`)).status).toBe(204);
  expect(await shown(office.second, payout)).toMatchObject({
    confirmations_missing: 2,
    confirmations: [{ counts: false, why_not: expect.stringContaining('Only operators') }],
  });
  expect((await confirm(office.second, payout)).json).toMatchObject({ state: 'awaiting_second', confirmations_missing: 1 });
  expect((await confirm(third, payout)).json.state).toBe('paid');
  expect((await merchant.api('GET', `/creators/${id}/payouts`)).json.data).toHaveLength(1);
});

test('a ready payout waits again if a confirmation no longer counts', async () => {
  const { payout, creatorId, id } = await waiting();
  // The state after a crash between the confirmation and the sending.
  await db().run(sql`
    update payouts set state = 'ready', confirmed_by = 'user_x', confirmed_at = ${new Date()} where creator_id = ${creatorId}`);
  await office.runFor(id);
  expect((await shown(office.second, payout)).state).toBe('awaiting_second');
  expect((await confirm(office.second, payout)).json.state).toBe('paid');
});

test('raising the limit does not release a payout that awaits a second person', async () => {
  const { payout } = await waiting();
  await office.settings({ second_person_above_cents: 900_000 });
  expect(await shown(office.second, payout)).toMatchObject({ state: 'awaiting_second', confirmations_missing: 1 });
  expect((await confirm(office.second, payout)).json.state).toBe('paid');
});

test('under live rules, a new operator cannot confirm payouts for 72 hours of business time', async () => {
  const { payout } = await waiting();
  expect((await office.second('PUT', '/operator-rules', { in_force: true })).json).toMatchObject({ in_force: true, wait_hours: 72 });
  const userId = await userOf(office.second);
  const from = new Date(merchant.service.platform.clock.now().getTime() + 72 * 3_600_000);
  await db().run(sql`update users set operator_established_at = ${from} where user_id = ${userId}`);
  expect(await refusalOf(office.second, payout)).toMatch(/less than 72 hours/);
  await merchant.moveClock('72h');
  expect((await confirm(office.second, payout)).json.state).toBe('paid');
  await office.second('PUT', '/operator-rules', { in_force: false });
});
