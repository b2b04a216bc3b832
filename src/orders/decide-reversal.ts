import { type HoldReason } from '../commissions/commission.ts';
import { isInvoiced, type CommissionState } from '../commissions/commission-states.ts';
import type { Refusal } from '../contract/reasons.ts';
import type { ExplainedOutcome } from '../contract/reply.ts';
import { eventAgeDaysMax, isOlderThanDays, isTooFarAhead } from '../contract/timestamp.ts';
import type { Why } from '../contract/why.ts';
import { accrualReversal, type Posting } from '../ledger/store-postings.ts';
import { publicId, type Id } from '../core/ids.ts';
import { amountToJson, type Cents } from '../core/money.ts';
import { invariant, never } from '../core/invariant.ts';
import { orderIds } from './decide-conversion.ts';
import type { ReversalReport } from './report.ts';

export type ReversalFacts = {
  readonly now: Date;
  readonly storeId: Id<'store'>;
  /** The reversal already accepted for this order. */
  readonly earlier: { readonly receivedAt: Date; readonly isSame: boolean } | null;
  /** With its commission, whose row is locked. */
  readonly order: ReversibleOrder | null;
  /** An order that only the verification flow has reported. */
  readonly testOrder: { readonly transactionId: Id<'ord'> } | null;
  readonly fresh: { readonly reversalId: Id<'rev'> };
};

export type ReversibleOrder = {
  readonly transactionId: Id<'ord'>;
  readonly commissionId: Id<'com'>;
  readonly creatorId: Id<'crt'>;
  readonly state: CommissionState;
  readonly held: HoldReason | null;
  readonly amount: Cents;
  readonly isInvoiced: boolean;
};

export type ReversalDecision =
  | { readonly do: 'reverse'; readonly reversal: NewReversal; readonly postings: readonly Posting[]; readonly why: Why }
  /** Partial refunds have reversed all of it before. */
  | { readonly do: 'confirm'; readonly reversal: NewReversal; readonly why: Why }
  | { readonly do: 'reverse test order'; readonly transactionId: Id<'ord'>; readonly why: Why }
  | { readonly do: 'repeat'; readonly order: ReversibleOrder; readonly why: Why }
  | { readonly do: 'remember'; readonly reason: 'unknown_order'; readonly why: Why }
  | { readonly do: 'refuse'; readonly reason: Refusal; readonly why: Why };

export type NewReversal = {
  readonly storeId: Id<'store'>;
  readonly reversalId: Id<'rev'>;
  readonly report: ReversalReport;
  readonly order: ReversibleOrder;
  readonly occurredAt: Date;
  readonly receivedAt: Date;
};

/** The rules of section 4 of the contract, in their order; the first match wins. */
export function decideReversal(report: ReversalReport, facts: ReversalFacts): ReversalDecision {
  const { earlier, order, testOrder, now } = facts;
  const occurredAt = report.occurredAt ?? now;
  if (earlier?.isSame) return { do: 'repeat', order: orderOf(order), why: { first_recorded_at: earlier.receivedAt.toISOString() } };
  if (earlier) return refuse('duplicate_order_conflict', { first_recorded_at: earlier.receivedAt.toISOString() });
  if (occurredAt === 'unreadable') return refuse('invalid_occurred_at', {});
  const compared = { occurred_at: occurredAt.toISOString(), received_at: now.toISOString() };
  if (isTooFarAhead(occurredAt, now)) return refuse('invalid_occurred_at', compared);
  if (isOlderThanDays(occurredAt, { now, daysMax: eventAgeDaysMax }))
    return refuse('invalid_occurred_at', { ...compared, age_days_max: eventAgeDaysMax });
  if (order === null && testOrder !== null) return { do: 'reverse test order', transactionId: testOrder.transactionId, why: {} };
  if (order === null) return { do: 'remember', reason: 'unknown_order', why: {} };
  const commissionFacts = { commission_state: order.state, commission_cents: amountToJson(order.amount) };
  if (order.held !== null && order.held !== 'early_reversal') return refuse('active_hold', { ...commissionFacts, held: order.held });
  // Neither a reversal nor a credit note ended it, so partial refunds took all of it.
  if (order.state === 'reversed' && !order.isInvoiced) return { do: 'confirm', ...reversalOf(report, facts, { order, occurredAt }) };
  // A commission without a reversal is in this state only if an operator credited it, so the earlier answer still applies.
  if (isInvoiced(order.state) || order.state === 'reversed') return refuse('paid_conversion_not_auto_reversed', commissionFacts);
  return reverse(report, facts, { order, occurredAt });
}

/** The reply to a decision. */
export function reversalOutcome(decision: ReversalDecision): ExplainedOutcome {
  const { why } = decision;
  switch (decision.do) {
    case 'reverse':
    case 'confirm':
      return { outcome: { reason: 'recorded', ids: orderIds(decision.reversal.order) }, why };
    case 'reverse test order':
      return { outcome: { reason: 'recorded', ids: { transaction_id: publicId('ord', decision.transactionId) } }, why };
    case 'repeat':
      return { outcome: { reason: 'duplicate_order', ids: orderIds(decision.order), isReplay: true }, why };
    case 'remember':
    case 'refuse':
      return { outcome: { reason: decision.reason }, why };
    default:
      return never(decision);
  }
}

const refuse = (reason: Refusal, why: Why) => ({ do: 'refuse', reason, why }) as const;

function orderOf(order: ReversibleOrder | null): ReversibleOrder {
  invariant(order !== null, 'a reversal that was accepted has an order');
  return order;
}

type Reversed = { readonly order: ReversibleOrder; readonly occurredAt: Date };

function reversalOf(
  report: ReversalReport,
  { storeId, now, fresh }: ReversalFacts,
  { order, occurredAt }: Reversed,
): { readonly reversal: NewReversal; readonly why: Why } {
  return {
    reversal: { storeId, reversalId: fresh.reversalId, report, order, occurredAt, receivedAt: now },
    why: { occurred_at: occurredAt.toISOString(), commission_state: order.state, commission_cents: amountToJson(order.amount) },
  };
}

function reverse(report: ReversalReport, facts: ReversalFacts, reversed: Reversed): ReversalDecision {
  const { storeId, now, fresh } = facts;
  const { creatorId, amount, state } = reversed.order;
  // The rejection already posted the reversal.
  const isUndone = state === 'rejected';
  return {
    do: 'reverse',
    ...reversalOf(report, facts, reversed),
    postings: isUndone ? [] : accrualReversal({ storeId, creatorId, amount }, { kind: 'reversal', id: fresh.reversalId }, now),
  };
}
