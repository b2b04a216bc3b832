import { createHash } from 'node:crypto';
import type { Bill, Bind, End, InvoiceReversal } from './reports.ts';
import type { Invoice, Plan, Subscription } from './stripe-objects.ts';

/** What came by a click, in dollars: the rest is nobody's commission. */
export type Referred = { readonly subscription: Subscription; readonly click: string; readonly plan: Plan };

/** A click of a test link backs tests only, and the other way round. */
const environmentOf = (click: string): 'live' | 'test' => (click.startsWith('rmv_') ? 'test' : 'live');

/**
 * Every id is made of what happened, not of the webhook that told it: told twice, in two webhooks, it is one event. The bind's is made of
 * its content too, because it is sent again before each invoice, and the plan may have changed since: that is another report, which
 * the service compares with the first.
 */
export function bindOf({ subscription, click, plan }: Referred): Bind {
  const report = {
    relationshipId: subscription.id,
    clickId: click,
    ...plan,
    currency: 'USD',
    environment: environmentOf(click),
    occurredAt: subscription.createdAt.toISOString(),
  };
  const mark = createHash('sha256').update(JSON.stringify(report)).digest('hex').slice(0, 16);
  return { eventId: `stripe:${subscription.id}:bind:${mark}`, ...report };
}

export type InvoiceState = Bill['paymentState'];

/** When it came into this state, as Stripe itself keeps it. */
const timeOf: Readonly<Record<InvoiceState, (invoice: Invoice) => Date | null>> = {
  paid: ({ paidAt }) => paidAt,
  open: ({ finalizedAt }) => finalizedAt,
  void: ({ voidedAt }) => voidedAt,
  uncollectible: ({ uncollectibleAt }) => uncollectibleAt,
  failed: () => null,
};

type Billed = {
  readonly state: InvoiceState;
  /** Where the invoice does not keep it: a failed payment is no lasting state. */
  readonly toldAt: Date;
  readonly eligibleCents: number | null;
};

export function billOf({ subscription, click, plan }: Referred, invoice: Invoice, { state, toldAt, eligibleCents }: Billed): Bill {
  // Each try to collect an invoice may fail.
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
    occurredAt: timeOf[state](invoice) ?? toldAt,
  };
}

export const reversalOf = ({ subscription, click }: Referred, invoice: Invoice, toldAt: Date): InvoiceReversal => ({
  eventId: `stripe:${invoice.id}:refunded`,
  relationshipId: subscription.id,
  invoiceId: invoice.id,
  reason: 'refunded',
  environment: environmentOf(click),
  occurredAt: toldAt,
});

export const endOf = ({ subscription, click }: Referred, toldAt: Date): End => ({
  eventId: `stripe:${subscription.id}:end`,
  relationshipId: subscription.id,
  environment: environmentOf(click),
  occurredAt: subscription.endedAt ?? toldAt,
});
