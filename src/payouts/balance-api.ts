import { unpaidEarnings } from '../commissions/payout-sql.ts';
import { listStoresOfCreator } from '../creators/members-sql.ts';
import type { Reserve } from '../holds/decide-reserve.ts';
import { listReserves } from '../holds/reserves.ts';
import { type CreatorBalance, creatorBalances } from '../ledger/creator-ledger-sql.ts';
import type { CreatorAccount } from '../ledger/creator-postings.ts';
import type { Config } from '../core/config.ts';
import type { Queryable } from '../db/database.ts';
import type { Id } from '../core/ids.ts';
import { cents, type Cents, dollars, noCents } from '../core/money.ts';
import { never } from '../core/invariant.ts';
import { decidePayout, nextPayoutAt, payoutMinimum, type WaitReason } from './decide-payout.ts';
import { readStoredPayoutSettings } from './payout-settings-sql.ts';
import { findUnfinishedPayout } from './payouts-sql.ts';
import { type PayeeEligibility, readPayeeEligibility } from './payee-eligibility.ts';
import { Type as T } from 'typebox';
import { endpoint } from '../people/endpoint.ts';
import { centsField, isoTime, isoTimeOrNull, namedObject, orNull } from '../http/fields.ts';
import { apiMessage } from '../messages/api-message.ts';

export const blockReasons = [
  'suspended',
  'under_review',
  'unfinished_payout',
  'no_method',
  'came_back',
  'cool_down',
  'under_minimum',
  'held',
  'reserve',
  'refund_hold',
  'waiting_for_merchant',
] as const;

export type BlockReason = (typeof blockReasons)[number];

/** Why some of it is not in the next payout: reason code and message. */
export type Block = { readonly reason: BlockReason; readonly amount: Cents; readonly until: Date | null; readonly message: string };

export type Balance = {
  readonly available: Cents;
  readonly held: Cents;
  /** Collected, in stores whose reserve period is not over. */
  readonly reserved: Cents;
  readonly inPayout: Cents;
  readonly paid: Cents;
  readonly inHold: Cents;
  readonly waiting: Cents;
  readonly next: { readonly at: Date; readonly amount: Cents; readonly minimum: Cents };
  readonly blocks: readonly Block[];
};

/** A creator's balance: available money by the creator's ledger, expected money by the commissions of their stores. */
type When = { readonly mode: Config['mode']; readonly now: Date };

export async function balanceOf(db: Queryable, creatorId: Id<'crt'>, { mode, now }: When): Promise<Balance> {
  const book = await creatorBalances(db, creatorId);
  const eligibility = await readPayeeEligibility(db, creatorId);
  const storeIds = await listStoresOfCreator(db, creatorId);
  const reserves = await listReserves(db, storeIds, { mode, now });
  const query = { creatorId, storeIds, reservedStoreIds: [...reserves.keys()], now };
  const { heldCents, heldCollectedCents, reservedCents, inHoldCents, waitingCents } = await unpaidEarnings(db, query);
  const free = atLeastZero(sumOf(book, 'available') - heldCollectedCents - reservedCents);
  const { next, block } = await nextPayout(db, creatorId, { eligibility, free, now });
  const held = cents(heldCents + heldCollectedCents);
  const blocks = [
    block,
    ...waitingBlocks({
      held,
      reserved: reservedCents,
      reservedUntil: lastReserveEnd(reserves.values()),
      inHold: inHoldCents,
      waiting: waitingCents,
    }),
  ].flatMap((one) => one ?? []);
  return {
    available: free,
    held,
    reserved: reservedCents,
    inPayout: sumOf(book, 'in_payout'),
    paid: sumOf(book, 'paid'),
    inHold: inHoldCents,
    waiting: waitingCents,
    next,
    blocks,
  };
}

const sumOf = (book: readonly CreatorBalance[], account: CreatorAccount): Cents =>
  atLeastZero(book.reduce((total, one) => (one.account === account ? total + one.amount : total), 0n));

/** A reversal may be delivered before its earning, so the sum is negative for a moment. */
const atLeastZero = (amount: bigint): Cents => (amount < 0n ? noCents : cents(amount));

type NextPayoutQuery = { readonly eligibility: PayeeEligibility; readonly free: Cents; readonly now: Date };

/** Decides as of that day, assuming that nothing changes until then. */
async function nextPayout(db: Queryable, creatorId: Id<'crt'>, { eligibility, free, now }: NextPayoutQuery) {
  const at = nextPayoutAt(now);
  const { minimumCents } = await readStoredPayoutSettings(db);
  const minimum = payoutMinimum({ now: at, requested: null, operators: minimumCents, creators: eligibility.ownMinimum });
  const { isSuspended, isUnderReview, method } = eligibility;
  const unfinished = await findUnfinishedPayout(db, creatorId);
  const isAnotherUnfinished = unfinished !== null;
  const decision = decidePayout({
    now: at,
    isSuspended,
    isUnderReview,
    isAnotherUnfinished,
    amount: free,
    minimum,
    method,
    secondPersonAbove: null,
  });
  const amount = decision.do === 'pay' ? free : noCents;
  const isLookedInto = unfinished?.state === 'failed';
  const block = decision.do === 'pay' ? null : blockOf(decision.because, { eligibility, free, minimum, isLookedInto });
  return { next: { at, amount, minimum }, block };
}

