import type { HoldReason } from '../commissions/commission.ts';
import { isInvoiced, type CommissionState } from '../commissions/commission-states.ts';
import type { Refusal } from '../contract/reasons.ts';
import type { ExplainedOutcome } from '../contract/reply.ts';
import { eventAgeDaysMax, isOlderThanDays, isTooFarAhead } from '../contract/timestamp.ts';
import type { Why } from '../contract/why.ts';
import type { Id } from '../core/ids.ts';
import { invariant, never } from '../core/invariant.ts';
import { amountToJson, type Cents } from '../core/money.ts';
import { accrualReversal, type Posting } from '../ledger/store-postings.ts';
import { leadIds, type LeadIds } from './decide-lead.ts';
import type { LeadReversalReport } from './lead-report.ts';

export type LeadReversalFacts = {
  readonly now: Date;
  readonly storeId: Id<'store'>;
  /** The reversal already accepted for this lead. */
  readonly earlier: { readonly receivedAt: Date; readonly isSame: boolean } | null;
  /** With its commission, whose row is locked. */
  readonly lead: ReversibleLead | null;
  readonly fresh: { readonly reversalId: Id<'rev'> };
};

export type ReversibleLead = LeadIds & {
  readonly creatorId: Id<'crt'>;
  readonly state: CommissionState;
  readonly held: HoldReason | null;
  readonly amount: Cents;
};

export type LeadReversalDecision =
  | { readonly do: 'reverse'; readonly reversal: NewLeadReversal; readonly postings: readonly Posting[]; readonly why: Why }
  | { readonly do: 'repeat'; readonly lead: ReversibleLead; readonly why: Why }
  | { readonly do: 'remember'; readonly why: Why }
  | { readonly do: 'refuse'; readonly reason: Refusal; readonly why: Why };

export type NewLeadReversal = {
  readonly reversalId: Id<'rev'>;
  readonly report: LeadReversalReport;
  readonly lead: ReversibleLead;
  readonly occurredAt: Date;
  readonly receivedAt: Date;
};

/** The rules for the reversal of a lead, in their order, as for an order; the first match wins. */
export function decideLeadReversal(report: LeadReversalReport, facts: LeadReversalFacts): LeadReversalDecision {
  const { earlier, lead, now } = facts;
  const occurredAt = report.occurredAt ?? now;
  if (earlier?.isSame) {
    invariant(lead !== null, 'a reversal that was accepted has a lead');
    return { do: 'repeat', lead, why: { first_recorded_at: earlier.receivedAt.toISOString() } };
  }
  if (earlier) return refuse('duplicate_lead_conflict', { first_recorded_at: earlier.receivedAt.toISOString() });
  if (occurredAt === 'unreadable') return refuse('invalid_occurred_at', {});
  const compared = { occurred_at: occurredAt.toISOString(), received_at: now.toISOString() };
  if (isTooFarAhead(occurredAt, now)) return refuse('invalid_occurred_at', compared);
  if (isOlderThanDays(occurredAt, { now, daysMax: eventAgeDaysMax }))
    return refuse('invalid_occurred_at', { ...compared, age_days_max: eventAgeDaysMax });
  if (lead === null) return { do: 'remember', why: {} };
  const { state, amount, held, creatorId } = lead;
  const commissionFacts = { commission_state: state, commission_cents: amountToJson(amount) };
  if (held !== null && held !== 'early_reversal') return refuse('active_hold', { ...commissionFacts, held });
  // A commission without a reversal is reversed only if an operator credited it.
  if (isInvoiced(state) || state === 'reversed') return refuse('paid_conversion_not_auto_reversed', commissionFacts);
  const { storeId, fresh } = facts;
  return {
    do: 'reverse',
    reversal: { ...fresh, report, lead, occurredAt, receivedAt: now },
    // The rejection already posted the reversal.
    postings: state === 'rejected' ? [] : accrualReversal({ storeId, creatorId, amount }, { kind: 'reversal', id: fresh.reversalId }, now),
    why: { occurred_at: occurredAt.toISOString(), ...commissionFacts },
  };
}

const refuse = (reason: Refusal, why: Why): LeadReversalDecision => ({ do: 'refuse', reason, why });

/** The reply to a decision. */
export function leadReversalOutcome(decision: LeadReversalDecision): ExplainedOutcome {
  const { why } = decision;
  switch (decision.do) {
    case 'reverse':
      return { outcome: { reason: 'recorded', ids: leadIds(decision.reversal.lead) }, why };
    case 'repeat':
      return { outcome: { reason: 'duplicate_lead', ids: leadIds(decision.lead), isReplay: true }, why };
    case 'remember':
      return { outcome: { reason: 'unknown_lead' }, why };
    case 'refuse':
      return { outcome: { reason: decision.reason }, why };
    default:
      return never(decision);
  }
}
