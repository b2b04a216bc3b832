import { setTimeout as pause } from 'node:timers/promises';
import { afterAll, expect, test } from 'vitest';
import { sql } from '../../src/db/sql.ts';
import { anotherBiller, differences, expectSuccess } from '../support/billing.ts';
import { merchantIn, openMerchantAlone, type ApiResponse, type Json, type Merchant } from '../support/merchant.ts';
import { sendAgain } from '../support/send-again.ts';
import { startTestServiceOn } from '../support/service.ts';
import { reportMeasurement, sizeOf } from '../support/size.ts';

const rounds = sizeOf('otherRaces');
const fewerRounds = Math.ceil(rounds / 4);
const copies = 200;
/** The eligible amount of each order. */
const eligible = 10_005;

/** One store, as the servers of two of our processes see it. */
const here = await openMerchantAlone();
const there = merchantIn(await startTestServiceOn(here.service.databaseUrl), here.world);
afterAll(async () => {
  await there.service.stop();
  await here.service.stop();
});

const path = 'v2/orders/refunds';
const refund = (merchant: Merchant, body: Json): Promise<ApiResponse> => sendAgain(() => merchant.post(path, body));

let named = 0;
const refundOf = (order_id: string, amount_cents: number) => ({
  refund_id: `race ${(named += 1)}`,
  order_id,
  amount_cents,
  occurred_at: here.at(),
});

async function sell(merchant: Merchant): Promise<{ readonly orderId: string; readonly id: string }> {
  const order = await merchant.order({ order_subtotal_cents: eligible });
  const { conversion_id: id } = expectSuccess(await merchant.convert(order)).json;
  return { orderId: order.order_id, id };
}

const reasons = (all: readonly ApiResponse[]): readonly string[] => all.map(({ status, json }) => `${status} ${json.reason}`).toSorted();
const recordedRefunds = async ({ database, storeId }: Merchant, orderId: string) =>
  database.one<Readonly<Record<'refunds' | 'transfers' | 'cents', bigint>>>(sql`
    select count(*) as refunds, coalesce(sum(r.amount_cents), 0)::bigint as cents,
           (select count(*) from transfers t
            where t.store_id = ${storeId} and t.source_kind = 'refund' and t.source_id = any(array_agg(r.refund_id))) as transfers
    from refunds r join orders o on o.store_id = r.store_id and o.transaction_id = r.source_id
    where r.store_id = ${storeId} and o.order_id = ${orderId}`);

test(`${copies} concurrent copies of one partial refund, two processes: one is recorded, all others get its answer`, async () => {
  for (let round = 0; round < fewerRounds; round += 1) {
    const { orderId } = await sell(here);
    const body = refundOf(orderId, 2_500);
    const response = await Promise.all(Array.from({ length: copies }, (_none, index) => refund(index % 2 === 0 ? here : there, body)));
    expect(reasons(response)).toEqual([...Array.from({ length: copies - 1 }, () => '200 duplicate_refund'), '200 recorded']);
    expect(new Set(response.map(({ json }) => `${json.refund_id} ${json.remaining_cents}`)).size).toBe(1);
    expect(await recordedRefunds(here, orderId)).toEqual({ refunds: 1n, transfers: 1n, cents: 2_500n });
  }
  reportMeasurement({
    what: `${copies} concurrent copies of one partial refund, two processes`,
    measured: `${fewerRounds} rounds: 1 recorded in each, 0 × 5xx`,
  });
});

test('two concurrent refunds that together exceed the eligible amount, two processes: exactly one is recorded', async () => {
  for (let round = 0; round < rounds; round += 1) {
    const { orderId } = await sell(here);
    const response = await Promise.all([refund(here, refundOf(orderId, 6_000)), refund(there, refundOf(orderId, 7_000))]);
    expect(reasons(response)).toEqual(['200 recorded', '422 refund_exceeds_remaining_amount']);
    const [recorded] = response.filter(({ status }) => status === 200);
    const amount = eligible - recorded?.json.remaining_cents;
    expect([6_000, 7_000]).toContain(amount);
    expect(await recordedRefunds(here, orderId)).toEqual({ refunds: 1n, transfers: 1n, cents: BigInt(amount) });
  }
});

/** The number of steps by which the refund is delayed more each time. */
const laterSteps = 5;

test('a refund against the issue of an invoice: it is applied, credited, or sent again, and the books balance', async () => {
  const biller = await anotherBiller(here);
  const { merchant: own } = biller;
  const sales = [];
  for (let round = 0; round < rounds; round += 1) sales.push(await sell(own));
  await own.moveClock('31d');
  let runMs = 30;
  for (const [round, { orderId, id }] of sales.entries()) {
    expectSuccess(await own.api('POST', `${biller.store}/commissions/approve`, { ids: [id] }));
    const body = refundOf(orderId, 2_505);
    const began = performance.now();
    const [run, answer] = await Promise.all([
      own
        .api('POST', '/billing-runs', { store_id: own.world.store.id, minimum_cents: 0 })
        .finally(() => (runMs = performance.now() - began)),
      // Spreads the delays over the length of the last run, so that they meet each step also on a slow machine.
      pause((runMs * (round % laterSteps)) / (laterSteps - 1)).then(() => refund(own, body)),
    ]);
    expectSuccess(run);
    expect(['200 recorded', '500 invoice_in_progress']).toContain(`${answer.status} ${answer.json.reason}`);
    // A 500 is sent again, and a 200 is repeated.
    expect((await refund(own, body)).json.reason).toBe(answer.status === 200 ? 'duplicate_refund' : 'recorded');
    const { state, amountCents } = await own.commissionOf(orderId);
    expect([state, amountCents]).toEqual(['collected', 750n]);
    expect(await recordedRefunds(own, orderId)).toMatchObject({ refunds: 1n, cents: 2_505n });
  }
  expect(await differences(own)).toEqual([]);
  reportMeasurement({
    what: 'a partial refund concurrent with the invoice',
    measured: `${rounds} rounds: refunded once in each, before the invoice or by a credit note, verify clean`,
  });
});

test('the books balance after all races of refunds', async () => {
  expect(await differences(here)).toEqual([]);
});
