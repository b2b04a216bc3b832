import { setTimeout as pause } from 'node:timers/promises';
import { afterAll, expect, test } from 'vitest';
import { deliverEarnings } from '../../src/payouts/deliver-earnings.ts';
import { anotherBiller, differences, expectSuccess, type Biller } from '../support/billing.ts';
import { merchantIn, openMerchantAlone, type ApiResponse, type Merchant } from '../support/merchant.ts';
import { sendAgain, tally } from '../support/send-again.ts';
import { startTestServiceOn } from '../support/service.ts';
import { reportMeasurement, sizeOf } from '../support/size.ts';

/** Partial refunds against each other, reversals, their order, invoices, and payouts. Copies are in refunds.test.ts. */
const here = await openMerchantAlone();
// Without jobs, whose clock would be a second behind after the test moves it.
const there = merchantIn(await startTestServiceOn(here.service.databaseUrl, { ROLE: 'web' }), here.world);
afterAll(async () => {
  await there.service.stop();
  await here.service.stop();
});

const rounds = Math.ceil(sizeOf('otherRaces') / 2);
const refund = (merchant: Merchant, body: object): Promise<ApiResponse> => sendAgain(() => merchant.post('v2/orders/refunds', body));

async function soldOrder(merchant: Merchant, fields: object = {}): Promise<{ readonly orderId: string; readonly id: string }> {
  const order = await merchant.order({ ...fields });
  return { orderId: order.order_id, id: expectSuccess(await merchant.convert(order)).json.conversion_id };
}

const stateOf = async (merchant: Merchant, orderId: string): Promise<string> => {
  const { state, amountCents } = await merchant.commissionOf(orderId);
  return `${state} ${amountCents}`;
};

test('of refunds that exceed the order together, only those that fit are recorded', async () => {
  for (let round = 0; round < rounds; round += 1) {
    const { orderId } = await soldOrder(here);
    const responses = await Promise.all(
      Array.from({ length: 12 }, (_none, place) =>
        refund(place % 2 === 0 ? here : there, {
          refund_id: `exceed ${round} ${place}`,
          order_id: orderId,
          amount_cents: 3_000,
          occurred_at: here.at(),
        }),
      ),
    );
    expect(tally(responses)).toEqual({ '200 recorded': 3, '422 refund_exceeds_remaining_amount': 9 });
    expect(await stateOf(here, orderId)).toBe('pending 101');
  }
});

test('a refund against a reversal: the reversal takes what the refund left', async () => {
  const ends = new Set<string>();
  for (let round = 0; round < rounds; round += 1) {
    const { orderId } = await soldOrder(here);
    const [part, whole] = await Promise.all([
      refund(here, { refund_id: `reversal ${round}`, order_id: orderId, amount_cents: 2_505, occurred_at: here.at() }),
      sendAgain(() => there.reverse({ order_id: orderId })),
    ]);
    expect(whole.json.reason).toBe('recorded');
    ends.add(`${part.json.reason}: ${await stateOf(here, orderId)}`);
  }
  for (const end of ends) expect(['recorded: reversed 750', 'refund_exceeds_remaining_amount: reversed 1001']).toContain(end);
});

test('a refund against the order itself: it is applied, or the order is held until it is sent again', async () => {
  for (let round = 0; round < rounds; round += 1) {
    const order = await here.order();
    const body = { refund_id: `order ${round}`, order_id: order.order_id, amount_cents: 2_505, occurred_at: here.at() };
    const [recorded, first] = await Promise.all([sendAgain(() => here.convert(order)), refund(there, body)]);
    expect(recorded.json.reason).toBe('recorded');
    expect(['recorded', 'unknown_order']).toContain(first.json.reason);
    const { heldReason } = await here.commissionOf(order.order_id);
    expect(heldReason).toBe(first.json.reason === 'recorded' ? null : 'early_reversal');
    await refund(here, body);
    expect(await here.commissionOf(order.order_id)).toMatchObject({ heldReason: null, amountCents: 750n });
  }
});

const billing = (biller: Biller) =>
  biller.merchant.api('POST', '/billing-runs', { store_id: biller.merchant.world.store.id, minimum_cents: 0 });

test('a refund against the invoice and its charge: it lowers the line, becomes a credit note, or is to be sent again', async () => {
  const biller = await anotherBiller(here);
  const { merchant } = biller;
  const made = [];
  for (let round = 0; round < rounds; round += 1) made.push(await soldOrder(merchant));
  await merchant.moveClock('31d');
  let runMs = 30;
  for (const [round, { orderId, id }] of made.entries()) {
    expectSuccess(await merchant.api('POST', `${biller.store}/commissions/approve`, { ids: [id] }));
    const body = { refund_id: `invoice ${round}`, order_id: orderId, amount_cents: 2_505, occurred_at: merchant.at() };
    const began = performance.now();
    const [run, first] = await Promise.all([
      billing(biller).finally(() => (runMs = performance.now() - began)),
      pause((runMs * (round % 5)) / 4).then(() => refund(merchant, body)),
    ]);
    expect([run.status, ['recorded', 'invoice_in_progress'].includes(first.json.reason)]).toEqual([201, true]);
    const last = first.json.reason === 'recorded' ? first : await refund(merchant, body);
    expect(last.json).toMatchObject({ reason: 'recorded', remaining_cents: 7_500 });
    expect(await stateOf(merchant, orderId)).toBe('collected 750');
  }
  const { platform } = merchant.service;
  await deliverEarnings(platform, platform.clock.now());
  const { json } = await merchant.api('GET', `/creators/${merchant.world.creator.id}/balance`);
  expect(json.available_cents).toBe(750 * rounds);
  expect(await differences(merchant)).toEqual([]);
  reportMeasurement({ what: 'a refund against the invoice', measured: `${rounds} rounds: the same commission in each, verify clean` });
});

test('a refund against the payout: the payout contains what the refund left, or the refund is refused', async () => {
  const ends = new Set<string>();
  for (let round = 0; round < rounds; round += 1) {
    const biller = await anotherBiller(here);
    const { merchant } = biller;
    const { orderId, id } = await soldOrder(merchant, { order_subtotal_cents: 500_000 });
    expectSuccess(await merchant.api('POST', `${biller.store}/commissions/approve`, { ids: [id] }));
    await merchant.moveClock('31d');
    expectSuccess(await billing(biller));
    const { platform } = merchant.service;
    await deliverEarnings(platform, platform.clock.now());
    const creator = merchant.world.creator.id;
    const body = { refund_id: `payout ${round}`, order_id: orderId, amount_cents: 100_000, occurred_at: merchant.at() };
    const [, refunded] = await Promise.all([
      merchant.api('POST', '/payout-runs', { creator_id: creator, minimum_cents: 0 }),
      pause(round % 4).then(() => refund(merchant, body)),
    ]);
    await deliverEarnings(platform, platform.clock.now());
    await merchant.api('POST', '/payout-runs', { creator_id: creator, minimum_cents: 0 });
    const { json } = await merchant.api('GET', `/creators/${creator}/payouts`);
    ends.add(`${refunded.json.reason}: ${json.data.map(({ amount_cents: cents }: { amount_cents: number }) => cents).join()}`);
  }
  for (const end of ends) expect(['recorded: 40000', 'paid_conversion_not_auto_reversed: 50000']).toContain(end);
});

test('every invariant of the verification holds after the races', async () => {
  expect(await differences(here)).toEqual([]);
});
