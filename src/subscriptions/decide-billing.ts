import type { OpenedCommission } from '../commissions/commission.ts';
import type { Why } from '../contract/why.ts';
import type { Posting } from '../ledger/store-postings.ts';
import type { Id } from '../core/ids.ts';
import { decidePayment, type PaymentDecision } from './decide-payment.ts';
import { decideRepeat, eventTime, recorded, refuseEvent, type Answer, type EarlierEvent, type Refused, type Repeated } from './event.ts';
import { openInvoiceCommission } from './open-invoice.ts';
import type { Earns, Invoice, InvoiceKey, Paid, Product, Relationship, RelationshipHold } from './relationship.ts';
import type { BillingReport } from './report.ts';
import { amountToJson } from '../core/money.ts';

export type BillingFacts = {
  readonly now: Date;
  readonly earlier: EarlierEvent | null;
  /** Read under the relationship's row lock, with the invoice if it was reported. */
  readonly relationship: Relationship | null;
  readonly invoice: Invoice | null;
  readonly invoiceHash: Buffer;
  /** A reversal arrived before the invoice. */
  readonly wasReversedEarly: boolean;
  readonly isCreatorSuspended: boolean;
  readonly fresh: { readonly eventId: Id<'evt'>; readonly relationshipInvoiceId: Id<'rinv'>; readonly commissionId: Id<'com'> };
};

export type BillingDecision = BillingRecord | Repeated | Refused;

export type BillingRecord = {
  readonly do: 'record';
  readonly answer: Answer;
  readonly relationship: Relationship;
  readonly invoice: Invoice;
  readonly commission: OpenedCommission | null;
  readonly postings: readonly Posting[];
  readonly why: Why;
};

/** The rules of the contract for a billing event, in their order; the first match wins. */
export function decideBilling(report: BillingReport, facts: BillingFacts): BillingDecision {
  const { earlier, relationship, invoice, now } = facts;
  if (earlier) return decideRepeat(earlier);
  if (report.currency !== 'USD') return refuseEvent('unsupported_pricing_currency', { currency: report.currency });
  const occurredAt = eventTime(report.occurredAt, now);
  if (!(occurredAt instanceof Date)) return occurredAt;
  if (relationship === null) return refuseEvent('unknown_relationship', {});
  const { environment } = relationship.attribution;
  if (report.environment !== environment) return refuseEvent('environment_mismatch', { environment });
  const paid = invoice?.payment.state === 'paid' ? invoice.payment : null;
  if (paid !== null && isOtherPayment(report, paid)) return refuseEvent('duplicate_event_conflict', firstPaid(paid));
  if (isAfterEnd(relationship, invoice, occurredAt)) return refuseEvent('relationship_ended', endCompared(relationship, occurredAt));
  return record(report, facts, { relationship, occurredAt });
}

const isOtherPayment = ({ paymentState, amountPaid, eligible }: BillingReport, paid: Paid): boolean =>
  paymentState === 'paid' && (amountPaid !== paid.amount || eligible !== paid.eligible);

/** Invoices that were reported before the end, or that happened before an end with its own time, still count. */
function isAfterEnd({ lifecycle }: Relationship, invoice: Invoice | null, occurredAt: Date): boolean {
  if (lifecycle.state === 'active') return false;
  if (invoice !== null && !invoice.isReportedAfterEnd) return false;
  return lifecycle.occurredAt === null || occurredAt >= lifecycle.occurredAt;
}

const firstPaid = ({ recordedAt, amount }: Paid): Why => ({
  first_recorded_at: recordedAt.toISOString(),
  paid_cents: amountToJson(amount),
});

function endCompared({ lifecycle }: Relationship, occurredAt: Date): Why {
  const endedAt = lifecycle.state === 'ended' ? { ended_at: (lifecycle.occurredAt ?? lifecycle.recordedAt).toISOString() } : {};
  return { occurred_at: occurredAt.toISOString(), ...endedAt };
}

type At = { readonly relationship: Relationship; readonly occurredAt: Date };

function record(report: BillingReport, facts: BillingFacts, { relationship, occurredAt }: At): BillingRecord {
  const held: Relationship = { ...relationship, hold: holdAfter(relationship, report.product, facts.now) };
  const invoice = facts.invoice ?? newInvoice(report, facts, held);
  const why: Why = { occurred_at: occurredAt.toISOString(), payment_state: report.paymentState, ...mismatchWhy(held, report.product) };
  const still = {
    do: 'record',
    relationship: held,
    commission: null,
    postings: [],
    answer: recorded({ eventId: facts.fresh.eventId }),
  } as const;

  if (invoice.payment.state === 'paid')
    return { ...still, invoice, why: { ...why, first_paid_at: invoice.payment.recordedAt.toISOString() } };
  if (report.paymentState !== 'paid') return { ...still, invoice: { ...invoice, payment: { state: report.paymentState } }, why };
  return pay(report, facts, { ...still, invoice, why: { ...why, eligible_cents: amountToJson(report.eligible) } }, occurredAt);
}

