import { afterEach, beforeEach, expect, test } from 'vitest';
import { deliverEarnings } from '../../src/payouts/deliver-earnings.ts';
import { differences, createEarner, openPayoutWorld, type PayoutWorld } from '../support/payouts.ts';

let world: PayoutWorld;
beforeEach(async () => {
  world = await openPayoutWorld();
});
afterEach(() => world.close());

const found = async () => new Set((await differences(world)).map((text) => text.slice(0, text.indexOf(':'))));

const entries = 'each entry that a store sends to its creators is in their books exactly once';
const earned = 'what a creator earned is what the entries say';
const books = 'the books of store and creator differ by what is on its way and nothing else';
const accounts = "a creator's accounts are what is earned, on its way and paid";
const tooMuch = 'no creator is paid more than was collected or advanced';
const lines = 'a payout is the sum of its lines';
const decided = 'no failed payout is reported as paid without a decision since';
const inPayout = 'a commission is in the payout that pays its creator, and in no other';

/** Each row corrupts its own database. */
test.each<[what: string, breaking: string, check: string]>([
  ['an entry that is marked as delivered but missing', `update creator_outbox set delivered_at = at where delivered_at is null`, entries],
  ['an entry of another amount', 'update creator_entries set amount_cents = amount_cents + 1', entries],
  ['an entry that no store sent', 'update creator_outbox set entry_id = commission_id', entries],
  ['an earning that is counted twice', 'update earnings set collected = 2', earned],
  [
    'a ledger that received more from a store than was sent',
    `update creator_balances set debit_cents = debit_cents + 1 where account = 'from_stores'`,
    books,
  ],
  ['an account with a cent too much', `update creator_balances set credit_cents = credit_cents + 1 where account = 'available'`, accounts],
  ['more paid than was available', `update creator_balances set debit_cents = debit_cents + 1 where account = 'available'`, tooMuch],
  ['a payout of another amount', 'update payouts set amount_cents = amount_cents + 1', lines],
  ['a deleted line', 'delete from payout_lines', lines],
  ['a commission that left its payout', `update commissions set state = 'collected', payout_id = null, paid_at = null`, inPayout],
  ['a commission that was not updated', `update commissions set state = 'collected', paid_at = null`, inPayout],
  ['a commission in a missing payout', 'update commissions set payout_id = commission_id', inPayout],
  [
    'a failed payout that is reported paid',
    `update payouts set state = 'failed', failure_code = 'no', contradicted_at = ended_at`,
    decided,
  ],
  ['an earning that is in no payout', 'update earnings set payout_id = null', inPayout],
])('verification finds %s', async (_what, breaking, check) => {
  const { creatorId } = await createEarner(world, [3_000, 20]);
  await world.run({ creatorId });
  // An entry of another creator that is not delivered yet.
  await createEarner(world, [1]);
  expect(await differences(world)).toEqual([]);
  await world.platform.database.pool.query(breaking);
  expect(await found()).toContain(check);
});

test('verification reports no difference for entries between ledgers, before or after delivery', async () => {
  await createEarner(world, [500]);
  expect(await differences(world)).toEqual([]);
  await deliverEarnings(world.platform, world.platform.clock.now());
  expect(await differences(world)).toEqual([]);
});
