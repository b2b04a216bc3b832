import { afterAll, beforeAll, expect, test } from 'vitest';
import { findPayoutMethod, insertPayoutMethod, methodCameBack, replacePayoutMethod } from '../../src/creators/payout-methods-sql.ts';
import { setSuspended } from '../../src/creators/suspensions-sql.ts';
import { deliverToCreators } from '../../src/payouts/deliver.ts';
import { gatherPayout } from '../../src/payouts/gather.ts';
import { payoutReturned, settlePayout } from '../../src/payouts/news.ts';
import { keepPayoutSettings } from '../../src/payouts/settings-sql.ts';
import { newId, publicId, type Id } from '../../src/platform/ids.ts';
import { cents } from '../../src/platform/money.ts';
import { must } from '../../src/platform/must.ts';
import { dayMs, hourMs, minuteMs } from '../../src/platform/time.ts';
import { chargedBack, collected, paidAfterAll } from '../support/collected.ts';
import {
  bookOf,
  bringNews,
  differences,
  earner,
  payoutDesk,
  payoutsOf,
  sentBySandbox,
  statesOf,
  type PayoutDesk,
} from '../support/payouts.ts';

let desk: PayoutDesk;
beforeAll(async () => {
  desk = await payoutDesk();
});
afterAll(() => desk.close());

const sentTo = async (creatorId: Id<'crt'>): Promise<readonly bigint[]> => {
  const ours = new Set((await payoutsOf(desk, creatorId)).map(({ payoutId }) => publicId('pay', payoutId)));
  return (await sentBySandbox(desk)).flatMap(({ reference, amount }) => (ours.has(reference) ? [amount] : []));
};
const newest = async (creatorId: Id<'crt'>) => {
  const payout = (await payoutsOf(desk, creatorId)).at(-1);
  must(payout, 'there is a payout');
  return payout;
};
const settings = (secondPersonAbove: number | null) =>
  desk.platform.database.transaction((tx) =>
    keepPayoutSettings(tx, {
      minimumCents: cents(2_500),
      secondPersonAboveCents: secondPersonAbove === null ? null : cents(secondPersonAbove),
      hasNoLimit: false,
      asked: null,
    }),
  );

test('what a store paid for is gathered, sent, and told to the store as paid', async () => {
  const { creatorId, sales } = await earner(desk, [3_000, 700]);
  const { payouts, failures } = await desk.run({ creatorId });
  const paid = { payoutId: expect.any(String), creatorId, amount: 3_700n, state: 'paid' };
  expect({ failures, payouts }).toEqual({ failures: 0, payouts: [paid] });
  expect(await payoutsOf(desk, creatorId)).toMatchObject([{ state: 'paid', amountCents: 3_700n }]);
  expect(await statesOf(desk, sales)).toEqual(['paid in a payout', 'paid in a payout']);
  expect(await bookOf(desk, creatorId)).toEqual({ available: 0n, inPayout: 0n, paid: 3_700n, advance: 0n });
  expect(await sentTo(creatorId)).toEqual([3_700n]);
  expect(await differences(desk)).toEqual([]);
});

test('many commissions of many stores go into one payout, a thousand at a time', async () => {
  const { creatorId } = await earner(desk, [1]);
  for (const count of [1_000, 1_001, 2_345]) {
    const storeId = newId<'store'>(desk.platform.clock.now());
    await collected(
      desk.platform,
      { storeId, creatorId },
      Array.from({ length: count }, () => 3),
    );
  }
  expect((await desk.run({ creatorId })).payouts).toMatchObject([{ amount: 1n + 3n * 4_346n, state: 'paid' }]);
  expect(await differences(desk)).toEqual([]);
});

test('what was told stands in the book once, however often and by how many it is delivered', async () => {
  for (let round = 0; round < 10; round += 1) {
    const { creatorId } = await earner(desk, [10, 20, 30]);
    const now = desk.platform.clock.now();
    await Promise.all(Array.from({ length: 5 }, () => deliverToCreators(desk.platform, now)));
    await deliverToCreators(desk.platform, now);
    expect((await bookOf(desk, creatorId)).available).toBe(60n);
  }
  expect(await differences(desk)).toEqual([]);
});

