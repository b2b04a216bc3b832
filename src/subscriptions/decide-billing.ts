import type { OpenedCommission } from '../commissions/commission.ts';
import type { Why } from '../contract/why.ts';
import type { Posting } from '../ledger/posting.ts';
import type { Id } from '../platform/ids.ts';
import { decidePayment, type PaymentDecision } from './decide-payment.ts';
import { decideAgain, eventTime, recorded, refuse, type Answer, type EarlierEvent, type Refused, type Repeated } from './event.ts';
import { openInvoiceCommission } from './open-invoice.ts';
import type { Earns, Invoice, InvoiceKey, Paid, Product, Relationship, RelationshipHold } from './relationship.ts';
import type { BillingReport } from './report.ts';
import { amountToJson } from '../platform/money.ts';

export type BillingFacts = {
  readonly now: Date;
  readonly earlier: EarlierEvent | null;
  /** As it stands under its row's lock, and with it the invoice as far as it was reported. */
  readonly relationship: Relationship | null;
  readonly invoice: Invoice | null;
  readonly invoiceHash: Buffer;
  /** A reversal came before the invoice was ever reported. */
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

/** The whole law of a billing event, in the order of the contract's table. */
export function decideBilling(report: BillingReport, facts: BillingFacts): BillingDecision {
  const { earlier, relationship, invoice, now } = facts;
  if (earlier) return decideAgain(earlier);
  if (report.currency !== 'USD') return refuse('unsupported_pricing_currency', { currency: report.currency });
  const occurredAt = eventTime(report.occurredAt, now);
  if (!(occurredAt instanceof Date)) return occurredAt;
  if (relationship === null) return refuse('unknown_relationship', {});
  const { environment } = relationship.claim;
  if (report.environment !== environment) return refuse('environment_mismatch', { environment });
  const paid = invoice?.standing.state === 'paid' ? invoice.standing : null;
  if (paid !== null && isOtherPayment(report, paid)) return refuse('duplicate_event_conflict', firstPaid(paid));
  if (isAfterEnd(relationship, invoice, occurredAt)) return refuse('relationship_ended', endCompared(relationship, occurredAt));
  return record(report, facts, { relationship, occurredAt });
}

const isOtherPayment = ({ paymentState, amountPaid, eligible }: BillingReport, paid: Paid): boolean =>
  paymentState === 'paid' && (amountPaid !== paid.amount || eligible !== paid.eligible);

/** What was on its way still counts: an invoice that was reported before the end, and what happened before an end that says when it was. */
function isAfterEnd({ life }: Relationship, invoice: Invoice | null, occurredAt: Date): boolean {
  if (life.state === 'active') return false;
  if (invoice !== null && !invoice.isReportedAfterEnd) return false;
  return life.occurredAt === null || occurredAt >= life.occurredAt;
}

const firstPaid = ({ recordedAt, amount }: Paid): Why => ({
  first_recorded_at: recordedAt.toISOString(),
  paid_cents: amountToJson(amount),
});

function endCompared({ life }: Relationship, occurredAt: Date): Why {
  const endedAt = life.state === 'ended' ? { ended_at: (life.occurredAt ?? life.recordedAt).toISOString() } : {};
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

  if (invoice.standing.state === 'paid')
    return { ...still, invoice, why: { ...why, first_paid_at: invoice.standing.recordedAt.toISOString() } };
  if (report.paymentState !== 'paid') return { ...still, invoice: { ...invoice, standing: { state: report.paymentState } }, why };
  return pay(report, facts, { ...still, invoice, why: { ...why, eligible_cents: amountToJson(report.eligible) } }, occurredAt);
}

/** The first payment of an invoice: the only event that can earn. */
function pay(report: BillingReport, facts: BillingFacts, still: BillingRecord, occurredAt: Date): BillingRecord {
  const { relationship: before, invoice, answer } = still;
  const relationship = { ...before, paidInvoices: before.paidInvoices + 1 };
  const payment = { eventId: facts.fresh.eventId, occurredAt, eligible: report.eligible };
  const judged = judge(report, { relationship: before, invoice, occurredAt });
  const paid = (earns: Earns, why: Why): Invoice => ({
    ...invoice,
    standing: {
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

/** A refund that came first leaves nothing to earn; what is billed while a review is open waits for it, whatever it is. */
function judge({ eligible }: BillingReport, { relationship, invoice, occurredAt }: At & { readonly invoice: Invoice }): Judged {
  if (invoice.reversal !== null) return { is: 'nothing', because: 'reversed_before', why: {} };
  if (relationship.hold !== null) return { is: 'waits', why: {} };
  return decidePayment(relationship, { occurredAt, eligible });
}

function newInvoice(
  { invoiceId }: BillingReport,
  { now, fresh, invoiceHash }: BillingFacts,
  { storeId, bindingId, life }: Relationship,
): Invoice {
  const key: InvoiceKey = { storeId, bindingId, invoiceHash };
  return {
    ...key,
    relationshipInvoiceId: fresh.relationshipInvoiceId,
    invoiceId,
    firstRecordedAt: now,
    isReportedAfterEnd: life.state === 'ended',
    standing: { state: 'open' },
    reversal: null,
  };
}

/**
 * Something else was billed than was bound: a review is open from the first such event, and decides about the latest. A
 * test relationship is not held: nobody could review it, and it has nothing to wait for.
 */
function holdAfter({ hold, bound, claim }: Relationship, billed: Product, now: Date): RelationshipHold | null {
  const reason = differenceBetween(bound, billed);
  if (reason === null || claim.environment === 'test') return hold;
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
