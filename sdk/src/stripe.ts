import { concernOf, decideStep, stripeEventTypes, type Concern } from './decide-stripe.ts';
import type { Reports } from './reports.ts';
import { checkoutOfPayment, checkoutReports, readCheckout, refundReports } from './stripe-checkouts.ts';
import type { Result } from './send.ts';
import { field, idIn, isStripeJson, listIn, numberIn, readCharge, readInvoice, readSubscription } from './stripe-objects.ts';
import type { Invoice, StripeJson, Subscription } from './stripe-objects.ts';
import { invoiceReportOf, bindOf, endOf, reversalOf, type InvoiceState, type Referred } from './stripe-reports.ts';
import { isSignedByStripe } from './stripe-signature.ts';
import { stripeReader, type ReadStripe } from './stripe-reader.ts';

export { stripeEventTypes };

export type StripeBridgeOptions = {
  /** With a short deadline, because Stripe waits for the response: `limits: { deadlineMs: 4_000 }`. */
  readonly tributary: Pick<Reports<Result>, 'subscriptions'> & Partial<Pick<Reports<Result>, 'conversions'>>;
  /** `whsec_…`; several during a rotation. */
  readonly webhookSecret: string | readonly string[];
  /** Reads subscriptions, invoices and invoice payments: a restricted key with these three permissions is enough. */
  readonly stripeKey: string;
  /** The metadata field of the subscription in which your checkout stored the click; default `rm_click`. */
  readonly clickField?: string | undefined;
  /** The part of an invoice that earns commission, such as without tax. Default: the amount paid. */
  readonly eligibleCents?: ((invoice: StripeJson) => number) | undefined;
  /** Whether Stripe's test mode counts too: only for a sandbox, because test payments would earn commissions. */
  readonly acceptTestMode?: boolean | undefined;
  /**
   * Whether paid Checkout Sessions of one payment are reported as orders, with their click and their promotion codes. Only if your
   * server does not report these orders itself. Needs `conversions` of `tributary`, and a key that may also read sessions and
   * promotion codes.
   */
  readonly reportCheckouts?: boolean | undefined;
  readonly toleranceSeconds?: number | undefined;
  /** Called with every result. */
  readonly onResult?: ((result: Result, eventId: string) => void) | undefined;
  /** The base URL of Stripe; for tests. */
  readonly stripeUrl?: string | undefined;
};

/**
 * The response for Stripe. 200: processed, or never to be processed. 503: Stripe must retry the event. 400: the request is not from Stripe.
 */
export type StripeAnswer = { readonly status: 200 | 400 | 503; readonly body: string };
export type StripeBridge = {
  readonly handle: (rawBody: string | Uint8Array, signature: string | null | undefined) => Promise<StripeAnswer>;
};

const toleranceSecondsUsual = 300;
const dayMs = 86_400_000;
const heldMax = 10_000;

type Event = { readonly id: string; readonly object: StripeJson; readonly at: Date };
type Bridge = Pick<StripeBridgeOptions, 'tributary' | 'onResult' | 'eligibleCents'> & {
  readonly clickField: string;
  readonly read: ReadStripe;
  /** Null: Checkout Sessions are not reported. */
  readonly conversions: Reports<Result>['conversions'] | null;
};
type Outcome = 'done' | 'ignored' | 'refused' | 'again' | 'held';

