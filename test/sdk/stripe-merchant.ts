import { createServer } from 'node:http';
import { Stripe } from 'stripe';
import { invariant } from '../../src/core/invariant.ts';
import { chargeOf, invoiceOf, newId, paid, paymentOf, seconds, subscriptionOf, webhook } from './stripe-objects.ts';
import type { Billing, Buying, StripeSubscriptionObject, Webhook } from './stripe-objects.ts';

export const webhookSecret = 'whsec_of-the-tests';
export const stripeKey = 'rk_of-the-tests';
const stripe = new Stripe('sk_never-used');

/** The objects that Stripe stores for a store and returns on request. */
type Kept = {
  readonly objects: Map<string, object>;
  readonly payments: Map<string, object>;
  readonly requestPaths: string[];
  isAway: boolean;
};

/** A store's account at Stripe, as far as the bridge uses it: subscriptions, invoices, payments, and their webhooks. */
export async function startStripeStore() {
  const kept: Kept = { objects: new Map(), payments: new Map(), requestPaths: [], isAway: false };
  const server = createServer((request, response) => {
    const url = new URL(request.url ?? '/', 'http://stripe');
    kept.requestPaths.push(url.pathname);
    const isAllowed = request.headers.authorization === `Bearer ${stripeKey}`;
    const found = isAllowed ? answerTo(kept, url) : undefined;
    const status = kept.isAway ? 500 : found === undefined ? 404 : 200;
    response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(status === 200 ? found : { error: {} }));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const address = server.address();
  invariant(typeof address === 'object' && address !== null, 'the server listens on a port');
  return {
    url: `http://127.0.0.1:${address.port}`,
    requestPaths: kept.requestPaths,
    subscribe: (buying: Buying, at: Date) => subscribe(kept, buying, at),
    goAway: (isAway: boolean) => void (kept.isAway = isAway),
    close: () => server.close(),
  };
}

function answerTo({ objects, payments }: Kept, url: URL): object | undefined {
  if (url.pathname !== '/v1/invoice_payments') return objects.get(url.pathname.split('/').at(-1) ?? '');
  const payment = payments.get(url.searchParams.get('payment[payment_intent]') ?? '');
  return { object: 'list', data: payment === undefined ? [] : [payment] };
}

function subscribe(kept: Kept, buying: Buying, at: Date) {
  const subscription = subscriptionOf(buying, at);
  kept.objects.set(subscription.id, subscription);
  return {
    id: subscription.id,
    created: () => webhook('customer.subscription.created', { ...subscription, ended_at: null }, at),
    invoice: (billing: Billing) => invoice(kept, subscription, billing),
    end(endedAt: Date): Webhook {
      subscription.ended_at = seconds(endedAt);
      return webhook('customer.subscription.deleted', { ...subscription }, endedAt);
    },
  };
}

function invoice({ objects, payments }: Kept, subscription: StripeSubscriptionObject, billing: Billing) {
  const made = invoiceOf(subscription, billing);
  const settled = paid(made, billing);
  const intent = newId('pi');
  objects.set(made.id, settled);
  payments.set(intent, paymentOf(made, intent));
  return {
    id: made.id,
    open: () => webhook('invoice.finalized', made, billing.at),
    failed: () => webhook('invoice.payment_failed', made, billing.at),
    paid: (livemode = true) => webhook('invoice.paid', settled, billing.at, livemode),
    refund: (refunded: number, at: Date) => webhook('charge.refunded', chargeOf(settled, intent, refunded), at),
  };
}

/** Signed by Stripe's own package. */
export const signed = (raw: string, at: Date = new Date(), secret = webhookSecret): string =>
  stripe.webhooks.generateTestHeaderString({ payload: raw, secret, timestamp: seconds(at) });

/** Stripe's own check, to compare ours with. */
export function stripeAccepts(raw: string, header: string): boolean {
  try {
    stripe.webhooks.constructEvent(raw, header, webhookSecret);
    return true;
  } catch {
    return false;
  }
}
