import { apiMessage } from '../messages/api-message.ts';
import { earningBreakdown, type HoldReason } from '../commissions/commission.ts';
import { decidePartialRefund, type RefundedItems, type TakenPart } from '../commissions/decide-refund.ts';
import type { Earning, EarningPart } from '../commissions/decide-earning.ts';
import type { CommissionState } from '../commissions/commission-states.ts';
import type { ShownInvoiceState } from '../billing/invoice-states.ts';
import type { Refusal } from '../contract/reasons.ts';
import type { ExplainedOutcome } from '../contract/reply.ts';
import { eventAgeDaysMax, isOlderThanDays, isTooFarAhead, type Timestamp } from '../contract/timestamp.ts';
import type { Why } from '../contract/why.ts';
import { publicId, type Id } from '../core/ids.ts';
import { never } from '../core/invariant.ts';
import { amountToJson, cents, dollars, noCents, type Cents } from '../core/money.ts';
import { accrualReversal, type Posting } from '../ledger/store-postings.ts';

export type RefundReport = RefundedItems & { readonly occurredAt: Timestamp | null };

/** The identifiers of a reply. An order has a transaction, and an invoice may have no commission. */
export type RefundIds = {
  readonly transactionId: Id<'ord'> | null;
  readonly commissionId: Id<'com'> | null;
  readonly refundId: Id<'rfd'> | null;
};

export type EarlierRefund = { readonly receivedAt: Date; readonly isSame: boolean; readonly ids: RefundIds; readonly remaining: Cents };

/** What was refunded, read under its locks. */
export type RefundTarget =
  | { readonly is: 'refused'; readonly reason: Refusal; readonly why: Why }
  /** Not reported yet: remembered, to put its commission on hold if it still arrives. */
  | { readonly is: 'unknown'; readonly reason: 'unknown_order' | 'unknown_invoice' }
  | { readonly is: 'test order'; readonly transactionId: Id<'ord'> }
  | RefundableSale;

/** An order, or a paid invoice of a subscription. */
export type RefundableSale = {
  readonly is: 'sale';
  readonly transactionId: Id<'ord'> | null;
  readonly eligible: Cents;
  /** All refunds so far. */
  readonly refunded: Cents;
  /** A reversal ended it. */
  readonly isReversed: boolean;
  /** Null: an invoice that earned nothing. */
  readonly commission: RefundedCommission | null;
};

export type RefundedCommission = {
  readonly commissionId: Id<'com'>;
  readonly creatorId: Id<'crt'>;
  readonly state: CommissionState;
  readonly held: HoldReason | null;
  readonly amount: Cents;
  readonly parts: readonly EarningPart[];
  readonly isInPayout: boolean;
  /** An operator credited the store with all or a part of it, and the creator keeps it, also after a failed payout. */
  readonly isBorne: boolean;
  /** A refund took all that was left of it. */
  readonly isReversedByRefund: boolean;
  readonly invoice: { readonly state: ShownInvoiceState | 'draft' } | null;
};

export type RefundFacts = {
  readonly now: Date;
  readonly storeId: Id<'store'>;
  readonly earlier: EarlierRefund | null;
  readonly target: RefundTarget;
  readonly fresh: { readonly refundId: Id<'rfd'> };
};

/** What a refund does to a commission that has not ended. */
export type RefundEffect = {
  readonly commission: RefundedCommission;
  /** By how much it falls. */
  readonly difference: Cents;
  readonly earning: Earning;
  readonly taken: readonly TakenPart[];
  /** Nothing remains of it, so it is reversed. */
  readonly isWhole: boolean;
  /** It is on an invoice of ours, which gets a credit note before or after its payment. */
  readonly credit: 'before' | 'after' | null;
  readonly postings: readonly Posting[];
};

export type NewRefund = { readonly occurredAt: Date; readonly remaining: Cents; readonly ids: RefundIds };

