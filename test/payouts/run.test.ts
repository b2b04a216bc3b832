import { afterAll, expect, test } from 'vitest';
import { findPayoutMethod, insertPayoutMethod, markPayoutReturned, replacePayoutMethod } from '../../src/creators/payout-methods-sql.ts';
import { setSuspended } from '../../src/creators/suspensions-sql.ts';
import { deliverEarnings } from '../../src/payouts/deliver-earnings.ts';
import { fillDraft } from '../../src/payouts/draft-payout.ts';
import { handlePayoutReturned, handlePayoutEvent } from '../../src/payouts/send-payout.ts';
import { savePayoutSettings } from '../../src/payouts/payout-settings-sql.ts';
import { type Id, newId, publicId } from '../../src/core/ids.ts';
import { cents } from '../../src/core/money.ts';
import { invariant } from '../../src/core/invariant.ts';
import { dayMs, hourMs, minuteMs } from '../../src/core/time.ts';
import { chargeBack, createCollectedCommissions, payAfterChargeback } from '../support/collected-commissions.ts';
import {
  bookOf,
  deliverEvents,
  differences,
  createEarner,
  openPayoutWorld,
  payoutsOf,
  sentBySandbox,
  statesOf,
} from '../support/payouts.ts';

const world = await openPayoutWorld();
afterAll(() => world.close());

const sentTo = async (creatorId: Id<'crt'>): Promise<readonly bigint[]> => {
  const ours = new Set((await payoutsOf(world, creatorId)).map(({ payoutId }) => publicId('pay', payoutId)));
  return (await sentBySandbox(world)).flatMap(({ reference, amount }) => (ours.has(reference) ? [amount] : []));
};
const newest = async (creatorId: Id<'crt'>) => {
  const payout = (await payoutsOf(world, creatorId)).at(-1);
  invariant(payout, 'a payout exists');
  return payout;
};
const settings = (secondPersonAbove: number | null) =>
  world.platform.database.transaction((tx) =>
    savePayoutSettings(tx, {
      minimumCents: cents(2_500),
      secondPersonAboveCents: secondPersonAbove === null ? null : cents(secondPersonAbove),
      hasNoLimit: false,
      requested: null,
    }),
  );

test('drafts and sends what a store paid for, and marks its commissions paid', async () => {
  const { creatorId, sales } = await createEarner(world, [3_000, 700]);
  const { payouts, failures } = await world.run({ creatorId });
  const paid = { payoutId: expect.any(String), creatorId, amount: 3_700n, state: 'paid' };
  expect({ failures, payouts }).toEqual({ failures: 0, payouts: [paid] });
  expect(await payoutsOf(world, creatorId)).toMatchObject([{ state: 'paid', amountCents: 3_700n }]);
  expect(await statesOf(world, sales)).toEqual(['paid in a payout', 'paid in a payout']);
  expect(await bookOf(world, creatorId)).toEqual({ available: 0n, inPayout: 0n, paid: 3_700n, advance: 0n });
  expect(await sentTo(creatorId)).toEqual([3_700n]);
  expect(await differences(world)).toEqual([]);
});

test('adds many commissions of many stores to one payout, a thousand at a time', async () => {
  const { creatorId } = await createEarner(world, [1]);
  for (const count of [1_000, 1_001, 2_345]) {
    const storeId = newId<'store'>(world.platform.clock.now());
    await createCollectedCommissions(
      world.platform,
      { storeId, creatorId },
      Array.from({ length: count }, () => 3),
    );
  }
  expect((await world.run({ creatorId })).payouts).toMatchObject([{ amount: 1n + 3n * 4_346n, state: 'paid' }]);
  expect(await differences(world)).toEqual([]);
});

test('posts each outbox entry once, however often and by however many processes it is delivered', async () => {
  for (let round = 0; round < 10; round += 1) {
    const { creatorId } = await createEarner(world, [10, 20, 30]);
    const now = world.platform.clock.now();
    await Promise.all(Array.from({ length: 5 }, () => deliverEarnings(world.platform, now)));
    await deliverEarnings(world.platform, now);
    expect((await bookOf(world, creatorId)).available).toBe(60n);
  }
  expect(await differences(world)).toEqual([]);
});

