import { afterAll, beforeAll, expect, test } from 'vitest';
import { createApiKey } from '../../src/people/api-keys.ts';
import { operatorParty } from '../../src/people/party.ts';
import { moveSandboxClock } from '../../src/platform/database/sandbox-clock.ts';
import { sql } from '../../src/platform/database/sql.ts';
import { publicId, type Id } from '../../src/platform/ids.ts';
import { setPayoutMethod } from '../../src/creators/payout-methods.ts';
import { openMerchant, type Json, type Merchant } from '../support/merchant.ts';
import { collected, payee } from '../support/collected.ts';

let merchant: Merchant;
/** Another operator's key: a second person. */
let second: Merchant['api'];
beforeAll(async () => {
  merchant = await openMerchant();
  // The same day of the year whenever this runs: in December there is a payout of its own kind.
  const { nightDatabase, clock } = merchant.service.platform;
  await moveSandboxClock(nightDatabase, clock, new Date(Date.UTC(clock.now().getUTCFullYear() + 1, 0, 20, 12)));
  second = await anotherOperator();
});
afterAll(() => merchant.service.stop());

async function anotherOperator(): Promise<Merchant['api']> {
  const { platform, url } = merchant.service;
  const made = await createApiKey(platform.database, { party: operatorParty, name: 'second', scopes: [], madeBy: null });
  return async (method, path, body) => {
    const response = await fetch(`${url}/api/v1${path}`, {
      method,
      headers: { authorization: `Bearer ${made.key}`, 'content-type': 'application/json' },
      body: body === undefined ? null : JSON.stringify(body),
    });
    const text = await response.text();
    return { status: response.status, text, json: JSON.parse(text), headers: response.headers };
  };
}

async function earner(
  amounts: readonly number[],
  word: string | null = 'ok',
): Promise<{ readonly id: string; readonly creatorId: Id<'crt'> }> {
  const { service, storeId } = merchant;
  const creatorId = await payee(service.platform, word);
  await collected(service.platform, { storeId, creatorId }, amounts);
  return { id: publicId('crt', creatorId), creatorId };
}

const runFor = async (creatorId: string, fields: object = {}): Promise<Json> => {
  const came = await merchant.api('POST', '/payout-runs', { creator_id: creatorId, minimum_cents: 0, ...fields });
  expect(came.status, came.text).toBe(201);
  return came.json;
};

const settings = (fields: object) =>
  merchant.api('PUT', '/payout-settings', { minimum_cents: 2_500, second_person_above_cents: null, ...fields });

test('a dry run says who would be paid and pays nobody; then the run does, and is read again as it was answered', async () => {
  const { id } = await earner([3_000, 45]);
  const would = { id: null, creator_id: id, amount_cents: 3_045, state: 'sending' };
  expect((await runFor(id, { dry_run: true })).payouts).toEqual([would]);
  expect((await merchant.api('GET', `/creators/${id}/payouts`)).json.data).toEqual([]);

  const run = await runFor(id);
  expect(run).toEqual({
    id: expect.stringMatching(/^prun_/),
    creator_id: id,
    minimum_cents: 0,
    dry_run: false,
    by: expect.stringMatching(/^key_/),
    by_name: expect.any(String),
    started_at: expect.any(String),
    ended_at: expect.any(String),
    payouts: [{ id: expect.stringMatching(/^pay_/), creator_id: id, amount_cents: 3_045, state: 'paid' }],
    failures: 0,
  });
  expect((await merchant.api('GET', `/payout-runs/${run.id}`)).json).toEqual(run);
  expect((await runFor(id)).payouts).toEqual([]);
});

test('without a minimum of its own the run goes by the setting, and a creator may want more', async () => {
  const { id } = await earner([2_000]);
  const run = async () => (await merchant.api('POST', '/payout-runs', { creator_id: id })).json.payouts.length;
  expect(await run()).toBe(0);
  await settings({ minimum_cents: 2_000 });
  await merchant.api('PUT', `/creators/${id}/payout-minimum`, { minimum_cents: 2_001 });
  expect(await run()).toBe(0);
  await merchant.api('PUT', `/creators/${id}/payout-minimum`, { minimum_cents: null });
  expect(await run()).toBe(1);
  await settings({});
});

test('settings have limits, and who changed them is kept', async () => {
  for (const wrong of [{ minimum_cents: 10_001 }, { minimum_cents: -1 }, { second_person_above_cents: -1 }, { more: 1 }])
    expect((await settings(wrong)).status).toBe(400);
  await settings({ minimum_cents: 0 });
  await settings({});
  const { json } = await merchant.api('GET', '/audit-log?limit=5');
  expect(json.data.map(({ action }: Json) => action)).toContain('payout_settings.set');
});

