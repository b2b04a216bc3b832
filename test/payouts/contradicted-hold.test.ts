import { afterAll, beforeAll, expect, test } from 'vitest';
import { setPayoutMethod } from '../../src/creators/payout-methods.ts';
import { insertConfirmation } from '../../src/payouts/confirmations-sql.ts';
import { payoutReturned, settlePayout } from '../../src/payouts/news.ts';
import { failureNow, sendPayout } from '../../src/payouts/send.ts';
import { settleLocked } from '../../src/payouts/settle.ts';
import { keepPayoutSettings } from '../../src/payouts/settings-sql.ts';
import { keepAsked, keepConfirmed, lockPayout, readPayout, unfinishedPayoutOf } from '../../src/payouts/sql.ts';
import { insertUser } from '../../src/people/users-sql.ts';
import { sql } from '../../src/platform/database/sql.ts';
import { newId, publicId, type Id } from '../../src/platform/ids.ts';
import { cents } from '../../src/platform/money.ts';
import { must } from '../../src/platform/must.ts';
import { dayMs, minuteMs } from '../../src/platform/time.ts';
import { explained, indexesOf, rowsReadIn } from '../support/explained.ts';
import { differences, earner, payoutDesk, payoutsOf, sentBySandbox, statesOf, type PayoutDesk } from '../support/payouts.ts';

let desk: PayoutDesk;
/** Runs here have no user behind them, so each payout needs two confirmations. */
let operators: ReadonlyArray<Id<'user'>>;
beforeAll(async () => {
  desk = await payoutDesk();
  const { database, clock } = desk.platform;
  const now = clock.now();
  operators = [newId<'user'>(now), newId<'user'>(now)];
  for (const [place, userId] of operators.entries()) {
    const email = `operator-${place}@tributary.example`;
    await insertUser(database, { userId, email, name: 'Operator', passwordHash: null, isOperator: true, now });
  }
});
afterAll(() => desk.close());

const paidAfterAll = { is: 'succeeded', providerId: 'po_late' } as const;
const tellPaid = (payoutId: Id<'pay'>) => settlePayout(desk.money, publicId('pay', payoutId), paidAfterAll);

const settings = (secondPersonAbove: number | null) =>
  desk.platform.database.transaction((tx) =>
    keepPayoutSettings(tx, {
      minimumCents: cents(2_500),
      secondPersonAboveCents: secondPersonAbove === null ? null : cents(secondPersonAbove),
      hasNoLimit: false,
      asked: null,
    }),
  );

/** The first payout failed, and its commissions wait in the second one for a second person. */
async function twice(word = 'ok', secondPersonAbove: number | null = 0) {
  await settings(null);
  const { creatorId, sales } = await earner(desk, [3_000], 'declined');
  await desk.run({ creatorId });
  await settings(secondPersonAbove);
  // The ids of payouts are times.
  desk.moveBy(minuteMs);
  const { database, secrets } = desk.platform;
  await setPayoutMethod(database, secrets, { creatorId, to: { sandbox: word }, at: new Date(0), hasEarned: false, setBy: null });
  await desk.run({ creatorId });
  await settings(null);
  const [first, second, ...others] = await payoutsOf(desk, creatorId);
  must(first !== undefined && second !== undefined && others.length === 0, 'two payouts were made');
  expect(first.state).toBe('failed');
  return { creatorId, sales, first: first.payoutId, second: second.payoutId };
}

const stateOf = async (creatorId: Id<'crt'>, payoutId: Id<'pay'>) => {
  const { state, failureCode } = await readPayout(desk.platform.database, { creatorId, payoutId });
  return [state, failureCode];
};
const isSent = async (payoutId: Id<'pay'>) => (await sentBySandbox(desk)).some(({ reference }) => reference === publicId('pay', payoutId));
const confirm = (creatorId: Id<'crt'>, payoutId: Id<'pay'>) =>
  desk.platform.database.transaction(async (tx) => {
    const key = { creatorId, payoutId };
    const at = desk.platform.clock.now();
    for (const userId of operators) await insertConfirmation(tx, key, { userId, at });
    const [, last] = operators;
    must(last !== undefined, 'there are two operators');
    await keepConfirmed(tx, key, { by: publicId('user', last), at });
  });

test.each(['waits for its second person', 'is confirmed and not sent yet'] as const)(
  'a payout that %s does not go out when an earlier one is told paid after all, and its money is free once more',
  async (what) => {
    const { creatorId, sales, first, second } = await twice();
    expect(await stateOf(creatorId, second)).toEqual(['awaiting_second', null]);
    if (what === 'is confirmed and not sent yet') await confirm(creatorId, second);
    await tellPaid(first);
    await desk.later();
    expect(await stateOf(creatorId, second)).toEqual(['failed', 'earlier_contradicted']);
    expect(await isSent(second)).toBe(false);
    expect(await statesOf(desk, sales)).toEqual(['collected']);
    expect((await desk.run({ creatorId })).payouts).toEqual([]);
  },
);