test('an earning that was reversed and restored before delivery has its final state', async () => {
  const { creatorId, sales } = await createEarner(world, [4_000, 50]);
  const [sale] = sales;
  invariant(sale, 'a sale exists');
  // All have the same time, so their order in the outbox is random.
  await chargeBack(world.platform, sale);
  await payAfterChargeback(world.platform, sale);
  await chargeBack(world.platform, sale);
  expect((await world.run({ creatorId })).payouts).toMatchObject([{ amount: 50n }]);
  await payAfterChargeback(world.platform, sale);
  expect((await world.run({ creatorId })).payouts).toMatchObject([{ amount: 4_000n }]);
  expect(await differences(world)).toEqual([]);
});

test('the operator bears a dispute after the payout until the store pays, and the creator keeps everything', async () => {
  const { creatorId, sales } = await createEarner(world, [4_000]);
  const [sale] = sales;
  invariant(sale, 'a sale exists');
  await world.run({ creatorId });
  await chargeBack(world.platform, sale);
  await world.later();
  expect(await bookOf(world, creatorId)).toEqual({ available: 0n, inPayout: 0n, paid: 4_000n, advance: -4_000n });
  expect(await differences(world)).toEqual([]);
  await payAfterChargeback(world.platform, sale);
  await world.later();
  expect(await bookOf(world, creatorId)).toEqual({ available: 0n, inPayout: 0n, paid: 4_000n, advance: 0n });
  expect(await differences(world)).toEqual([]);
});

test("if a payout is returned after its store's chargeback, nothing is advanced, and nothing is free until the store pays", async () => {
  const { creatorId, sales } = await createEarner(world, [4_000, 60], 'returned');
  const [sale] = sales;
  invariant(sale, 'a sale exists');
  await world.run({ creatorId });
  await chargeBack(world.platform, sale);
  const { payoutId } = await newest(creatorId);
  await handlePayoutReturned(world.money, { reference: publicId('pay', payoutId), why: 'account closed' });
  await world.later();
  expect(await statesOf(world, sales)).toEqual(expect.arrayContaining(['billed', 'collected']));
  expect(await bookOf(world, creatorId)).toEqual({ available: 60n, inPayout: 0n, paid: 0n, advance: 0n });
  expect(await differences(world)).toEqual([]);
  await payAfterChargeback(world.platform, sale);
  await world.later();
  expect((await bookOf(world, creatorId)).available).toBe(4_060n);
  expect(await differences(world)).toEqual([]);
});

test('a late process adds nothing to a payout that has ended', async () => {
  const { creatorId, storeId } = await createEarner(world, [3_000], 'declined');
  await world.run({ creatorId });
  const failed = await newest(creatorId);
  expect(failed.state).toBe('failed');
  const sales = await createCollectedCommissions(world.platform, { storeId, creatorId }, [77]);
  await deliverEarnings(world.platform, world.platform.clock.now());
  await fillDraft(world.platform, { creatorId, payoutId: failed.payoutId }, world.platform.clock.now());
  expect(await statesOf(world, sales)).toEqual(['collected']);
  expect(await newest(creatorId)).toEqual(failed);
  expect(await differences(world)).toEqual([]);
});

test('an unknown payout never times out: it is still looked up a year later', async () => {
  const { creatorId } = await createEarner(world, [3_000], 'never');
  await world.run({ creatorId });
  for (const ms of [hourMs, dayMs, 365 * dayMs]) {
    world.moveBy(ms);
    await world.later();
    await world.run({ creatorId });
    expect(await payoutsOf(world, creatorId)).toMatchObject([{ state: 'sending', amountCents: 3_000n }]);
  }
  expect(await differences(world)).toEqual([]);
});

test('a look-up finds a payout that succeeded despite an error, even after the key expired, and nothing is sent twice', async () => {
  const { creatorId } = await createEarner(world, [3_000], 'error_done');
  expect((await world.run({ creatorId })).payouts).toMatchObject([{ state: 'unknown' }]);
  world.moveBy(3 * dayMs);
  await world.later();
  expect(await payoutsOf(world, creatorId)).toMatchObject([{ state: 'paid' }]);
  expect(await sentTo(creatorId)).toEqual([3_000n]);
});

