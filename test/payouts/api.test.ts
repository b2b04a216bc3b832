import { afterAll, expect, test } from 'vitest';
import { createApiKey } from '../../src/people/api-keys.ts';
import { moveSandboxClock } from '../../src/db/sandbox-clock.ts';
import { sql } from '../../src/db/sql.ts';
import type { Json } from '../support/merchant.ts';
import { openOperatorPayouts } from '../support/operator-payouts.ts';

const office = await openOperatorPayouts();
const merchant = office.merchant;
afterAll(() => merchant.service.stop());

test('a dry run lists who would be paid and pays no one; the run pays them, and reading it returns the same answer', async () => {
  const { id } = await office.earner([3_000, 45]);
  const would = { id: null, creator_id: id, amount_cents: 3_045, state: 'sending' };
  expect((await office.runFor(id, { dry_run: true })).payouts).toEqual([would]);
  expect((await merchant.api('GET', `/creators/${id}/payouts`)).json.data).toEqual([]);

  const run = await office.runFor(id);
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
  expect((await office.runFor(id)).payouts).toEqual([]);
});

test('two requests with one key start one run and get the same answer', async () => {
  const { id } = await office.earner([3_100]);
  const ask = async () => {
    const response = await fetch(`${merchant.service.url}/api/v1/payout-runs`, {
      method: 'POST',
      headers: {
        authorization: `Bearer ${merchant.world.operator_key}`,
        'content-type': 'application/json',
        'idempotency-key': `run for ${id}`,
      },
      body: JSON.stringify({ creator_id: id, minimum_cents: 0 }),
    });
    return response.json();
  };
  const [first, ...others] = [...(await Promise.all([ask(), ask()])), await ask()];
  expect(first).toMatchObject({ payouts: [{ amount_cents: 3_100, state: 'paid' }] });
  expect(others).toEqual([first, first]);
});

test('a run without a minimum uses the setting, and a creator may set a higher one', async () => {
  const { id } = await office.earner([2_000]);
  const run = async () => (await merchant.api('POST', '/payout-runs', { creator_id: id })).json.payouts.length;
  expect(await run()).toBe(0);
  await office.settings({ minimum_cents: 2_000 });
  await merchant.api('PUT', `/creators/${id}/payout-minimum`, { minimum_cents: 2_001 });
  expect(await run()).toBe(0);
  await merchant.api('PUT', `/creators/${id}/payout-minimum`, { minimum_cents: null });
  expect(await run()).toBe(1);
  await office.settings({});
});

test('settings have limits, and the audit log names who changed them', async () => {
  for (const wrong of [{ minimum_cents: 10_001 }, { minimum_cents: -1 }, { second_person_above_cents: -1 }, { more: 1 }])
    expect((await office.settings(wrong)).status).toBe(400);
  await office.settings({ minimum_cents: 0 });
  await office.settings({});
  const { json } = await merchant.api('GET', '/audit-log?limit=5');
  expect(json.data.map(({ action }: Json) => action)).toContain('payout_settings.set');
});

test('one person can lower the limit; raising or removing it takes effect once a second person sets the same', async () => {
  const put = (api: typeof merchant.api, above: number | null) =>
    api('PUT', '/payout-settings', { minimum_cents: 2_500, second_person_above_cents: above }).then(({ json }) => [
      json.second_person_above_cents,
      json.second_person_asked?.above_cents,
    ]);
  expect(await put(merchant.api, 9_000)).toEqual([9_000, undefined]);
  expect(await put(merchant.api, 5_000)).toEqual([5_000, undefined]);
  expect(await put(merchant.api, 9_000)).toEqual([5_000, 9_000]);
  // A different request by another person is no agreement and replaces the pending one.
  expect(await put(office.second, null)).toEqual([5_000, null]);
  expect((await merchant.api('GET', '/payout-settings')).json).toMatchObject({ second_person_asked: { above_cents: null } });
  const key = await merchant.api('PUT', '/payout-settings', { minimum_cents: 2_500, second_person_above_cents: null });
  expect(key.status).toBe(422);
  expect(await put(merchant.api, 9_000)).toEqual([5_000, 9_000]);
  expect(await put(office.second, 9_000)).toEqual([9_000, undefined]);
  await office.settings({});
  const mails = await merchant.database.all<{ subject: string }>(
    sql`select subject from mails where subject like '%second person' order by mail_id`,
  );
  expect(new Set(mails.map(({ subject }) => subject.replace(/^.* requested/, 'requested')))).toEqual(
    new Set(['requested that only payouts above 90.00 USD need a second person', 'requested that no payout needs a second person']),
  );
});