test('news that is being kept while the next payout is sent is waited for: the payout does not go out', async () => {
  const { creatorId, first, second } = await twice();
  await confirm(creatorId, second);
  const { database } = desk.platform;
  let hasSent = false;
  const sending = await database.transaction(async (tx) => {
    await settleLocked(tx, desk.platform, await lockPayout(tx, { creatorId, payoutId: first }), paidAfterAll);
    const begun = sendPayout(desk.money, { creatorId, payoutId: second }).then(() => (hasSent = true));
    await somebodyWaits(() => hasSent);
    expect(hasSent).toBe(false);
    return [begun];
  });
  await Promise.all(sending);
  expect(await stateOf(creatorId, second)).toEqual(['failed', 'earlier_contradicted']);
  expect(await isSent(second)).toBe(false);
});

test('a payout that is being sent while the news comes is waited for, and named to the operators', async () => {
  const { creatorId, first, second } = await twice();
  await confirm(creatorId, second);
  const { database, clock } = desk.platform;
  let hasHeard = false;
  const hearing = await database.transaction(async (tx) => {
    const payout = await lockPayout(tx, { creatorId, payoutId: second });
    expect(await failureNow(tx, desk.platform, payout)).toBeNull();
    await keepAsked(tx, payout, clock.now());
    const heard = tellPaid(first).then(() => (hasHeard = true));
    await somebodyWaits(() => hasHeard);
    expect(hasHeard).toBe(false);
    return [heard];
  });
  await Promise.all(hearing);
  expect(await toldOf('payout.contradicted', first)).toMatchObject([{ on_its_way: publicId('pay', second) }]);
});

/** Until the database says that somebody waits for a lock, or what should wait is over. */
async function somebodyWaits(isOver: () => boolean): Promise<void> {
  for (let round = 0; round < 500 && !isOver(); round++) {
    const { count } = await desk.platform.database.one<{ count: bigint }>(sql`
      select count(*) from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`);
    if (count > 0n) return;
    await new Promise((done) => setTimeout(done, 10));
  }
}

test('one that is on its way is not told to pay once more, and the operators hear of it by its id', async () => {
  const { creatorId, first, second } = await twice('timeout_not_done', null);
  expect(await stateOf(creatorId, second)).toEqual(['unknown', null]);
  const key = { creatorId, payoutId: second };
  const { askedAt } = await readPayout(desk.platform.database, key);
  await tellPaid(first);
  expect(await toldOf('payout.contradicted', first)).toEqual([
    { why: expect.anything(), amount_cents: 3_000, on_its_way: publicId('pay', second) },
  ]);
  await desk.later();
  expect((await readPayout(desk.platform.database, key)).askedAt).toEqual(askedAt);
  desk.moveBy(3 * dayMs);
  await desk.later();
  expect(await stateOf(creatorId, second)).toEqual(['failed', 'never_arrived']);
});

const toldOf = async (action: string, payoutId: Id<'pay'>): Promise<readonly unknown[]> => {
  const rows = await desk.platform.database.all<{ details: unknown }>(sql`
    select details from audit_log where action = ${action} and subject = ${publicId('pay', payoutId)}`);
  return rows.map(({ details }) => details);
};

test('told returned after it was told paid, the money is back: the creator is paid again, and the audit log says why', async () => {
  const { creatorId, first, second } = await twice();
  await tellPaid(first);
  await desk.later();
  expect(await stateOf(creatorId, second)).toEqual(['failed', 'earlier_contradicted']);
  for (let times = 0; times < 2; times += 1) await payoutReturned(desk.money, { reference: publicId('pay', first), why: 'account closed' });
  expect(await toldOf('payout.contradiction_decided', first)).toEqual([{ why: 'account closed' }]);
  expect((await stateOf(creatorId, first))[0]).toBe('failed');
  expect((await desk.run({ creatorId })).payouts).toMatchObject([{ amount: 3_000n, state: 'paid' }]);
  expect((await differences(desk)).filter((text) => text.includes(creatorId))).toEqual([]);
});

test('what holds up a creator is found by its indexes, however many payouts they had', async () => {
  const { creatorId, first } = await twice('ok', null);
  const { database } = desk.platform;
  const at = desk.platform.clock.now();
  await database.run(sql`
    insert into payouts select (jsonb_populate_record(p, jsonb_build_object('payout_id', id))).*
    from (select p from payouts p where creator_id = ${creatorId} and payout_id = ${first}) as one,
      unnest(${Array.from({ length: 2_000 }, () => newId<'pay'>(at))}::uuid[]) as id`);
  await database.run(sql`analyze payouts`);
  const asked = () => explained(database, (db) => unfinishedPayoutOf(db, creatorId));
  const before = await asked();
  expect(indexesOf(before)).toEqual(['payout_contradicted', 'payout_unfinished']);
  await tellPaid(first);
  // What was unfinished a moment ago is met there until the database has swept it out.
  for (const one of [before, await asked()]) expect(rowsReadIn(one)).toBeLessThanOrEqual(5);
});
