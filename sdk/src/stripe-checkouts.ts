import { isClickId } from './click.ts';
import type { Conversion, OrderRefund } from './reports.ts';
import { field, idIn, listIn, numberIn, type Refund } from './stripe-objects.ts';
import type { ReadStripe } from './stripe-reader.ts';

/** A paid Checkout Session, with what can earn. */
export type Checkout = {
  readonly id: string;
  readonly buys: 'order' | 'subscription';
  readonly click: string | null;
  readonly promotionCodes: readonly string[];
  readonly customerId: string | null;
  /** Of the order: without tax and shipping, and with them. */
  readonly subtotalCents: number;
  readonly totalCents: number;
  readonly createdAt: Date;
  /** Null for a subscription, whose payments belong to its invoices. */
  readonly paymentIntentId: string | null;
  readonly subscriptionId: string | null;
  /** The first invoice of a subscription. */
  readonly invoiceId: string | null;
};

/** Why a session earns nothing. */
type UnusedCheckout = 'unreadable' | 'no_payment' | 'not_paid' | 'no_click' | 'not_usd';

/** As many as a report may name. */
const codesMax = 20;

export function readCheckout(json: unknown, clickField: string): Checkout | UnusedCheckout {
  const [id, total, created] = [idIn(json, 'id'), numberIn(json, 'amount_total'), numberIn(json, 'created')];
  const mode = field(json, 'mode');
  if (mode !== 'payment' && mode !== 'subscription') return 'no_payment';
  // A subscription that begins with a trial is paid later.
  const status = field(json, 'payment_status');
  if (status !== 'paid' && !(mode === 'subscription' && status === 'no_payment_required')) return 'not_paid';
  const click = clickOf(json, clickField);
  const promotionCodes = promotionCodesIn(json);
  if (field(json, 'currency') !== 'usd') return isReferred({ click, promotionCodes }) ? 'not_usd' : 'no_click';
  if (id === null || total === null || created === null) return 'unreadable';
  const beside = (numberIn(json, 'total_details.amount_tax') ?? 0) + (numberIn(json, 'total_details.amount_shipping') ?? 0);
  return {
    id,
    buys: mode === 'payment' ? 'order' : 'subscription',
    click,
    promotionCodes,
    customerId: idIn(json, 'customer'),
    subtotalCents: Math.max(0, total - beside),
    totalCents: total,
    createdAt: new Date(created * 1_000),
    paymentIntentId: idIn(json, 'payment_intent'),
    subscriptionId: idIn(json, 'subscription'),
    invoiceId: idIn(json, 'invoice'),
  };
}

/** The IDs of the promotion codes of a session or subscription. */
const promotionCodesIn = (json: unknown): readonly string[] =>
  listIn(json, 'discounts')
    .flatMap((discount) => idIn(discount, 'promotion_code') ?? [])
    .slice(0, codesMax);

async function readCodes(read: ReadStripe, promotionCodes: readonly string[]): Promise<readonly string[]> {
  const found = await Promise.all(promotionCodes.map((id) => read(`/v1/promotion_codes/${encodeURIComponent(id)}`)));
  return found.flatMap(({ code }) => (typeof code === 'string' && code !== '' ? [code] : []));
}

export type SubscriptionReferral = { readonly click: string | null; readonly discountCodes: readonly string[] };

/**
 * The click and the promotion codes of a subscription: of its Checkout Session, which keeps them, or else the codes of the subscription,
 * which loses the code of its first invoice. The click is read with the codes, because the terms may count it first.
 */
export async function referralOfSubscription(read: ReadStripe, subscriptionId: string, clickField: string): Promise<SubscriptionReferral> {
  const query = new URLSearchParams({ subscription: subscriptionId, limit: '1' });
  const [session] = listIn(await read(`/v1/checkout/sessions?${query.toString()}`), 'data');
  const ofSession = promotionCodesIn(session);
  const promotionCodes =
    ofSession.length > 0 ? ofSession : promotionCodesIn(await read(`/v1/subscriptions/${subscriptionId}?expand[]=discounts`));
  return { click: clickOf(session, clickField), discountCodes: await readCodes(read, promotionCodes) };
}

/**
 * A Payment Link takes no metadata from its URL, but a `client_reference_id`. Stores use that field for IDs of their own too, so there
 * only a click ID of the service counts.
 */
function clickOf(json: unknown, clickField: string): string | null {
  const named = field(json, `metadata.${clickField}`);
  if (isClickId(named)) return named;
  const reference = field(json, 'client_reference_id');
  return isClickId(reference) && /^rm[cv]_/.test(reference) ? reference : null;
}

/** The order of a session; null if it names neither a click nor a code. Sent again, it has the same content. */
export async function orderOf(read: ReadStripe, checkout: Checkout): Promise<Conversion | null> {
  if (!isReferred(checkout)) return null;
  const discountCodes = await readCodes(read, checkout.promotionCodes);
  const isTest = checkout.click?.startsWith('rmv_') === true;
  return {
    orderId: checkout.id,
    clickId: checkout.click,
    orderSubtotalCents: checkout.subtotalCents,
    occurredAt: checkout.createdAt,
    ...(checkout.customerId !== null && { customerId: checkout.customerId }),
    ...(discountCodes.length > 0 && { discountCodes }),
    ...(isTest && { test: true }),
  };
}

export const isReferred = ({ click, promotionCodes }: Pick<Checkout, 'click' | 'promotionCodes'>): boolean =>
  click !== null || promotionCodes.length > 0;

/** The session of one payment; null if no order of Checkout was paid by it. */
export async function checkoutOfPayment(read: ReadStripe, paymentIntentId: string, clickField: string): Promise<Checkout | null> {
  const query = new URLSearchParams({ payment_intent: paymentIntentId, limit: '1' });
  const [session] = listIn(await read(`/v1/checkout/sessions?${query.toString()}`), 'data');
  const checkout = readCheckout(session, clickField);
  return typeof checkout === 'string' || checkout.buys !== 'order' ? null : checkout;
}

/**
 * The part of a refund that is about the eligible amount: a refund does not say whether it pays back goods, shipping, or tax, so each of
 * them has its share. Rounded down, so that several refunds never exceed the eligible amount.
 */
export function eligibleShare(refundedCents: number, of: { readonly eligibleCents: number; readonly totalCents: number }): number {
  if (of.totalCents === 0) return 0;
  return Number((BigInt(refundedCents) * BigInt(of.eligibleCents)) / BigInt(of.totalCents));
}

export type PaidOrder = { readonly orderId: string; readonly totalCents: number; readonly eligibleCents: number };

/** Null if nothing of it is about the eligible amount. */
export function orderRefundOf(refund: Refund, order: PaidOrder): OrderRefund | null {
  const amountCents = eligibleShare(refund.amount, order);
  if (amountCents === 0) return null;
  return { refundId: `stripe:${refund.id}`, orderId: order.orderId, amountCents, occurredAt: refund.createdAt, reason: 'refunded' };
}
