import { createHash } from 'node:crypto';
import type { Bill, Bind, End, InvoiceRefund, InvoiceReversal } from './reports.ts';
import { eligibleShare } from './stripe-checkouts.ts';
import type { Invoice, Plan, Refund, Subscription } from './stripe-objects.ts';

/** Subscriptions with a click or a promotion code, in dollars: others earn no commission. */
export type Referred = {
  readonly subscription: Subscription;
  readonly click: string | null;
  /** Null: the bridge does not read promotion codes. */
  readonly discountCodes: readonly string[] | null;
  readonly plan: Plan;
};

/** A test click is valid for tests only, and a live click for live reports only. */
const environmentOf = (click: string | null): 'live' | 'test' => (click?.startsWith('rmv_') === true ? 'test' : 'live');

/**
 * Every ID is derived from what happened, not from the webhook: the same event in two webhooks has one ID. The bind's ID also includes its
 * content, because the bind is sent before each invoice, and the plan may have changed since: that is another report, which the service
 * compares with the first.
 */
export function bindOf({ subscription, click, discountCodes, plan }: Referred): Bind {
  const report = {
    relationshipId: subscription.id,
    clickId: click,
    ...plan,
    currency: 'USD',
    environment: environmentOf(click),
    occurredAt: subscription.createdAt.toISOString(),
    ...(discountCodes !== null && { discountCodes, customerId: subscription.customerId }),
  };
  const mark = createHash('sha256').update(JSON.stringify(report)).digest('hex').slice(0, 16);
  return { eventId: `stripe:${subscription.id}:bind:${mark}`, ...report };
}

export type InvoiceState = Bill['paymentState'];

/** When it entered this state, as Stripe records it. */
const timeOf: Readonly<Record<InvoiceState, (invoice: Invoice) => Date | null>> = {
  paid: ({ paidAt }) => paidAt,
  open: ({ finalizedAt }) => finalizedAt,
  void: ({ voidedAt }) => voidedAt,
  uncollectible: ({ uncollectibleAt }) => uncollectibleAt,
  failed: () => null,
};

type Billed = {
  readonly state: InvoiceState;
  /** For invoices that do not record it: a failed payment is not a lasting state. */
  readonly reportedAt: Date;
  readonly eligibleCents: number | null;
};

export function invoiceReportOf(
  { subscription, click, plan }: Referred,
  invoice: Invoice,
  { state, reportedAt, eligibleCents }: Billed,
): Bill {
  // Each attempt to collect an invoice may fail.
  const turn = state === 'failed' ? `:${invoice.attempts}` : '';
  return {
    eventId: `stripe:${invoice.id}:${state}${turn}`,
    relationshipId: subscription.id,
    invoiceId: invoice.id,
    paymentState: state,
    amountPaidMinorUnits: invoice.amountPaid,
    eligibleAmountMinorUnits: eligibleCents,
    ...(invoice.plan ?? plan),
    currency: 'USD',
    environment: environmentOf(click),
    occurredAt: timeOf[state](invoice) ?? reportedAt,
  };
}

export const reversalOf = ({ subscription, click }: Referred, invoice: Invoice, reportedAt: Date): InvoiceReversal => ({
  eventId: `stripe:${invoice.id}:refunded`,
  relationshipId: subscription.id,
  invoiceId: invoice.id,
  reason: 'refunded',
  environment: environmentOf(click),
  occurredAt: reportedAt,
});

type Refunded = { readonly refund: Refund; readonly eligibleCents: number | null };

/** Null if nothing of it is about the eligible amount. */
export function invoiceRefundOf(
  { subscription, click }: Referred,
  invoice: Invoice,
  { refund, eligibleCents }: Refunded,
): InvoiceRefund | null {
  const amount = { eligibleCents: eligibleCents ?? invoice.amountPaid, totalCents: invoice.amountPaid };
  const amountMinorUnits = eligibleShare(refund.amount, amount);
  if (amountMinorUnits === 0) return null;
  return {
    refundId: `stripe:${refund.id}`,
    relationshipId: subscription.id,
    invoiceId: invoice.id,
    amountMinorUnits,
    environment: environmentOf(click),
    occurredAt: refund.createdAt,
    reason: 'refunded',
  };
}

export const endOf = ({ subscription, click }: Referred, reportedAt: Date): End => ({
  eventId: `stripe:${subscription.id}:end`,
  relationshipId: subscription.id,
  environment: environmentOf(click),
  occurredAt: subscription.endedAt ?? reportedAt,
});