test('taken back and given again before anybody looked: what counts is where it ended', async () => {
  const { creatorId, sales } = await earner(desk, [4_000, 50]);
  const [sale] = sales;
  must(sale, 'there is a sale');
  // All at one moment, so that their order in the outbox is chance.
  await chargedBack(desk.platform, sale);
  await paidAfterAll(desk.platform, sale);
  await chargedBack(desk.platform, sale);
  expect((await desk.run({ creatorId })).payouts).toMatchObject([{ amount: 50n }]);
  await paidAfterAll(desk.platform, sale);
  expect((await desk.run({ creatorId })).payouts).toMatchObject([{ amount: 4_000n }]);
  expect(await differences(desk)).toEqual([]);
});

test("a dispute after the payout is the operator's until the store pays, and the creator keeps all", async () => {
  const { creatorId, sales } = await earner(desk, [4_000]);
  const [sale] = sales;
  must(sale, 'there is a sale');
  await desk.run({ creatorId });
  await chargedBack(desk.platform, sale);
  await desk.later();
  expect(await bookOf(desk, creatorId)).toEqual({ available: 0n, inPayout: 0n, paid: 4_000n, advance: -4_000n });
  expect(await differences(desk)).toEqual([]);
  await paidAfterAll(desk.platform, sale);
  await desk.later();
  expect(await bookOf(desk, creatorId)).toEqual({ available: 0n, inPayout: 0n, paid: 4_000n, advance: 0n });
  expect(await differences(desk)).toEqual([]);
});

test('a payout comes back after its store took the money back: nothing is advanced, nor free before the store pays', async () => {
  const { creatorId, sales } = await earner(desk, [4_000, 60], 'returned');
  const [sale] = sales;
  must(sale, 'there is a sale');
  await desk.run({ creatorId });
  await chargedBack(desk.platform, sale);
  const { payoutId } = await newest(creatorId);
  await payoutReturned(desk.money, { reference: publicId('pay', payoutId), why: 'account closed' });
  await desk.later();
  expect(await statesOf(desk, sales)).toEqual(expect.arrayContaining(['billed', 'collected']));
  expect(await bookOf(desk, creatorId)).toEqual({ available: 60n, inPayout: 0n, paid: 0n, advance: 0n });
  expect(await differences(desk)).toEqual([]);
  await paidAfterAll(desk.platform, sale);
  await desk.later();
  expect((await bookOf(desk, creatorId)).available).toBe(4_060n);
  expect(await differences(desk)).toEqual([]);
});

test('whoever comes late adds nothing to a payout that has ended', async () => {
  const { creatorId, storeId } = await earner(desk, [3_000], 'declined');
  await desk.run({ creatorId });
  const failed = await newest(creatorId);
  expect(failed.state).toBe('failed');
  const sales = await collected(desk.platform, { storeId, creatorId }, [77]);
  await deliverToCreators(desk.platform, desk.platform.clock.now());
  await gatherPayout(desk.platform, { creatorId, payoutId: failed.payoutId }, desk.platform.clock.now());
  expect(await statesOf(desk, sales)).toEqual(['collected']);
  expect(await newest(creatorId)).toEqual(failed);
  expect(await differences(desk)).toEqual([]);
});

test('no time makes an end of what is unknown: a year later it is still asked about', async () => {
  const { creatorId } = await earner(desk, [3_000], 'never');
  await desk.run({ creatorId });
  for (const ms of [hourMs, dayMs, 365 * dayMs]) {
    desk.moveBy(ms);
    await desk.later();
    await desk.run({ creatorId });
    expect(await payoutsOf(desk, creatorId)).toMatchObject([{ state: 'sending', amountCents: 3_000n }]);
  }
  expect(await differences(desk)).toEqual([]);
});

test('an error that was none is found by a look-up, also after the key was forgotten, and nothing is sent twice', async () => {
  const { creatorId } = await earner(desk, [3_000], 'error_done');
  expect((await desk.run({ creatorId })).payouts).toMatchObject([{ state: 'unknown' }]);
  desk.moveBy(3 * dayMs);
  await desk.later();
  expect(await payoutsOf(desk, creatorId)).toMatchObject([{ state: 'paid' }]);
  expect(await sentTo(creatorId)).toEqual([3_000n]);
});