test('above the limit a second person confirms, and nobody else can', async () => {
  await settings({ second_person_above_cents: 5_000 });
  const { id } = await earner([5_001]);
  const [payout] = (await runFor(id)).payouts;
  expect(payout.state).toBe('awaiting_second');
  expect(await merchant.api('POST', `/payouts/${payout.id}/confirm`)).toMatchObject({ status: 422, json: { reason: 'unprocessable' } });
  expect(await second('POST', `/payouts/${payout.id}/confirm`)).toMatchObject({
    status: 200,
    json: { state: 'paid', amount_cents: 5_001 },
  });
  expect((await second('POST', `/payouts/${payout.id}/confirm`)).status).toBe(409);
  await settings({});
});

test('what the second person refuses is free again', async () => {
  await settings({ second_person_above_cents: 0 });
  const { id } = await earner([700]);
  const [payout] = (await runFor(id)).payouts;
  const refused = await second('POST', `/payouts/${payout.id}/refuse`, { reason: 'look at these sales first' });
  expect(refused.json).toMatchObject({ state: 'failed', failure: { code: 'refused', message: 'look at these sales first' } });
  await settings({});
  expect((await runFor(id)).payouts).toMatchObject([{ amount_cents: 700, state: 'paid' }]);
});

test('suspended, a creator is not paid, and what waits for its second person is given up; afterwards it is paid', async () => {
  await settings({ second_person_above_cents: 0 });
  const { id } = await earner([900]);
  const [payout] = (await runFor(id)).payouts;
  await merchant.api('POST', `/creators/${id}/suspend`);
  expect((await second('POST', `/payouts/${payout.id}/confirm`)).status).toBe(422);
  await settings({});
  expect((await runFor(id)).payouts).toEqual([]);
  expect((await merchant.api('GET', `/creators/${id}/payouts`)).json.data).toMatchObject([
    { state: 'failed', failure: { code: 'creator_suspended' } },
  ]);
  expect((await merchant.api('GET', `/creators/${id}/balance`)).json).toMatchObject({
    available_cents: 900,
    in_payout_cents: 0,
    blocks: [{ reason: 'suspended', amount_cents: 900 }],
  });
  await merchant.api('POST', `/creators/${id}/unsuspend`);
  expect((await runFor(id)).payouts).toMatchObject([{ amount_cents: 900, state: 'paid' }]);
});

test('a changed payout method is not paid to for 72 hours', async () => {
  const { id } = await earner([800]);
  await merchant.api('PUT', `/creators/${id}/payout-method`, { sandbox: 'returned' });
  expect((await runFor(id)).payouts).toEqual([]);
  expect((await merchant.api('GET', `/creators/${id}/balance`)).json.available_cents).toBe(800);
  await merchant.moveClock('71h');
  expect((await runFor(id)).payouts).toEqual([]);
  await merchant.moveClock('1h');
  expect((await runFor(id)).payouts).toMatchObject([{ state: 'paid' }]);
});

test('what is paid by hand stands in the list for the bank with where to, until somebody says how it ended', async () => {
  const { platform } = merchant.service;
  const { id, creatorId } = await earner([1_200], null);
  await setPayoutMethod(platform.database, platform.secrets, {
    creatorId,
    to: { manual: 'DE89 3704 0044 0532 0130 00' },
    at: platform.clock.now(),
  });
  const [payout] = (await runFor(id)).payouts;
  expect(payout.state).toBe('sending');
  const list = async () => {
    const response = await fetch(`${merchant.service.url}/api/v1/payouts?state=sending&provider=manual`, {
      headers: { authorization: `Bearer ${merchant.world.operator_key}`, accept: 'text/csv' },
    });
    return response.text();
  };
  expect(await list()).toContain(`${payout.id},${id},Cora,DE89 3704 0044 0532 0130 00,1200,USD,sending,manual`);
  expect((await merchant.api('GET', '/payouts?state=sending&provider=manual')).text).not.toContain('DE89');

  const paid = await merchant.api('POST', `/payouts/${payout.id}/mark-paid`, { reference: 'bank 4711' });
  expect(paid.json).toMatchObject({ state: 'paid', reference: 'bank 4711' });
  expect((await merchant.api('POST', `/payouts/${payout.id}/mark-paid`, { reference: 'bank 4712' })).json.reference).toBe('bank 4711');
  expect((await merchant.api('POST', `/payouts/${payout.id}/mark-failed`, { reason: 'no' })).status).toBe(409);
  expect(await list()).not.toContain(payout.id);

  const back = await merchant.api('POST', `/payouts/${payout.id}/mark-returned`, { reason: 'account closed' });
  expect(back.json).toMatchObject({ state: 'returned', failure: { code: 'returned', message: 'account closed' } });
  expect((await merchant.api('GET', `/creators/${id}/balance`)).json).toMatchObject({ available_cents: 1_200, paid_cents: 0 });
});