test('any operator can withdraw a requested limit: the current one stays, and a later agreement has no effect', async () => {
  const put = (api: typeof merchant.api, above: number | null) =>
    api('PUT', '/payout-settings', { minimum_cents: 2_500, second_person_above_cents: above });
  const withdraw = () => office.second('DELETE', '/payout-settings/second-person-request');
  await put(merchant.api, 5_000);
  expect((await put(merchant.api, 9_000)).json.second_person_asked).toMatchObject({ above_cents: 9_000 });
  const withdrawn = await withdraw();
  expect(withdrawn.status, withdrawn.text).toBe(200);
  expect(withdrawn.json).toMatchObject({ second_person_above_cents: 5_000, second_person_asked: null });
  expect((await withdraw()).json.reason).toBe('conflict');
  expect((await put(office.second, 9_000)).json).toMatchObject({
    second_person_above_cents: 5_000,
    second_person_asked: { above_cents: 9_000 },
  });
  expect((await withdraw()).status).toBe(200);
  const { json } = await merchant.api('GET', '/audit-log?limit=20');
  expect(json.data.map(({ action }: Json) => action)).toContain('payout_settings.request_withdrawn');
  await put(merchant.api, null);
  expect((await put(office.second, null)).json.second_person_above_cents).toBe(null);
});

test('pays nothing to a changed payout method for 72 hours', async () => {
  const { id } = await office.earner([800]);
  await merchant.api('PUT', `/creators/${id}/payout-method`, { sandbox: 'returned' });
  expect((await office.runFor(id)).payouts).toEqual([]);
  expect((await merchant.api('GET', `/creators/${id}/balance`)).json.available_cents).toBe(800);
  await merchant.moveClock('71h');
  expect((await office.runFor(id)).payouts).toEqual([]);
  await merchant.moveClock('1h');
  expect((await office.runFor(id)).payouts).toMatchObject([{ state: 'paid' }]);
});

test('returns the lines of a payout as JSON and CSV, and answers 404 to another creator', async () => {
  const { id } = await office.earner([500, 250]);
  const [payout] = (await office.runFor(id)).payouts;
  const { json } = await merchant.api('GET', `/creators/${id}/payouts/${payout.id}?limit=1`);
  expect(json).toMatchObject({ id: payout.id, amount_cents: 750, state: 'paid', lines: { data: [{ store_id: merchant.world.store.id }] } });
  const next = await merchant.api('GET', `/creators/${id}/payouts/${payout.id}?limit=1&cursor=${json.lines.next_cursor}`);
  expect([...json.lines.data, ...next.json.lines.data].map((line: Json) => line.amount_cents).toSorted()).toEqual([250, 500]);
  expect(next.json.lines.next_cursor).toBeNull();

  const file = await fetch(`${merchant.service.url}/api/v1/creators/${id}/payouts/${payout.id}`, {
    headers: { authorization: `Bearer ${merchant.world.operator_key}`, accept: 'text/csv' },
  });
  const text = await file.text();
  expect(text.split('\r\n')[0]).toBe('commission_id,store_id,store_name,order_id,invoice_id,occurred_at,amount_cents,lead_id,bonus_reason');
  expect(text.split('\r\n')).toHaveLength(4);

  const other = await office.earner([1]);
  expect((await merchant.api('GET', `/creators/${other.id}/payouts/${payout.id}`)).status).toBe(404);
});

test('notifies the creator of payouts that were paid, failed, or were returned', async () => {
  const { platform } = merchant.service;
  const subjects = async () => {
    const rows = await platform.database.all<{ subject: string }>(sql`select subject from mails where to_address = 'cora@people.example'`);
    return rows.map(({ subject }) => subject);
  };
  const { id } = await office.earner([4_321]);
  await office.runFor(id);
  expect(await subjects()).toContain('We sent you a payout of 43.21 USD');
  const declined = await office.earner([4_322], 'declined');
  await office.runFor(declined.id);
  expect(await subjects()).toContain('Your payout of 43.22 USD failed');
});

test('looks up a payout whose answer was late, and pays it once', async () => {
  const { id } = await office.earner([6_000], 'timeout_then_ok');
  expect((await office.runFor(id)).payouts).toMatchObject([{ state: 'unknown' }]);
  await merchant.moveClock('1d');
  const { json } = await merchant.api('GET', `/creators/${id}/payouts`);
  expect(json.data).toMatchObject([{ state: 'paid', amount_cents: 6_000 }]);
});

test('ends a payout once, even if events arrive before the answer or five times', async () => {
  for (const [word, amount] of [
    ['webhook_first', 7_101],
    ['five_times', 7_102],
    ['reordered', 7_103],
  ] as const) {
    const { id } = await office.earner([amount], word);
    await office.runFor(id);
    await merchant.moveClock('6h');
    expect((await merchant.api('GET', `/creators/${id}/payouts`)).json.data, word).toMatchObject([{ state: 'paid', amount_cents: amount }]);
  }
  const { json } = await merchant.api('GET', '/mails?limit=50');
  const subjects = json.data.map((mail: Json) => mail.subject).filter((text: string) => /payout of 71\.0\d USD$/.test(text));
  expect(subjects.toSorted()).toEqual(['71.01', '71.02', '71.03'].map((amount) => `We sent you a payout of ${amount} USD`));
});