test('what the provider surely never got is not sent again with a forgotten key, but paid by the next payout', async () => {
  const { creatorId } = await earner(desk, [3_000], 'timeout_not_done');
  expect((await desk.run({ creatorId })).payouts).toMatchObject([{ state: 'unknown' }]);
  desk.moveBy(3 * dayMs);
  await desk.later();
  expect(await payoutsOf(desk, creatorId)).toMatchObject([{ state: 'failed', failureCode: 'never_arrived' }]);
  expect(await sentTo(creatorId)).toEqual([]);
  expect((await desk.run({ creatorId })).payouts).toMatchObject([{ amount: 3_000n }]);
  expect(await differences(desk)).toEqual([]);
});

test('news is believed only when the provider says the same, and what is nobody of ours is left alone', async () => {
  const { creatorId } = await earner(desk, [3_000], 'never');
  await desk.run({ creatorId });
  const reference = publicId('pay', (await newest(creatorId)).payoutId);
  const forged = { is: 'succeeded', providerId: 'po_somebody' } as const;
  expect(await settlePayout(desk.money, reference, forged)).toMatch(/taken|later/);
  expect((await newest(creatorId)).state).toBe('sending');
  expect(await settlePayout(desk.money, publicId('pay', newId<'pay'>(new Date())), forged)).toBe('not_ours');
  expect(await settlePayout(desk.money, 'chg_1', forged)).toBe('not_ours');
  expect(await payoutReturned(desk.money, { reference: 'pay_x', why: 'no' })).toBe('not_ours');
});

test('returned once, told five times: it comes back once and is paid again', async () => {
  const { creatorId, sales } = await earner(desk, [3_000], 'returned');
  await desk.run({ creatorId });
  desk.moveBy(10 * minuteMs);
  for (let time = 0; time < 5; time += 1) await bringNews(desk, time % 2 === 0 ? 'in order' : 'reordered');
  expect(await statesOf(desk, sales)).toEqual(['collected']);
  expect((await bookOf(desk, creatorId)).available).toBe(3_000n);
  const { creatorId: same } = sales[0] ?? { creatorId };
  await replacePayoutMethod(desk.platform.database, same, desk.platform.clock.now());
  const at = desk.platform.clock.now();
  const method = { creatorId, provider: 'sandbox', instrument: 'ok', last4: null, madeAt: at, usableFrom: at } as const;
  await insertPayoutMethod(desk.platform.database, method);
  expect((await desk.run({ creatorId })).payouts).toMatchObject([{ amount: 3_000n, state: 'paid' }]);
  expect((await payoutsOf(desk, creatorId)).map(({ state }) => state)).toEqual(['returned', 'paid']);
  expect(await differences(desk)).toEqual([]);
});

test.each([
  ['its creator is suspended', 'creator_suspended'],
  ['its creator says another place', 'method_changed'],
  ['an earlier payout comes back from there', 'came_back'],
] as const)('what waits for its second person is given up when %s, and nothing was sent', async (_what, code) => {
  await settings(0);
  const { creatorId, sales } = await earner(desk, [3_000]);
  expect((await desk.run({ creatorId })).payouts).toMatchObject([{ state: 'awaiting_second' }]);
  await desk.later();
  expect((await newest(creatorId)).state).toBe('awaiting_second');
  const { database, clock } = desk.platform;
  const method = await findPayoutMethod(database, creatorId);
  must(method, 'its creator has said where to pay');
  if (code === 'creator_suspended') await setSuspended(database, { creatorId, at: clock.now() });
  else if (code === 'method_changed') await replacePayoutMethod(database, creatorId, clock.now());
  else await methodCameBack(database, method, clock.now());
  await desk.later();
  expect(await newest(creatorId)).toMatchObject({ state: 'failed', failureCode: code });
  expect(await statesOf(desk, sales)).toEqual(['collected']);
  expect(await sentTo(creatorId)).toEqual([]);
  expect((await bookOf(desk, creatorId)).available).toBe(3_000n);
  await settings(null);
  expect(await differences(desk)).toEqual([]);
});
