import { setTimeout as pause } from 'node:timers/promises';
import { afterAll, expect, test } from 'vitest';
import { creditCommissions } from '../../src/commissions/billing-sql.ts';
import { insertOutboxEntries } from '../../src/commissions/creator-outbox-sql.ts';
import { holdCommissions, lockForReview, releaseCommissions } from '../../src/commissions/review-sql.ts';
import { storePosting, storeTransfers } from '../../src/ledger/store-postings.ts';
import { postStoreTransfers } from '../../src/ledger/store-ledger-sql.ts';
import { newId, publicId } from '../../src/core/ids.ts';
import { setSuspended } from '../../src/creators/suspensions-sql.ts';
import type { Sale } from '../support/collected-commissions.ts';
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
import { sizeOf, reportMeasurement } from '../support/size.ts';

const world = await openPayoutWorld();
afterAll(() => world.close());

const rounds = sizeOf('races');
const otherRounds = sizeOf('otherRaces');

/** A hold, as review sets it: only for commissions in no payout. */
async function hold({ storeId, commissionId }: Sale): Promise<boolean> {
  const at = world.platform.clock.now();
  return world.platform.database.transaction(async (tx) => {
    const [locked] = await lockForReview(tx, storeId, [commissionId]);
    if (locked?.isInPayout !== false) return false;
    await holdCommissions(tx, { storeId, commissionIds: [commissionId] }, { reason: 'dispute', by: 'a test', since: at });
    return true;
  });
}

/** A credit note, as billing writes it: only for commissions in no payout. */
async function credit({ storeId, creatorId, commissionId, amount }: Sale): Promise<boolean> {
  const at = world.platform.clock.now();
  return world.platform.database.transaction(async (tx) => {
    const [locked] = await lockForReview(tx, storeId, [commissionId]);
    if (locked?.isInPayout !== false) return false;
    await creditCommissions(tx, { storeId, commissionIds: [commissionId] }, { at, reason: 'a late refund' });
    await insertOutboxEntries(tx, { storeId, kind: 'credited', at }, [{ creatorId, commissionId, amountCents: amount }]);
    await postStoreTransfers(
      tx,
      storePosting({ storeId, creatorId, amount }, storeTransfers.creditedLater, { source: { kind: 'credit_note', id: newId(at) }, at }),
    );
    return true;
  });
}

/** Delays the other side: before the run, at its start, and a little later each time, until all commissions are in payouts. */
const laterSteps = 5;
/** The time from the start to that point in the last run, so that each step is met also on a slow machine. */
let claimingMs = 10;

/** Either side may be first. */
async function against<Won>(round: number, creatorId: Sale['creatorId'], work: () => Promise<Won>) {
  const { crashPoints } = world.platform;
  const step = round % (laterSteps + 1);
  const begun = new Promise<void>((resolve) => {
    let began = 0;
    crashPoints.onReached = (point) => {
      if (point === 'payouts: claimed') claimingMs = performance.now() - began;
      if (point !== 'payouts: begun') return;
      began = performance.now();
      resolve();
    };
  });
  const other = step === laterSteps ? work() : begun.then(() => pause((claimingMs * step) / (laterSteps - 1))).then(work);
  const [run, won] = await Promise.all([world.run({ creatorId }), other]);
  crashPoints.onReached = () => {};
  expect(run.failures).toBe(0);
  return won;
}

/** Checks each disputed commission: one of the two won, and the books and the provider agree. */
async function settled(creatorId: Sale['creatorId']) {
  await world.later();
  const sent = new Map((await sentBySandbox(world)).map(({ reference, amount }) => [reference, amount]));
  const payouts = (await payoutsOf(world, creatorId)).filter(({ state }) => state !== 'given_up');
  return { payouts, sent: payouts.map(({ payoutId }) => sent.get(publicId('pay', payoutId))) };
}

