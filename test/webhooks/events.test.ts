import { afterAll, expect, test } from 'vitest';
import { turnTrackingOn } from '../../src/merchants/stores-sql.ts';
import { sql } from '../../src/db/sql.ts';
import { newId, readPublicId } from '../../src/core/ids.ts';
import { cents } from '../../src/core/money.ts';
import { invariant } from '../../src/core/invariant.ts';
import { dayMs, realNow } from '../../src/core/time.ts';
import { openCommissions } from '../../src/commissions/commissions-sql.ts';
import { listInvoiceChanges } from '../../src/webhooks/collect-events-sql.ts';
import { runWebhooks } from '../../src/webhooks/deliver-webhooks.ts';
import { eventTypes } from '../../src/webhooks/event-types.ts';
import { lockCollectedUpTo } from '../../src/webhooks/events-sql.ts';
import { anotherBiller, type Biller, billerOf, expectSuccess } from '../support/billing.ts';
import { type Json, openMerchant } from '../support/merchant.ts';
import { reviewerOf } from '../support/review.ts';
import { startTestService } from '../support/service.ts';
import { verified, startWebhookReceiver } from '../support/webhook-receiver.ts';

const receiver = await startWebhookReceiver();
// Without the queue, whose clock differs from the time that the tests use.
const service = await startTestService({ OUTGOING_ALLOW: receiver.host, ROLE: 'web' });
const first = await openMerchant(service);
afterAll(async () => {
  await service.stop();
  await receiver.close();
});

let paths = 0;
/** Creates an endpoint of a store that subscribes to all event types by default. */
async function listening({ merchant, store }: Biller, events: readonly string[] = Object.keys(eventTypes)) {
  const path = `/hook-${(paths += 1)}`;
  const { json } = expectSuccess(await merchant.api('POST', `${store}/webhook-endpoints`, { url: receiver.url(path), events }));
  return {
    secret: String(json.secret),
    taken: () => receiver.received(path).map((one): Json => verified(one, json.secret)),
    types: () => receiver.received(path).map(({ json: event }) => event.type),
    ids: () => receiver.received(path).map(({ id }) => id),
  };
}
const look = () => runWebhooks(service.platform);

test('sends each event of a commission once, signed, with the order ID of the merchant', async () => {
  const biller = await anotherBiller(first);
  const hook = await listening(biller);
  const reviewer = reviewerOf(biller.merchant);
  const sale = await reviewer.sale();
  await look();
  expect(hook.taken()).toEqual([
    {
      type: 'commission.recorded',
      timestamp: expect.stringMatching(/^\d{4}-.*Z$/),
      data: {
        commission_id: sale.commissionId,
        program_id: biller.merchant.world.program.id,
        creator_id: biller.merchant.world.creator.id,
        order_id: sale.orderId,
        invoice_id: null,
        eligible_cents: 10_005,
        amount_cents: 1_001,
        occurred_at: expect.any(String),
        recorded_at: expect.any(String),
        hold_until: expect.any(String),
      },
    },
  ]);
  for (const word of ['hold', 'release', 'approve', 'reopen', 'reject'] as const) {
    await reviewer.results(word, [sale.commissionId]);
    await look();
  }
  const refunded = await reviewer.sale();
  await look();
  expectSuccess(await biller.merchant.reverse({ order_id: refunded.orderId, reason: 'refunded' }));
  await look();
  await look();
  expect(hook.types()).toEqual([
    'commission.recorded',
    'commission.held',
    'commission.released',
    'commission.approved',
    'commission.reopened',
    'commission.rejected',
    'commission.recorded',
    'commission.reversed',
  ]);
  expect(new Set(hook.ids()).size).toBe(8);
  const [, held, , , , rejected] = hook.taken();
  expect(held.data).toMatchObject({ commission_id: sale.commissionId, reason: 'dispute', decided_by: expect.stringMatching(/^key_/) });
  expect(rejected.data).toMatchObject({ reason: 'returned', note: null });
  expect(hook.taken().at(-1).data).toMatchObject({ order_id: refunded.orderId, reason: 'refunded' });
});