test('does not send a certainly absent payout again with an expired key; the next payout pays it', async () => {
  const { creatorId } = await createEarner(world, [3_000], 'timeout_not_done');
  expect((await world.run({ creatorId })).payouts).toMatchObject([{ state: 'unknown' }]);
  world.moveBy(3 * dayMs);
  await world.later();
  expect(await payoutsOf(world, creatorId)).toMatchObject([{ state: 'failed', failureCode: 'never_arrived' }]);
  expect(await sentTo(creatorId)).toEqual([]);
  expect((await world.run({ creatorId })).payouts).toMatchObject([{ amount: 3_000n }]);
  expect(await differences(world)).toEqual([]);
});

test('applies an event only if a look-up confirms it, and ignores unknown payouts', async () => {
  const { creatorId } = await createEarner(world, [3_000], 'never');
  await world.run({ creatorId });
  const reference = publicId('pay', (await newest(creatorId)).payoutId);
  const forged = { is: 'succeeded', providerId: 'po_somebody' } as const;
  expect(await handlePayoutEvent(world.money, reference, forged)).toBe('not_confirmed');
  expect((await newest(creatorId)).state).toBe('sending');
  expect(await handlePayoutEvent(world.money, publicId('pay', newId<'pay'>(new Date())), forged)).toBe('not_ours');
  expect(await handlePayoutEvent(world.money, 'chg_1', forged)).toBe('not_ours');
  expect(await handlePayoutReturned(world.money, { reference: 'pay_x', why: 'no' })).toBe('not_ours');
});

test('returns a payout once when the return is reported five times, and pays it again', async () => {
  const { creatorId, sales } = await createEarner(world, [3_000], 'returned');
  await world.run({ creatorId });
  world.moveBy(10 * minuteMs);
  for (let time = 0; time < 5; time += 1) await deliverEvents(world, time % 2 === 0 ? 'in order' : 'reordered');
  expect(await statesOf(world, sales)).toEqual(['collected']);
  expect((await bookOf(world, creatorId)).available).toBe(3_000n);
  const { creatorId: same } = sales[0] ?? { creatorId };
  await replacePayoutMethod(world.platform.database, same, world.platform.clock.now());
  const at = world.platform.clock.now();
  const method = { creatorId, provider: 'sandbox', instrument: 'ok', last4: null, madeAt: at, usableFrom: at } as const;
  await insertPayoutMethod(world.platform.database, method);
  expect((await world.run({ creatorId })).payouts).toMatchObject([{ amount: 3_000n, state: 'paid' }]);
  expect((await payoutsOf(world, creatorId)).map(({ state }) => state)).toEqual(['returned', 'paid']);
  expect(await differences(world)).toEqual([]);
});

test.each([
  ['its creator is suspended', 'creator_suspended'],
  ['its creator changes the payout method', 'method_changed'],
  ['an earlier payout to the same account is returned', 'came_back'],
] as const)('a payout that awaits a second person fails when %s, and nothing is sent', async (_what, code) => {
  await settings(0);
  const { creatorId, sales } = await createEarner(world, [3_000]);
  expect((await world.run({ creatorId })).payouts).toMatchObject([{ state: 'awaiting_second' }]);
  await world.later();
  expect((await newest(creatorId)).state).toBe('awaiting_second');
  const { database, clock } = world.platform;
  const method = await findPayoutMethod(database, creatorId);
  invariant(method, 'the creator has a payout method');
  if (code === 'creator_suspended') await setSuspended(database, { creatorId, at: clock.now() });
  else if (code === 'method_changed') await replacePayoutMethod(database, creatorId, clock.now());
  else await markPayoutReturned(database, method, clock.now());
  await world.later();
  expect(await newest(creatorId)).toMatchObject({ state: 'failed', failureCode: code });
  expect(await statesOf(world, sales)).toEqual(['collected']);
  expect(await sentTo(creatorId)).toEqual([]);
  expect((await bookOf(world, creatorId)).available).toBe(3_000n);
  await settings(null);
  expect(await differences(world)).toEqual([]);
});
