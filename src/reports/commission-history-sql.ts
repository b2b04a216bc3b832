import type { Source, StoreAccount } from '../ledger/store-postings.ts';
import type { Queryable } from '../db/database.ts';
import { sql } from '../db/sql.ts';
import type { Id } from '../core/ids.ts';
import type { Cents } from '../core/money.ts';

type CommissionKey = { readonly storeId: Id<'store'>; readonly commissionId: Id<'com'> };

/** The invoice, the operator's credit note, and the payout of a commission. */
export type CommissionMoneyTrail = {
  readonly invoiceId: Id<'inv'> | null;
  readonly noteNumber: bigint | null;
  readonly noteKind: 'before' | 'after' | null;
  readonly noteReason: string | null;
  readonly noteAt: Date | null;
  readonly isBorne: boolean | null;
  /** Partial refunds came after the payout began, and the operator bears them. */
  readonly hasLateRefunds: boolean;
  readonly payoutState: string | null;
  readonly payoutBegunAt: Date | null;
  readonly payoutSentAt: Date | null;
  readonly payoutEndedAt: Date | null;
};

type PayoutOfTrail = Pick<CommissionMoneyTrail, 'payoutState' | 'payoutBegunAt' | 'payoutSentAt' | 'payoutEndedAt'>;
const noPayout: PayoutOfTrail = { payoutState: null, payoutBegunAt: null, payoutSentAt: null, payoutEndedAt: null };

/**
 * By primary keys. A failed or returned payout no longer refers to the commission, so it is not found. The subquery names the store: Citus
 * does not infer it for subqueries of a select list.
 */
export async function findMoneyTrail(db: Queryable, { storeId, commissionId }: CommissionKey): Promise<CommissionMoneyTrail | null> {
  type OfStore = Omit<CommissionMoneyTrail, keyof PayoutOfTrail> & {
    readonly creatorId: Id<'crt'>;
    readonly payoutId: Id<'pay'> | null;
  };
  const found = await db.find<OfStore>(sql`
    select l.invoice_id, n.number as note_number, n.kind as note_kind, n.reason as note_reason, n.at as note_at, r.is_borne,
      c.creator_id, c.payout_id, exists (
        select 1 from credit_note_lines late where late.store_id = ${storeId} and late.commission_id = c.commission_id
          and late.late_refund_hash is not null) as has_late_refunds
    from commissions c
    left join invoice_lines l on l.store_id = c.store_id and l.commission_id = c.commission_id
    left join credit_note_lines r on r.store_id = c.store_id and r.commission_id = c.commission_id and r.refund_id is null
      and r.late_refund_hash is null
    left join credit_notes n on n.store_id = r.store_id and n.credit_note_id = r.credit_note_id
    where c.store_id = ${storeId} and c.commission_id = ${commissionId}`);
  if (found === null) return null;
  const { creatorId, payoutId, ...trail } = found;
  const payout = await db.find<PayoutOfTrail>(sql`
    select state as payout_state, begun_at as payout_begun_at, sent_at as payout_sent_at, ended_at as payout_ended_at
    from payouts where creator_id = ${creatorId} and payout_id = ${payoutId}`);
  return { ...trail, ...(payout ?? noPayout) };
}

/** A partial refund, and what it did to the commission. */
export type CommissionRefund = {
  readonly refundId: Id<'rfd'>;
  readonly merchantRefundId: string;
  readonly amountCents: Cents;
  readonly remainingCents: Cents;
  readonly commissionCents: Cents;
  readonly noteNumber: bigint | null;
  readonly occurredAt: Date;
  readonly receivedAt: Date;
  readonly reason: string | null;
};

/** Latest first, by refunds_of_source. */
export const listRefundsOfCommission = (
  db: Queryable,
  { storeId, commissionId }: CommissionKey,
  limit: number,
): Promise<CommissionRefund[]> =>
  db.all(sql`
    select r.refund_id, r.merchant_refund_id, r.amount_cents, r.remaining_cents, r.commission_cents, n.number as note_number, r.occurred_at,
      r.received_at, r.reason
    from commissions c
    join refunds r on r.store_id = c.store_id and r.source_id = c.source_id
    left join credit_notes n on n.store_id = r.store_id and n.credit_note_id = r.credit_note_id
    where c.store_id = ${storeId} and c.commission_id = ${commissionId}
    order by r.refund_id desc limit ${limit}`);

/** A partial refund that the operator bears, because the commission was in a payout. */
export type LateRefundOfCommission = {
  readonly merchantRefundId: string;
  readonly amountCents: Cents;
  readonly commissionCents: Cents;
  readonly noteNumber: bigint;
  readonly noteReason: string;
  readonly at: Date;
};

