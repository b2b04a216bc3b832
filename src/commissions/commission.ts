import type { EarnedWhy } from '../contract/why.ts';
import type { Id } from '../core/ids.ts';
import type { Cents } from '../core/money.ts';
import type { Rate, Terms } from '../merchants/terms.ts';
import { plusDays } from '../core/time.ts';
import type { Earning, EarningPart } from './decide-earning.ts';
import { amountToJson, basisPoints, cents } from '../core/money.ts';

/** A hold keeps a commission out of invoices and payouts. It is independent of the state. */
export const holdReasons = ['dispute', 'fraud_review', 'early_reversal', 'creator_suspended', 'merchant_request'] as const;
export type HoldReason = (typeof holdReasons)[number];
/** A hold set by the platform: only an operator can release it. */
export const platformHold = { reason: 'fraud_review', by: 'system' } as const;
export type Hold = { readonly reason: HoldReason; readonly by: string; readonly since: Date };

/** What opens a commission: an order, an invoice of a subscription, a lead, or a bonus. */
export type SourceKind = 'order' | 'invoice' | 'lead' | 'bonus';

/** What opened the commission, with the merchant's ID, or with the reason of a bonus. */
export type CommissionSource = {
  readonly kind: SourceKind;
  readonly id: Id;
  readonly text: string;
  /** The order number that customers see, for searches. */
  readonly name?: string | null;
  /** SHA-256 of the ID as received; set only if `text` is masked. */
  readonly receivedHash?: Buffer;
};

/** A new commission, always pending. It copies the terms so that later versions do not change it. */
export type OpenedCommission = {
  readonly storeId: Id<'store'>;
  readonly commissionId: Id<'com'>;
  readonly programId: Id<'prog'>;
  readonly creatorId: Id<'crt'>;
  readonly linkNumber: bigint;
  readonly source: CommissionSource;
  readonly eligible: Cents;
  readonly earning: Earning;
  readonly occurredAt: Date;
  readonly recordedAt: Date;
  readonly termsVersion: number;
  readonly attributionDays: number;
  readonly holdDays: number;
  readonly holdUntil: Date;
  readonly autoApproveAt: Date | null;
  readonly held: Hold | null;
};

type HoldFacts = { readonly wasReversedEarly: boolean; readonly isCreatorSuspended: boolean };

/** An early reversal takes precedence over a suspension, because sending the reversal again must end that hold. */
export function initialHold({ wasReversedEarly, isCreatorSuspended }: HoldFacts, now: Date): Hold | null {
  if (wasReversedEarly) return { reason: 'early_reversal', by: 'system', since: now };
  return isCreatorSuspended ? { reason: 'creator_suspended', by: 'system', since: now } : null;
}

type CommissionFacts = Omit<OpenedCommission, 'termsVersion' | 'attributionDays' | 'holdDays' | 'holdUntil' | 'autoApproveAt'>;

/** The refund hold starts when the order happened; the period until automatic approval starts when it was recorded. */
export function openCommission(
  opening: CommissionFacts,
  terms: Pick<Terms, 'version' | 'attributionDays' | 'holdDays' | 'approval'>,
): OpenedCommission {
  return {
    ...opening,
    termsVersion: terms.version,
    attributionDays: terms.attributionDays,
    holdDays: terms.holdDays,
    holdUntil: plusDays(opening.occurredAt, terms.holdDays),
    autoApproveAt: terms.approval.by === 'time' ? plusDays(opening.recordedAt, terms.approval.afterDays) : null,
  };
}

export const earningBreakdown = ({ parts }: Earning): readonly EarnedWhy[] => parts.map(breakdownPart);

/** The amounts of one order fit into a JSON number: the contract limits them to 2^53 - 1. */
function breakdownPart({ productId, of, quantity, rate, amount, rule, skipped, budget, terms }: EarningPart): EarnedWhy {
  return {
    product_id: productId,
    of_cents: amountToJson(of),
    quantity: Number(quantity),
    basis_points: rate?.is === 'share' ? rate.basisPoints : null,
    flat_cents: rate?.is === 'flat' ? amountToJson(rate.cents) : null,
    amount_cents: amountToJson(amount),
    ...(rule === undefined ? {} : { rule }),
    ...(skipped === undefined ? {} : { skipped }),
    ...(budget === undefined ? {} : { budget }),
    ...(terms === undefined ? {} : { terms }),
  };
}

/** The parts of a stored breakdown, to compute them again for what remains after a refund. */
export const readBreakdown = (earned: readonly EarnedWhy[]): readonly EarningPart[] =>
  earned.map((part) => ({
    productId: part.product_id,
    of: cents(part.of_cents),
    quantity: BigInt(part.quantity),
    rate: rateOf(part),
    amount: cents(part.amount_cents),
    ...(part.rule === undefined ? {} : { rule: part.rule }),
    ...(part.skipped === undefined ? {} : { skipped: part.skipped }),
    ...(part.budget === undefined ? {} : { budget: part.budget }),
    ...(part.terms === undefined ? {} : { terms: part.terms }),
  }));

function rateOf({ basis_points: points, flat_cents: flat }: EarnedWhy): Rate | null {
  if (points !== null) return { is: 'share', basisPoints: basisPoints(points) };
  return flat === null ? null : { is: 'flat', cents: cents(flat) };
}
