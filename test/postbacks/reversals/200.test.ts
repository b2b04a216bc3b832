import { afterAll, expect, test } from 'vitest';
import { sql } from '../../../src/db/sql.ts';
import { readPublicId, type Id } from '../../../src/core/ids.ts';
import { dayMs, hourMs, minuteMs } from '../../../src/core/time.ts';
import { expectAccepted } from '../../support/expect-response.ts';
import { hashOf, openMerchant, putCommission } from '../../support/merchant.ts';
import { rowsWritten } from '../../support/rows.ts';

/** The brackets in a title name the section of the interface that the test verifies, and the row or rule in it. */
const merchant = await openMerchant();
afterAll(() => merchant.service.stop());

async function recorded(fields: Readonly<Record<string, unknown>> = {}) {
  const order = await merchant.order(fields);
  const { transaction_id, conversion_id } = (await merchant.convert(order)).json;
  return { order_id: order.order_id, ids: { transaction_id, conversion_id } };
}

const reversalRow = (orderId: string) =>
  merchant.database.one<{ reversalId: Id<'rev'>; occurredAt: Date; receivedAt: Date; reason: string | null }>(sql`
    select reversal_id, occurred_at, received_at, reason from order_reversals
    where store_id = ${merchant.storeId} and order_hash = ${hashOf(orderId)}`);

/** A refund is counted beside the order, which stays counted. */
const rollups = { link_days: '1 new', store_days: '1 new' };

test('a full refund ends the commission and reverses its transfer; the order and its counts stay [Endpoints, reversals]', async () => {
  const { order_id, ids } = await recorded();
  const occurred_at = merchant.at(-hourMs);
  const rows = await rowsWritten(merchant.database, async () => {
    expectAccepted(await merchant.reverse({ order_id, occurred_at, reason: 'refunded' }), 'recorded', ids);
  });
  expect(rows).toEqual({
    order_reversals: '1 new',
    commissions: '1 changed',
    transfers: '1 new',
    balances: '2 changed',
    postback_log: '1 new',
    ...rollups,
  });
  const { reversalId, receivedAt, ...reversal } = await reversalRow(order_id);
  expect(reversal).toEqual({ occurredAt: new Date(occurred_at), reason: 'refunded' });
  const transfer = sql`select source_kind, debit, credit, amount_cents, at from transfers where source_id = ${reversalId}`;
  expect(await merchant.database.all(transfer)).toEqual([
    { sourceKind: 'reversal', debit: 'to_creators', credit: 'expected', amountCents: 1_001n, at: receivedAt },
  ]);
  expect(await merchant.commissionOf(order_id)).toMatchObject({ state: 'reversed', amountCents: 1_001n, reversalReason: 'refunded' });
  expect(await merchant.logEntryOf(order_id)).toMatchObject({ operation: 'reversal', status: 200, isTest: false, isReplay: false });
});

test('without a time it is that of receipt, which is never compared [One-time reversal request, occurred_at]', async () => {
  const { order_id, ids } = await recorded();
  await merchant.reverse({ order_id });
  const { occurredAt, receivedAt } = await reversalRow(order_id);
  expect(occurredAt).toEqual(receivedAt);
  await merchant.moveClock('1h');
  const rows = await rowsWritten(merchant.database, async () => {
    expectAccepted(await merchant.reverse({ order_id, reason: null }), 'duplicate_order', ids, { isReplay: true });
  });
  expect(rows).toEqual({ postback_log: '1 new' });
});

test('replays a reversal forever, even when its time is too old [Errors, 200]', async () => {
  const { order_id, ids } = await recorded();
  const reversal = { order_id, occurred_at: merchant.at(-372 * dayMs + hourMs), reason: 'cancelled' };
  await merchant.reverse(reversal);
  await merchant.moveClock('2h');
  const spelled = { unknown: 1, reason: 'cancelled', occurred_at: reversal.occurred_at.replace('Z', '999+00:00'), order_id };
  expectAccepted(await merchant.reverse(spelled), 'duplicate_order', ids, { isReplay: true });
});

