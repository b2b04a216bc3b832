import { afterAll, expect, test } from 'vitest';
import { sql } from '../../../src/db/sql.ts';
import { publicId, type Id } from '../../../src/core/ids.ts';
import { dayMs, hourMs, minuteMs } from '../../../src/core/time.ts';
import { expectAccepted } from '../../support/expect-response.ts';
import { hashOf, merchantIn, openMerchant } from '../../support/merchant.ts';
import { rowsWritten } from '../../support/rows.ts';

/** The brackets in a title name the section of the interface that the test verifies, and the row or rule in it. */
const merchant = await openMerchant();
afterAll(() => merchant.service.stop());

const recorded = async (fields: Readonly<Record<string, unknown>> = {}) => {
  const order = await merchant.order(fields);
  const response = await merchant.convert(order);
  expectAccepted(response, 'recorded', { transaction_id: response.json.transaction_id, conversion_id: response.json.conversion_id });
  return { order, response, commission: await merchant.commissionOf(order.order_id) };
};

type OrderRow = { readonly transactionId: Id<'ord'>; readonly commissionId: Id<'com'>; readonly recordedAt: Date };
const orderRow = (orderId: string) =>
  merchant.database.one<OrderRow & Readonly<Record<string, unknown>>>(
    sql`select * from orders where store_id = ${merchant.storeId} and order_hash = ${hashOf(orderId)}`,
  );

test('records a paid order with its commission, transfer, click claim, and log entry [Endpoints, conversions]', async () => {
  const order = await merchant.order({
    eligible_amount_cents: 9_005,
    order_name: '#1001',
    customer_id: 'customer-7',
    discount_code: 'SPRING',
    metadata: { channel: 'web', nested: { list: [1, null] } },
    occurred_at: merchant.at().replace('Z', '4567+00:00'),
  });
  let response = { status: 0, text: '', json: { transaction_id: '', conversion_id: '' }, headers: new Headers() };
  const rows = await rowsWritten(merchant.database, async () => {
    response = await merchant.convert(order);
  });
  expect(rows).toEqual({
    orders: '1 new',
    commissions: '1 new',
    transfers: '1 new',
    balances: '2 new',
    click_claims: '1 new',
    postback_log: '1 new',
    link_days: '1 new',
    store_days: '1 new',
  });
  const row = await orderRow(order.order_id);
  // Microseconds are cut off, not rounded.
  const occurredAt = new Date(`${String(order['occurred_at']).slice(0, 23)}Z`);
  expectAccepted(response, 'recorded', {
    transaction_id: publicId('ord', row.transactionId),
    conversion_id: publicId('com', row.commissionId),
  });
  expect(row).toMatchObject({
    orderId: order.order_id,
    occurredAt,
    subtotalCents: 10_005n,
    eligibleCents: 9_005n,
    orderName: '#1001',
    customerId: 'customer-7',
    discountCode: 'SPRING',
    lineItems: null,
    metadata: '{"channel":"web","nested":{"list":[1,null]}}',
  });
  // A tenth of 90.05 is 9.005: half a cent is rounded up.
  expect(await merchant.commissionOf(order.order_id)).toMatchObject({
    state: 'pending',
    heldReason: null,
    amountCents: 901n,
    eligibleCents: 9_005n,
    termsVersion: 1,
    holdUntil: new Date(occurredAt.getTime() + 30 * dayMs),
  });
  const transfer = sql`select source_kind, debit, credit, amount_cents, at from transfers where source_id = ${row.transactionId}`;
  expect(await merchant.database.all(transfer)).toEqual([
    { sourceKind: 'order', debit: 'expected', credit: 'to_creators', amountCents: 901n, at: row.recordedAt },
  ]);
});