export type RefundDecision =
  | { readonly do: 'refund'; readonly refund: NewRefund; readonly effect: RefundEffect | null; readonly why: Why }
  | { readonly do: 'refund test order'; readonly transactionId: Id<'ord'>; readonly why: Why }
  | { readonly do: 'repeat'; readonly earlier: EarlierRefund; readonly why: Why }
  | { readonly do: 'remember'; readonly reason: 'unknown_order' | 'unknown_invoice'; readonly why: Why }
  | Refused;

type Refused = {
  readonly do: 'refuse';
  readonly reason: Refusal;
  readonly field?: string;
  readonly message?: string;
  readonly remaining?: Cents;
  readonly why: Why;
};

/** The rules for a refund, in their order; the first match wins (docs/decisions/0134). A refusal stores nothing. */
export function decideRefund(report: RefundReport, facts: RefundFacts): RefundDecision {
  const { earlier, target, now } = facts;
  if (earlier?.isSame) return { do: 'repeat', earlier, why: { first_recorded_at: earlier.receivedAt.toISOString() } };
  if (earlier) return refuse('duplicate_refund_conflict', { first_recorded_at: earlier.receivedAt.toISOString() });
  const occurredAt = report.occurredAt ?? now;
  if (occurredAt === 'unreadable') return refuse('invalid_occurred_at', {});
  const compared = { occurred_at: occurredAt.toISOString(), received_at: now.toISOString() };
  if (isTooFarAhead(occurredAt, now)) return refuse('invalid_occurred_at', compared);
  if (isOlderThanDays(occurredAt, { now, daysMax: eventAgeDaysMax }))
    return refuse('invalid_occurred_at', { ...compared, age_days_max: eventAgeDaysMax });
  if (target.is === 'refused') return refuse(target.reason, target.why);
  if (target.is === 'unknown') return { do: 'remember', reason: target.reason, why: {} };
  if (target.is === 'test order') return { do: 'refund test order', transactionId: target.transactionId, why: {} };
  return decideSale(report, facts, { sale: target, occurredAt });
}

type OfSale = { readonly sale: RefundableSale; readonly occurredAt: Date };

function decideSale(report: RefundReport, facts: RefundFacts, { sale, occurredAt }: OfSale): RefundDecision {
  const { commission, transactionId } = sale;
  const remaining = sale.isReversed ? noCents : cents(sale.eligible - sale.refunded);
  const refund: NewRefund = {
    occurredAt,
    remaining: cents(remaining > report.amount ? remaining - report.amount : 0n),
    ids: { transactionId, commissionId: commission?.commissionId ?? null, refundId: facts.fresh.refundId },
  };
  const why: Why = { occurred_at: occurredAt.toISOString(), refund_cents: amountToJson(report.amount) };
  if (commission !== null) {
    const state = { ...why, commission_state: commission.state, commission_cents: amountToJson(commission.amount) };
    if (commission.held !== null && commission.held !== 'early_reversal') return refuse('active_hold', { ...state, held: commission.held });
    // Neither a reversal nor a refund ended it, so an operator credited it.
    const isCredited = commission.state === 'reversed' && !sale.isReversed && !commission.isReversedByRefund;
    if (isCredited) return refuse('paid_conversion_not_auto_reversed', state);
  }
  if (report.amount > remaining) return exceeded(remaining, null, why);
  if (commission === null || commission.state === 'reversed')
    return { do: 'refund', refund, effect: null, why: { ...why, remaining_cents: amountToJson(refund.remaining) } };
  return decideEffect(report, facts, { commission, refund, why });
}

type OfCommission = { readonly commission: RefundedCommission; readonly refund: NewRefund; readonly why: Why };

