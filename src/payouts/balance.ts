import { onTheWayTo } from '../commissions/payout-sql.ts';
import { storesOfCreator } from '../creators/members-sql.ts';
import type { Reserve } from '../holds/decide-reserve.ts';
import { reservesOf } from '../holds/reserves.ts';
import { creatorBalances, type CreatorBalance } from '../ledger/creator-sql.ts';
import type { CreatorAccount } from '../ledger/creator-posting.ts';
import type { Config } from '../platform/config.ts';
import type { Queryable } from '../platform/database/database.ts';
import type { Id } from '../platform/ids.ts';
import { cents, dollars, noCents, type Cents } from '../platform/money.ts';
import { never } from '../platform/must.ts';
import { nextPayoutAt } from './calendar.ts';
import { decidePayout, payoutMinimum, type WaitReason } from './decide-payout.ts';
import { readKeptSettings } from './settings-sql.ts';
import { unfinishedPayoutOf } from './sql.ts';
import { standingOf, type Standing } from './standing.ts';

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

/** Why some of it is not in the next payout, as data and in words. */
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

/** Where a creator's money is: theirs by the creator's book, and on its way by the commissions of the stores they sell for. */
type When = { readonly mode: Config['mode']; readonly now: Date };

export async function balanceOf(db: Queryable, creatorId: Id<'crt'>, { mode, now }: When): Promise<Balance> {
  const book = await creatorBalances(db, creatorId);
  const standing = await standingOf(db, creatorId);
  const storeIds = await storesOfCreator(db, creatorId);
  const reserves = await reservesOf(db, storeIds, { mode, now });
  const asked = { creatorId, storeIds, reservedStoreIds: [...reserves.keys()], now };
  const { heldCents, heldCollectedCents, reservedCents, inHoldCents, waitingCents } = await onTheWayTo(db, asked);
  const free = notBelowNothing(sumOf(book, 'available') - heldCollectedCents - reservedCents);
  const { next, block } = await nextPayout(db, creatorId, { standing, free, now });
  const held = cents(heldCents + heldCollectedCents);
  const blocks = [
    block,
    ...waits({ held, reserved: reservedCents, reservedUntil: lastEnd(reserves.values()), inHold: inHoldCents, waiting: waitingCents }),
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
  notBelowNothing(book.reduce((total, one) => (one.account === account ? total + one.amount : total), 0n));

/** What a store took back may be told before what it gave: for that moment there is less than nothing. */
const notBelowNothing = (amount: bigint): Cents => (amount < 0n ? noCents : cents(amount));

type Asked = { readonly standing: Standing; readonly free: Cents; readonly now: Date };

/** As it would be decided on that day, if nothing happened until then. */
async function nextPayout(db: Queryable, creatorId: Id<'crt'>, { standing, free, now }: Asked) {
  const at = nextPayoutAt(now);
  const { minimumCents } = await readKeptSettings(db);
  const minimum = payoutMinimum({ now: at, asked: null, operators: minimumCents, creators: standing.ownMinimum });
  const { isSuspended, isUnderReview, method } = standing;
  const unfinished = await unfinishedPayoutOf(db, creatorId);
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
  const block = decision.do === 'pay' ? null : blockOf(decision.because, { standing, free, minimum, isLookedInto });
  return { next: { at, amount, minimum }, block };
}

type Blocked = {
  readonly standing: Standing;
  readonly free: Cents;
  readonly minimum: Cents;
  /** It is none on its way that it waits for, but one that failed and was told paid afterwards. */
  readonly isLookedInto: boolean;
};

function blockOf(reason: WaitReason, { standing, free, minimum, isLookedInto }: Blocked): Block | null {
  const block = { amount: free, until: null };
  switch (reason) {
    case 'nothing_available':
      return null;
    case 'suspended':
      return {
        ...block,
        reason,
        message: 'Your account is suspended: nothing is paid out before that ends. Ask whoever runs this service.',
      };
    case 'under_review':
      return { ...block, reason, message: 'Your payouts are under review by the platform. They continue when the review is done.' };
    case 'unfinished_payout':
      return {
        ...block,
        reason,
        message: isLookedInto
          ? 'An earlier payout is looked into; the next one begins when that is done.'
          : 'A payout is on its way; the next one begins when it is at its end.',
      };
    case 'no_method':
      return { ...block, reason, message: 'You have not said where to pay: set a payout method.' };
    case 'came_back':
      return { ...block, reason, message: 'Your bank sent the last payout back: say once more where to pay.' };
    case 'cool_down':
      return {
        ...block,
        reason,
        until: standing.method?.usableFrom ?? null,
        message: 'Your payout method was changed; nothing is paid to a new one for 72 hours.',
      };
    case 'under_minimum':
      return { ...block, reason, message: `Payouts begin at ${dollars(minimum)}; until then it is carried on.` };
    default:
      return never(reason);
  }
}

/** The day on which the last of them ends; null where one of them has no day yet. A store that was never charged has paid nothing. */
function lastEnd(reserves: Iterable<Reserve>): Date | null {
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

function waits({ held, reserved, reservedUntil, inHold, waiting }: Waiting): readonly Block[] {
  const all: readonly Block[] = [
    { reason: 'held', amount: held, until: null, message: 'These sales are under review. They continue when the review is done.' },
    {
      reason: 'reserve',
      amount: reserved,
      until: reservedUntil,
      message: 'The first payments of a new store are paid out after a reserve period.',
    },
    { reason: 'refund_hold', amount: inHold, until: null, message: 'The buyers of these sales may still give back what they bought.' },
    {
      reason: 'waiting_for_merchant',
      amount: waiting,
      until: null,
      message: 'These wait for the merchant: to be approved, or for their bill to be paid.',
    },
  ];
  return all.filter(({ amount }) => amount > 0n);
}