test('a returned payout is reported by webhook, its commissions are free again, and its creator is notified', async () => {
  const { id } = await office.earner([6_100], 'returned');
  expect((await office.runFor(id)).payouts).toMatchObject([{ state: 'paid' }]);
  await merchant.moveClock('1d');
  const { json } = await merchant.api('GET', `/creators/${id}/payouts`);
  expect(json.data).toMatchObject([{ state: 'returned', failure: { code: 'returned' } }]);
  expect((await merchant.api('GET', `/creators/${id}/balance`)).json).toMatchObject({ available_cents: 6_100, paid_cents: 0 });
  const mails = await merchant.api('GET', '/mails?limit=20');
  expect(mails.json.data.map(({ subject }: Json) => subject)).toContain('Your payout of 61.00 USD was returned');
});

test('pays nothing to an account that returned a payout until the creator confirms the account again', async () => {
  const { id } = await office.earner([6_200], 'returned');
  await office.runFor(id);
  await merchant.moveClock('1d');
  expect((await office.runFor(id)).payouts).toEqual([]);
  const { json } = await merchant.api('GET', `/creators/${id}/balance`);
  expect(json.blocks).toMatchObject([{ reason: 'came_back', amount_cents: 6_200 }]);
  const again = await merchant.api('PUT', `/creators/${id}/payout-method`, { sandbox: 'returned' });
  expect(again.json.payout_method).toMatchObject({ came_back_at: null });
  expect((await office.runFor(id)).payouts).toMatchObject([{ state: 'paid', amount_cents: 6_200 }]);
});

test('pays all creators automatically on the 1st', async () => {
  const { id } = await office.earner([2_500]);
  const under = await office.earner([2_499]);
  // The queue pays it shortly after collection.
  const at = expect.stringMatching(/-(01|15)T06:00:00\.000Z$/);
  await expect
    .poll(async () => (await merchant.api('GET', `/creators/${id}/balance`)).json.next_payout)
    .toEqual({ at, amount_cents: 2_500, minimum_cents: 2_500 });
  await merchant.moveClock('16d');
  expect((await merchant.api('GET', `/creators/${id}/payouts`)).json.data).toMatchObject([{ state: 'paid' }]);
  expect((await merchant.api('GET', `/creators/${under.id}/payouts`)).json.data).toEqual([]);
  expect((await merchant.api('GET', `/creators/${under.id}/balance`)).json.blocks).toMatchObject([{ reason: 'under_minimum' }]);
});

test('pays everything above one dollar on December 15', async () => {
  const { jobsDatabase, clock } = merchant.service.platform;
  const [paid, carried] = [await office.earner([101]), await office.earner([100])];
  await moveSandboxClock(jobsDatabase, clock, new Date(Date.UTC(clock.now().getUTCFullYear(), 11, 15, 5, 59)));
  const ran = (await merchant.api('POST', '/payout-runs', {})).json.payouts;
  expect(ran).toContainEqual({ id: expect.any(String), creator_id: paid.id, amount_cents: 101, state: 'paid' });
  expect((await merchant.api('GET', `/creators/${carried.id}/payouts`)).json.data).toEqual([]);
});

test('a creator sees only their own payouts, and only operators can pay', async () => {
  const { platform, url } = merchant.service;
  const [mine, other] = [await office.earner([1_000]), await office.earner([1_000])];
  const party = { is: 'creator', creatorId: mine.creatorId } as const;
  const { key } = await createApiKey(platform.database, { party, name: 'mine', scopes: ['creator:read'], madeBy: null });
  const status = async (method: string, path: string) =>
    (await fetch(`${url}/api/v1${path}`, { method, headers: { authorization: `Bearer ${key}` } })).status;
  const [payout] = (await office.runFor(mine.id)).payouts;
  for (const path of ['balance', 'payouts', `payouts/${payout.id}`]) {
    expect(await status('GET', `/creators/${mine.id}/${path}`)).toBe(200);
    expect(await status('GET', `/creators/${other.id}/${path}`)).toBe(404);
  }
  for (const path of ['/payouts', '/payout-settings']) expect(await status('GET', path)).toBe(403);
  for (const word of ['confirm', 'refuse', 'mark-paid', 'mark-failed', 'mark-returned'])
    expect(await status('POST', `/payouts/${payout.id}/${word}`)).toBe(403);
  expect(await status('POST', '/payout-runs')).toBe(403);
});
