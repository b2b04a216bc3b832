import { afterAll, describe, expect, test } from 'vitest';
import { readPublicId, type Id } from '../../../src/core/ids.ts';
import { invariant } from '../../../src/core/invariant.ts';
import { dayMs, hourMs, minuteMs } from '../../../src/core/time.ts';
import { sql } from '../../../src/db/sql.ts';
import { differences } from '../../support/billing.ts';
import { untilLockWaits } from '../../support/lock-waits.ts';
import { openMerchant, type ApiResponse, type Json } from '../../support/merchant.ts';
import { rowsWritten } from '../../support/rows.ts';

const merchant = await openMerchant();
afterAll(() => merchant.service.stop());

let refunds = 0;
const refundOf = (order_id: string, fields: Json = {}) => ({
  refund_id: `refund ${(refunds += 1)}`,
  order_id,
  amount_cents: 1_000,
  occurred_at: merchant.at(),
  ...fields,
});
const send = (body: unknown): Promise<ApiResponse> => merchant.post('v2/orders/refunds', body);

async function recorded(fields: Json = {}): Promise<{ readonly orderId: string; readonly ids: Json }> {
  const order = await merchant.order(fields);
  const { transaction_id, conversion_id } = (await merchant.convert(order)).json;
  return { orderId: order.order_id, ids: { transaction_id, conversion_id } };
}

const stateOf = async (orderId: string) => {
  const { state, heldReason, amountCents } = await merchant.commissionOf(orderId);
  return { state, heldReason, amountCents };
};
const expectState = async (orderId: string, state: string, amountCents: bigint) =>
  expect(await stateOf(orderId)).toEqual({ state, heldReason: null, amountCents });

test('a refund of an order has a time after that of a refund that it waited for', async () => {
  const { orderId } = await recorded();
  const { commissionId } = await merchant.commissionOf(orderId);
  const { database, storeId } = merchant;
  const waiting = refundOf(orderId);
  const { answer, releasedAt } = await database.transaction(async (tx) => {
    await tx.all(sql`select 1 as one from commissions where store_id = ${storeId} and commission_id = ${commissionId} for update`);
    const sent = send(waiting);
    await untilLockWaits(database, 1);
    return { answer: sent, releasedAt: merchant.service.platform.clock.now() };
  });
  expect((await answer).json.reason).toBe('recorded');
  const { receivedAt } = await database.one<{ receivedAt: Date }>(
    sql`select received_at from refunds where store_id = ${storeId} and merchant_refund_id = ${waiting.refund_id}`,
  );
  expect(receivedAt.getTime()).toBeGreaterThanOrEqual(releasedAt.getTime());
});

describe('a partial refund of an order', () => {
  test('recomputes the commission on what remains, and posts the difference with the refund as its source', async () => {
    const { orderId, ids } = await recorded();
    const refund = refundOf(orderId, { amount_cents: 2_505, reason: 'one shirt' });
    let answer: Json;
    const rows = await rowsWritten(merchant.database, async () => {
      const { status, json } = await send(refund);
      expect(status).toBe(200);
      answer = json;
    });
    expect(rows).toEqual({
      refunds: '1 new',
      commissions: '1 changed',
      transfers: '1 new',
      balances: '2 changed',
      postback_log: '1 new',
      link_days: '1 new',
      store_days: '1 new',
    });
    const { refund_id, ...rest } = answer;
    expect(rest).toEqual({ ok: true, reason: 'recorded', ...ids, remaining_cents: 7_500, message: 'The postback was recorded.' });
    expect(Object.keys(answer)).toEqual(['ok', 'reason', 'transaction_id', 'conversion_id', 'refund_id', 'remaining_cents', 'message']);
    const refundId = readPublicId('rfd', refund_id);
    invariant(refundId, 'the answer names the refund');
    await expectState(orderId, 'pending', 750n);
    expect(await transfersOf(refundId)).toEqual([{ sourceKind: 'refund', debit: 'to_creators', credit: 'expected', amountCents: 251n }]);
    expect(await merchant.logEntryOf(refund.refund_id)).toMatchObject({
      operation: 'order_refund',
      status: 200,
      isTest: false,
      isReplay: false,
    });
  });

  test('replays with the first answer forever, and other content is a conflict', async () => {
    const { orderId } = await recorded();
    const refund = refundOf(orderId, { occurred_at: merchant.at(-372 * dayMs + hourMs) });
    const first = (await send(refund)).json;
    await send(refundOf(orderId));
    await merchant.moveClock('2h');
    const spelled = { unknown: 1, reason: null, line_items: [], ...refund, occurred_at: refund.occurred_at.replace('Z', '+00:00') };
    const rows = await rowsWritten(merchant.database, async () => {
      const { status, json, headers } = await send(spelled);
      expect([status, headers.get('idempotent-replayed')]).toEqual([200, 'true']);
      expect(json).toEqual({
        ...first,
        reason: 'duplicate_refund',
        message: 'The same refund was already accepted. Nothing was recorded twice.',
      });
      expect((await send({ ...refund, amount_cents: 999 })).json).toMatchObject({ reason: 'duplicate_refund_conflict', retry: 'never' });
      expect((await send({ ...refund, order_id: 'another' })).status).toBe(409);
    });
    expect(rows).toEqual({ postback_log: '3 new' });
    await expectState(orderId, 'pending', 801n);
  });
});

