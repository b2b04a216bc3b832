import { createServer } from 'node:http';
import { Stripe } from 'stripe';
import { invariant } from '../../src/core/invariant.ts';
import { newId, seconds, webhook, type Webhook } from '../sdk/stripe-objects.ts';
import type { ApiResponse, Merchant } from '../support/merchant.ts';

export const signingSecret = 'whsec_sampleOfTheTests';
export const apiKey = 'rk_test_sampleOfTheTests';
const stripe = new Stripe('sk_never-used');

type StripeObject = { readonly id: string } & Readonly<Record<string, unknown>>;

/** The API of a store's Stripe account, as far as the service reads it. */
export async function startStripeAccount() {
  const objects = new Map<string, StripeObject>();
  const invoicesByPayment = new Map<string, string>();
  /** Each answer waits for `answers`. */
  const account = { status: 200, requests: [] as string[], answers: Promise.resolve() };
  const answerTo = (url: URL): object | undefined => {
    if (url.pathname === '/v1/invoice_payments') {
      const invoice = invoicesByPayment.get(url.searchParams.get('payment[payment_intent]') ?? '');
      return { data: invoice === undefined ? [] : [{ invoice }] };
    }
    if (url.pathname === '/v1/checkout/sessions') {
      const name = url.searchParams.has('subscription') ? 'subscription' : 'payment_intent';
      const wanted = url.searchParams.get(name);
      return { data: [...objects.values()].filter((one) => one['object'] === 'checkout.session' && one[name] === wanted) };
    }
    return objects.get(url.pathname.split('/').at(-1) ?? '');
  };
  const server = createServer((request, response) => {
    const url = new URL(request.url ?? '/', 'http://stripe');
    account.requests.push(url.pathname);
    const found = answerTo(url);
    const isAllowed = request.headers.authorization === `Bearer ${apiKey}`;
    const status = !isAllowed ? 401 : account.status === 200 && found === undefined ? 404 : account.status;
    const body = JSON.stringify(status === 200 ? found : { error: {} });
    void account.answers.then(() => response.writeHead(status, { 'content-type': 'application/json' }).end(body));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const address = server.address();
  invariant(typeof address === 'object' && address !== null, 'the server listens on a port');
  return {
    host: `127.0.0.1:${address.port}`,
    account,
    keep: (...kept: readonly StripeObject[]) => kept.forEach((one) => objects.set(one.id, one)),
    payInvoice: (payment: string, invoice: string) => void invoicesByPayment.set(payment, invoice),
    close: () => server.close(),
  };
}

export type Buying = {
  readonly at: Date;
  readonly click?: string;
  readonly codes?: readonly string[];
  readonly fields?: Partial<Stripe.Checkout.Session> | undefined;
};

/** An order of a Payment Link: 115 USD with 10 for tax and 5 for shipping. */
export function paymentLinkOrder({ at, click, codes = [], fields = {} }: Buying) {
  const payment = newId('pi');
  const session = {
    id: newId('cs_test'),
    object: 'checkout.session',
    mode: 'payment',
    payment_status: 'paid',
    currency: 'usd',
    created: seconds(at),
    amount_total: 11_500,
    total_details: { amount_discount: 0, amount_shipping: 500, amount_tax: 1_000 },
    client_reference_id: click ?? null,
    payment_link: 'plink_1',
    payment_intent: payment,
    metadata: {},
    customer: null,
    discounts: codes.map((code) => ({ coupon: null, promotion_code: code })),
    ...fields,
  } satisfies Partial<Omit<Stripe.Checkout.Session, 'total_details'>> & { total_details: object | null };
  const charge = { id: newId('ch'), object: 'charge', currency: 'usd', amount: 11_500, amount_captured: 11_500, payment_intent: payment };
  const refund = (amount: number, status = 'succeeded') =>
    ({
      id: newId('re'),
      object: 'refund',
      amount,
      currency: 'usd',
      status,
      payment_intent: payment,
      created: seconds(at),
    }) satisfies Partial<Stripe.Refund>;
  return {
    id: session.id,
    session,
    completed: () => webhook('checkout.session.completed', session, at, false),
    refunded: (amount: number, status?: string) => webhook('refund.created', refund(amount, status), at, false),
    chargeRefunded: (amount: number) =>
      webhook('charge.refunded', { ...charge, amount_refunded: amount, refunded: amount === 11_500 }, at, false),
  };
}

/** A paid invoice of a subscription. */
function paidInvoice({ id, metadata }: { readonly id: string; readonly metadata: object | null }, paidAt: Date) {
  const line = {
    id: newId('il'),
    object: 'line_item',
    parent: { type: 'subscription_item_details', subscription_item_details: { proration: false, subscription_item: 'si_1' } },
    pricing: { type: 'price_details', price_details: { price: 'price_1', product: 'prod_1' } },
  };
  return {
    id: newId('in'),
    object: 'invoice',
    amount_paid: 5_400,
    total_excluding_tax: 4_900,
    attempt_count: 1,
    currency: 'usd',
    parent: { type: 'subscription_details', subscription_details: { metadata, subscription: id } },
    lines: { object: 'list', data: [line] },
    status_transitions: { finalized_at: seconds(paidAt), paid_at: seconds(paidAt), voided_at: null, marked_uncollectible_at: null },
  } satisfies Partial<Record<keyof Stripe.Invoice, unknown>>;
}

/** A monthly subscription of a Payment Link, which copies nothing to the subscription: 49 USD without tax, 5 of tax. */
export function paymentLinkSubscription({ at, click, codes = [], fields = {} }: Buying) {
  const subscription = {
    id: newId('sub'),
    object: 'subscription',
    created: seconds(at),
    currency: 'usd',
    ended_at: null,
    metadata: {},
    items: { object: 'list', data: [{ id: newId('si'), object: 'subscription_item', price: { id: 'price_1', product: 'prod_1' } }] },
    ...fields,
  };
  const invoice = (paidAt: Date) => paidInvoice(subscription, paidAt);
  const first = invoice(at);
  const session = {
    id: newId('cs_test'),
    object: 'checkout.session',
    mode: 'subscription',
    payment_status: 'paid',
    currency: 'usd',
    created: seconds(at),
    amount_total: 5_400,
    total_details: { amount_discount: 0, amount_shipping: 0, amount_tax: 500 },
    client_reference_id: click ?? null,
    payment_intent: null,
    subscription: subscription.id,
    invoice: first.id,
    metadata: {},
    discounts: codes.map((code) => ({ coupon: null, promotion_code: code })),
  };
  return {
    subscription,
    session,
    first,
    invoice,
    created: () => webhook('customer.subscription.created', subscription, at, false),
    completed: () => webhook('checkout.session.completed', session, at, false),
    paid: (paid: ReturnType<typeof invoice>) => webhook('invoice.paid', paid, at, false),
    refunded: (payment: string, amount: number) =>
      webhook(
        'refund.created',
        { id: newId('re'), object: 'refund', amount, currency: 'usd', status: 'succeeded', payment_intent: payment, created: seconds(at) },
        at,
        false,
      ),
    ended: () => webhook('customer.subscription.deleted', { ...subscription, ended_at: seconds(at) }, at, false),
  };
}

/** Delivers an event, signed by Stripe's own package. */
export async function deliver(merchant: Merchant, { raw }: Webhook, { secret = signingSecret, at = new Date() } = {}): Promise<number> {
  const header = stripe.webhooks.generateTestHeaderString({ payload: raw, secret, timestamp: seconds(at) });
  return post(merchant, raw, { 'stripe-signature': header });
}

export async function post({ service, world }: Merchant, raw: string, headers: Readonly<Record<string, string>>): Promise<number> {
  const url = `${service.url}/api/v1/providers/stripe/stores/${world.store.id}`;
  const response = await fetch(url, { method: 'POST', headers: { 'content-type': 'application/json', ...headers }, body: raw });
  await response.text();
  return response.status;
}

export const connect = ({ api, world }: Merchant, body: object): Promise<ApiResponse> =>
  api('PUT', `/stores/${world.store.id}/stripe`, body);

/** Waits until the queue has processed every event that is due. */
export async function processed({ api, world }: Merchant): Promise<readonly Shown[]> {
  for (let tries = 0; tries < 400; tries += 1) {
    const { data } = (await api('GET', `/stores/${world.store.id}/stripe/events`)).json;
    if (data.every(({ state, reason }: Shown) => state !== 'waiting' || reason !== null)) return data;
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
  throw new Error('the queue processes the events');
}

type Shown = {
  readonly id: string;
  readonly event_id: string;
  readonly type: string;
  readonly object_id: string;
  readonly state: string;
  readonly reason: string | null;
  readonly message: string | null;
  readonly attempts: number;
};