test('sends what a lead, a bonus, and a partial refund are about, and what a refund changed', async () => {
  const biller = await anotherBiller(first);
  const { merchant, store } = biller;
  const hook = await listening(biller, ['commission.recorded', 'commission.refunded', 'commission.reversed']);
  const program = `${store}/programs/${merchant.world.program.id}`;
  const leads = [{ kind: 'sign_up', flat_cents: 300 }];
  expectSuccess(await merchant.api('POST', `${program}/terms`, { order_rules: [{ basis_points: 1_000 }], leads }));
  const lead = { lead_id: 'lead-1', kind: 'sign_up', click_id: await merchant.click(), occurred_at: merchant.at() };
  expectSuccess(await merchant.post('v2/leads', lead));
  const bonus = { creator_id: merchant.world.creator.id, amount_cents: 2_500, reason: 'Launch video', order_id: 'order-7' };
  expectSuccess(await merchant.api('POST', `${program}/bonuses`, bonus));
  const order = await merchant.order({ order_subtotal_cents: 10_000 });
  expectSuccess(await merchant.convert(order));
  await look();
  const recorded = hook.taken().map(({ data }) => data);
  expect(recorded).toHaveLength(3);
  expect(recorded).toEqual(
    expect.arrayContaining([
      expect.objectContaining({ lead_id: 'lead-1', lead_kind: 'sign_up', order_id: null, invoice_id: null, amount_cents: 300 }),
      expect.objectContaining({ bonus: { reason: 'Launch video', order_id: 'order-7' }, order_id: null, amount_cents: 2_500 }),
      expect.objectContaining({ order_id: order.order_id, eligible_cents: 10_000, amount_cents: 1_000 }),
    ]),
  );
  const refund = { refund_id: 'refund-1', order_id: order.order_id, amount_cents: 4_000, occurred_at: merchant.at(), reason: 'damaged' };
  expectSuccess(await merchant.post('v2/orders/refunds', refund));
  expectSuccess(await merchant.post('v2/leads/reversals', { lead_id: 'lead-1', reason: 'spam' }));
  await look();
  const changes = hook.taken().slice(3);
  expect(changes.map(({ type, data }) => ({ type, ...data }))).toEqual(
    expect.arrayContaining([
      expect.objectContaining({
        type: 'commission.refunded',
        order_id: order.order_id,
        refund_id: 'refund-1',
        reason: 'damaged',
        refund_cents: 4_000,
        commission_before_cents: 1_000,
        amount_cents: 600,
      }),
      expect.objectContaining({ type: 'commission.reversed', lead_id: 'lead-1', lead_kind: 'sign_up', reason: 'spam' }),
    ]),
  );
  expect(changes).toHaveLength(2);
});

test('sends events when an invoice is issued, declined, past due, and paid, and when its commissions are paid out', async () => {
  const biller = billerOf(first);
  const hook = await listening(biller, ['invoice.issued', 'invoice.failed', 'invoice.past_due', 'invoice.paid', 'commission.paid']);
  const [commission] = await biller.billable(4_000);
  await biller.setPaymentMethod('declined');
  await biller.run();
  const [{ id: invoice }] = await biller.invoices();
  await look();
  // Deliveries that are due together are sent concurrently, so their order is not guaranteed.
  expect([...hook.types()].sort()).toEqual(['invoice.failed', 'invoice.issued']);
  const event = (type: string) => hook.taken().find((one) => one.type === type).data;
  expect(event('invoice.issued')).toMatchObject({ invoice_id: invoice, number: 'INV-00001', lines_count: 1, lines_cents: 4_000 });
  expect(event('invoice.failed')).toMatchObject({
    invoice_id: invoice,
    charge_id: expect.stringMatching(/^chg_/),
    message: expect.any(String),
  });
  await biller.merchant.moveClock('9d');
  await look();
  expect(hook.types()).toContain('invoice.past_due');
  await biller.setPaymentMethod('ok');
  await look();
  expect(hook.types().at(-1)).toBe('invoice.paid');
  await biller.merchant.moveClock('32d');
  await look();
  expect(hook.types().filter((type) => type === 'commission.paid')).toHaveLength(1);
  expect(hook.taken().at(-1).data).toMatchObject({ commission_id: commission, amount_cents: 4_000 });
  expect(new Set(hook.ids()).size).toBe(hook.ids().length);
});

