import type { Queryable, Transaction } from '../db/database.ts';
import { sql } from '../db/sql.ts';
import type { Id } from '../core/ids.ts';
import { amountToJson, type Cents } from '../core/money.ts';
import type { RefundOperation } from '../contract/reasons.ts';
import type { EarnedWhy } from '../contract/why.ts';
import { isUnpaid, updateCommissions } from './commission-states-sql.ts';
import type { CommissionKey } from './commissions-sql.ts';
import type { HoldReason, SourceKind } from './commission.ts';
import type { CommissionState } from './commission-states.ts';
import type { TakenPart } from './decide-refund.ts';

/** What a refund needs of a commission. The row is locked until the transaction ends. */
export type RefundableCommission = CommissionKey & {
  readonly creatorId: Id<'crt'>;
  readonly sourceKind: SourceKind;
  readonly state: CommissionState;
  readonly heldReason: HoldReason | null;
  readonly amountCents: Cents;
  readonly eligibleCents: Cents;
  readonly refundedCents: Cents;
  /** The rates that were copied, applied to what remains. */
  readonly earned: readonly EarnedWhy[];
  readonly linkNumber: bigint;
  readonly occurredAt: Date;
  readonly approvedAt: Date | null;
  readonly invoiceId: Id<'inv'> | null;
  readonly isInPayout: boolean;
};

/** The invoice that must be locked before the commission. */
export const invoiceOfCommission = (
  tx: Queryable,
  { storeId, commissionId }: CommissionKey,
): Promise<{ readonly invoiceId: Id<'inv'> | null } | null> =>
  tx.find(sql`select invoice_id from commissions where store_id = ${storeId} and commission_id = ${commissionId}`);

/** Waits for the lock as long as the transaction's `lock_timeout` allows. */
export const lockRefundable = (tx: Transaction, { storeId, commissionId }: CommissionKey): Promise<RefundableCommission> =>
  tx.one(sql`
    select store_id, commission_id, creator_id, source_kind, state, held_reason, amount_cents, eligible_cents, refunded_cents,
      coalesce(earned_after_refunds, earned) as earned, link_number, occurred_at, approved_at, invoice_id,
      payout_id is not null as is_in_payout
    from commissions where store_id = ${storeId} and commission_id = ${commissionId} for update`);

export type Reduction = {
  readonly amountCents: Cents;
  readonly refundedCents: Cents;
  readonly refundedCommissionCents: Cents;
  readonly earned: readonly EarnedWhy[];
};

/** Adds a refund to a commission. Its state stays. The caller must have locked it. */
export const reduceCommission = (tx: Transaction, { storeId, commissionId }: CommissionKey, reduction: Reduction): Promise<void> =>
  updateCommissions(
    tx,
    { storeId, commissionIds: [commissionId] },
    {
      set: sql`
        amount_cents = ${reduction.amountCents}, refunded_cents = refunded_cents + ${reduction.refundedCents},
        refunded_commission_cents = refunded_commission_cents + ${reduction.refundedCommissionCents},
        earned_after_refunds = ${JSON.stringify(reduction.earned)}::jsonb`,
      where: sql`(${isUnpaid} or state = 'rejected')
        and amount_cents = ${reduction.amountCents}::bigint + ${reduction.refundedCommissionCents}`,
    },
  );

/** Ends the hold of a refund that arrived before the order, or leaves the hold of a suspended creator instead. */
export const endEarlyHold = (
  tx: Transaction,
  { storeId, commissionId }: CommissionKey,
  { isCreatorSuspended }: { readonly isCreatorSuspended: boolean },
): Promise<void> =>
  updateCommissions(
    tx,
    { storeId, commissionIds: [commissionId] },
    {
      set: isCreatorSuspended
        ? sql`held_reason = 'creator_suspended'`
        : sql`held_reason = null, held_by = null, held_since = null, auto_approve_told_at = null`,
      where: sql`held_reason = 'early_reversal'`,
    },
  );

export type RefundKey = { readonly storeId: Id<'store'>; readonly refundHash: Buffer };

/** A refund as it is stored. */
export type StoredRefund = {
  readonly refundId: Id<'rfd'>;
  readonly operation: RefundOperation;
  readonly contentHash: Buffer;
  readonly sourceId: Id;
  readonly commissionId: Id<'com'> | null;
  readonly remainingCents: Cents;
  readonly receivedAt: Date;
};

/** By primary key. Refunds never change. */
export const findRefund = (db: Queryable, { storeId, refundHash }: RefundKey): Promise<StoredRefund | null> =>
  db.find(sql`
    select refund_id, operation, content_hash, source_id, commission_id, remaining_cents, received_at from refunds
    where store_id = ${storeId} and refund_hash = ${refundHash}`);

/** What was refunded of an order or invoice so far. By refunds_of_source; the caller holds the lock under which they are written. */
export const sumRefunds = (
  db: Queryable,
  { storeId, sourceId }: { readonly storeId: Id<'store'>; readonly sourceId: Id },
): Promise<{ readonly cents: Cents; readonly hasReversed: boolean }> =>
  db.one(sql`
    select coalesce(sum(amount_cents), 0) as cents, coalesce(bool_or(effect = 'reversed'), false) as has_reversed from refunds
    where store_id = ${storeId} and source_id = ${sourceId}`);

export type NewRefundRow = RefundKey &
  Omit<StoredRefund, 'remainingCents'> & {
    readonly merchantRefundId: string;
    readonly amountCents: Cents;
    readonly remainingCents: Cents;
    readonly parts: readonly TakenPart[];
    readonly commissionCents: Cents;
    readonly effect: 'reduced' | 'reversed' | 'none';
    readonly creditNoteId: Id<'cn'> | null;
    readonly occurredAt: Date;
    readonly reason: string | null;
  };

/** False: another process recorded this refund ID first. */
export async function insertRefund(tx: Transaction, refund: NewRefundRow): Promise<boolean> {
  const parts = refund.parts.map(({ part, amount, quantity }) => ({
    part,
    amount_cents: amountToJson(amount),
    quantity: Number(quantity),
  }));
  const written = await tx.run(sql`
    insert into refunds (store_id, refund_hash, refund_id, merchant_refund_id, operation, content_hash, source_id, commission_id,
      amount_cents, remaining_cents, parts, commission_cents, effect, credit_note_id, occurred_at, received_at, reason)
    values (${refund.storeId}, ${refund.refundHash}, ${refund.refundId}, ${refund.merchantRefundId}, ${refund.operation},
      ${refund.contentHash}, ${refund.sourceId}, ${refund.commissionId}, ${refund.amountCents}, ${refund.remainingCents},
      ${JSON.stringify(parts)}, ${refund.commissionCents}, ${refund.effect}, ${refund.creditNoteId}, ${refund.occurredAt},
      ${refund.receivedAt}, ${refund.reason})
    on conflict do nothing`);
  return written === 1;
}

/** For the rest of the transaction. At least 1 ms, because 0 means no timeout: the first attempt does not wait for locked rows. */
export const limitLockWait = (tx: Transaction, lockWaitMs: number): Promise<number> =>
  tx.run(sql`select set_config('lock_timeout', ${`${Math.max(1, lockWaitMs)}ms`}, true)`);
