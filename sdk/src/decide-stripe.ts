import { isFixable } from './fixable.ts';
import type { Result } from './send.ts';
import type { InvoiceState } from './stripe-reports.ts';

/** The subject of a Stripe event, by its type. Null: the event is ignored. */
export type Concern =
  | { readonly is: 'bind' }
  | { readonly is: 'end' }
  /** Everything was refunded. */
  | { readonly is: 'refund' }
  | { readonly is: 'partial_refund' }
  | { readonly is: 'checkout' }
  | { readonly is: 'bill'; readonly state: InvoiceState };

const concerns: Readonly<Record<string, Concern>> = {
  'customer.subscription.created': { is: 'bind' },
  'customer.subscription.deleted': { is: 'end' },
  'charge.refunded': { is: 'refund' },
  'refund.created': { is: 'partial_refund' },
  'refund.updated': { is: 'partial_refund' },
  'checkout.session.completed': { is: 'checkout' },
  'checkout.session.async_payment_succeeded': { is: 'checkout' },
  'invoice.paid': { is: 'bill', state: 'paid' },
  'invoice.payment_failed': { is: 'bill', state: 'failed' },
  'invoice.finalized': { is: 'bill', state: 'open' },
  'invoice.voided': { is: 'bill', state: 'void' },
  'invoice.marked_uncollectible': { is: 'bill', state: 'uncollectible' },
};

export const stripeEventTypes: readonly string[] = Object.keys(concerns);
export const concernOf = (type: string): Concern | null => (Object.hasOwn(concerns, type) ? (concerns[type] ?? null) : null);

/** What one report's result means for later reports, and for the response to Stripe. */
export type Step =
  | { readonly is: 'continue' }
  /** The event is processed, or never will be: Stripe need not retry. */
  | { readonly is: 'forget' }
  /** Stripe retries for three days: its redelivery is the queue. */
  | { readonly is: 'again' };

export function decideStep(result: Result, { isBind }: { readonly isBind: boolean }): Step {
  if (result.ok) return { is: 'continue' };
  // The last partial refund comes after the refund of the whole, which left nothing.
  if (result.reason === 'refund_exceeds_remaining_amount' && result.outcome === 'refused' && result.remainingCents === 0)
    return { is: 'continue' };
  if (result.retry !== 'no' || isFixable(result)) return { is: 'again' };
  // Bound without commission, bound earlier with another plan, or rejected earlier: the service decides about each invoice.
  const continues = ['no_matching_subscription_rule', 'duplicate_relationship_conflict', 'duplicate_event_conflict', 'duplicate_event'];
  if (isBind && continues.includes(result.reason)) return { is: 'continue' };
  // A report with different content was recorded earlier: the first one remains, and later reports may follow.
  if (result.reason === 'duplicate_event_conflict') return { is: 'continue' };
  return { is: 'forget' };
}
