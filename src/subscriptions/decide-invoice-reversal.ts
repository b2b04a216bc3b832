import { isInvoiced } from '../commissions/commission-states.ts';
import type { Why } from '../contract/why.ts';
import { accrualReversal, type Posting } from '../ledger/store-postings.ts';
import type { Id } from '../core/ids.ts';
import { decideRepeat, eventTime, recorded, refuseEvent, type Answer, type EarlierEvent, type Refused, type Repeated } from './event.ts';
import type { Invoice, Relationship, LockedCommission } from './relationship.ts';
import type { InvoiceReversalReport } from './report.ts';
import { amountToJson } from '../core/money.ts';

export type InvoiceReversalFacts = {
  readonly now: Date;
  readonly earlier: EarlierEvent | null;
  readonly relationship: Relationship | null;
  readonly invoice: Invoice | null;
  /** The invoice's commission, read under its row lock. Null: it has none. */
  readonly commission: LockedCommission | null;
  readonly fresh: { readonly eventId: Id<'evt'> };
};

export type InvoiceReversalDecision =
  | {
      readonly do: 'reverse';
      readonly answer: Answer;
      readonly invoice: Invoice;
      /** Null if there is no commission to reverse. */
      readonly reversed: LockedCommission | null;
      readonly postings: readonly Posting[];
      readonly why: Why;
    }
  | { readonly do: 'reversed before'; readonly answer: Answer; readonly why: Why }
  /** The event may be sent again. It is stored only to hold the invoice's commission if the invoice still arrives. */
  | { readonly do: 'remember'; readonly reason: 'unknown_invoice'; readonly relationship: Relationship; readonly why: Why }
  | Repeated
  | Refused;

/** The rules of the contract for an invoice reversal, in their order; the first match wins. */
export function decideInvoiceReversal(report: InvoiceReversalReport, facts: InvoiceReversalFacts): InvoiceReversalDecision {
  const { earlier, relationship, invoice, commission, now, fresh } = facts;
  if (earlier) return decideRepeat(earlier);
  const occurredAt = eventTime(report.occurredAt, now);
  if (!(occurredAt instanceof Date)) return occurredAt;
  if (relationship === null) return refuseEvent('unknown_relationship', {});
  const { environment } = relationship.attribution;
  if (report.environment !== environment) return refuseEvent('environment_mismatch', { environment });
  if (invoice === null) return { do: 'remember', reason: 'unknown_invoice', relationship, why: {} };
  const answer = recorded({ eventId: fresh.eventId });
  if (invoice.reversal) return { do: 'reversed before', answer, why: { reversed_at: invoice.reversal.at.toISOString() } };
  if (isWaiting(invoice)) return refuseEvent('active_hold', relationship.hold ? { relationship_held: relationship.hold.reason } : {});
  const compared = commissionWhy(commission);
  if (commission && isUnderReview(commission)) return refuseEvent('active_hold', compared);
  // A reversed commission whose invoice is not reversed was credited by an operator, so the earlier answer still applies.
  if (commission && (isInvoiced(commission.state) || commission.state === 'reversed'))
    return refuseEvent('paid_conversion_not_auto_reversed', compared);
  return {
    do: 'reverse',
    answer,
    invoice: { ...invoice, reversal: { eventId: fresh.eventId, at: now, reason: report.reason } },
    reversed: commission,
    postings: commission ? undone(commission, facts) : [],
    why: { occurred_at: occurredAt.toISOString(), invoice_state: invoice.payment.state, ...compared },
  };
}

const isWaiting = ({ payment }: Invoice): boolean => payment.state === 'paid' && payment.earns.is === 'waits';

/** A hold for an early reversal does not block that reversal: sent again, it is accepted and ends the hold. */
const isUnderReview = ({ held }: LockedCommission): boolean => held !== null && held !== 'early_reversal';

function commissionWhy(commission: LockedCommission | null): Why {
  if (commission === null) return {};
  const { state, amount, held } = commission;
  return { commission_state: state, commission_cents: amountToJson(amount), ...(held === null ? {} : { held }) };
}

/** The rejection already posted the reversal. */
function undone({ state, creatorId, amount }: LockedCommission, { relationship, fresh, now }: InvoiceReversalFacts): readonly Posting[] {
  if (relationship === null || state === 'rejected') return [];
  return accrualReversal({ storeId: relationship.storeId, creatorId, amount }, { kind: 'reversal', id: fresh.eventId }, now);
}
