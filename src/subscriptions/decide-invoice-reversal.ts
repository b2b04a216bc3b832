import { isBilled } from '../commissions/commission.ts';
import type { Why } from '../contract/why.ts';
import { accrualUndone, type Posting } from '../ledger/posting.ts';
import type { Id } from '../platform/ids.ts';
import { decideAgain, eventTime, recorded, refuse, type Answer, type EarlierEvent, type Refused, type Repeated } from './event.ts';
import type { Invoice, Relationship, StandingCommission } from './relationship.ts';
import type { InvoiceReversalReport } from './report.ts';
import { amountToJson } from '../platform/money.ts';

export type InvoiceReversalFacts = {
  readonly now: Date;
  readonly earlier: EarlierEvent | null;
  readonly relationship: Relationship | null;
  readonly invoice: Invoice | null;
  /** What the invoice opened, as it stands under its row's lock. Null: it opened nothing. */
  readonly commission: StandingCommission | null;
  readonly fresh: { readonly eventId: Id<'evt'> };
};

export type InvoiceReversalDecision =
  | {
      readonly do: 'reverse';
      readonly answer: Answer;
      readonly invoice: Invoice;
      /** Null where there is none to reverse. */
      readonly reversed: StandingCommission | null;
      readonly postings: readonly Posting[];
      readonly why: Why;
    }
  | { readonly do: 'reversed before'; readonly answer: Answer; readonly why: Why }
  /** Nothing is burned by it: it is remembered only to hold the invoice's commission, should it still come. */
  | { readonly do: 'remember'; readonly reason: 'unknown_invoice'; readonly relationship: Relationship; readonly why: Why }
  | Repeated
  | Refused;

/** The whole law of an invoice's reversal, in the order of the contract's table. */
export function decideInvoiceReversal(report: InvoiceReversalReport, facts: InvoiceReversalFacts): InvoiceReversalDecision {
  const { earlier, relationship, invoice, commission, now, fresh } = facts;
  if (earlier) return decideAgain(earlier);
  const occurredAt = eventTime(report.occurredAt, now);
  if (!(occurredAt instanceof Date)) return occurredAt;
  if (relationship === null) return refuse('unknown_relationship', {});
  const { environment } = relationship.claim;
  if (report.environment !== environment) return refuse('environment_mismatch', { environment });
  if (invoice === null) return { do: 'remember', reason: 'unknown_invoice', relationship, why: {} };
  const answer = recorded({ eventId: fresh.eventId });
  if (invoice.reversal) return { do: 'reversed before', answer, why: { reversed_at: invoice.reversal.at.toISOString() } };
  if (isWaiting(invoice)) return refuse('active_hold', relationship.hold ? { relationship_held: relationship.hold.reason } : {});
  const standing = standingWhy(commission);
  if (commission && isUnderReview(commission)) return refuse('active_hold', standing);
  // Reversed, while its invoice is not: an operator credited it, and what was said of it before still holds.
  if (commission && (isBilled(commission.state) || commission.state === 'reversed'))
    return refuse('paid_conversion_not_auto_reversed', standing);
  return {
    do: 'reverse',
    answer,
    invoice: { ...invoice, reversal: { eventId: fresh.eventId, at: now, reason: report.reason } },
    reversed: commission,
    postings: commission ? undone(commission, facts) : [],
    why: { occurred_at: occurredAt.toISOString(), invoice_state: invoice.standing.state, ...standing },
  };
}

const isWaiting = ({ standing }: Invoice): boolean => standing.state === 'paid' && standing.earns.is === 'waits';

/** A reversal that came before its invoice is no hold in this sense: sent again it passes, and ends it. */
const isUnderReview = ({ held }: StandingCommission): boolean => held !== null && held !== 'early_reversal';

function standingWhy(commission: StandingCommission | null): Why {
  if (commission === null) return {};
  const { state, amount, held } = commission;
  return { commission_state: state, commission_cents: amountToJson(amount), ...(held === null ? {} : { held }) };
}

/** What was rejected was undone then. */
function undone({ state, creatorId, amount }: StandingCommission, { relationship, fresh, now }: InvoiceReversalFacts): readonly Posting[] {
  if (relationship === null || state === 'rejected') return [];
  return accrualUndone({ storeId: relationship.storeId, creatorId, amount }, { kind: 'reversal', id: fresh.eventId }, now);
}
