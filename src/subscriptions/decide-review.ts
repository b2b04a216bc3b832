import type { OpenedCommission } from '../commissions/commission.ts';
import type { Posting } from '../ledger/store-postings.ts';
import type { Id } from '../core/ids.ts';
import { invariant } from '../core/invariant.ts';
import { decidePayment } from './decide-payment.ts';
import { openInvoiceCommission } from './open-invoice.ts';
import type { Invoice, Paid, Relationship } from './relationship.ts';

export type ReviewVerdict = 'accept' | 'decline';

export type ReviewFacts = {
  readonly now: Date;
  readonly relationship: Relationship;
  /** Invoices that were paid while the relationship was held, in the order recorded. */
  readonly waiting: readonly WaitingInvoice[];
  /** More invoices wait than one transaction decides, so the review stays open. */
  readonly moreWait: boolean;
  readonly isCreatorSuspended: boolean;
};

export type WaitingInvoice = { readonly invoice: Invoice; readonly wasReversedEarly: boolean; readonly commissionId: Id<'com'> };

export type ReviewDecision =
  | {
      readonly do: 'settle';
      readonly relationship: Relationship;
      readonly invoices: readonly Invoice[];
      readonly commissions: readonly OpenedCommission[];
      readonly postings: readonly Posting[];
    }
  | { readonly do: 'refuse'; readonly because: 'no review is open' };

/** Decides a review. The copied rule never changes; accepted invoices count towards its limits now, in the order recorded. */
export function decideReview(decision: ReviewVerdict, facts: ReviewFacts): ReviewDecision {
  const { relationship, waiting, moreWait } = facts;
  const { hold } = relationship;
  if (hold === null) return { do: 'refuse', because: 'no review is open' };
  const settled = decision === 'accept' ? { ...relationship, bound: hold.billed } : relationship;
  const nothing: Settled = { relationship: { ...settled, hold: moreWait ? hold : null }, invoices: [], commissions: [], postings: [] };
  const settle = decision === 'accept' ? open : decline;
  return { do: 'settle', ...waiting.reduce((before, one) => settle(before, one, facts), nothing) };
}

type Settled = Omit<Extract<ReviewDecision, { readonly do: 'settle' }>, 'do'>;

function decline(before: Settled, { invoice }: WaitingInvoice): Settled {
  const because = 'declined';
  const { why } = paymentOf(invoice);
  const declined = withPayment(invoice, { earns: { is: 'nothing', because }, why: { ...why, earns_nothing: because } });
  return { ...before, invoices: [...before.invoices, declined] };
}

function open(before: Settled, { invoice, wasReversedEarly, commissionId }: WaitingInvoice, facts: ReviewFacts): Settled {
  const { relationship } = before;
  const payment = paymentOf(invoice);
  const judged = decidePayment(relationship, payment);
  const why = { ...payment.why, ...judged.why, reviewed_at: facts.now.toISOString() };
  if (judged.is === 'nothing') {
    const { because } = judged;
    const earnsNothing = withPayment(invoice, { earns: { is: 'nothing', because }, why: { ...why, earns_nothing: because } });
    return { ...before, invoices: [...before.invoices, earnsNothing] };
  }
  const { plan, earning } = judged;
  const { isCreatorSuspended, now } = facts;
  const opened = openInvoiceCommission({
    relationship,
    invoice,
    payment,
    plan,
    earning,
    commissionId,
    wasReversedEarly,
    isCreatorSuspended,
    now,
  });
  return {
    relationship: { ...relationship, earningInvoices: relationship.earningInvoices + (earning.amount > 0n ? 1 : 0) },
    invoices: [...before.invoices, withPayment(invoice, { earns: { is: 'commission', commissionId }, why: { ...why, ...opened.why } })],
    commissions: [...before.commissions, opened.commission],
    postings: [...before.postings, ...opened.postings],
  };
}

function paymentOf({ payment }: Invoice): Paid {
  invariant(payment.state === 'paid' && payment.earns.is === 'waits', 'an invoice that waits for a review is paid');
  return payment;
}

const withPayment = (invoice: Invoice, change: Pick<Paid, 'earns' | 'why'>): Invoice => ({
  ...invoice,
  payment: { ...paymentOf(invoice), ...change },
});