test('an approved commission can still be reversed [States, commission billed]', async () => {
  const { order_id, ids } = await recorded();
  await putCommission(merchant, order_id, 'approved');
  expectAccepted(await merchant.reverse({ order_id }), 'recorded', ids);
  expect((await merchant.commissionOf(order_id)).state).toBe('reversed');
});

test('a rejected one too: what was undone with the rejection is not undone twice [States, commission billed]', async () => {
  const { order_id, ids } = await recorded();
  await putCommission(merchant, order_id, 'rejected');
  const rows = await rowsWritten(merchant.database, async () => expectAccepted(await merchant.reverse({ order_id }), 'recorded', ids));
  expect(rows).toEqual({ order_reversals: '1 new', commissions: '1 changed', postback_log: '1 new', ...rollups });
  expect((await merchant.commissionOf(order_id)).state).toBe('reversed');
});

test('reverses an order that earned nothing without a transfer [Endpoints, reversals]', async () => {
  const { order_id, ids } = await recorded({ order_subtotal_cents: 0 });
  const rows = await rowsWritten(merchant.database, async () => expectAccepted(await merchant.reverse({ order_id }), 'recorded', ids));
  expect(rows).toEqual({ order_reversals: '1 new', commissions: '1 changed', postback_log: '1 new', ...rollups });
});

test('a late event may be 372 days old, and a clock five minutes ahead [Limits, occurred_at age]', async () => {
  for (const plusMs of [-372 * dayMs + minuteMs, 5 * minuteMs - 5_000]) {
    const { order_id, ids } = await recorded();
    expectAccepted(await merchant.reverse({ order_id, occurred_at: merchant.at(plusMs) }), 'recorded', ids);
  }
});

test('a refund that came first: 404, then the order is held, then the refund passes and ends the hold [Endpoints, reversals]', async () => {
  const order = await merchant.order();
  const reversal = { order_id: order.order_id, reason: 'refunded' };
  expect((await merchant.reverse(reversal)).json.reason).toBe('unknown_order');
  const { json } = await merchant.convert(order);
  expect(json.reason).toBe('recorded');
  expect(readPublicId('com', json.conversion_id)).not.toBeNull();
  expect(await merchant.commissionOf(order.order_id)).toMatchObject({
    state: 'pending',
    heldReason: 'early_reversal',
    amountCents: 1_001n,
  });
  const { transaction_id, conversion_id } = json;
  expectAccepted(await merchant.reverse(reversal), 'recorded', { transaction_id, conversion_id });
  expect(await merchant.commissionOf(order.order_id)).toMatchObject({ state: 'reversed', heldReason: null });
});

test('an order_id of both a test order and an order means the order [Endpoints, reversals]', async () => {
  const { order_id, ids } = await recorded();
  const { json: link } = await merchant.api('POST', `/stores/${merchant.world.store.id}/test-links`, {});
  const response = await merchant.convert(await merchant.order({ order_id, click_id: link.click_id, test: true }));
  expect(response.json.reason).toBe('test_verified');
  expectAccepted(await merchant.reverse({ order_id }), 'recorded', ids);
});

test('a repeated test order keeps its ID, which its reversal returns [Verification flow, 4]', async () => {
  const { json: link } = await merchant.api('POST', `/stores/${merchant.world.store.id}/test-links`, {});
  const order = await merchant.order({ click_id: link.click_id, test: true });
  const { transaction_id } = (await merchant.convert(order)).json;
  expect((await merchant.convert({ ...order, order_subtotal_cents: 7 })).json).toMatchObject({ reason: 'test_verified', transaction_id });
  expectAccepted(await merchant.reverse({ order_id: order.order_id }), 'recorded', { transaction_id });
});
