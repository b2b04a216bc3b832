import { afterAll, expect, test } from 'vitest';
import { sql, texts } from '../../src/db/sql.ts';
import { verify } from '../../src/app/verify.ts';
import { merchantIn, openMerchant, type ApiResponse, type Merchant } from '../support/merchant.ts';
import { sendAgain, tally } from '../support/send-again.ts';
import { startTestServiceOn } from '../support/service.ts';
import { isFull, sizeOf, reportMeasurement } from '../support/size.ts';

const rounds = isFull ? sizeOf('races') : 8;
/** For races that are less critical, or that take longer. */
const otherRounds = Math.ceil(sizeOf('otherRaces') / 4);
const copies = 200;

/** One store, as the servers of two of our processes see it. */
const here = await openMerchant();
const there = merchantIn(await startTestServiceOn(here.service.databaseUrl), here.world);
afterAll(async () => {
  await there.service.stop();
  await here.service.stop();
});

const one = (): readonly Merchant[] => [here];
const two = (): readonly Merchant[] => [here, there];
const many = (merchants: readonly Merchant[], send: (merchant: Merchant, index: number) => Promise<ApiResponse>): Promise<ApiResponse[]> =>
  Promise.all(Array.from({ length: copies }, (_none, index) => retried(() => send(merchants[index % merchants.length] ?? here, index))));

const retried = (send: () => Promise<ApiResponse>): Promise<ApiResponse> => sendAgain(send, () => void (unavailable += 1));
/** The number of answers 503 so far. */
let unavailable = 0;

async function rowsOf(orderIds: readonly string[]) {
  return here.database.one<Readonly<Record<'orders' | 'commissions' | 'transfers', bigint>>>(sql`
    select (select count(*) from orders o where o.store_id = ${here.storeId} and o.order_id = any(${texts(orderIds)})) as orders,
           (select count(*) from commissions c
            where c.store_id = ${here.storeId} and c.source_text = any(${texts(orderIds)})) as commissions,
           (select count(*) from transfers t join orders o on o.store_id = t.store_id and o.transaction_id = t.source_id
            where t.store_id = ${here.storeId} and o.order_id = any(${texts(orderIds)})) as transfers`);
}

let named = 0;
const newId = (): string => `race ${(named += 1)}`;
const alone = [
  ['one process', one],
  ['two processes', two],
] as const;

async function each(times: number, round: (count: number) => Promise<void>): Promise<void> {
  for (let count = 0; count < times; count += 1) await round(count);
}
/** Half of the rounds in each place. */
const half = Math.ceil(rounds / 2);

test.each(alone)(`${copies} concurrent copies of one order, %s: one is recorded, all others get its answer`, async (where, at) => {
  await each(half, async () => {
    const order = await here.order({ order_id: newId(), click_id: await here.click() });
    const before = unavailable;
    const response = await many(at(), (merchant) => merchant.convert(order));
    // A 503 does not say whether the order was committed. If it was, the repeat of the first copy is a duplicate too.
    const allowed = [{ '200 recorded': 1, '200 duplicate_order': copies - 1 }, { '200 duplicate_order': copies }];
    expect(unavailable === before ? allowed.slice(0, 1) : allowed).toContainEqual(tally(response));
    expect(new Set(response.map(({ json }) => `${json.transaction_id} ${json.conversion_id}`)).size).toBe(1);
    expect(await rowsOf([order.order_id])).toEqual({ orders: 1n, commissions: 1n, transfers: 1n });
  });
  reportMeasurement({
    what: `${copies} concurrent copies of one order, ${where}`,
    measured: `${half} rounds: 1 recorded in each, 0 × 5xx`,
  });
});

test.each(alone)(`${copies} concurrent orders on one click, %s: one is recorded, all others are rejected`, async (where, at) => {
  await each(half, async () => {
    const click_id = await here.click();
    const orders = await Promise.all(Array.from({ length: copies }, async () => here.order({ order_id: newId(), click_id })));
    const response = await many(at(), async (merchant, index) => merchant.convert(orders[index]));
    expect(tally(response)).toEqual({ '200 recorded': 1, '422 referral_click_already_converted': copies - 1 });
    expect(await rowsOf(orders.map(({ order_id }) => order_id))).toEqual({ orders: 1n, commissions: 1n, transfers: 1n });
  });
  reportMeasurement({
    what: `${copies} concurrent orders on one click, ${where}`,
    measured: `${half} rounds: 1 recorded in each, 0 × 5xx`,
  });
});

test(`${copies} concurrent contents under one order_id on different clicks, two processes: one is recorded, others conflict`, async () => {
  await each(otherRounds, async () => {
    const order_id = newId();
    // The clicks differ, so the key of the order decides.
    const orders = await Promise.all(
      Array.from({ length: copies }, async (_none, index) =>
        here.order({ order_id, click_id: await here.clickAt(new Date(here.at())), order_subtotal_cents: 1_000 + index }),
      ),
    );
    const response = await many(two(), (merchant, index) => merchant.convert(orders[index]));
    expect(tally(response)).toEqual({ '200 recorded': 1, '409 duplicate_order_conflict': copies - 1 });
    expect(await rowsOf([order_id])).toEqual({ orders: 1n, commissions: 1n, transfers: 1n });
  });
});

test(`${copies} concurrent copies of one refund, two processes: one is recorded, all others get its answer`, async () => {
  await each(otherRounds, async () => {
    const order = await here.order({ order_id: newId(), click_id: await here.click() });
    await here.convert(order);
    const response = await many(two(), (merchant) => merchant.reverse({ order_id: order.order_id, reason: 'refunded' }));
    expect(tally(response)).toEqual({ '200 recorded': 1, '200 duplicate_order': copies - 1 });
    expect((await here.commissionOf(order.order_id)).state).toBe('reversed');
  });
});

test('a concurrent order and refund, two processes: the order is refunded, or the refund is rejected and the order held', async () => {
  await each(otherRounds, meet);
});

async function meet(): Promise<void> {
  const orders = await Promise.all(
    Array.from({ length: copies / 4 }, async () => here.order({ order_id: newId(), click_id: await here.clickAt(new Date(here.at())) })),
  );
  const pairs = await Promise.all(
    orders.flatMap((order, index) => {
      const [first, second] = index % 2 === 0 ? [here, there] : [there, here];
      return [Promise.all([retried(() => first.convert(order)), retried(() => second.reverse({ order_id: order.order_id }))])];
    }),
  );
  for (const [index, [conversion, reversal]] of pairs.entries()) {
    const { state, heldReason } = await here.commissionOf(orders[index]?.order_id ?? '');
    const end = `${conversion.status} ${conversion.json.reason}, ${reversal.status} ${reversal.json.reason}: ${state} ${heldReason ?? ''}`;
    expect(['200 recorded, 200 recorded: reversed ', '200 recorded, 404 unknown_order: pending early_reversal']).toContain(end);
  }
}

test('a test order that reaches two processes concurrently is verified by both under one ID', async () => {
  const { json: link } = await here.api('POST', `/stores/${here.world.store.id}/test-links`, {});
  await each(half, async () => {
    const order = await here.order({ order_id: newId(), click_id: link.click_id, test: true });
    const response = await Promise.all(two().map(({ convert }) => convert(order)));
    expect(tally(response)).toEqual({ '200 test_verified': 2 });
    expect(new Set(response.map(({ json }) => json.transaction_id)).size).toBe(1);
  });
});

test('the books balance after all races', async () => {
  expect((await verify(here.service.platform)).filter(({ differences }) => differences.length > 0)).toEqual([]);
});