test('a payout says what it pays for, line by line and as a file; another creator finds nothing there', async () => {
  const { id } = await earner([500, 250]);
  const [payout] = (await runFor(id)).payouts;
  const { json } = await merchant.api('GET', `/creators/${id}/payouts/${payout.id}?limit=1`);
  expect(json).toMatchObject({ id: payout.id, amount_cents: 750, state: 'paid', lines: { data: [{ store_id: merchant.world.store.id }] } });
  const next = await merchant.api('GET', `/creators/${id}/payouts/${payout.id}?limit=1&cursor=${json.lines.next_cursor}`);
  expect([...json.lines.data, ...next.json.lines.data].map((line: Json) => line.amount_cents).toSorted()).toEqual([250, 500]);
  expect(next.json.lines.next_cursor).toBeNull();

  const file = await fetch(`${merchant.service.url}/api/v1/creators/${id}/payouts/${payout.id}`, {
    headers: { authorization: `Bearer ${merchant.world.operator_key}`, accept: 'text/csv' },
  });
  const text = await file.text();
  expect(text.split('\r\n')[0]).toBe('commission_id,store_id,store_name,order_id,invoice_id,occurred_at,amount_cents');
  expect(text.split('\r\n')).toHaveLength(4);

  const other = await earner([1]);
  expect((await merchant.api('GET', `/creators/${other.id}/payouts/${payout.id}`)).status).toBe(404);
});

test('the creator hears of what was paid, what failed and what came back', async () => {
  const { platform } = merchant.service;
  const subjects = async () => {
    const rows = await platform.database.all<{ subject: string }>(sql`select subject from mails where to_address = 'cora@people.example'`);
    return rows.map(({ subject }) => subject);
  };
  const { id } = await earner([4_321]);
  await runFor(id);
  expect(await subjects()).toContain('43.21 USD were paid to you');
  const declined = await earner([4_322], 'declined');
  await runFor(declined.id);
  expect(await subjects()).toContain('A payout of 43.22 USD did not work');
});

test('an account that answers too late is asked again, and the payout is paid once', async () => {
  const { id } = await earner([6_000], 'timeout_then_ok');
  expect((await runFor(id)).payouts).toMatchObject([{ state: 'unknown' }]);
  await merchant.moveClock('1d');
  const { json } = await merchant.api('GET', `/creators/${id}/payouts`);
  expect(json.data).toMatchObject([{ state: 'paid', amount_cents: 6_000 }]);
});

test('on the 1st everybody is paid by itself', async () => {
  const { id } = await earner([2_500]);
  const under = await earner([2_499]);
  // By the queue, a moment after it was collected.
  const at = expect.stringMatching(/-(01|15)T06:00:00\.000Z$/);
  await expect
    .poll(async () => (await merchant.api('GET', `/creators/${id}/balance`)).json.next_payout)
    .toEqual({ at, amount_cents: 2_500, minimum_cents: 2_500 });
  await merchant.moveClock('16d');
  expect((await merchant.api('GET', `/creators/${id}/payouts`)).json.data).toMatchObject([{ state: 'paid' }]);
  expect((await merchant.api('GET', `/creators/${under.id}/payouts`)).json.data).toEqual([]);
  expect((await merchant.api('GET', `/creators/${under.id}/balance`)).json.blocks).toMatchObject([{ reason: 'under_minimum' }]);
});

test('on 15 December everything above a dollar is paid', async () => {
  const { nightDatabase, clock } = merchant.service.platform;
  const [paid, carried] = [await earner([101]), await earner([100])];
  await moveSandboxClock(nightDatabase, clock, new Date(Date.UTC(clock.now().getUTCFullYear(), 11, 15, 5, 59)));
  const ran = (await merchant.api('POST', '/payout-runs', {})).json.payouts;
  expect(ran).toContainEqual({ id: expect.any(String), creator_id: paid.id, amount_cents: 101, state: 'paid' });
  expect((await merchant.api('GET', `/creators/${carried.id}/payouts`)).json.data).toEqual([]);
});

test("a creator sees their own and nobody else's, and only operators pay", async () => {
  const { platform, url } = merchant.service;
  const [mine, other] = [await earner([1_000]), await earner([1_000])];
  const party = { is: 'creator', creatorId: mine.creatorId } as const;
  const { key } = await createApiKey(platform.database, { party, name: 'mine', scopes: ['creator:read'], madeBy: null });
  const status = async (method: string, path: string) =>
    (await fetch(`${url}/api/v1${path}`, { method, headers: { authorization: `Bearer ${key}` } })).status;
  const [payout] = (await runFor(mine.id)).payouts;
  for (const path of ['balance', 'payouts', `payouts/${payout.id}`]) {
    expect(await status('GET', `/creators/${mine.id}/${path}`)).toBe(200);
    expect(await status('GET', `/creators/${other.id}/${path}`)).toBe(404);
  }
  for (const path of ['/payouts', '/payout-settings']) expect(await status('GET', path)).toBe(403);
  for (const word of ['confirm', 'refuse', 'mark-paid', 'mark-failed', 'mark-returned'])
    expect(await status('POST', `/payouts/${payout.id}/${word}`)).toBe(403);
  expect(await status('POST', '/payout-runs')).toBe(403);
});
