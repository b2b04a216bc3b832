import { globSync, readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { sql } from '../../src/db/sql.ts';
import type { Transaction } from '../../src/db/database.ts';
import { newId, readPublicId } from '../../src/core/ids.ts';
import { invariant } from '../../src/core/invariant.ts';
import { invoiceCommissions, chargeBackCommissions, collectCommissions, creditCommissions } from '../../src/commissions/billing-sql.ts';
import {
  canTransition,
  commissionStates,
  commissionTransitions,
  type CommissionEvent,
  type CommissionState,
} from '../../src/commissions/commission-states.ts';
import { reverseCommissions } from '../../src/commissions/commissions-sql.ts';
import { payCommissions, releaseFromPayout } from '../../src/commissions/payout-sql.ts';
import { approveCommissions, rejectCommissions, reopenCommissions } from '../../src/commissions/review-sql.ts';
import { openSharedMerchant } from '../support/merchant.ts';
import { openMany } from '../support/review.ts';

const merchant = await openSharedMerchant();
const [opened = ''] = await openMany(merchant, 1);
const id = readPublicId('com', opened);
invariant(id, 'a commission was opened');
const commissionId = id;

const at = new Date('2026-03-01T12:00:00.000Z');
const payoutId = newId<'pay'>(at);

const keys = () => ({ storeId: merchant.storeId, commissionIds: [commissionId] });
const payout = () => ({ storeId: merchant.storeId, payoutId });

/** The function that writes each event. */
const writers: Readonly<Record<CommissionEvent, (tx: Transaction) => Promise<unknown>>> = {
  approve: (tx) => approveCommissions(tx, keys(), at),
  reject: (tx) => rejectCommissions(tx, keys(), { at, reason: 'returned', note: null }),
  reopen: (tx) => reopenCommissions(tx, keys()),
  reverse: (tx) => reverseCommissions(tx, [{ storeId: merchant.storeId, commissionId, at, reason: null }]),
  invoice: (tx) => invoiceCommissions(tx, keys(), newId<'inv'>(at)),
  collect: (tx) => collectCommissions(tx, keys()),
  chargeBack: (tx) => chargeBackCommissions(tx, keys()),
  credit: (tx) => creditCommissions(tx, keys(), { at, reason: 'returned' }),
  pay: (tx) => payCommissions(tx, payout(), { limit: 1, at }),
  leavePayout: (tx) => releaseFromPayout(tx, payout(), 1),
  leavePayoutUncollected: (tx) => releaseFromPayout(tx, payout(), 1),
};
const payoutEvents: ReadonlySet<CommissionEvent> = new Set(['pay', 'leavePayout', 'leavePayoutUncollected']);

/** Puts the commission into a state, with the columns that the state and the event require. */
async function arrange(tx: Transaction, event: CommissionEvent, state: CommissionState): Promise<void> {
  const isPaid = state === 'paid';
  await tx.run(sql`
    update commissions set state = ${state}, approved_at = ${at}, invoice_id = ${newId(at)},
      rejected_at = ${state === 'rejected' ? at : null}, reversed_at = ${state === 'reversed' ? at : null},
      paid_at = ${isPaid ? at : null}, payout_id = ${isPaid || payoutEvents.has(event) ? payoutId : null},
      advanced_at = ${event === 'leavePayoutUncollected' ? at : null}
    where store_id = ${merchant.storeId} and commission_id = ${commissionId}`);
}

class Rollback extends Error {}

/** The state after the event, or null if the write function refuses or changes nothing. Rolls back. */
async function stateAfter(event: CommissionEvent, from: CommissionState): Promise<string | null> {
  let after: string | null = null;
  const tried = merchant.database.transaction(async (tx) => {
    await arrange(tx, event, from);
    const before = await readRow(tx);
    await writers[event](tx);
    const row = await readRow(tx);
    after = row.version === before.version ? null : row.state;
    throw new Rollback();
  });
  const error: unknown = await tried.catch((thrown: unknown) => thrown);
  if (!(error instanceof Rollback)) expect(String(error)).toContain('still in the state that the decision was based on');
  return after;
}

/** `ctid` changes with every write to the row. */
const readRow = (tx: Transaction) =>
  tx.one<{ state: string; version: string }>(
    sql`select state, ctid::text as version from commissions where store_id = ${merchant.storeId} and commission_id = ${commissionId}`,
  );

/** Leaving a payout is guarded by the payout's ID alone: only a collected or paid commission is in a payout. */
const isGuardedByState = (event: CommissionEvent) => event !== 'leavePayout' && event !== 'leavePayoutUncollected';

const events = Object.keys(commissionTransitions) as readonly CommissionEvent[];
const cases = events.flatMap((event) => commissionStates.map((state) => [event, state] as const));

test.each(cases.filter(([event, state]) => isGuardedByState(event) || canTransition(state, event)))(
  '"%s" of a commission that is %s does what the table says',
  async (event, state) => {
    const expected = canTransition(state, event) ? commissionTransitions[event].to : null;
    expect(await stateAfter(event, state)).toBe(expected);
  },
);

test('every statement that changes the state of a commission takes it from the table', () => {
  const statements = globSync('src/**/*.ts').flatMap((path) =>
    [...readFileSync(path, 'utf8').matchAll(/update commissions\b[^`]*/g)].map(([text]) => ({ path, text })),
  );
  expect(statements.length).toBeGreaterThan(5);
  const literal = statements.filter(({ text }) => /\bset\b(?:(?!\bwhere\b)[^])*\bstate = (?!\$\{stateAfter\(|case when)/.test(text));
  expect(literal).toEqual([]);
});
