import { afterAll, expect, test } from 'vitest';
import { newId } from '../../src/core/ids.ts';
import { cents } from '../../src/core/money.ts';
import { stateAfterEvent } from '../../src/core/state-machine.ts';
import type { Transaction } from '../../src/db/database.ts';
import { sql } from '../../src/db/sql.ts';
import { decidePayoutEnd, type PayoutEnd, type PayoutOutcome } from '../../src/payouts/decide-payout.ts';
import { payoutStates, payoutTransitions, type PayoutEvent, type PayoutState } from '../../src/payouts/payout-states.ts';
import {
  saveConfirmed,
  saveContradicted,
  saveContradictionDecided,
  saveDrafted,
  saveFailed,
  saveGivenUp,
  savePaid,
  saveReturned,
  saveSending,
  saveSendingAgain,
  saveUnconfirmed,
  saveWaiting,
} from '../../src/payouts/payouts-sql.ts';
import { barePlatform } from '../support/bare-platform.ts';
import { otherStateWriters, stateAfterWrite } from '../support/transitions.ts';

const bare = await barePlatform();
afterAll(() => bare.close());

const at = new Date('2026-03-01T12:00:00.000Z');
const key = { creatorId: newId<'crt'>(at), payoutId: newId<'pay'>(at) };
const failure = { code: 'declined', message: 'The bank declined it.' };
const method = { payoutMethodId: newId<'pom'>(at), provider: 'sandbox', instrument: 'ok' } as const;
const drafted = { amount: cents(5_000), byStore: [], method, at };

/** The function that writes each event. */
const writers: Readonly<Record<PayoutEvent, (tx: Transaction) => Promise<unknown>>> = {
  giveUp: (tx) => saveGivenUp(tx, key, at),
  draft: (tx) => saveDrafted(tx, key, { ...drafted, as: 'ready' }),
  draftLarge: (tx) => saveDrafted(tx, key, { ...drafted, as: 'awaiting_second' }),
  confirm: (tx) => saveConfirmed(tx, key, { by: 'user_1', at }),
  unconfirm: (tx) => saveUnconfirmed(tx, key),
  send: (tx) => saveSending(tx, key, at),
  sendAgain: (tx) => saveSendingAgain(tx, key, at),
  accept: (tx) => saveWaiting(tx, key, { as: 'sending', providerId: 'po_1' }),
  loseAnswer: (tx) => saveWaiting(tx, key, { as: 'unknown', providerId: null }),
  pay: (tx) => savePaid(tx, key, { providerId: 'po_1', at }),
  fail: (tx) => saveFailed(tx, key, { failure, at }),
  return: (tx) => saveReturned(tx, key, { failure, at }),
  contradict: (tx) => saveContradicted(tx, key, at),
  resolveContradiction: (tx) => saveContradictionDecided(tx, key, at),
};

/** Inserts a payout in a state, with the columns that the state requires. */
async function arrange(tx: Transaction, state: PayoutState): Promise<void> {
  const isDraft = state === 'gathering' || state === 'given_up';
  const isFailed = state === 'failed' || state === 'returned';
  await tx.run(sql`
    insert into payouts (creator_id, payout_id, payout_run_id, state, started_by, begun_at, minimum_cents, amount_cents, payout_method_id,
      provider, instrument, gathered_at, sent_at, asked_at, ended_at, returned_at, failure_code, failure_message)
    values (${key.creatorId}, ${key.payoutId}, ${newId<'prun'>(at)}, ${state}, 'system', ${at}, 1, ${isDraft ? null : 5_000},
      ${isDraft ? null : method.payoutMethodId}, ${isDraft ? null : 'sandbox'}, ${isDraft ? null : 'ok'}, ${isDraft ? null : at},
      ${isDraft || state === 'ready' || state === 'awaiting_second' ? null : at},
      ${isDraft || state === 'ready' || state === 'awaiting_second' ? null : at},
      ${state === 'given_up' || state === 'paid' || isFailed ? at : null}, ${state === 'returned' ? at : null},
      ${isFailed ? 'declined' : null}, ${isFailed ? 'The bank declined it.' : null})`);
}

const read = (tx: Transaction) =>
  tx.one<{ state: string; version: string }>(
    sql`select state, ctid::text as version from payouts where creator_id = ${key.creatorId} and payout_id = ${key.payoutId}`,
  );

const events = Object.keys(payoutTransitions) as readonly PayoutEvent[];
const cases = events.flatMap((event) => payoutStates.map((state) => [event, state] as const));

test.each(cases)('"%s" of a payout that is %s does what the table says', async (event, state) => {
  const write = { arrange: (tx: Transaction) => arrange(tx, state), write: writers[event], read };
  expect(await stateAfterWrite(bare.platform.database, write)).toBe(stateAfterEvent<PayoutState>(state, payoutTransitions[event]));
});

/** The event that each decision about an outcome writes. */
const eventOf: Readonly<Record<PayoutEnd['do'], PayoutEvent | null>> = {
  pay: 'pay',
  fail: 'fail',
  return: 'return',
  wait: 'loseAnswer',
  contradict: 'contradict',
  decide_contradiction: 'resolveContradiction',
  nothing: null,
  wonder: null,
};
const outcomes: readonly PayoutOutcome[] = [
  { is: 'succeeded', providerId: 'po_1' },
  { is: 'declined', providerId: null, ...failure },
  { is: 'pending', providerId: 'po_1' },
  { is: 'unknown', why: 'no answer' },
  { is: 'returned', why: 'account closed' },
];

test.each(payoutStates)('every decision about an outcome of a payout that is %s is an event that may happen in that state', (state) => {
  const contradictions = ['none', 'open', 'decided'] as const;
  const decided = contradictions.flatMap((contradiction) =>
    outcomes.map((one) => eventOf[decidePayoutEnd({ state, contradiction }, one).do]),
  );
  const illegal = decided.filter((event) => event !== null && stateAfterEvent<PayoutState>(state, payoutTransitions[event]) === null);
  expect(illegal).toEqual([]);
});

test('every statement that changes the state of a payout takes it from the table', () => {
  const { statements, others } = otherStateWriters('payouts');
  expect(statements).toBeGreaterThan(1);
  // The changes of this one are built by `transitionPayout`.
  expect(others).toEqual([]);
});