export function createStripeBridge(options: StripeBridgeOptions): StripeBridge {
  const {
    webhookSecret,
    stripeKey,
    stripeUrl,
    acceptTestMode = false,
    toleranceSeconds = toleranceSecondsUsual,
    clickField = 'rm_click',
  } = options;
  const secrets = typeof webhookSecret === 'string' ? [webhookSecret] : [...webhookSecret];
  if (secrets.length === 0 || secrets.some((secret) => secret === '')) throw new TypeError('Tributary: webhookSecret is missing.');
  const { tributary, onResult, eligibleCents, reportCheckouts = false } = options;
  const conversions = reportCheckouts ? tributary.conversions : null;
  if (conversions === undefined) throw new TypeError('Tributary: reportCheckouts needs the conversions of tributary.');
  const bridge: Bridge = { tributary, onResult, eligibleCents, clickField, conversions, read: stripeReader(stripeKey, stripeUrl) };
  // Each process tries a refund on hold once a day, however often Stripe retries.
  const heldUntilMs = new Map<string, number>();
  return Object.freeze({
    async handle(raw: string | Uint8Array, signature: string | null | undefined): Promise<StripeAnswer> {
      if (typeof raw !== 'string' && !(raw instanceof Uint8Array))
        throw new TypeError(
          'Tributary: the bridge needs the body as it came, before any parser: express.raw({ type: "application/json" }).',
        );
      const isSigned = isSignedByStripe({ raw, header: signature ?? '', secrets, nowMs: Date.now(), toleranceSeconds });
      if (!isSigned) return answer(400, 'wrong_signature');
      const json = parse(raw);
      const event = json === null ? null : readEvent(json);
      const concern = concernOf(idIn(json, 'type') ?? '');
      if (event === null || concern === null) return answer(200, 'ignored');
      if (field(json, 'livemode') !== true && !acceptTestMode) return answer(200, 'test_mode_ignored');
      if ((heldUntilMs.get(event.id) ?? 0) > Date.now()) return answer(503, 'held');
      const outcome = await handleConcern(bridge, concern, event);
      if (outcome === 'held') remember(heldUntilMs, event.id);
      return answer(outcome === 'again' || outcome === 'held' ? 503 : 200, outcome);
    },
  });
}

const answer = (status: StripeAnswer['status'], outcome: string): StripeAnswer => ({ status, body: JSON.stringify({ outcome }) });

function remember(heldUntilMs: Map<string, number>, id: string): void {
  if (heldUntilMs.size >= heldMax) heldUntilMs.clear();
  heldUntilMs.set(id, Date.now() + dayMs);
}

function parse(raw: string | Uint8Array): unknown {
  try {
    return JSON.parse(typeof raw === 'string' ? raw : new TextDecoder().decode(raw));
  } catch {
    return null;
  }
}

function readEvent(json: unknown): Event | null {
  const object = field(json, 'data.object');
  const id = idIn(json, 'id');
  const created = numberIn(json, 'created');
  return id === null || created === null || !isStripeJson(object) ? null : { id, object, at: new Date(created * 1_000) };
}

/** When Stripe's data cannot be read, nothing is guessed: Stripe retries. */
async function handleConcern(bridge: Bridge, concern: Concern, event: Event): Promise<Outcome> {
  try {
    switch (concern.is) {
      case 'bind':
      case 'end':
        return await carrySubscription(bridge, concern.is, event);
      case 'bill':
        return await carryInvoice(bridge, concern.state, event);
      case 'checkout':
        return await carryCheckout(bridge, event);
      case 'refund':
        return await carryRefund(bridge, event);
    }
  } catch {
    return 'again';
  }
}

type Send = () => Promise<Result>;

/** Sequential: the service must have a subscription before its invoice, and an invoice before its refund. */
async function inTurn({ onResult }: Bridge, { id }: Event, sends: readonly Send[], firstIsBind = true): Promise<Outcome> {
  for (const [number, send] of sends.entries()) {
    const result = await send();
    onResult?.(result, id);
    const step = decideStep(result, { isBind: number === 0 && firstIsBind });
    if (step.is === 'again') return result.retry === 'tomorrow' ? 'held' : 'again';
    if (step.is === 'forget') return 'refused';
  }
  return 'done';
}

function referred(subscription: Subscription | null, plan: Invoice['plan'] = null): Referred | null {
  const bound = plan ?? subscription?.plan ?? null;
  if (subscription === null || subscription.click === null || !subscription.isUsd || bound === null) return null;
  return { subscription, click: subscription.click, plan: bound };
}

/** Webhooks arrive in any order, so the bind is sent before every report. A repeated bind changes nothing. */
const bindBy =
  ({ tributary }: Bridge, found: Referred): Send =>
  () =>
    tributary.subscriptions.bind(bindOf(found));

async function carrySubscription(bridge: Bridge, is: 'bind' | 'end', event: Event): Promise<Outcome> {
  const found = referred(readSubscription(event.object, bridge.clickField));
  if (found === null) return 'ignored';
  const end: Send = () => bridge.tributary.subscriptions.end(endOf(found, event.at));
  return inTurn(bridge, event, is === 'bind' ? [bindBy(bridge, found)] : [bindBy(bridge, found), end]);
}