test('the log entry has sender, content, reason, and latency, and the bytes but never the key [Authentication 3]', async () => {
  const order = await merchant.order();
  const text = `${JSON.stringify(order)} `;
  const response = await merchant.convert(text);
  const line = await merchant.logEntryOf(order.order_id);
  expect(line).toMatchObject({
    operation: 'conversion',
    status: 200,
    reason: 'recorded',
    isTest: false,
    isReplay: false,
    requestId: response.headers.get('request-id'),
    reply: response.json,
    body: Buffer.from(text),
    why: { commission_cents: 1_001, eligible_cents: 10_005, attribution_days: 30, terms_version: 1, occurred_at: order['occurred_at'] },
  });
  expect(line.latencyUs).toBeGreaterThan(0);
  const whole = await merchant.database.all<{ row: string }>(sql`select t::text as row from postback_log t`);
  const key = merchant.world.store.postback_key;
  expect(whole.filter(({ row }) => row.includes(key) || row.includes(Buffer.from(key).toString('hex')))).toEqual([]);
});

test('the eligible amount defaults to the subtotal [Conversion request, eligible_amount_cents]', async () => {
  expect((await recorded()).commission).toMatchObject({ eligibleCents: 10_005n, amountCents: 1_001n });
  expect((await recorded({ eligible_amount_cents: 4 })).commission).toMatchObject({ eligibleCents: 4n, amountCents: 0n });
  expect((await recorded({ order_subtotal_cents: 9_007_199_254_740_991 })).commission.amountCents).toBe(900_719_925_474_099n);
});

test('records an order that earns nothing, without a transfer [Conversion request, order_subtotal_cents]', async () => {
  const order = await merchant.order({ order_subtotal_cents: 0 });
  const rows = await rowsWritten(merchant.database, async () => merchant.convert(order));
  expect(Object.keys(rows).sort()).toEqual(['click_claims', 'commissions', 'link_days', 'orders', 'postback_log', 'store_days']);
  expect((await merchant.commissionOf(order.order_id)).amountCents).toBe(0n);
});

test('an order_id may have 500 characters of any script [Limits, order_id length]', async () => {
  const orderId = `${'🛒'.repeat(498)} é`;
  expect((await recorded({ order_id: orderId })).commission.state).toBe('pending');
  expect(await orderRow(orderId)).toMatchObject({ orderId });
});

test('accepts the key in the other header [Authentication 1]', async () => {
  const order = await merchant.order();
  const response = await merchant.convert(order, { 'x-service-postback-key': merchant.world.store.postback_key });
  expect([response.status, response.json.reason]).toEqual([200, 'recorded']);
});

const spellings: ReadonlyArray<readonly [what: string, (order: Readonly<Record<string, unknown>>) => unknown]> = [
  ['byte for byte', (order) => order],
  ['with its keys in another order', (order) => Object.fromEntries(Object.entries(order).reverse())],
  ['with what is absent spelled out', (order) => ({ ...order, line_items: [], order_name: null, discount_code: '', test: false })],
  ['with the default filled in', (order) => ({ ...order, eligible_amount_cents: 10_005 })],
  ['with another spelling of its amount', (order) => JSON.stringify(order).replace('10005', '1.0005e4')],
  ['with its time at another offset', (order) => ({ ...order, occurred_at: `${String(order['occurred_at']).slice(0, 23)}999-00:00` })],
  ['with an unknown field', (order) => ({ ...order, eligible_amount: 5 })],
];
test.each(spellings)(
  'an order sent again %s gets the first reply, and only a log entry is written [Errors, 200]',
  async (_what, spelled) => {
    const { order, response } = await recorded();
    const rows = await rowsWritten(merchant.database, async () => {
      const { transaction_id, conversion_id } = response.json;
      expectAccepted(await merchant.convert(spelled(order)), 'duplicate_order', { transaction_id, conversion_id }, { isReplay: true });
    });
    expect(rows).toEqual({ postback_log: '1 new' });
  },
);

