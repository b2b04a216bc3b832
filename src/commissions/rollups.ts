import { lostKind } from '../rollups/sales-totals-sql.ts';
import type { LinkRollup, StoreRollup } from '../rollups/rollups-sql.ts';
import type { Id } from '../core/ids.ts';
import type { Cents } from '../core/money.ts';
import type { OpenedCommission } from './commission.ts';
import type { PayoutCommission } from './payout-sql.ts';
import type { ReviewedCommission } from './review-sql.ts';
import type { ReversedCommission } from './commissions-sql.ts';
import { dayOf } from '../core/time.ts';

/** An order or a paid subscription invoice counts on the day on which it happened. */
export const openedRollups = (opened: readonly OpenedCommission[]): readonly LinkRollup[] =>
  opened.map(({ storeId, linkNumber, source, occurredAt, eligible, earning }) => ({
    storeId,
    linkNumber,
    day: dayOf(occurredAt),
    what: source.kind,
    count: 1n,
    eligibleCents: eligible,
    commissionCents: earning.amount,
  }));

/** A refund counts on the day on which it was reported, and as lost on the day of the order unless the commission was rejected before. */
export const reversedRollups = (reversed: readonly ReversedCommission[]): readonly LinkRollup[] =>
  reversed.flatMap((commission) => {
    const { storeId, linkNumber, reversedAt, eligibleCents, refundedCents, amountCents, wasRejected } = commission;
    const refund = {
      storeId,
      linkNumber,
      day: dayOf(reversedAt),
      what: 'reversal',
      count: 1n,
      eligibleCents: eligibleCents - refundedCents,
      commissionCents: amountCents,
    };
    return [refund, ...(wasRejected ? [] : lostRollups([commission], 1n))];
  });

type PartlyRefunded = Pick<ReviewedCommission, 'storeId' | 'linkNumber' | 'occurredAt'> & {
  readonly at: Date;
  readonly refundedCents: Cents;
  readonly refundedCommissionCents: Cents;
  readonly wasRejected: boolean;
};

/**
 * A partial refund counts on the day on which it was reported, and its part of the commission as lost on the day of the order. A rejected
 * commission was counted as lost before.
 */
export const partlyRefundedRollups = (refund: PartlyRefunded): readonly LinkRollup[] => {
  const { storeId, linkNumber, occurredAt, at, refundedCents, refundedCommissionCents, wasRejected } = refund;
  const rollup = { storeId, linkNumber, commissionCents: refundedCommissionCents };
  return [
    { ...rollup, day: dayOf(at), what: 'reversal', count: 1n, eligibleCents: refundedCents },
    ...(wasRejected ? [] : [{ ...rollup, day: dayOf(occurredAt), what: lostKind, count: 0n, eligibleCents: 0n }]),
  ];
};

type Approved = Pick<ReviewedCommission, 'storeId' | 'approvedAt'> & { readonly refundedCommissionCents: Cents };

/** What was approved falls by what a refund takes later. */
export const partlyUnapprovedRollups = ({ storeId, approvedAt, refundedCommissionCents }: Approved): readonly StoreRollup[] =>
  approvedAt === null
    ? []
    : [{ storeId, day: dayOf(approvedAt), what: 'approved', count: 0n, eligibleCents: 0n, commissionCents: 0n - refundedCommissionCents }];

type Lost = Pick<ReviewedCommission, 'storeId' | 'linkNumber' | 'occurredAt' | 'eligibleCents' | 'amountCents'>;

/** A rejected or reversed commission counts as lost on the day of its order; undoing a rejection subtracts it. */
export const lostRollups = (lost: readonly Lost[], count: 1n | -1n): readonly LinkRollup[] =>
  lost.map(({ storeId, linkNumber, occurredAt, eligibleCents, amountCents }) => ({
    storeId,
    linkNumber,
    day: dayOf(occurredAt),
    what: lostKind,
    count,
    eligibleCents: eligibleCents * count,
    commissionCents: amountCents * count,
  }));

/** An approval counts on its own day; taking it back subtracts it from that day. */
export const approvedRollups = (approved: readonly ReviewedCommission[], now: Date): readonly StoreRollup[] =>
  approved.map((commission) => approvalRollup(commission, now, 1n));

export const unapprovedRollups = (reviewed: readonly ReviewedCommission[]): readonly StoreRollup[] =>
  reviewed.flatMap((commission) => (commission.approvedAt === null ? [] : [approvalRollup(commission, commission.approvedAt, -1n)]));

const approvalRollup = ({ storeId, eligibleCents, amountCents }: ReviewedCommission, at: Date, count: 1n | -1n): StoreRollup => ({
  storeId,
  day: dayOf(at),
  what: 'approved',
  count,
  eligibleCents: eligibleCents * count,
  commissionCents: amountCents * count,
});

/** A payment counts on the day on which we learned of it; a returned payout is subtracted from that day. */
export const paidRollups = (storeId: Id<'store'>, touched: readonly PayoutCommission[], count: 1n | -1n): readonly StoreRollup[] =>
  touched.flatMap(({ paidAt, eligibleCents, amountCents }) =>
    paidAt === null
      ? []
      : [{ storeId, day: dayOf(paidAt), what: 'paid', count, eligibleCents: eligibleCents * count, commissionCents: amountCents * count }],
  );
