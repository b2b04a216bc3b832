import { expect, test } from 'vitest';
import { newId, publicId } from '../../src/core/ids.ts';
import { sql } from '../../src/db/sql.ts';
import { expectRefused } from '../support/expect-response.ts';
import { openSharedMerchant, otherMerchant, putCommission } from '../support/merchant.ts';
import { expectLedgerBalanced, reviewerOf, type ReviewPath } from '../support/review.ts';

const merchant = await openSharedMerchant();
const reviewer = reviewerOf(merchant);

const nowhere = publicId('com', newId<'com'>(new Date()));
const sends = async (path: ReviewPath, id: string) => (await reviewer.results(path, [id]))[0];
const transfersOf = async (orderId: string) =>
  merchant.database.all<{ sourceKind: string; debit: string; amountCents: bigint }>(sql`
    select t.source_kind, t.debit, t.amount_cents from transfers t join commissions c on c.store_id = t.store_id
      and (t.source_id = c.source_id or t.source_id in (select decision_id from decisions d
        where d.store_id = c.store_id and d.commission_id = c.commission_id))
    where c.store_id = ${merchant.storeId} and c.source_text = ${orderId} order by t.source_id`);

test('answers each ID once with its result, and counts the results', async () => {
  const [one, held, rejected, reversed, billed] = await Promise.all([1, 2, 3, 4, 5].map(() => reviewer.sale()));
  if (!one || !held || !rejected || !reversed || !billed) throw new Error('five sales were made');
  await reviewer.results('hold', [held.commissionId]);
  await reviewer.results('reject', [rejected.commissionId]);
  await merchant.reverse({ order_id: reversed.orderId });
  await putCommission(merchant, billed.orderId, 'billed');
  const ids = [one, held, rejected, reversed, billed].map(({ commissionId }) => commissionId);
  const response = await reviewer.act('approve', { ids: [...ids, nowhere, 'com_nonsense', one.commissionId] });
  expect(response.json).toEqual({
    results: {
      [one.commissionId]: 'ok',
      [held.commissionId]: 'held',
      [rejected.commissionId]: 'ok',
      [reversed.commissionId]: 'reversed',
      [billed.commissionId]: 'billed',
      [nowhere]: 'not_found',
      com_nonsense: 'not_found',
    },
    counts: { ok: 2, not_found: 2, held: 1, not_held: 0, rejected: 0, reversed: 1, billed: 1, conflict: 0 },
    decided: [{ first: expect.stringMatching(/^dec_/), last: expect.stringMatching(/^dec_/) }],
    has_more: false,
    next_cursor: null,
  });
  expect(await Promise.all(ids.map(reviewer.stateOf))).toEqual(['approved', 'pending, held (dispute)', 'approved', 'reversed', 'billed']);
  expect(await reviewer.results('release', ids)).toEqual(['not_held', 'ok', 'not_held', 'reversed', 'not_held']);
  await putCommission(merchant, billed.orderId, 'pending');
  await expectLedgerBalanced(merchant);
});

test('a reversal of a commission on hold gets 500 active_hold, and is recorded after the release', async () => {
  const { orderId, commissionId } = await reviewer.sale();
  expect(await sends('hold', commissionId)).toBe('ok');
  expectRefused(await merchant.reverse({ order_id: orderId }), 500, 'active_hold', 'daily');
  expect(await sends('release', commissionId)).toBe('ok');
  expect((await merchant.reverse({ order_id: orderId })).json.reason).toBe('recorded');
  expect(await reviewer.stateOf(commissionId)).toBe('reversed');
  await expectLedgerBalanced(merchant);
});

test('a rejected commission can be reversed, and its accrual is not reversed twice', async () => {
  const { orderId, commissionId } = await reviewer.sale();
  expect(await sends('reject', commissionId)).toBe('ok');
  expect((await merchant.reverse({ order_id: orderId })).json.reason).toBe('recorded');
  expect((await transfersOf(orderId)).map(({ debit }) => debit)).toEqual(['expected', 'to_creators']);
  expect(await sends('approve', commissionId)).toBe('reversed');
  await expectLedgerBalanced(merchant);
});

test('each of several decisions on a commission posts once and is in the history', async () => {
  const { orderId, commissionId } = await reviewer.sale();
  const path: readonly ReviewPath[] = ['approve', 'reject', 'reject', 'approve', 'reopen', 'reject', 'reopen', 'approve'];
  for (const action of path) {
    expect(await sends(action, commissionId)).toBe('ok');
    await expectLedgerBalanced(merchant);
  }
  const debits = (await transfersOf(orderId)).map(({ sourceKind, debit, amountCents }) => `${sourceKind} ${debit} ${amountCents}`);
  expect(debits).toEqual([
    'order expected 1001',
    'decision to_creators 1001',
    'decision expected 1001',
    'decision to_creators 1001',
    'decision expected 1001',
  ]);
  const decisions = (await reviewer.history(commissionId)).map(({ action, reason }) => [action, reason]);
  expect(decisions.reverse()).toEqual([
    ['approve', null],
    ['reject', 'returned'],
    ['approve', null],
    ['reopen', null],
    ['reject', 'returned'],
    ['reopen', null],
    ['approve', null],
  ]);
  expect(await reviewer.stateOf(commissionId)).toBe('approved');
});