describe('a partial refund of an order', () => {
  test('several ones end at the same cents as one of their sum', async () => {
    const [one, many] = [await recorded(), await recorded()];
    await send(refundOf(one.orderId, { amount_cents: 3_333 }));
    for (let part = 0; part < 3; part += 1) await send(refundOf(many.orderId, { amount_cents: 1_111 }));
    await expectState(one.orderId, 'pending', 667n);
    await expectState(many.orderId, 'pending', 667n);
  });

  test('of more than remains is refused with the remaining amount, and its refund_id can be sent again', async () => {
    const { orderId } = await recorded();
    await send(refundOf(orderId, { amount_cents: 10_000 }));
    const tooMuch = refundOf(orderId, { amount_cents: 6 });
    const rows = await rowsWritten(merchant.database, async () => {
      const { status, json } = await send(tooMuch);
      expect(status).toBe(422);
      expect(json).toEqual({
        ok: false,
        reason: 'refund_exceeds_remaining_amount',
        remaining_cents: 5,
        message: 'Nothing was refunded: the refund is more than what remains of the eligible amount, which is 0.05 USD.',
        retry: 'never',
      });
    });
    expect(rows).toEqual({ postback_log: '1 new' });
    expect((await send({ ...tooMuch, amount_cents: 5 })).json).toMatchObject({ reason: 'recorded', remaining_cents: 0 });
    await expectState(orderId, 'reversed', 1n);
  });

  test('of everything is the reversal, and a reversal after it changes nothing', async () => {
    const [refunded, reversed] = [await recorded(), await recorded()];
    await send(refundOf(refunded.orderId, { amount_cents: 10_005 }));
    await merchant.reverse({ order_id: reversed.orderId });
    await expectState(refunded.orderId, 'reversed', 1_001n);
    await expectState(reversed.orderId, 'reversed', 1_001n);
    const rows = await rowsWritten(merchant.database, async () => {
      const { status, json } = await merchant.reverse({ order_id: refunded.orderId });
      expect([status, json]).toMatchObject([200, { reason: 'recorded', ...refunded.ids }]);
    });
    expect(rows).toEqual({ order_reversals: '1 new', postback_log: '1 new' });
  });

  test('before a reversal leaves the rest to it, and after a reversal nothing remains', async () => {
    const { orderId, ids } = await recorded();
    await send(refundOf(orderId, { amount_cents: 4_000 }));
    expect((await merchant.reverse({ order_id: orderId })).json).toMatchObject({ reason: 'recorded', ...ids });
    await expectState(orderId, 'reversed', 601n);
    expect((await send(refundOf(orderId, { amount_cents: 1 }))).json).toMatchObject({
      reason: 'refund_exceeds_remaining_amount',
      remaining_cents: 0,
    });
  });
});

describe('a partial refund of an order', () => {
  test('of a rejected order changes what it would earn, without a transfer', async () => {
    const { orderId, ids } = await recorded();
    const review = { ids: [ids.conversion_id], reason: 'fraud' };
    expect((await merchant.api('POST', `/stores/${merchant.world.store.id}/commissions/reject`, review)).status).toBe(200);
    const rows = await rowsWritten(merchant.database, async () => expect((await send(refundOf(orderId))).status).toBe(200));
    expect(rows).not.toHaveProperty('transfers');
    await expectState(orderId, 'rejected', 901n);
    await merchant.api('POST', `/stores/${merchant.world.store.id}/commissions/approve`, { ids: [ids.conversion_id] });
    await expectState(orderId, 'approved', 901n);
    await send(refundOf(orderId));
    await expectState(orderId, 'approved', 801n);
  });

  test('of an order without a commission is recorded', async () => {
    const { orderId } = await recorded({ order_subtotal_cents: 3 });
    await expectState(orderId, 'pending', 0n);
    expect((await send(refundOf(orderId, { amount_cents: 2 }))).json).toMatchObject({ reason: 'recorded', remaining_cents: 1 });
    expect((await send(refundOf(orderId, { amount_cents: 2 }))).json).toMatchObject({ remaining_cents: 1, retry: 'never' });
  });

  test('of a program that pays per product recomputes each line on its own, and needs lines for a part', async () => {
    const click_id = await merchant.click(merchant.world.per_product.link_url);
    const item = (product_id: string, amount_minor_units: number, quantity?: number) => ({ product_id, amount_minor_units, quantity });
    const line_items = [item('sku-a', 1_010, 2), item('sku-b', 1_000, 3), item('sku-b', 1_000, 2)];
    const { orderId } = await recorded({ click_id, order_subtotal_cents: 3_010, line_items });
    // 5% of 10.10, and 3 and 2 times 2.50.
    await expectState(orderId, 'pending', 51n + 750n + 500n);
    const ofLines = (...lines: readonly Json[]) => refundOf(orderId, { amount_cents: undefined, line_items: lines });
    expect(await send(refundOf(orderId))).toMatchObject({ status: 400, json: { reason: 'invalid_payload', field: '/line_items' } });
    expect(await send(ofLines(item('sku-c', 1)))).toMatchObject({ status: 422, json: { reason: 'unknown_line_item' } });
    expect(await send(ofLines(item('sku-a', 1_011)))).toMatchObject({
      status: 422,
      json: {
        reason: 'refund_exceeds_remaining_amount',
        remaining_cents: 1_010,
        message: 'Nothing was refunded: the refund is more than what remains of the line items of sku-a, which is 10.10 USD.',
      },
    });
    expect((await send(ofLines(item('sku-a', 505), item('sku-b', 1_334, 4)))).json).toMatchObject({ remaining_cents: 1_171 });
    // 5% of 5.05; no unit of the first line of sku-b is left, and one of the second.
    await expectState(orderId, 'pending', 25n + 0n + 250n);
    expect((await send(refundOf(orderId, { amount_cents: 1_171 }))).json).toMatchObject({ reason: 'recorded', remaining_cents: 0 });
    await expectState(orderId, 'reversed', 275n);
  });

  test('of a test order is recorded and stored nowhere', async () => {
    const { json: link } = await merchant.api('POST', `/stores/${merchant.world.store.id}/test-links`, {});
    const order = await merchant.order({ click_id: link.click_id, test: true });
    const { transaction_id } = (await merchant.convert(order)).json;
    const rows = await rowsWritten(merchant.database, async () => {
      const { json } = await send(refundOf(order.order_id));
      expect(json).toEqual({ ok: true, reason: 'recorded', transaction_id, message: 'The postback was recorded.' });
    });
    expect(rows).toEqual({ postback_log: '1 new' });
  });
});