/** Latest first, by the primary key of credit_note_lines. */
export const listLateRefundsOfCommission = (
  db: Queryable,
  { storeId, commissionId }: CommissionKey,
  limit: number,
): Promise<LateRefundOfCommission[]> =>
  db.all(sql`
    select l.late_refund_id as merchant_refund_id, l.late_eligible_cents as amount_cents, l.amount_cents as commission_cents,
      n.number as note_number, n.reason as note_reason, n.at
    from credit_note_lines l join credit_notes n on n.store_id = l.store_id and n.credit_note_id = l.credit_note_id
    where l.store_id = ${storeId} and l.commission_id = ${commissionId} and l.late_refund_hash is not null
    order by n.number desc limit ${limit}`);

/** A transfer of one commission, or its share of a transfer for many commissions. */
export type CommissionLedgerLine = {
  readonly at: Date;
  readonly sourceKind: Source['kind'];
  readonly debit: StoreAccount;
  readonly credit: StoreAccount;
  readonly amountCents: Cents;
};

/**
 * Starts at the commission and uses primary keys and small indexes: its own sources first (order, lead, bonus, payment, refund, decisions),
 * then its part of the invoice, its credit note, and the outbox entries for payments and chargebacks of that part. A subscription payment
 * is found by its time, which equals the commission's `recorded_at`. A refund of a whole subscription invoice is also its reversal, and
 * `union` leaves it once.
 */
export const listLedgerLines = (db: Queryable, { storeId, commissionId }: CommissionKey): Promise<CommissionLedgerLine[]> =>
  db.all(sql`
    with c as materialized (
      select commission_id, creator_id, source_kind, source_id, source_text, source_hash, recorded_at from commissions
      where store_id = ${storeId} and commission_id = ${commissionId}
    ), paid as (
      select i.paid_event_id, i.reversal_event_id from c
      join transfers t on t.store_id = ${storeId} and t.at = c.recorded_at and t.creator_id = c.creator_id
      join relationship_invoices i on i.store_id = ${storeId} and i.paid_event_id = t.source_id and i.commission_id = c.commission_id
      where c.source_kind = 'invoice' and t.source_kind = 'billing_event'
    ), own as (
      select source_id from c where source_kind in ('order', 'lead', 'bonus')
      union all
      select r.reversal_id from c
      join order_reversals r on r.store_id = ${storeId}
        and r.order_hash = coalesce(c.source_hash, sha256(convert_to(c.source_text, 'UTF8')))
      where c.source_kind = 'order'
      union all
      select r.reversal_id from c
      join lead_reversals r on r.store_id = ${storeId}
        and r.lead_hash = coalesce(c.source_hash, sha256(convert_to(c.source_text, 'UTF8')))
      where c.source_kind = 'lead'
      union all
      select paid_event_id from paid
      union all
      select reversal_event_id from paid where reversal_event_id is not null
      union all
      select decision_id from decisions where store_id = ${storeId} and commission_id = ${commissionId}
      union
      select r.refund_id from c join refunds r on r.store_id = ${storeId} and r.source_id = c.source_id
    ), found as (
      select t.at, t.source_kind, t.source_id, t.debit, t.credit, t.amount_cents from own
      join c on true
      join transfers t on t.store_id = ${storeId} and t.source_id = own.source_id and t.creator_id = c.creator_id
      union all
      select t.at, t.source_kind, t.source_id, t.debit, t.credit, l.amount_cents from invoice_lines l
      join transfers t on t.store_id = l.store_id and t.source_id = l.part_id and t.creator_id = l.creator_id
      where l.store_id = ${storeId} and l.commission_id = ${commissionId}
      union all
      select t.at, t.source_kind, t.source_id, t.debit, t.credit, r.amount_cents from credit_note_lines r
      join transfers t on t.store_id = r.store_id and t.source_id = r.credit_note_id and t.creator_id = r.creator_id
      where r.store_id = ${storeId} and r.commission_id = ${commissionId} and not r.is_borne
      union all
      select distinct o.at, t.source_kind, o.entry_id, t.debit, t.credit, o.amount_cents from creator_outbox o
      join invoice_lines l on l.store_id = o.store_id and l.commission_id = o.commission_id
      join transfers t on t.store_id = o.store_id and t.at = o.at and t.creator_id = o.creator_id
        and t.source_kind = case when o.kind in ('collected', 'repaid') then 'charge' else 'dispute' end
      join invoice_parts p on p.store_id = t.store_id and p.part_id = t.source_id and p.invoice_id = l.invoice_id
      where o.store_id = ${storeId} and o.commission_id = ${commissionId}
        and o.kind in ('collected', 'repaid', 'charged_back', 'advanced')
    )
    select at, source_kind, debit, credit, amount_cents from found order by at, source_id, debit, credit`);
