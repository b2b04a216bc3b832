import { setTimeout as pause } from 'node:timers/promises';
import { afterAll, expect, test } from 'vitest';
import { loseDispute } from '../../src/billing/chargebacks.ts';
import { chargeOpenInvoices, resumeBilling } from '../../src/billing/run-billing.ts';
import { handleChargeEvent } from '../../src/billing/charge-invoice.ts';
import { sql } from '../../src/db/sql.ts';
import { openProviders } from '../../src/payments/providers.ts';
import { allMovements } from '../../src/payments/sandbox-sql.ts';
import { anotherBiller, type Biller, differences, expectSuccess } from '../support/billing.ts';
import { type ApiResponse, openMerchantAlone } from '../support/merchant.ts';
import { reportMeasurement, sizeOf } from '../support/size.ts';

const merchant = await openMerchantAlone();
afterAll(() => merchant.service.stop());
const { platform } = merchant.service;
const money = { platform, providers: openProviders(platform) };

const rounds = sizeOf('races');
const otherRounds = sizeOf('otherRaces');
/** The number of steps by which the other side is delayed more each time. */
const laterSteps = 5;
const fresh = (): Promise<Biller> => anotherBiller(merchant);
const errors = (all: readonly ApiResponse[]) => all.filter(({ status }) => status >= 500).map(({ text }) => text);

/** Orders reported through postbacks, so that a reversal can race their invoice. */
async function sales(biller: Biller, count: number) {
  const { merchant: own } = biller;
  const made = [];
  for (let place = 0; place < count; place += 1) {
    const order = await own.order();
    const { conversion_id: id } = expectSuccess(await own.convert(order)).json;
    made.push({ orderId: order.order_id, id });
  }
  return made;
}

test('a reversal against issuing: the order is reversed and not invoiced, or invoiced and the reversal rejected; never both', async () => {
  const biller = await fresh();
  const { merchant: own } = biller;
  const made = await sales(biller, rounds);
  await own.moveClock('31d');
  const ends = new Set<string>();
  let runMs = 30;
  for (const [round, { orderId, id }] of made.entries()) {
    expectSuccess(await own.api('POST', `${biller.store}/commissions/approve`, { ids: [id] }));
    const began = performance.now();
    const runs = own.api('POST', '/billing-runs', { store_id: own.world.store.id, minimum_cents: 0 });
    const [run, reversed] = await Promise.all([
      runs.finally(() => (runMs = performance.now() - began)),
      // Spreads the delays over the length of the last run, so that they meet each step also on a slow machine.
      pause((runMs * (round % laterSteps)) / (laterSteps - 1)).then(() => own.reverse({ order_id: orderId, occurred_at: own.at() })),
    ]);
    expect(errors([run, reversed])).toEqual([]);
    ends.add(`${reversed.json.reason} ${(await own.commissionOf(orderId)).state}`);
  }
  expect([...ends].toSorted()).toEqual(['paid_conversion_not_auto_reversed collected', 'recorded reversed']);
  expect(await differences(own)).toEqual([]);
  reportMeasurement({
    what: 'a reversal concurrent with the invoice',
    measured: `${rounds} rounds: one of the two won in each, 0 × 5xx, verify clean`,
  });
});

test('an approval against a reversal during an invoice run: all records agree on one outcome, and the books balance', async () => {
  const biller = await fresh();
  const { merchant: own } = biller;
  const made = await sales(biller, otherRounds);
  await own.moveClock('31d');
  for (const { orderId, id } of made) {
    const response = await Promise.all([
      own.api('POST', `${biller.store}/commissions/approve`, { ids: [id] }),
      own.reverse({ order_id: orderId, occurred_at: own.at() }),
      own.api('POST', '/billing-runs', { store_id: own.world.store.id, minimum_cents: 0 }),
    ]);
    expect(errors(response)).toEqual([]);
    const { state } = await own.commissionOf(orderId);
    expect(['reversed', 'collected']).toContain(state === 'approved' ? 'collected' : state);
  }
  await biller.run({ minimum_cents: 0 });
  expect(Object.keys(await biller.states()).filter((state) => !['collected', 'reversed'].includes(state))).toEqual([]);
  expect(await differences(own)).toEqual([]);
});

