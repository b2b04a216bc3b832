import { setTimeout as pause } from 'node:timers/promises';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { disputeLost } from '../../src/billing/disputes.ts';
import { chargeOpen, settleOpen } from '../../src/billing/jobs.ts';
import { settleCharge } from '../../src/billing/settle-from-outside.ts';
import { sql } from '../../src/platform/database/sql.ts';
import { openProviders, type Money } from '../../src/providers/providers.ts';
import { allMovements } from '../../src/providers/sandbox-sql.ts';
import { anotherBiller, differences, good, type Biller } from '../support/billing.ts';
import { openMerchantAlone, type Came, type Merchant } from '../support/merchant.ts';
import { sizeOf, tellFigure } from '../support/size.ts';

let merchant: Merchant;
let money: Money;
beforeAll(async () => {
  merchant = await openMerchantAlone();
  const { platform } = merchant.service;
  money = { platform, providers: openProviders(platform) };
});
afterAll(() => merchant.service.stop());

const rounds = sizeOf('races');
const otherRounds = sizeOf('otherRaces');
/** In how many steps the other side is a little later each time. */
const laterSteps = 5;
const fresh = (): Promise<Biller> => anotherBiller(merchant);
const faults = (all: readonly Came[]) => all.filter(({ status }) => status >= 500).map(({ text }) => text);

/** Orders reported the usual way, so that a reversal can meet their bill. */
async function sales(biller: Biller, count: number) {
  const { merchant: own } = biller;
  const made = [];
  for (let place = 0; place < count; place += 1) {
    const order = await own.order();
    const { conversion_id: id } = good(await own.convert(order)).json;
    made.push({ orderId: order.order_id, id });
  }
  return made;
}

test('a reversal against issuing: it is reversed and on no bill, or billed and the reversal refused; never both', async () => {
  const biller = await fresh();
  const { merchant: own } = biller;
  const made = await sales(biller, rounds);
  await own.moveClock('31d');
  const ends = new Set<string>();
  let runMs = 30;
  for (const [round, { orderId, id }] of made.entries()) {
    good(await own.api('POST', `${biller.store}/commissions/approve`, { ids: [id] }));
    const began = performance.now();
    const runs = own.api('POST', '/billing-runs', { store_id: own.world.store.id, minimum_cents: 0 });
    const [run, reversed] = await Promise.all([
      runs.finally(() => (runMs = performance.now() - began)),
      // From the run's beginning to its end, as long as the last one took, so that it meets each step also on a slow machine.
      pause((runMs * (round % laterSteps)) / (laterSteps - 1)).then(() => own.reverse({ order_id: orderId, occurred_at: own.at() })),
    ]);
    expect(faults([run, reversed])).toEqual([]);
    ends.add(`${reversed.json.reason} ${(await own.commissionOf(orderId)).state}`);
  }
  expect([...ends].toSorted()).toEqual(['paid_conversion_not_auto_reversed collected', 'recorded reversed']);
  expect(await differences(own)).toEqual([]);
  tellFigure({ what: 'a reversal against the bill', came: `${rounds} rounds: one of the two won in each, 0 × 5xx, verify clean` });
});

test('an approval against a reversal while a run looks for what to bill: one end, and the books agree', async () => {
  const biller = await fresh();
  const { merchant: own } = biller;
  const made = await sales(biller, otherRounds);
  await own.moveClock('31d');
  for (const { orderId, id } of made) {
    const came = await Promise.all([
      own.api('POST', `${biller.store}/commissions/approve`, { ids: [id] }),
      own.reverse({ order_id: orderId, occurred_at: own.at() }),
      own.api('POST', '/billing-runs', { store_id: own.world.store.id, minimum_cents: 0 }),
    ]);
    expect(faults(came)).toEqual([]);
    const { state } = await own.commissionOf(orderId);
    expect(['reversed', 'collected']).toContain(state === 'approved' ? 'collected' : state);
  }
  await biller.run({ minimum_cents: 0 });
  expect(Object.keys(await biller.states()).filter((state) => !['collected', 'reversed'].includes(state))).toEqual([]);
  expect(await differences(own)).toEqual([]);
});