describe('a partial refund of an order', () => {
  test('on hold is refused until the hold is released', async () => {
    const { orderId } = await recorded();
    await hold(orderId, 'dispute');
    const refund = refundOf(orderId);
    expect(await send(refund)).toMatchObject({ status: 500, json: { reason: 'active_hold', retry: 'daily' } });
    await hold(orderId, null);
    expect((await send(refund)).json.reason).toBe('recorded');
  });

  test('that came first: 404, then the order is held, then the refund passes and ends the hold', async () => {
    const order = await merchant.order();
    const refund = refundOf(order.order_id);
    const rows = await rowsWritten(merchant.database, async () =>
      expect(await send(refund)).toMatchObject({ status: 404, json: { reason: 'unknown_order', retry: 'never' } }),
    );
    expect(rows).toEqual({ early_reversals: '1 new', postback_log: '1 new' });
    await merchant.convert(order);
    expect(await stateOf(order.order_id)).toMatchObject({ state: 'pending', heldReason: 'early_reversal', amountCents: 1_001n });
    expect((await send(refund)).json.reason).toBe('recorded');
    await expectState(order.order_id, 'pending', 901n);
  });

  test('with an invalid time is refused, and the limits are inclusive', async () => {
    const { orderId } = await recorded();
    for (const occurred_at of ['yesterday', merchant.at(-372 * dayMs - minuteMs), merchant.at(6 * minuteMs)])
      expect(await send(refundOf(orderId, { occurred_at }))).toMatchObject({ status: 422, json: { reason: 'invalid_occurred_at' } });
    expect((await send(refundOf(orderId, { occurred_at: merchant.at(-372 * dayMs + minuteMs) }))).status).toBe(200);
  });

  test.each<[field: string, fields: Json]>([
    ['/refund_id', { refund_id: undefined }],
    ['/order_id', { order_id: '' }],
    ['/amount_cents', { amount_cents: undefined }],
    ['/amount_cents', { amount_cents: 0 }],
    ['/amount_cents', { amount_cents: '10' }],
    ['/amount_cents', { amount_cents: -1 }],
    ['/occurred_at', { occurred_at: undefined }],
    ['/line_items', { line_items: [{ product_id: 'a', amount_minor_units: 1 }] }],
    ['/line_items/0/quantity', { line_items: [{ product_id: 'a', amount_minor_units: 1_000, quantity: -1 }] }],
    ['/line_items', { amount_cents: undefined, line_items: [{ product_id: 'a', amount_minor_units: 0 }] }],
    ['/reason', { reason: 7 }],
  ])('with an invalid %s is a 400 that stores nothing', async (field, fields) => {
    const { status, json } = await send(refundOf('any', fields));
    expect([status, json]).toMatchObject([400, { reason: 'invalid_payload', field }]);
  });

  test('keeps every invariant of the verification', async () => {
    expect(await differences(merchant)).toEqual([]);
  });
});

const transfersOf = (refundId: Id<'rfd'>) =>
  merchant.database.all(sql`select source_kind, debit, credit, amount_cents from transfers where source_id = ${refundId}`);

const hold = async (orderId: string, reason: string | null) => {
  const { commissionId } = await merchant.commissionOf(orderId);
  await merchant.database.run(sql`
    update commissions set held_reason = ${reason}, held_by = ${reason === null ? null : 'test'},
      held_since = ${reason === null ? null : new Date()} where commission_id = ${commissionId}`);
};
