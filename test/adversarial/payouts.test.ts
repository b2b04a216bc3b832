import { afterAll, expect, test } from 'vitest';
import { deliverEarnings } from '../../src/payouts/deliver-earnings.ts';
import { payoutMinimum } from '../../src/payouts/decide-payout.ts';
import { sql } from '../../src/db/sql.ts';
import { newId, publicId, type Id } from '../../src/core/ids.ts';
import { cents } from '../../src/core/money.ts';
import { hourMs } from '../../src/core/time.ts';
import { listCreatorStatementLines } from '../../src/reports/creator-statement.ts';
import { parsePeriod } from '../../src/reports/period.ts';
import { createCollectedCommissions } from '../support/collected-commissions.ts';
import { differences, createEarner, openPayoutWorld, payoutsOf, sentBySandbox } from '../support/payouts.ts';

/** Payouts under a creator who wants more, an operator in a hurry, and a provider that loses data. */
const world = await openPayoutWorld();
afterAll(() => world.close());

const hold = ({ storeId, commissionId }: { readonly storeId: Id<'store'>; readonly commissionId: Id<'com'> }) =>
  world.platform.database.run(sql`
    update commissions set held_reason = 'fraud_review', held_by = 'a test', held_since = ${world.platform.clock.now()}
    where store_id = ${storeId} and commission_id = ${commissionId}`);

test('a dry run leaves out commissions on hold, as the run does', async () => {
  const { creatorId, sales } = await createEarner(world, [3_000, 4_000]);
  const [held] = sales;
  if (held) await hold(held);
  const planned = await world.run({ creatorId, isDry: true });
  expect(planned.payouts).toMatchObject([{ amount: 4_000n }]);
  expect((await world.run({ creatorId })).payouts).toMatchObject([{ amount: 4_000n }]);
  const all = await createEarner(world, [5_000]);
  for (const sale of all.sales) await hold(sale);
  expect((await world.run({ creatorId: all.creatorId, isDry: true })).payouts).toEqual([]);
  expect((await world.run({ creatorId: all.creatorId })).payouts).toEqual([]);
});

test('a payout that the provider accepted and then no longer knows is never paid a second time', async () => {
  const { creatorId } = await createEarner(world, [3_000], 'never');
  await world.run({ creatorId });
  const [payout] = await payoutsOf(world, creatorId);
  const reference = publicId('pay', payout?.payoutId ?? ('' as Id<'pay'>));
  await world.platform.database.run(sql`delete from sandbox_movements where reference = ${reference}`);
  world.moveBy(48 * hourMs);
  await world.later();
  await world.later();
  await world.run({ creatorId });
  expect(await payoutsOf(world, creatorId)).toMatchObject([{ state: 'sending' }]);
  expect((await sentBySandbox(world)).filter((sent) => sent.reference === reference)).toEqual([]);
});

test("a creator's statement of a past month does not change when more entries are delivered later", async () => {
  world.moveTo(new Date('2026-05-31T23:59:59.000Z'));
  const { creatorId } = await createEarner(world, [3_000]);
  world.moveTo(new Date('2026-06-01T00:00:00.000Z'));
  await deliverEarnings(world.platform, world.platform.clock.now());
  const linesIn = async (month: string) =>
    (await listCreatorStatementLines(world.platform.database, creatorId, parsePeriod(month), { after: null, limit: 10 })).map(
      ({ amountCents }) => amountCents,
    );
  expect([await linesIn('2026-05'), await linesIn('2026-06')]).toEqual([[], [3_000n]]);
});

test('a wrong entry of one store about one creator stops neither the payouts of others nor their resumption', async () => {
  const { database, clock } = world.platform;
  const [wrong, unsure, right] = [
    await createEarner(world, [3_000]),
    await createEarner(world, [4_000], 'timeout_then_ok'),
    await createEarner(world, [5_000]),
  ];
  await deliverEarnings(world.platform, clock.now());
  expect((await world.run({ creatorId: unsure.creatorId })).payouts).toMatchObject([{ state: 'unknown' }]);
  // A commission never changes its amount, so no book accepts this entry.
  const entryId = newId<'entry'>(clock.now());
  await database.run(sql`
    insert into creator_outbox (store_id, entry_id, creator_id, commission_id, kind, amount_cents, at)
    select store_id, ${entryId}::uuid, creator_id, commission_id, kind, amount_cents + 1, at from creator_outbox
    where store_id = ${wrong.storeId}`);
  world.moveBy(1_000);
  await createCollectedCommissions(world.platform, { storeId: wrong.storeId, creatorId: right.creatorId }, [600]);
  await expect(world.later()).rejects.toThrow('could not be delivered');
  expect(await payoutsOf(world, unsure.creatorId)).toMatchObject([{ state: 'paid' }]);
  const { payouts, failures } = await world.run({ creatorId: right.creatorId });
  expect([payouts, failures]).toMatchObject([[{ amount: 5_600n, state: 'paid' }], 1]);
  await database.run(sql`delete from creator_outbox where store_id = ${wrong.storeId} and entry_id = ${entryId}`);
});

test.each([
  ['2027-12-15T00:00:00.000Z', 2_500, null, 101n],
  ['2027-12-15T23:59:59.999Z', 2_500, 50_000, 101n],
  ['2027-12-14T23:59:59.999Z', 2_500, null, 2_500n],
  ['2027-12-16T00:00:00.000Z', 2_500, null, 2_500n],
  // If every cent is paid all year, that applies on this day too.
  ['2027-12-15T06:00:00.000Z', 0, null, 1n],
] as const)('at %s, with %s of the operator and %s of the creator, a payout starts at %s', (at, operators, creators, begins) => {
  const facts = { now: new Date(at), requested: null, operators: cents(operators), creators: creators === null ? null : cents(creators) };
  expect(payoutMinimum(facts)).toBe(begins);
});

test('the books agree after all of these tests', async () => {
  expect(await differences(world)).toEqual([]);
});
