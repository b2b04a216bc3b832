import type { EarnedWhy } from '../contract/why.ts';
import type { Id } from '../platform/ids.ts';
import type { Cents } from '../platform/money.ts';
import type { Terms } from '../merchants/terms.ts';
import { plusDays } from '../platform/time.ts';
import type { Earning, EarningPart } from './decide-earning.ts';
import { amountToJson } from '../platform/money.ts';

/** A creator's claim on a merchant: `pending` → `approved` → `billed` → `collected` → `paid`; or `rejected`, `reversed`. */
export const commissionStates = ['pending', 'approved', 'billed', 'collected', 'paid', 'rejected', 'reversed'] as const;
export type CommissionState = (typeof commissionStates)[number];

/** It stands on an issued invoice of ours. */
export const isBilled = (state: CommissionState): boolean => state === 'billed' || state === 'collected' || state === 'paid';

/** A hold stands beside the state: it keeps a commission out of bills and payouts, whatever its state is. */
export const holdReasons = ['dispute', 'fraud_review', 'early_reversal', 'creator_suspended', 'merchant_request'] as const;
export type HoldReason = (typeof holdReasons)[number];
/** A hold of the platform itself: only its operators end it. */
export const platformHold = { reason: 'fraud_review', by: 'system' } as const;
export type Held = { readonly reason: HoldReason; readonly by: string; readonly since: Date };

/** What opened it: an order, or an invoice of a subscription; with the merchant's own ID of it. */
export type CommissionSource = {
  readonly kind: 'order' | 'invoice';
  readonly id: Id;
  readonly text: string;
  /** SHA-256 of the ID as it was received, only where `text` is masked. */
  readonly receivedHash?: Buffer;
};

/** A commission as it is opened: always pending. The terms are copied, so that no later change alters it. */
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
  readonly held: Held | null;
};

type Start = { readonly wasReversedEarly: boolean; readonly isCreatorSuspended: boolean };

/** A reversal that came first goes before a suspension: sent again, it passes and ends that hold. */
export function heldFromTheStart({ wasReversedEarly, isCreatorSuspended }: Start, now: Date): Held | null {
  if (wasReversedEarly) return { reason: 'early_reversal', by: 'system', since: now };
  return isCreatorSuspended ? { reason: 'creator_suspended', by: 'system', since: now } : null;
}

type Opening = Omit<OpenedCommission, 'termsVersion' | 'attributionDays' | 'holdDays' | 'holdUntil' | 'autoApproveAt'>;

/** The refund hold counts from when the order happened, automatic approval from when it was recorded. */
export function openCommission(
  opening: Opening,
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

export const earnedWhy = ({ parts }: Earning): readonly EarnedWhy[] => parts.map(partWhy);

/** Cents of one order fit a JSON number exactly: the contract's limit for an amount is 2^53 - 1. */
function partWhy({ productId, of, quantity, rate, amount }: EarningPart): EarnedWhy {
  return {
    product_id: productId,
    of_cents: amountToJson(of),
    quantity: Number(quantity),
    basis_points: rate?.is === 'share' ? rate.basisPoints : null,
    flat_cents: rate?.is === 'flat' ? amountToJson(rate.cents) : null,
    amount_cents: amountToJson(amount),
  };
}