const limits: ReadonlyArray<readonly [what: string, place: (now: number) => { readonly click: number; readonly order: number }]> = [
  ['exactly at the end of the attribution window', (now) => ({ click: now - 31 * dayMs, order: now - dayMs })],
  ['exactly five minutes before its click', (now) => ({ click: now, order: now - 5 * minuteMs })],
  ['nearly five minutes ahead', (now) => ({ click: now - hourMs, order: now + 5 * minuteMs - 5_000 })],
  ['as old as the window and a week', (now) => ({ click: now - 37 * dayMs, order: now - 37 * dayMs + minuteMs })],
];
test.each(limits)('an order %s is recorded, because limits are inclusive [Limits, occurred_at]', async (_what, place) => {
  const { click, order } = place(Date.parse(merchant.at()));
  const { response } = await recorded({ click_id: await merchant.clickAt(new Date(click)), occurred_at: new Date(order).toISOString() });
  expect(response.json.reason).toBe('recorded');
});

test('attributes a click whose row was never written [What the service does 4]', async () => {
  const { response } = await recorded({ click_id: await merchant.clickAt(new Date(Date.parse(merchant.at()) - hourMs)) });
  expect(response.json.reason).toBe('recorded');
});

test('program paused, member removed, store past due: a click made before still counts [What the service does 4]', async () => {
  const own = merchantIn(merchant.service, await merchant.service.seed());
  const clicks = [await own.click(), await own.click(), await own.click()];
  const program = `/stores/${own.world.store.id}/programs/${own.world.program.id}`;
  const convert = async (click_id: string | undefined) => (await own.convert(await own.order({ click_id }))).json.reason;
  const { json: members } = await own.api('GET', `${program}/members`);
  expect((await own.api('PATCH', `${program}/members/${members.data[0].id}`, { status: 'removed' })).status).toBe(200);
  expect(await convert(clicks[0])).toBe('recorded');
  expect((await own.api('POST', `${program}/pause`)).status).toBe(200);
  expect(await convert(clicks[1])).toBe('recorded');
  // By hand, because billing is what makes a store past due.
  await own.database.run(sql`update stores set past_due_at = ${new Date(own.at())} where store_id = ${own.storeId}`);
  expect(await convert(clicks[2])).toBe('recorded');
});

test('records an order of a suspended creator with a held commission [What the service does 4]', async () => {
  const own = merchantIn(merchant.service, await merchant.service.seed());
  const order = await own.order();
  expect((await own.api('POST', `/creators/${own.world.creator.id}/suspend`)).status).toBe(200);
  const rows = await rowsWritten(own.database, async () => {
    expect((await own.convert(order)).json.reason).toBe('recorded');
  });
  expect(rows).toMatchObject({ orders: '1 new', transfers: '1 new' });
  expect(await own.commissionOf(order.order_id)).toMatchObject({ state: 'pending', heldReason: 'creator_suspended', amountCents: 1_001n });
});

test('a replay gets the first reply forever: too old, reversed, program paused, keys replaced [Errors, 200]', async () => {
  const own = merchantIn(merchant.service, await merchant.service.seed());
  const order = await own.order();
  const { transaction_id, conversion_id } = (await own.convert(order)).json;
  await own.reverse({ order_id: order.order_id });
  await own.api('POST', `/stores/${own.world.store.id}/programs/${own.world.program.id}/pause`);
  const keys = `/stores/${own.world.store.id}/postback-keys`;
  const fresh = (await own.api('POST', keys)).json;
  const old = (await own.api('GET', keys)).json.data.find(({ id }: { id: string }) => id !== fresh.id);
  expect((await own.api('DELETE', `${keys}/${old.id}`)).status).toBeLessThan(300);
  await own.moveClock('38d');
  const again = await own.convert(order, { authorization: `Bearer ${fresh.key}` });
  expectAccepted(again, 'duplicate_order', { transaction_id, conversion_id }, { isReplay: true });
  expect((await own.commissionOf(order.order_id)).state).toBe('reversed');
});