test('invoice events without a subscriber do not delay events with one', async () => {
  const biller = await anotherBiller(first);
  await biller.billable(4_000);
  await biller.setPaymentMethod('declined');
  await biller.run();
  const { database, storeId, at } = biller.merchant;
  const [long, late] = [new Date(at(-dayMs)), new Date(at(dayMs))];
  const found = async (...wanted: ReadonlyArray<{ readonly type: string; readonly since: Date }>) =>
    (await listInvoiceChanges(database, { storeId, since: long, wanted, limit: 1 })).map(({ type }) => type);
  // The invoice was issued before it failed, and a poll has a limit.
  expect(await found({ type: 'invoice.issued', since: long })).toEqual(['invoice.issued']);
  expect(await found({ type: 'invoice.failed', since: long })).toEqual(['invoice.failed']);
  expect(await found({ type: 'invoice.issued', since: late }, { type: 'invoice.failed', since: long })).toEqual(['invoice.failed']);
});

test('sends an event when tracking is enabled', async () => {
  const { api, world, at } = first;
  const created = expectSuccess(await api('POST', '/stores', { name: 'New', site_url: 'https://new.example' }));
  const hook = await listening({ ...billerOf(first), store: `/stores/${created.json.id}` }, ['tracking.on']);
  await look();
  expect(hook.types()).toEqual([]);
  const storeId = readPublicId('store', created.json.id);
  invariant(storeId, 'a store has a public ID');
  await turnTrackingOn(service.platform.database, storeId, new Date(at()));
  await look();
  await look();
  expect(hook.taken()).toEqual([{ type: 'tracking.on', timestamp: expect.any(String), data: { store_id: created.json.id } }]);
  expect(world.store.id).not.toBe(created.json.id);
});

test('sends an endpoint only the types that it subscribes to, and nothing from before the subscription', async () => {
  const biller = await anotherBiller(first);
  const reviewer = reviewerOf(biller.merchant);
  const before = await reviewer.sale();
  const hook = await listening(biller, ['commission.approved']);
  const after = await reviewer.sale();
  await reviewer.results('approve', [before.commissionId, after.commissionId]);
  await look();
  expect(hook.types()).toEqual(['commission.approved', 'commission.approved']);
  await reviewer.results('reopen', [after.commissionId]);
  await reviewer.results('approve', [after.commissionId]);
  // Waiting events are not sent to an endpoint that subscribed after them.
  const all = await listening(biller);
  await look();
  expect(hook.types()).toHaveLength(3);
  expect(all.types()).toEqual([]);
  const endpoints = (await biller.merchant.api('GET', `${biller.store}/webhook-endpoints`)).json.data;
  const narrow = endpoints.find(({ events }: Json) => events.length === 1);
  expectSuccess(await biller.merchant.api('PATCH', `${biller.store}/webhook-endpoints/${narrow.id}`, { events: ['commission.recorded'] }));
  await look();
  expect(hook.types()).toHaveLength(3);
  await reviewer.sale();
  await look();
  expect(hook.types().at(-1)).toBe('commission.recorded');
});