test('billing runs at once: one invoice, one charge, whoever comes first', async () => {
  const biller = await fresh();
  let expected = 0;
  for (let round = 0; round < rounds; round += 1) {
    await biller.billable(1_000 + round, 500);
    expected += 1_500 + round;
    await Promise.all([biller.run(), biller.run(), biller.run()]);
    await biller.run();
  }
  const taken = await biller.taken();
  expect([taken.length, taken.reduce((sum, cents) => sum + cents, 0)]).toEqual([rounds, expected]);
  expect(await biller.states()).toEqual({ collected: 2 * rounds });
  expect(await differences(biller.merchant)).toEqual([]);
  tellFigure({
    what: 'three workers that bill one store at once',
    came: `${rounds} rounds: ${taken.length} charges, 0 doubled, verify clean`,
  });
});

test('the answer of a call, its news five times and a job at once: paid once, collected once', async () => {
  for (let round = 0; round < otherRounds; round += 1) {
    const biller = await fresh();
    await biller.pays('timeout_done');
    await biller.billable(1_500);
    await biller.run();
    const [reference = ''] = await biller.references();
    // By the provider's own name, under which it is found at once: a search lags behind, and such news would settle nothing.
    const [movement] = (await allMovements(money.platform.database)).filter(({ reference: of }) => of === reference);
    const { providerId = '' } = movement ?? {};
    const news = () => settleCharge(money, reference, { is: 'succeeded', providerId });
    const now = money.platform.clock.now();
    await Promise.all([
      settleOpen(money, now),
      ...Array.from({ length: 5 }, news),
      chargeOpen(money, biller.merchant.storeId, now),
      biller.run(),
    ]);
    await settleOpen(money, now);
    expect([await biller.taken(), await biller.states()]).toEqual([[1_500], { collected: 1 }]);
    expect(await biller.outbox()).toEqual([{ kind: 'collected', count: 1, cents: 1_500 }]);
  }
  // Nobody is told to send back what was only heard of twice.
  expect(await merchant.database.all(sql`select charge_id from charges where stray_at is not null`)).toEqual([]);
  expect(await differences(merchant)).toEqual([]);
});

test('a dispute told three times against a mended method: taken back once, paid once more', async () => {
  for (let round = 0; round < otherRounds; round += 1) {
    const biller = await fresh();
    await biller.billable(1_500, 700);
    await biller.run();
    const [reference = ''] = await biller.references();
    const at = money.platform.clock.now();
    const lose = () => disputeLost(money, { about: 'dispute_lost', newsId: 'n', reference, at, why: 'not recognised' });
    await Promise.all([lose(), lose(), lose(), chargeOpen(money, biller.merchant.storeId, at)]);
    await chargeOpen(money, biller.merchant.storeId, at);
    await settleOpen(money, at);
    expect([await biller.taken(), await biller.states(), await biller.status()]).toEqual([[2_200, 2_200], { collected: 2 }, 'active']);
  }
  expect(await differences(merchant)).toEqual([]);
});

test('operators who change different settings at once all have their way', async () => {
  const path = '/billing-settings';
  const set = (body: object) => merchant.api('PUT', path, body);
  for (let round = 1; round <= otherRounds; round += 1) {
    const wanted = { fee_basis_points: round, minimum_cents: 1_000 + round, early_cents: 100_000 + round };
    const { fee_basis_points, minimum_cents, early_cents } = wanted;
    await Promise.all([set({ fee_basis_points }), set({ minimum_cents }), set({ early_cents })]);
    expect((await merchant.api('GET', path)).json).toMatchObject({ ...wanted, next_fee: null, fee_asked: null });
  }
});