/** The first payment of an invoice, the only event that can earn. */
function pay(report: BillingReport, facts: BillingFacts, still: BillingRecord, occurredAt: Date): BillingRecord {
  const { relationship: before, invoice, answer } = still;
  const relationship = { ...before, paidInvoices: before.paidInvoices + 1 };
  const payment = { eventId: facts.fresh.eventId, occurredAt, eligible: report.eligible };
  const judged = judge(report, { relationship: before, invoice, occurredAt });
  const paid = (earns: Earns, why: Why): Invoice => ({
    ...invoice,
    payment: {
      state: 'paid',
      number: relationship.paidInvoices,
      recordedAt: facts.now,
      amount: report.amountPaid,
      product: report.product,
      ...payment,
      earns,
      why,
    },
  });
  const why = { ...still.why, ...judged.why };
  if (judged.is === 'waits') return { ...still, relationship, invoice: paid({ is: 'waits' }, why), why };
  if (judged.is === 'nothing') {
    const { because } = judged;
    const full = { ...why, earns_nothing: because };
    return { ...still, relationship, invoice: paid({ is: 'nothing', because }, full), why: full };
  }
  const { commissionId } = facts.fresh;
  const { plan, earning } = judged;
  const opened = openInvoiceCommission({ ...facts, relationship, invoice, payment, plan, earning, commissionId });
  const full = { ...why, ...opened.why };
  return {
    ...still,
    ...opened,
    answer: { ...answer, commissionId },
    relationship: { ...relationship, earningInvoices: relationship.earningInvoices + (earning.amount > 0n ? 1 : 0) },
    invoice: paid({ is: 'commission', commissionId }, full),
    why: full,
  };
}

type Judged = PaymentDecision | { readonly is: 'waits'; readonly why: Why };

/** An earlier refund leaves nothing to earn. An invoice that is paid during an open review waits for the review. */
function judge({ eligible }: BillingReport, { relationship, invoice, occurredAt }: At & { readonly invoice: Invoice }): Judged {
  if (invoice.reversal !== null) return { is: 'nothing', because: 'reversed_before', why: {} };
  if (relationship.hold !== null) return { is: 'waits', why: {} };
  return decidePayment(relationship, { occurredAt, eligible });
}

function newInvoice(
  { invoiceId }: BillingReport,
  { now, fresh, invoiceHash }: BillingFacts,
  { storeId, bindingId, lifecycle }: Relationship,
): Invoice {
  const key: InvoiceKey = { storeId, bindingId, invoiceHash };
  return {
    ...key,
    relationshipInvoiceId: fresh.relationshipInvoiceId,
    invoiceId,
    firstRecordedAt: now,
    isReportedAfterEnd: lifecycle.state === 'ended',
    payment: { state: 'open' },
    reversal: null,
  };
}

/**
 * The billed product or price differs from the bound one. The review opens with the first such event, and decides about the latest. A
 * test relationship is not held, because it cannot be reviewed and earns nothing.
 */
function holdAfter({ hold, bound, attribution }: Relationship, billed: Product, now: Date): RelationshipHold | null {
  const reason = differenceBetween(bound, billed);
  if (reason === null || attribution.environment === 'test') return hold;
  return hold === null ? { reason, since: now, billed } : { ...hold, billed };
}

function differenceBetween(bound: Product, billed: Product): RelationshipHold['reason'] | null {
  if (bound.productId !== billed.productId) return 'product_mismatch';
  const isOtherPrice = bound.priceId !== null && billed.priceId !== null && bound.priceId !== billed.priceId;
  return isOtherPrice ? 'price_mismatch' : null;
}

function mismatchWhy({ hold, bound }: Relationship, billed: Product): Why {
  if (hold === null) return {};
  return {
    relationship_held: hold.reason,
    bound_product_id: bound.productId,
    billed_product_id: billed.productId,
    ...(bound.priceId === null ? {} : { bound_price_id: bound.priceId }),
    ...(billed.priceId === null ? {} : { billed_price_id: billed.priceId }),
  };
}
