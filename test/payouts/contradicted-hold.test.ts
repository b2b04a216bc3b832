import { isCluster } from '../support/database.ts';
import { untilLockWaits } from '../support/lock-waits.ts';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { setPayoutMethod } from '../../src/creators/payout-methods.ts';
import {
  insertConfirmation,
  saveSending,
  saveConfirmed,
  lockPayout,
  readPayout,
  findUnfinishedPayout,
} from '../../src/payouts/payouts-sql.ts';
import { findFailureBeforeSending, handlePayoutReturned, sendPayout, handlePayoutEvent } from '../../src/payouts/send-payout.ts';
import { settlePayoutLocked } from '../../src/payouts/settle-payout.ts';
import { savePayoutSettings } from '../../src/payouts/payout-settings-sql.ts';
import { insertUser } from '../../src/people/users-sql.ts';
import { sql, uuids } from '../../src/db/sql.ts';
import { type Id, newId, publicId } from '../../src/core/ids.ts';
import { cents } from '../../src/core/money.ts';
import { invariant } from '../../src/core/invariant.ts';
import { dayMs, minuteMs } from '../../src/core/time.ts';
import { explainQuery, indexesOf, totalRowsRead } from '../support/explained.ts';
import { differences, createEarner, openPayoutWorld, type PayoutWorld, payoutsOf, sentBySandbox, statesOf } from '../support/payouts.ts';

let world: PayoutWorld;
/** These runs have no user, so each payout needs two confirmations. */
let operators: ReadonlyArray<Id<'user'>>;
beforeAll(async () => {
  world = await openPayoutWorld();
  const { database, clock } = world.platform;
  const now = clock.now();
  operators = [newId<'user'>(now), newId<'user'>(now)];
  for (const [place, userId] of operators.entries()) {
    const email = `operator-${place}@tributary.example`;
    await insertUser(database, { userId, email, name: 'Operator', passwordHash: null, isOperator: true, now });
  }
});
afterAll(() => world.close());

const paidAfterAll = { is: 'succeeded', providerId: 'po_late' } as const;
const tellPaid = (payoutId: Id<'pay'>) => handlePayoutEvent(world.money, publicId('pay', payoutId), paidAfterAll);

const settings = (secondPersonAbove: number | null) =>
  world.platform.database.transaction((tx) =>
    savePayoutSettings(tx, {
      minimumCents: cents(2_500),
      secondPersonAboveCents: secondPersonAbove === null ? null : cents(secondPersonAbove),
      hasNoLimit: false,
      requested: null,
    }),
  );

/** Fails the first payout; its commissions are in a second one that awaits a second person. */
async function twice(word = 'ok', secondPersonAbove: number | null = 0) {
  await settings(null);
  const { creatorId, sales } = await createEarner(world, [3_000], 'declined');
  await world.run({ creatorId });
  await settings(secondPersonAbove);
  // Payout IDs contain their creation time.
  world.moveBy(minuteMs);
  const { database, secrets } = world.platform;
  await setPayoutMethod(database, secrets, { creatorId, to: { sandbox: word }, at: new Date(0), hasEarned: false, setBy: null });
  await world.run({ creatorId });
  await settings(null);
  const [first, second, ...others] = await payoutsOf(world, creatorId);
  invariant(first !== undefined && second !== undefined && others.length === 0, 'two payouts exist');
  expect(first.state).toBe('failed');
  return { creatorId, sales, first: first.payoutId, second: second.payoutId };
}

const stateOf = async (creatorId: Id<'crt'>, payoutId: Id<'pay'>) => {
  const { state, failureCode } = await readPayout(world.platform.database, { creatorId, payoutId });
  return [state, failureCode];
};
const isSent = async (payoutId: Id<'pay'>) => (await sentBySandbox(world)).some(({ reference }) => reference === publicId('pay', payoutId));
const confirm = (creatorId: Id<'crt'>, payoutId: Id<'pay'>) =>
  world.platform.database.transaction(async (tx) => {
    const key = { creatorId, payoutId };
    const at = world.platform.clock.now();
    for (const userId of operators) await insertConfirmation(tx, key, { userId, at });
    const [, last] = operators;
    invariant(last !== undefined, 'two operators exist');
    await saveConfirmed(tx, key, { by: publicId('user', last), at });
  });

test.each(['waits for its second person', 'is confirmed and not sent yet'] as const)(
  'a payout that %s is not sent when an earlier one is reported paid after all, and its commissions are free again',
  async (what) => {
    const { creatorId, sales, first, second } = await twice();
    expect(await stateOf(creatorId, second)).toEqual(['awaiting_second', null]);
    if (what === 'is confirmed and not sent yet') await confirm(creatorId, second);
    await tellPaid(first);
    await world.later();
    expect(await stateOf(creatorId, second)).toEqual(['failed', 'earlier_contradicted']);
    expect(await isSent(second)).toBe(false);
    expect(await statesOf(world, sales)).toEqual(['collected']);
    expect((await world.run({ creatorId })).payouts).toEqual([]);
  },
);