test('exactly one of several concurrent runs pays', async () => {
  for (let round = 0; round < rounds; round += 1) {
    const { creatorId, sales } = await createEarner(world, [3_000, 40, 7]);
    const runs = await Promise.all([world.run({ creatorId }), world.run({ creatorId }), world.run(), world.later()]);
    expect(runs.map((run) => run?.failures ?? 0)).toEqual([0, 0, 0, 0]);
    const { payouts, sent } = await settled(creatorId);
    expect(payouts).toMatchObject([{ state: 'paid', amountCents: 3_047n }]);
    expect(sent).toEqual([3_047n]);
    expect(new Set(await statesOf(world, sales))).toEqual(new Set(['paid in a payout']));
    expect(await bookOf(world, creatorId)).toEqual({ available: 0n, inPayout: 0n, paid: 3_047n, advance: 0n });
  }
  const all = await sentBySandbox(world);
  expect(all.length).toBe(rounds);
  expect(await differences(world)).toEqual([]);
  reportMeasurement({
    what: 'three workers that pay one creator concurrently',
    measured: `${rounds} rounds: ${all.length} payouts, 0 doubled, verify clean`,
  });
});

test('a hold against a payout: a held commission is not paid, and a paid one was not held', async () => {
  let holds = 0;
  for (let round = 0; round < otherRounds; round += 1) {
    const { creatorId, sales } = await createEarner(world, [3_000, 1_000]);
    const [, disputed] = sales;
    const isHeld = await against(round, creatorId, async () => disputed !== undefined && hold(disputed));
    holds += isHeld ? 1 : 0;
    const { payouts, sent } = await settled(creatorId);
    expect(sent).toEqual([isHeld ? 3_000n : 4_000n]);
    expect(payouts).toMatchObject([{ state: 'paid', amountCents: isHeld ? 3_000n : 4_000n }]);
    if (!isHeld || disputed === undefined) continue;
    // Once the hold is released, the commission is paid in the next run.
    await world.platform.database.transaction((tx) =>
      releaseCommissions(tx, { storeId: disputed.storeId, commissionIds: [disputed.commissionId] }),
    );
    expect((await world.run({ creatorId })).payouts).toMatchObject([{ amount: 1_000n, state: 'paid' }]);
  }
  expect(holds, 'either was first at times').toBeGreaterThan(0);
  expect(holds).toBeLessThan(otherRounds);
  expect(await differences(world)).toEqual([]);
});

test('a credit note against a payout: a credited commission is not paid, and a paid one is not credited', async () => {
  let credits = 0;
  for (let round = 0; round < otherRounds; round += 1) {
    const { creatorId, sales } = await createEarner(world, [3_000, 1_000]);
    const [, refunded] = sales;
    const isCredited = await against(round, creatorId, async () => refunded !== undefined && credit(refunded));
    credits += isCredited ? 1 : 0;
    const { sent } = await settled(creatorId);
    expect(sent).toEqual([isCredited ? 3_000n : 4_000n]);
    expect(await bookOf(world, creatorId)).toEqual({ available: 0n, inPayout: 0n, paid: isCredited ? 3_000n : 4_000n, advance: 0n });
  }
  expect(credits, 'either was first at times').toBeGreaterThan(0);
  expect(credits).toBeLessThan(otherRounds);
  expect(await differences(world)).toEqual([]);
});

test('a concurrent webhook event, status check and return: one outcome, reported once', async () => {
  for (let round = 0; round < otherRounds; round += 1) {
    const { creatorId, sales } = await createEarner(world, [3_000], 'returned');
    await world.run({ creatorId });
    world.moveBy(120_000);
    await Promise.all([deliverEvents(world), deliverEvents(world, 'reordered'), world.later()]);
    expect(await payoutsOf(world, creatorId)).toMatchObject([{ state: 'returned' }]);
    expect(await statesOf(world, sales)).toEqual(['collected']);
    expect(await bookOf(world, creatorId)).toEqual({ available: 3_000n, inPayout: 0n, paid: 0n, advance: 0n });
    // A later run does not pay this commission again.
    await setSuspended(world.platform.database, { creatorId, at: world.platform.clock.now() });
  }
  expect(await differences(world)).toEqual([]);
});