test('the history contains the reason, the note, and the author of a rejection', async () => {
  const { commissionId } = await reviewer.sale();
  await reviewer.results('reject', [commissionId], { reason: 'own order', note: 'The creator bought it.\nTwice.' });
  const [decision] = await reviewer.history(commissionId);
  expect(decision).toMatchObject({ action: 'reject', reason: 'own order', note: 'The creator bought it.\nTwice.', by_name: 'Seed' });
  expect(decision.by).toMatch(/^key_/);
  expect(decision.id).toMatch(/^dec_/);
});

test('approves and rejects a commission of 0 without transfers', async () => {
  const { orderId, commissionId } = await reviewer.sale({ eligible_amount_cents: 0 });
  for (const action of ['approve', 'reject', 'approve'] as const) expect(await sends(action, commissionId)).toBe('ok');
  expect(await transfersOf(orderId)).toEqual([]);
});

test('a second hold does not replace the first one', async () => {
  const { commissionId } = await reviewer.sale();
  expect(await reviewer.results('hold', [commissionId], { reason: 'fraud_review' })).toEqual(['ok']);
  expect(await reviewer.results('hold', [commissionId], { reason: 'fraud_review' })).toEqual(['ok']);
  expect(await reviewer.results('hold', [commissionId], { reason: 'dispute' })).toEqual(['held']);
  expect(await reviewer.stateOf(commissionId)).toBe('pending, held (fraud_review)');
  expect(await reviewer.history(commissionId)).toHaveLength(1);
});

test("does not find or change another store's commissions", async () => {
  const other = otherMerchant(merchant);
  const { commissionId } = await reviewerOf(other).sale();
  for (const action of ['approve', 'reject', 'reopen', 'hold', 'release'] as const)
    expect(await sends(action, commissionId)).toBe('not_found');
  expect(await reviewerOf(other).stateOf(commissionId)).toBe('pending');
  const history = (id: string) => merchant.api('GET', `/stores/${merchant.world.store.id}/commissions/${id}/decisions`);
  expect([(await history(commissionId)).status, (await history(commissionId)).text]).toEqual([404, (await history(nowhere)).text]);
});

test('a body that says neither ids nor a filter, or both, or too many, or an unknown reason, is refused', async () => {
  const { commissionId } = await reviewer.sale();
  const ids = [commissionId];
  const bad: ReadonlyArray<readonly [ReviewPath, object]> = [
    ['approve', {}],
    ['approve', { ids, filter: {} }],
    ['approve', { ids: [] }],
    ['approve', { ids: Array.from({ length: 1_001 }, () => commissionId) }],
    ['approve', { ids, reason: 'none is asked for' }],
    ['approve', { filter: { state: 'unknown' } }],
    ['approve', { filter: { from: 'yesterday' } }],
    ['approve', { filter: { to: '9999-12-31T23:59:59-05:00' } }],
    ['reject', { ids, reason: undefined }],
    ['reject', { ids, reason: '' }],
    ['reject', { ids, reason: 'a\u0000b' }],
    ['hold', { ids, reason: 'creator_suspended' }],
  ];
  for (const [path, body] of bad) {
    const response = await reviewer.act(path, body);
    expect([response.status, response.json.reason], JSON.stringify(body).slice(0, 80)).toEqual([400, 'invalid_request']);
  }
  expect(await reviewer.stateOf(commissionId)).toBe('pending');
});

test('an API key can review only where it has the permission', async () => {
  const { commissionId } = await reviewer.sale();
  const path = `/stores/${merchant.world.store.id}/commissions/approve`;
  const keyWith = async (scopes: readonly string[]) => {
    const made = await merchant.api('POST', `/stores/${merchant.world.store.id}/api-keys`, { name: 'A key', scopes });
    return String(made.json.key);
  };
  const send = async (key: string, at = path) => {
    const headers = { authorization: `Bearer ${key}`, 'content-type': 'application/json' };
    const response = await fetch(`${merchant.service.url}/api/v1${at}`, {
      method: 'POST',
      headers,
      body: JSON.stringify({ ids: [commissionId] }),
    });
    return response.status;
  };
  expect(await send(await keyWith(['store:read']))).toBe(403);
  const key = await keyWith(['commissions:review']);
  expect(await send(key, path.replace(merchant.world.store.id, merchant.world.other_store.id))).toBe(404);
  expect(await reviewer.stateOf(commissionId)).toBe('pending');
  expect(await send(key)).toBe(200);
  expect(await reviewer.stateOf(commissionId)).toBe('approved');
});

test('an Idempotency-Key returns the first response again after later decisions', async () => {
  const { commissionId } = await reviewer.sale();
  const headers = {
    authorization: `Bearer ${merchant.world.operator_key}`,
    'content-type': 'application/json',
    'idempotency-key': commissionId,
  };
  const url = `${merchant.service.url}/api/v1/stores/${merchant.world.store.id}/commissions/approve`;
  const send = () => fetch(url, { method: 'POST', headers, body: JSON.stringify({ ids: [commissionId] }) });
  const first = await (await send()).text();
  await reviewer.results('reject', [commissionId]);
  expect(await (await send()).text()).toBe(first);
  expect(await reviewer.stateOf(commissionId)).toBe('rejected');
});

test('the audit log contains each call with its counts', async () => {
  const { commissionId } = await reviewer.sale();
  await reviewer.results('hold', [commissionId, nowhere], { reason: 'merchant_request', note: 'asked by mail' });
  const log = await merchant.api('GET', `/stores/${merchant.world.store.id}/audit-log?limit=1`);
  expect(log.json.data[0]).toMatchObject({
    action: 'commissions.hold',
    details: { ids: 2, reason: 'merchant_request', note: 'asked by mail', counts: { ok: 1, not_found: 1 } },
  });
});