/** The subscription of an invoice, if it came through a click and is paid in dollars. */
async function referredBy({ read, clickField }: Bridge, invoice: Invoice): Promise<Referred | null> {
  // An invoice without a click needs no request to Stripe: most of a store's invoices have none.
  if (invoice.subscriptionId === null || !invoice.isUsd || invoice.click === null) return null;
  return referred(readSubscription(await read(`/v1/subscriptions/${invoice.subscriptionId}`), clickField), invoice.plan);
}

async function carryInvoice(bridge: Bridge, state: InvoiceState, event: Event): Promise<Outcome> {
  const invoice = readInvoice(event.object, bridge.clickField);
  const found = invoice === null ? null : await referredBy(bridge, invoice);
  if (invoice === null || found === null) return 'ignored';
  return inTurn(bridge, event, [
    bindBy(bridge, found),
    reportInvoice(bridge, found, { invoice, json: event.object, state, reportedAt: event.at }),
  ]);
}

async function carryCheckout(bridge: Bridge, event: Event): Promise<Outcome> {
  const { conversions, read, clickField } = bridge;
  const checkout = readCheckout(event.object, clickField);
  if (conversions === null || checkout === null) return 'ignored';
  const sends = await checkoutReports(conversions, read, checkout);
  return sends.length === 0 ? 'ignored' : inTurn(bridge, event, sends, false);
}

async function carryCheckoutRefund(bridge: Bridge, paymentIntentId: string | null, event: Event): Promise<Outcome> {
  const { conversions, read, clickField } = bridge;
  if (conversions === null || paymentIntentId === null) return 'ignored';
  const checkout = await checkoutOfPayment(read, paymentIntentId, clickField);
  const sends = checkout === null ? [] : await refundReports(conversions, read, { checkout, refundedAt: event.at });
  return sends.length === 0 ? 'ignored' : inTurn(bridge, event, sends, false);
}

type Billing = { readonly invoice: Invoice; readonly json: StripeJson; readonly state: InvoiceState; readonly reportedAt: Date };

function reportInvoice({ tributary, eligibleCents }: Bridge, found: Referred, { invoice, json, state, reportedAt }: Billing): Send {
  const eligible = eligibleCents === undefined ? null : Math.min(eligibleCents(json), invoice.amountPaid);
  return () => tributary.subscriptions.bill(invoiceReportOf(found, invoice, { state, reportedAt, eligibleCents: eligible }));
}

/** Only a full refund is reversed: the whole charge, and no other charge paid the same invoice. */
async function carryRefund(bridge: Bridge, event: Event): Promise<Outcome> {
  const charge = readCharge(event.object);
  if (charge === null || !charge.isRefunded || !charge.isUsd) return 'ignored';
  const invoiceId = charge.invoiceId ?? (await invoiceOf(bridge, charge.paymentIntentId));
  if (invoiceId === null) return carryCheckoutRefund(bridge, charge.paymentIntentId, event);
  const json = await bridge.read(`/v1/invoices/${invoiceId}`);
  const invoice = readInvoice(json, bridge.clickField);
  if (invoice === null || invoice.paidAt === null || charge.amount < invoice.amountPaid) return 'ignored';
  const found = await referredBy(bridge, invoice);
  if (found === null) return 'ignored';
  // The refund's webhook may arrive before the payment's. This sends the same report, so the payment is not recorded twice.
  const bill = reportInvoice(bridge, found, { invoice, json, state: 'paid', reportedAt: invoice.paidAt });
  const reverse: Send = () => bridge.tributary.subscriptions.reverseInvoice(reversalOf(found, invoice, event.at));
  return inTurn(bridge, event, [bindBy(bridge, found), bill, reverse]);
}

async function invoiceOf({ read }: Bridge, paymentIntentId: string | null): Promise<string | null> {
  if (paymentIntentId === null) return null;
  const query = new URLSearchParams({ 'payment[type]': 'payment_intent', 'payment[payment_intent]': paymentIntentId });
  const payments = listIn(await read(`/v1/invoice_payments?${query.toString()}`), 'data');
  return payments.length === 0 ? null : idIn(payments[0], 'invoice');
}
