import { isBilled, type CommissionState, type HoldReason } from '../commissions/commission.ts';
import type { Refusal } from '../contract/reasons.ts';
import { eventAgeDaysMax, isOlderThanDays, isTooFarAhead } from '../contract/timestamp.ts';
import type { Why } from '../contract/why.ts';
import { accrualUndone, type Posting } from '../ledger/posting.ts';
import type { Id } from '../platform/ids.ts';
import type { Cents } from '../platform/money.ts';
import { must } from '../platform/must.ts';
import type { ReversalReport } from './report.ts';
import { amountToJson } from '../platform/money.ts';

export type ReversalFacts = {
  readonly now: Date;
  readonly storeId: Id<'store'>;
  /** The reversal that was accepted for this order before. */
  readonly earlier: { readonly receivedAt: Date; readonly isSame: boolean } | null;
  /** With its commission as it stands under the row's lock. */
  readonly order: ReversibleOrder | null;
  /** Known by the verification flow only. */
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
};

export type ReversalDecision =
  | { readonly do: 'reverse'; readonly reversal: NewReversal; readonly postings: readonly Posting[]; readonly why: Why }
  | { readonly do: 'wave through'; readonly transactionId: Id<'ord'>; readonly why: Why }
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

/** The whole law of a one-time reversal, in the order of the contract's table. */
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
  if (order === null && testOrder !== null) return { do: 'wave through', transactionId: testOrder.transactionId, why: {} };
  if (order === null) return { do: 'remember', reason: 'unknown_order', why: {} };
  const standing = { commission_state: order.state, commission_cents: amountToJson(order.amount) };
  if (order.held !== null && order.held !== 'early_reversal') return refuse('active_hold', { ...standing, held: order.held });
  // Reversed, and by no reversal: an operator credited it, and what was said of it before still holds.
  if (isBilled(order.state) || order.state === 'reversed') return refuse('paid_conversion_not_auto_reversed', standing);
  return reverse(report, facts, { order, occurredAt });
}

const refuse = (reason: Refusal, why: Why) => ({ do: 'refuse', reason, why }) as const;

function orderOf(order: ReversibleOrder | null): ReversibleOrder {
  must(order !== null, 'a reversal that was accepted has an order');
  return order;
}

function reverse(
  report: ReversalReport,
  facts: ReversalFacts,
  { order, occurredAt }: { readonly order: ReversibleOrder; readonly occurredAt: Date },
): ReversalDecision {
  const { storeId, now, fresh } = facts;
  const { creatorId, amount, state } = order;
  // What was rejected was undone then.
  const isUndone = state === 'rejected';
  return {
    do: 'reverse',
    reversal: { storeId, reversalId: fresh.reversalId, report, order, occurredAt, receivedAt: now },
    postings: isUndone ? [] : accrualUndone({ storeId, creatorId, amount }, { kind: 'reversal', id: fresh.reversalId }, now),
    why: { occurred_at: occurredAt.toISOString(), commission_state: state, commission_cents: amountToJson(amount) },
  };
}