test('sending waits for an event about an earlier payout that is being saved, and then does not send', async () => {
  const { creatorId, first, second } = await twice();
  await confirm(creatorId, second);
  const { database } = world.platform;
  let hasSent = false;
  const sending = await database.transaction(async (tx) => {
    await settlePayoutLocked(tx, world.platform, await lockPayout(tx, { creatorId, payoutId: first }), paidAfterAll);
    const begun = sendPayout(world.money, { creatorId, payoutId: second }).then(() => (hasSent = true));
    await untilLockWaits(world.platform.database, 1);
    expect(hasSent).toBe(false);
    return [begun];
  });
  await Promise.all(sending);
  expect(await stateOf(creatorId, second)).toEqual(['failed', 'earlier_contradicted']);
  expect(await isSent(second)).toBe(false);
});

test('an event about an earlier payout waits for the payout that is being sent, and the operators get its ID', async () => {
  const { creatorId, first, second } = await twice();
  await confirm(creatorId, second);
  const { database, clock } = world.platform;
  let isReported = false;
  const hearing = await database.transaction(async (tx) => {
    const payout = await lockPayout(tx, { creatorId, payoutId: second });
    expect(await findFailureBeforeSending(tx, world.platform, payout)).toBeNull();
    await saveSending(tx, payout, clock.now());
    const report = tellPaid(first).then(() => (isReported = true));
    await untilLockWaits(world.platform.database, 1);
    expect(isReported).toBe(false);
    return [report];
  });
  await Promise.all(hearing);
  expect(await auditOf('payout.contradicted', first)).toMatchObject([{ on_its_way: publicId('pay', second) }]);
});

test('does not send a payout that is in transit again, and gives the operators its ID', async () => {
  const { creatorId, first, second } = await twice('timeout_not_done', null);
  expect(await stateOf(creatorId, second)).toEqual(['unknown', null]);
  const key = { creatorId, payoutId: second };
  const { calledAt } = await readPayout(world.platform.database, key);
  await tellPaid(first);
  expect(await auditOf('payout.contradicted', first)).toEqual([
    { why: expect.anything(), amount_cents: 3_000, on_its_way: publicId('pay', second) },
  ]);
  await world.later();
  expect((await readPayout(world.platform.database, key)).calledAt).toEqual(calledAt);
  world.moveBy(3 * dayMs);
  await world.later();
  expect(await stateOf(creatorId, second)).toEqual(['failed', 'never_arrived']);
});

const auditOf = async (action: string, payoutId: Id<'pay'>): Promise<readonly unknown[]> => {
  const rows = await world.platform.database.all<{ details: unknown }>(sql`
    select details from audit_log where action = ${action} and subject = ${publicId('pay', payoutId)}`);
  return rows.map(({ details }) => details);
};

test('pays a creator again if a payout is reported returned after it was reported paid, and the audit log says why', async () => {
  const { creatorId, first, second } = await twice();
  await tellPaid(first);
  await world.later();
  expect(await stateOf(creatorId, second)).toEqual(['failed', 'earlier_contradicted']);
  for (let times = 0; times < 2; times += 1)
    await handlePayoutReturned(world.money, { reference: publicId('pay', first), why: 'account closed' });
  expect(await auditOf('payout.contradiction_decided', first)).toEqual([{ why: 'account closed' }]);
  expect((await stateOf(creatorId, first))[0]).toBe('failed');
  expect((await world.run({ creatorId })).payouts).toMatchObject([{ amount: 3_000n, state: 'paid' }]);
  expect((await differences(world)).filter((text) => text.includes(creatorId))).toEqual([]);
});

test.skipIf(isCluster)('finds the payouts that block a creator by index, however many payouts the creator has', async () => {
  const { creatorId, first } = await twice('ok', null);
  const { database } = world.platform;
  const at = world.platform.clock.now();
  await database.run(sql`
    insert into payouts select (jsonb_populate_record(p, jsonb_build_object('payout_id', id))).*
    from (select p from payouts p where creator_id = ${creatorId} and payout_id = ${first}) as one,
      unnest(${uuids(Array.from({ length: 2_000 }, () => newId<'pay'>(at)))}) as id`);
  await database.run(sql`analyze payouts`);
  const explain = () => explainQuery(database, (db) => findUnfinishedPayout(db, creatorId));
  const before = await explain();
  expect(indexesOf(before)).toEqual(['payout_contradicted', 'payout_unfinished']);
  await tellPaid(first);
  // The index contains recently finished payouts until a vacuum removes them.
  for (const one of [before, await explain()]) expect(totalRowsRead(one)).toBeLessThanOrEqual(5);
});