type Blocked = {
  readonly eligibility: PayeeEligibility;
  readonly free: Cents;
  readonly minimum: Cents;
  /** The blocking payout is not in transit: it failed and was later reported as paid. */
  readonly isLookedInto: boolean;
};

function blockOf(reason: WaitReason, { eligibility, free, minimum, isLookedInto }: Blocked): Block | null {
  const block = { amount: free, until: null };
  switch (reason) {
    case 'nothing_available':
      return null;
    case 'suspended':
      return {
        ...block,
        reason,
        message: apiMessage('balance_api.your_account_suspended_so_payouts'),
      };
    case 'under_review':
      return { ...block, reason, message: apiMessage('balance_api.your_payouts_under_review_by') };
    case 'unfinished_payout':
      return {
        ...block,
        reason,
        message: isLookedInto
          ? apiMessage('balance_api.we_investigating_earlier_payout_next')
          : apiMessage('balance_api.payout_on_its_way_next'),
      };
    case 'no_method':
      return { ...block, reason, message: apiMessage('balance_api.you_have_no_payout_method') };
    case 'came_back':
      return { ...block, reason, message: apiMessage('balance_api.your_bank_returned_last_payout') };
    case 'cool_down':
      return {
        ...block,
        reason,
        until: eligibility.method?.usableFrom ?? null,
        message: apiMessage('balance_api.your_payout_method_changed_payouts'),
      };
    case 'under_minimum':
      return { ...block, reason, message: apiMessage('balance_api.payouts_start_at_smaller', { minimum: dollars(minimum) }) };
    default:
      return never(reason);
  }
}

/** The day on which the last one ends. Null: one has no end date yet. A store that was never charged has paid nothing. */
function lastReserveEnd(reserves: Iterable<Reserve>): Date | null {
  const ends = [...reserves].flatMap((reserve) => (reserve.is === 'running' ? [reserve.at] : []));
  const days = ends.flatMap((end) => (end === null ? [] : [end.getTime()]));
  return days.length === 0 || days.length < ends.length ? null : new Date(Math.max(...days));
}

type Waiting = {
  readonly held: Cents;
  readonly reserved: Cents;
  readonly reservedUntil: Date | null;
  readonly inHold: Cents;
  readonly waiting: Cents;
};

function waitingBlocks({ held, reserved, reservedUntil, inHold, waiting }: Waiting): readonly Block[] {
  const all: readonly Block[] = [
    { reason: 'held', amount: held, until: null, message: apiMessage('balance_api.these_sales_under_review_they') },
    {
      reason: 'reserve',
      amount: reserved,
      until: reservedUntil,
      message: apiMessage('balance_api.first_payments_new_store_paid'),
    },
    {
      reason: 'refund_hold',
      amount: inHold,
      until: null,
      message: apiMessage('balance_api.these_sales_their_refund_hold'),
    },
    {
      reason: 'waiting_for_merchant',
      amount: waiting,
      until: null,
      message: apiMessage('balance_api.these_sales_wait_for_merchant'),
    },
  ];
  return all.filter(({ amount }) => amount > 0n);
}

export const getBalance = endpoint({
  summary: "Get a creator's balances, the date of the next payout, and what blocks the rest",
  access: { allow: 'creator', permission: 'creator:read' },
  reply: namedObject('Balance', {
    available_cents: centsField('Paid by merchants and available for payout'),
    in_payout_cents: centsField('In a payout that has not arrived'),
    paid_cents: centsField('Paid out so far'),
    in_hold_cents: centsField('Within its refund hold'),
    waiting_for_merchant_cents: centsField('Not yet approved, not yet invoiced, or on an unpaid invoice'),
    held_cents: centsField('Under review by the merchant or the platform'),
    reserved_cents: centsField('Paid by new stores, and held until their reserve period ends'),
    next_payout: T.Object({ at: T.String(), amount_cents: centsField(), minimum_cents: centsField() }),
    blocks: T.Array(
      T.Object({ reason: T.Enum([...blockReasons]), amount_cents: centsField(), until: orNull(T.String()), message: T.String() }),
    ),
  }),
  async handle({ platform, db, ids, now }) {
    const { next, blocks, ...sums } = await balanceOf(db, ids.creator, { mode: platform.config.mode, now });
    return {
      available_cents: sums.available,
      in_payout_cents: sums.inPayout,
      paid_cents: sums.paid,
      in_hold_cents: sums.inHold,
      waiting_for_merchant_cents: sums.waiting,
      held_cents: sums.held,
      reserved_cents: sums.reserved,
      next_payout: { at: isoTime(next.at), amount_cents: next.amount, minimum_cents: next.minimum },
      blocks: blocks.map(({ reason, amount, until, message }) => ({
        reason,
        amount_cents: amount,
        until: isoTimeOrNull(until),
        message,
      })),
    };
  },
});