test('concurrent billing runs create one invoice and one charge, whichever is first', async () => {
  const biller = await fresh();
  let expected = 0;
  for (let round = 0; round < rounds; round += 1) {
    await biller.billable(1_000 + round, 500);
    expected += 1_500 + round;
    await Promise.all([biller.run(), biller.run(), biller.run()]);
    await biller.run();
  }
  const taken = await biller.chargedAmounts();
  expect([taken.length, taken.reduce((sum, cents) => sum + cents, 0)]).toEqual([rounds, expected]);
  expect(await biller.states()).toEqual({ collected: 2 * rounds });
  expect(await differences(biller.merchant)).toEqual([]);
  reportMeasurement({
    what: 'three workers that invoice one store concurrently',
    measured: `${rounds} rounds: ${taken.length} charges, 0 doubled, verify clean`,
  });
});

test('a charge response, five copies of its webhook event and a concurrent job: paid once, collected once', async () => {
  for (let round = 0; round < otherRounds; round += 1) {
    const biller = await fresh();
    await biller.setPaymentMethod('timeout_done');
    await biller.billable(1_500);
    await biller.run();
    const [reference = ''] = await biller.references();
    // Finds the charge by the provider's ID, which is immediate: a search lags behind, and an event for an unfound charge has no effect.
    const [movement] = (await allMovements(money.platform.database)).filter(({ reference: of }) => of === reference);
    const { providerId = '' } = movement ?? {};
    const deliverEvent = () => handleChargeEvent(money, reference, { is: 'succeeded', providerId });
    const now = money.platform.clock.now();
    await Promise.all([
      resumeBilling(money),
      ...Array.from({ length: 5 }, deliverEvent),
      chargeOpenInvoices(money, biller.merchant.storeId, now),
      biller.run(),
    ]);
    await resumeBilling(money);
    expect([await biller.chargedAmounts(), await biller.states()]).toEqual([[1_500], { collected: 1 }]);
    expect(await biller.outbox()).toEqual([{ kind: 'collected', count: 1, cents: 1_500 }]);
  }
  // A duplicate event causes no request to send money back.
  expect(await merchant.database.all(sql`select charge_id from charges where stray_at is not null`)).toEqual([]);
  expect(await differences(merchant)).toEqual([]);
});

test('three copies of a dispute event against a new payment method: taken back once, paid once more', async () => {
  for (let round = 0; round < otherRounds; round += 1) {
    const biller = await fresh();
    await biller.billable(1_500, 700);
    await biller.run();
    const [reference = ''] = await biller.references();
    const at = money.platform.clock.now();
    const lose = () => loseDispute(money, { about: 'dispute_lost', eventId: 'n', reference, at, why: 'not recognised' });
    await Promise.all([lose(), lose(), lose(), chargeOpenInvoices(money, biller.merchant.storeId, at)]);
    await chargeOpenInvoices(money, biller.merchant.storeId, at);
    await resumeBilling(money);
    expect([await biller.chargedAmounts(), await biller.states(), await biller.status()]).toEqual([
      [2_200, 2_200],
      { collected: 2 },
      'active',
    ]);
  }
  expect(await differences(merchant)).toEqual([]);
});

test('concurrent changes of different settings by several operators are all applied', async () => {
  const path = '/billing-settings';
  const set = (body: object) => merchant.api('PUT', path, body);
  for (let round = 1; round <= otherRounds; round += 1) {
    const wanted = { fee_basis_points: round, minimum_cents: 1_000 + round, early_cents: 100_000 + round };
    const { fee_basis_points, minimum_cents, early_cents } = wanted;
    await Promise.all([set({ fee_basis_points }), set({ minimum_cents }), set({ early_cents })]);
    expect((await merchant.api('GET', path)).json).toMatchObject({ ...wanted, next_fee: null, fee_asked: null });
  }
});
