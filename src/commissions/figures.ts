import { lostKind } from '../figures/sold-sql.ts';
import type { LinkFigure, StoreFigure } from '../figures/sql.ts';
import type { Id } from '../platform/ids.ts';
import type { OpenedCommission } from './commission.ts';
import type { Touched } from './payout-sql.ts';
import type { ReviewedCommission } from './review-sql.ts';
import type { ReversedCommission } from './sql.ts';

const dayOf = (at: Date): string => at.toISOString().slice(0, 10);

/** An order, or a subscription's paid invoice, on the day on which it happened. */
export const figuresOfOpened = (opened: readonly OpenedCommission[]): readonly LinkFigure[] =>
  opened.map(({ storeId, linkNumber, source, occurredAt, eligible, earning }) => ({
    storeId,
    linkNumber,
    day: dayOf(occurredAt),
    what: source.kind,
    count: 1n,
    eligibleCents: eligible,
    commissionCents: earning.amount,
  }));

/** A refund, on the day on which it was reported; and what it takes from the day of the order, unless a rejection did so before. */
export const figuresOfReversed = (reversed: readonly ReversedCommission[]): readonly LinkFigure[] =>
  reversed.flatMap((commission) => {
    const { storeId, linkNumber, reversedAt, eligibleCents, amountCents, wasRejected } = commission;
    const refund = {
      storeId,
      linkNumber,
      day: dayOf(reversedAt),
      what: 'reversal',
      count: 1n,
      eligibleCents,
      commissionCents: amountCents,
    };
    return [refund, ...(wasRejected ? [] : figuresOfLost([commission], 1n))];
  });

type Lost = Pick<ReviewedCommission, 'storeId' | 'linkNumber' | 'occurredAt' | 'eligibleCents' | 'amountCents'>;

/** What is not earned after all, on the day of its order; below 0 where a rejection is undone. */
export const figuresOfLost = (lost: readonly Lost[], count: 1n | -1n): readonly LinkFigure[] =>
  lost.map(({ storeId, linkNumber, occurredAt, eligibleCents, amountCents }) => ({
    storeId,
    linkNumber,
    day: dayOf(occurredAt),
    what: lostKind,
    count,
    eligibleCents: eligibleCents * count,
    commissionCents: amountCents * count,
  }));

/** Approved counts on the day of the approval; where it is taken back, it is taken from that day. */
export const figuresOfApproved = (approved: readonly ReviewedCommission[], now: Date): readonly StoreFigure[] =>
  approved.map((commission) => approvalOf(commission, now, 1n));

export const figuresOfUnapproved = (reviewed: readonly ReviewedCommission[]): readonly StoreFigure[] =>
  reviewed.flatMap((commission) => (commission.approvedAt === null ? [] : [approvalOf(commission, commission.approvedAt, -1n)]));

const approvalOf = ({ storeId, eligibleCents, amountCents }: ReviewedCommission, at: Date, count: 1n | -1n): StoreFigure => ({
  storeId,
  day: dayOf(at),
  what: 'approved',
  count,
  eligibleCents: eligibleCents * count,
  commissionCents: amountCents * count,
});

/** Paid counts on the day on which it was told; a payout that comes back takes it from that day. */
export const figuresOfPaid = (storeId: Id<'store'>, touched: readonly Touched[], count: 1n | -1n): readonly StoreFigure[] =>
  touched.flatMap(({ paidAt, eligibleCents, amountCents }) =>
    paidAt === null
      ? []
      : [{ storeId, day: dayOf(paidAt), what: 'paid', count, eligibleCents: eligibleCents * count, commissionCents: amountCents * count }],
  );
