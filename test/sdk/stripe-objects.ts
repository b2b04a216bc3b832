import type { Stripe } from 'stripe';

/**
 * The part of Stripe's objects that the bridge reads, checked against the types of Stripe's own package, so that a wrong shape does not
 * compile.
 */
type Part<Whole> = Whole extends readonly (infer Item)[]
  ? readonly Part<Item>[]
  : Whole extends object
    ? { readonly [Name in keyof Whole]?: Part<Whole[Name]> }
    : Whole;
type Known<Whole> = Part<Whole> & { readonly id: string };

export type Buying = { readonly click: string | null; readonly product: string; readonly price: string; readonly currency?: string };
export type Billing = { readonly amount: number; readonly at: Date; readonly product?: string; readonly price?: string };
export type Webhook = { readonly raw: string; readonly type: string };

let counted = 0;
export const newId = (prefix: string): string => `${prefix}_${(counted += 1)}x${process.pid}`;
export const seconds = (at: Date): number => Math.floor(at.getTime() / 1_000);

export function subscriptionOf({ click, product, price, currency = 'usd' }: Buying, at: Date) {
  const metadata: Record<string, string> = click === null ? {} : { rm_click: click };
  const item = {
    id: newId('si'),
    object: 'subscription_item',
    price: { id: price, object: 'price', product },
  } satisfies Known<Stripe.SubscriptionItem>;
  return {
    id: newId('sub'),
    object: 'subscription',
    created: seconds(at),
    currency,
    ended_at: null as number | null,
    livemode: true,
    metadata,
    items: { object: 'list', data: [item] },
  } satisfies Known<Stripe.Subscription>;
}
export type StripeSubscriptionObject = ReturnType<typeof subscriptionOf>;

/** Not yet paid. Its first line was added manually. */
export function invoiceOf({ id, currency, metadata, items }: StripeSubscriptionObject, { at, product, price }: Billing) {
  const [item] = items.data;
  const line = {
    id: newId('il'),
    object: 'line_item',
    parent: {
      type: 'subscription_item_details',
      subscription_item_details: { proration: false, subscription_item: item?.id ?? '' },
      invoice_item_details: null,
    },
    pricing: {
      type: 'price_details',
      price_details: { price: price ?? item?.price.id ?? '', product: product ?? item?.price.product ?? '' },
    },
  } satisfies Known<Stripe.InvoiceLineItem>;
  const addedByHand = {
    id: newId('il'),
    object: 'line_item',
    parent: { type: 'invoice_item_details', subscription_item_details: null },
    pricing: { type: 'price_details', price_details: { price: 'a', product: 'a' } },
  } satisfies Known<Stripe.InvoiceLineItem>;
  return {
    id: newId('in'),
    object: 'invoice',
    amount_paid: 0,
    attempt_count: 1,
    currency,
    livemode: true,
    parent: { type: 'subscription_details', quote_details: null, subscription_details: { metadata, subscription: id } },
    lines: { object: 'list', data: [addedByHand, line] },
    status_transitions: { finalized_at: seconds(at) - 10, paid_at: null as number | null, voided_at: null, marked_uncollectible_at: null },
  } satisfies Known<Stripe.Invoice>;
}
export type StripeInvoiceObject = ReturnType<typeof invoiceOf>;

export const paid = (invoice: StripeInvoiceObject, { amount, at }: Billing): StripeInvoiceObject => ({
  ...invoice,
  amount_paid: amount,
  status_transitions: { ...invoice.status_transitions, paid_at: seconds(at) },
});

export const paymentOf = (invoice: StripeInvoiceObject, intent: string) =>
  ({
    id: newId('inpay'),
    object: 'invoice_payment',
    invoice: invoice.id,
    is_default: true,
    status: 'paid',
    payment: { type: 'payment_intent', payment_intent: intent },
  }) satisfies Known<Stripe.InvoicePayment>;

export const chargeOf = ({ amount_paid: amount, currency }: StripeInvoiceObject, intent: string, refunded: number) =>
  ({
    id: newId('ch'),
    object: 'charge',
    amount,
    amount_captured: amount,
    amount_refunded: refunded,
    currency,
    payment_intent: intent,
    refunded: refunded === amount,
  }) satisfies Known<Stripe.Charge>;

export const webhook = (type: Stripe.Event['type'], object: object, at: Date, livemode = true): Webhook => ({
  type,
  // As Stripe writes them: over many lines, which no parser reproduces.
  raw: JSON.stringify({ id: newId('evt'), object: 'event', type, livemode, created: seconds(at), data: { object } }, null, 2),
});
