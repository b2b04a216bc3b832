import { isClickId } from './click.ts';
import type { Conversion, Reports } from './reports.ts';
import type { Result } from './send.ts';
import { field, idIn, listIn, numberIn } from './stripe-objects.ts';
import type { ReadStripe } from './stripe-reader.ts';

/** A paid Checkout Session of one payment, with what can earn. */
type Checkout = {
  readonly id: string;
  readonly click: string | null;
  readonly promotionCodes: readonly string[];
  readonly customerId: string | null;
  readonly subtotalCents: number;
  readonly createdAt: Date;
};

/** As many as a report may name. */
const codesMax = 20;

/** Null if the session is not a paid order in dollars: a subscription, a setup, or a payment that is still pending. */
export function readCheckout(json: unknown, clickField: string): Checkout | null {
  const [id, total, created] = [idIn(json, 'id'), numberIn(json, 'amount_total'), numberIn(json, 'created')];
  const isPaid = field(json, 'mode') === 'payment' && field(json, 'payment_status') === 'paid' && field(json, 'currency') === 'usd';
  if (!isPaid || id === null || total === null || created === null) return null;
  const click = field(json, `metadata.${clickField}`);
  const beside = (numberIn(json, 'total_details.amount_tax') ?? 0) + (numberIn(json, 'total_details.amount_shipping') ?? 0);
  return {
    id,
    click: isClickId(click) ? click : null,
    promotionCodes: listIn(json, 'discounts')
      .flatMap((discount) => idIn(discount, 'promotion_code') ?? [])
      .slice(0, codesMax),
    customerId: idIn(json, 'customer'),
    subtotalCents: Math.max(0, total - beside),
    createdAt: new Date(created * 1_000),
  };
}

/** The order of a session; null if it names neither a click nor a code. Sent again, it has the same content. */
async function orderOf(read: ReadStripe, checkout: Checkout): Promise<Conversion | null> {
  if (checkout.click === null && checkout.promotionCodes.length === 0) return null;
  const found = await Promise.all(checkout.promotionCodes.map((id) => read(`/v1/promotion_codes/${encodeURIComponent(id)}`)));
  const discountCodes = found.flatMap(({ code }) => (typeof code === 'string' && code !== '' ? [code] : []));
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

type Conversions = Reports<Result>['conversions'];
type Send = () => Promise<Result>;

/** What to send for a paid session; empty if it earns nothing. */
export async function checkoutReports(conversions: Conversions, read: ReadStripe, checkout: Checkout): Promise<readonly Send[]> {
  const order = await orderOf(read, checkout);
  return order === null ? [] : [() => conversions.record(order)];
}

/** The session that a payment belongs to. */
export async function checkoutOfPayment(read: ReadStripe, paymentIntentId: string, clickField: string): Promise<Checkout | null> {
  const query = new URLSearchParams({ payment_intent: paymentIntentId, limit: '1' });
  const [session] = listIn(await read(`/v1/checkout/sessions?${query.toString()}`), 'data');
  return readCheckout(session, clickField);
}

/** The order is sent again before its refund, because webhooks arrive in any order. */
export async function refundReports(
  conversions: Conversions,
  read: ReadStripe,
  { checkout, refundedAt }: { readonly checkout: Checkout; readonly refundedAt: Date },
): Promise<readonly Send[]> {
  const order = await checkoutReports(conversions, read, checkout);
  if (order.length === 0) return [];
  return [...order, () => conversions.reverse({ orderId: checkout.id, occurredAt: refundedAt, reason: 'refunded' })];
}