test('adding a type to an endpoint loses no event of the earlier types, and sends no older event of the new one', async () => {
  const biller = await anotherBiller(first);
  const hook = await listening(biller, ['commission.recorded']);
  // Another endpoint subscribes to all types, so that every event is stored when it happens.
  await listening(biller);
  const reviewer = reviewerOf(biller.merchant);
  const before = await reviewer.sale();
  await reviewer.results('approve', [before.commissionId]);
  const { database, storeId } = biller.merchant;
  const [, { id }] = (await biller.merchant.api('GET', `${biller.store}/webhook-endpoints`)).json.data;
  const events = ['commission.recorded', 'commission.approved'];
  // Another process collects the events of this store now.
  await database.transaction(async (tx) => {
    await lockCollectedUpTo(tx, storeId);
    expectSuccess(await biller.merchant.api('PATCH', `${biller.store}/webhook-endpoints/${id}`, { events }));
  });
  await look();
  expect(hook.types()).toEqual(['commission.recorded']);
  const after = await reviewer.sale();
  await reviewer.results('approve', [after.commissionId]);
  await look();
  expect([...hook.types()].sort()).toEqual(['commission.approved', 'commission.recorded', 'commission.recorded']);
});

test('writes no events if no endpoint is enabled', async () => {
  const biller = await anotherBiller(first);
  const reviewer = reviewerOf(biller.merchant);
  const sale = await reviewer.sale();
  await reviewer.results('approve', [sale.commissionId]);
  await look();
  const { database, storeId } = biller.merchant;
  const rows = await database.all(sql`
    select 1 from store_events where store_id = ${storeId} union all select 1 from webhook_events where store_id = ${storeId}`);
  expect(rows).toEqual([]);
});

test('sends each event once when two processes collect at the same time', async () => {
  const biller = await anotherBiller(first);
  const hook = await listening(biller);
  const reviewer = reviewerOf(biller.merchant);
  const sales = await Promise.all(Array.from({ length: 12 }, () => reviewer.sale()));
  await reviewer.results(
    'approve',
    sales.map(({ commissionId }) => commissionId),
  );
  await Promise.all([look(), look(), look()]);
  await expect.poll(() => look().then(() => hook.types().length)).toBe(24);
  expect(new Set(hook.ids()).size).toBe(24);
});

test('sends the event of an order that is committed late, even after those of younger orders', async () => {
  const biller = await anotherBiller(first);
  const hook = await listening(biller, ['commission.recorded']);
  const reviewer = reviewerOf(biller.merchant);
  const { database, storeId, world, at } = biller.merchant;
  const [programId, creatorId] = [readPublicId('prog', world.program.id), readPublicId('crt', world.creator.id)];
  invariant(programId && creatorId, 'the seed names its program and its creator');
  await reviewer.sale();
  const late = lateCommission();
  await database.transaction(async (tx) => {
    await openCommissions(tx, [late]);
    await reviewer.sale();
    // Several polls happen over more than a minute of service time.
    for (const laterMs of [0, 61_000, 62_000]) await runWebhooks(service.platform, new Date(realNow().getTime() + laterMs));
    expect(hook.taken()).toHaveLength(2);
  });
  await look();
  expect(hook.taken().at(-1).data.order_id).toBe('a late one');
  expect(hook.types()).toHaveLength(3);

  function lateCommission() {
    const now = new Date(at());
    invariant(programId && creatorId, 'the seed names its program and its creator');
    return {
      storeId,
      commissionId: newId<'com'>(now),
      programId,
      creatorId,
      linkNumber: 1n,
      source: { kind: 'order', id: newId(now), text: 'a late one' },
      eligible: cents(100),
      earning: { amount: cents(10), parts: [] },
      occurredAt: now,
      recordedAt: now,
      termsVersion: 1,
      attributionDays: 30,
      holdDays: 30,
      holdUntil: new Date(now.getTime() + 30 * dayMs),
      autoApproveAt: null,
      held: null,
    } as const;
  }
});