function decideEffect(report: RefundReport, facts: RefundFacts, { commission, refund, why }: OfCommission): RefundDecision {
  const { state, amount, invoice, isInPayout } = commission;
  const possible = decidePartialRefund(commission.parts, report);
  if (possible.is === 'lines required') {
    const message = apiMessage('refund.lines_required');
    return { ...refuse('invalid_payload', why), field: '/line_items', message };
  }
  if (possible.is === 'unknown line') {
    const message = apiMessage('refund.no_line_item', { product: possible.productId });
    return { ...refuse('unknown_line_item', { ...why, product_id: possible.productId }), message };
  }
  if (possible.is === 'exceeded') return exceeded(possible.remaining, possible.productId, why);
  const compared = { ...why, commission_state: state, commission_cents: amountToJson(amount) };
  if (state === 'paid' || isInPayout || commission.isBorne || invoice?.state === 'charged_back')
    return refuse('paid_conversion_not_auto_reversed', compared);
  const { earning, taken } = possible;
  const isLast = refund.remaining === 0n || (invoice !== null && earning.amount === 0n);
  const difference = isLast ? amount : cents(amount - earning.amount);
  const credit = invoice === null || difference === 0n ? null : creditOf(state, invoice.state);
  if (credit === 'in progress') return refuse('invoice_in_progress', compared);
  const postings =
    invoice === null && state !== 'rejected'
      ? accrualReversal(
          { storeId: facts.storeId, creatorId: commission.creatorId, amount: difference },
          { kind: 'refund', id: facts.fresh.refundId },
          facts.now,
        )
      : [];
  return {
    do: 'refund',
    refund,
    effect: { commission, difference, earning, taken, isWhole: isLast, credit, postings },
    why: {
      ...why,
      remaining_cents: amountToJson(refund.remaining),
      commission_state: state,
      commission_before_cents: amountToJson(amount),
      commission_cents: amountToJson(cents(amount - difference)),
      earned: earningBreakdown(earning),
      ...(credit === null ? {} : { credited: credit }),
    },
  };
}

/** An unfinished charge is for the amount that was due when it was created, and a paid invoice is collected by a job. */
function creditOf(state: CommissionState, invoice: ShownInvoiceState | 'draft'): 'before' | 'after' | 'in progress' {
  if (state === 'billed' && (invoice === 'issued' || invoice === 'retrying' || invoice === 'past_due')) return 'before';
  return state === 'collected' && invoice === 'paid' ? 'after' : 'in progress';
}

function exceeded(remaining: Cents, productId: string | null, why: Why): Refused {
  const product = productId === null ? {} : { product_id: productId };
  const rest = productId === null ? apiMessage('refund.eligible_amount') : apiMessage('refund.line_items_of', { product: productId });
  return {
    ...refuse('refund_exceeds_remaining_amount', { ...why, remaining_cents: amountToJson(remaining), ...product }),
    remaining,
    message: apiMessage('refund.more_than_remains', { rest, remaining: dollars(remaining) }),
  };
}

const refuse = (reason: Refusal, why: Why): Refused => ({ do: 'refuse', reason, why });

/** The reply to a decision. */
export function refundOutcome(decision: RefundDecision): ExplainedOutcome {
  const { why } = decision;
  switch (decision.do) {
    case 'refund': {
      const { ids, remaining } = decision.refund;
      return { outcome: { reason: 'recorded', ids: shownIds(ids, remaining) }, why };
    }
    case 'refund test order':
      return { outcome: { reason: 'recorded', ids: { transaction_id: publicId('ord', decision.transactionId) } }, why };
    case 'repeat': {
      const { ids, remaining } = decision.earlier;
      return { outcome: { reason: 'duplicate_refund', ids: shownIds(ids, remaining), isReplay: true }, why };
    }
    case 'remember':
      return { outcome: { reason: decision.reason }, why };
    case 'refuse': {
      const { reason, field, message, remaining } = decision;
      const left = remaining === undefined ? {} : { ids: { remaining_cents: amountToJson(remaining) } };
      return {
        outcome: { reason, ...left, ...(field === undefined ? {} : { field }), ...(message === undefined ? {} : { message }) },
        why,
      };
    }
    default:
      return never(decision);
  }
}

const shownIds = ({ transactionId, commissionId, refundId }: RefundIds, remaining: Cents) => ({
  ...(transactionId === null ? {} : { transaction_id: publicId('ord', transactionId) }),
  ...(commissionId === null ? {} : { conversion_id: publicId('com', commissionId) }),
  ...(refundId === null ? {} : { refund_id: publicId('rfd', refundId) }),
  remaining_cents: amountToJson(remaining),
});
