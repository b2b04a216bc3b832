import { concernOf, decideStep, stripeEventTypes, type Concern } from './decide-stripe.ts';
import type { Reports } from './reports.ts';
import {
  checkoutOfPayment,
  orderOf,
  orderRefundOf,
  readCheckout,
  referralOfSubscription,
  type Checkout,
  type PaidOrder,
} from './stripe-checkouts.ts';
import type { Result } from './send.ts';
import { field, idIn, isStripeJson, listIn, numberIn, readCharge, readInvoice, readRefund, readSubscription } from './stripe-objects.ts';
import type { Invoice, StripeJson, Subscription } from './stripe-objects.ts';
import { invoiceRefundOf, invoiceReportOf, bindOf, endOf, reversalOf, type InvoiceState, type Referred } from './stripe-reports.ts';
import { isSignedByStripe } from './stripe-signature.ts';
import { StripeReadError, stripeReader, type ReadStripe } from './stripe-reader.ts';

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
  /**
   * Whether subscriptions are also bound by their promotion codes, if the terms of your program count discount codes. Needs a key that
   * may also read sessions and promotion codes.
   */
  readonly readPromotionCodes?: boolean | undefined;
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

export type StripeEvent = { readonly id: string; readonly type: string; readonly object: StripeJson; readonly at: Date };

/** What the receiver of the events remembers of earlier ones. Without a memory, Stripe is asked, and some links are not found. */
export type StripeMemory = {
  /** A paid session, before it is reported. */
  readonly remember: (checkout: Checkout) => Promise<void>;
  readonly orderOfPayment: (paymentIntentId: string) => Promise<(PaidOrder & { readonly isReferred: boolean }) | null>;
  /** The click of the session that began the subscription. A Payment Link does not copy it to the subscription. */
  readonly clickOfSubscription: (subscriptionId: string) => Promise<string | null>;
};

/** What handles an event: how to report, and how to read at Stripe. */
export type StripeReporter = Pick<StripeBridgeOptions, 'tributary' | 'onResult' | 'eligibleCents'> & {
  readonly clickField: string;
  readonly read: ReadStripe;
  readonly readsPromotionCodes: boolean;
  /** Null: Checkout Sessions are not reported. */
  readonly conversions: Reports<Result>['conversions'] | null;
  readonly memory: StripeMemory | null;
};
type Bridge = StripeReporter;

/** Why an event is ignored. */
type Unused =
  | Exclude<ReturnType<typeof readCheckout>, Checkout>
  | 'irrelevant_type'
  | 'checkouts_not_reported'
  | 'no_click'
  | 'no_plan'
  | 'unknown_payment'
  | 'full_refund'
  | 'partial_refund'
  | 'nothing_eligible'
  | 'refund_not_succeeded'
  | 'refund_not_usd';

/** `reason`: why it was ignored, could not be read, or the service's reason. */
export type HandledEvent =
  | { readonly outcome: 'done'; readonly reason: null; readonly message: null }
  | { readonly outcome: 'ignored'; readonly reason: Unused; readonly message: null }
  | { readonly outcome: 'refused' | 'again' | 'held'; readonly reason: string; readonly message: string | null };

const done: HandledEvent = { outcome: 'done', reason: null, message: null };
const unused = (reason: Unused): HandledEvent => ({ outcome: 'ignored', reason, message: null });

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
  const { tributary, onResult, eligibleCents, reportCheckouts = false, readPromotionCodes: readsPromotionCodes = false } = options;
  const conversions = reportCheckouts ? tributary.conversions : null;
  if (conversions === undefined) throw new TypeError('Tributary: reportCheckouts needs the conversions of tributary.');
  const bridge: Bridge = {
    tributary,
    onResult,
    eligibleCents,
    clickField,
    readsPromotionCodes,
    conversions,
    memory: null,
    read: stripeReader(stripeKey, stripeUrl),
  };
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
      if (event === null || concernOf(event.type) === null) return answer(200, 'ignored');
      if (field(json, 'livemode') !== true && !acceptTestMode) return answer(200, 'test_mode_ignored');
      if ((heldUntilMs.get(event.id) ?? 0) > Date.now()) return answer(503, 'held');
      const { outcome } = await handleStripeEvent(bridge, event).catch(() => ({ outcome: 'again' }) as const);
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

/** The parts of an event that are read; null if one is missing. */
export function readEvent(json: unknown): StripeEvent | null {
  const object = field(json, 'data.object');
  const [id, type, created] = [idIn(json, 'id'), idIn(json, 'type'), numberIn(json, 'created')];
  if (id === null || type === null || created === null || !isStripeJson(object)) return null;
  return { id, type, object, at: new Date(created * 1_000) };
}

/**
 * Reports what a verified event says, for receivers that store events themselves. When Stripe's data cannot be read, nothing is guessed:
 * the outcome is `again`.
 */
export async function handleStripeEvent(bridge: Bridge, event: StripeEvent): Promise<HandledEvent> {
  const concern = concernOf(event.type);
  if (concern === null) return unused('irrelevant_type');
  try {
    return await handleConcern(bridge, concern, event);
  } catch (error) {
    if (error instanceof StripeReadError) return { outcome: 'again', reason: error.reason, message: error.message };
    throw error;
  }
}

async function handleConcern(bridge: Bridge, concern: Concern, event: StripeEvent): Promise<HandledEvent> {
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
    case 'partial_refund':
      return await carryPartialRefund(bridge, event);
  }
}

type Send = () => Promise<Result>;

/** Sequential: the service must have a subscription before its invoice, and an invoice before its refund. */
async function inTurn({ onResult }: Bridge, { id }: StripeEvent, sends: readonly Send[], firstIsBind = true): Promise<HandledEvent> {
  for (const [number, send] of sends.entries()) {
    const result = await send();
    onResult?.(result, id);
    const step = decideStep(result, { isBind: number === 0 && firstIsBind });
    const { reason, message } = result;
    if (step.is === 'again') return { outcome: result.retry === 'tomorrow' ? 'held' : 'again', reason, message };
    if (step.is === 'forget') return { outcome: 'refused', reason, message };
  }
  return done;
}

type FoundPlan = { readonly click: string | null; readonly plan: Invoice['plan'] };

/** Why a subscription earns nothing, if it does not. */
async function referred(
  { read, readsPromotionCodes, clickField }: Bridge,
  subscription: Subscription,
  { click: known, plan }: FoundPlan,
): Promise<Referred | Unused> {
  if (known === null && !readsPromotionCodes) return 'no_click';
  const found = readsPromotionCodes ? await referralOfSubscription(read, subscription.id, clickField) : null;
  const click = known ?? found?.click ?? null;
  const discountCodes = found && found.discountCodes;
  if (click === null && (discountCodes ?? []).length === 0) return 'no_click';
  const bound = plan ?? subscription.plan;
  if (!subscription.isUsd) return 'not_usd';
  if (bound === null) return 'no_plan';
  return { subscription, click, discountCodes, plan: bound };
}

/** Webhooks arrive in any order, so the bind is sent before every report. A repeated bind changes nothing. */
const bindBy =
  ({ tributary }: Bridge, found: Referred): Send =>
  () =>
    tributary.subscriptions.bind(bindOf(found));

const clickOf = async ({ memory }: Bridge, subscriptionId: string, own: string | null): Promise<string | null> =>
  own ?? (await memory?.clickOfSubscription(subscriptionId)) ?? null;

async function carrySubscription(bridge: Bridge, is: 'bind' | 'end', event: StripeEvent): Promise<HandledEvent> {
  const subscription = readSubscription(event.object, bridge.clickField);
  if (subscription === null) return unused('unreadable');
  const found = await referred(bridge, subscription, { click: await clickOf(bridge, subscription.id, subscription.click), plan: null });
  if (typeof found === 'string') return unused(found);
  const end: Send = () => bridge.tributary.subscriptions.end(endOf(found, event.at));
  return inTurn(bridge, event, is === 'bind' ? [bindBy(bridge, found)] : [bindBy(bridge, found), end]);
}

/** The subscription of an invoice, if it came through a click or a promotion code, and is paid in dollars. */
async function referredBy(bridge: Bridge, invoice: Invoice): Promise<Referred | Unused> {
  if (invoice.subscriptionId === null) return 'unknown_payment';
  // Unless codes are read, an invoice without a click needs no request to Stripe: most of a store's invoices have none.
  const known = invoice.click ?? (await bridge.memory?.clickOfSubscription(invoice.subscriptionId)) ?? null;
  if (known === null && invoice.click === null && !bridge.readsPromotionCodes) return 'no_click';
  if (known !== null && !invoice.isUsd) return 'not_usd';
  const subscription = readSubscription(await bridge.read(`/v1/subscriptions/${invoice.subscriptionId}`), bridge.clickField);
  return subscription === null ? 'unreadable' : referred(bridge, subscription, { click: subscription.click ?? known, plan: invoice.plan });
}

async function carryInvoice(bridge: Bridge, state: InvoiceState, event: StripeEvent): Promise<HandledEvent> {
  const invoice = readInvoice(event.object, bridge.clickField);
  if (invoice === null) return unused('unreadable');
  const found = await referredBy(bridge, invoice);
  if (typeof found === 'string') return unused(found);
  return inTurn(bridge, event, [
    bindBy(bridge, found),
    reportInvoice(bridge, found, { invoice, json: event.object, state, reportedAt: event.at }),
  ]);
}

async function carryCheckout(bridge: Bridge, event: StripeEvent): Promise<HandledEvent> {
  const { conversions, read, clickField, memory } = bridge;
  if (conversions === null) return unused('checkouts_not_reported');
  const checkout = readCheckout(event.object, clickField);
  if (typeof checkout === 'string') return unused(checkout);
  if (checkout.buys === 'subscription') return carrySubscriptionCheckout(bridge, checkout, event);
  await memory?.remember(checkout);
  const order = await orderOf(read, checkout);
  return order === null ? unused('no_click') : inTurn(bridge, event, [() => conversions.record(order)], false);
}

/** Binds the subscription, and reports its first invoice, whose own event may have come before the click was known. */
async function carrySubscriptionCheckout(bridge: Bridge, checkout: Checkout, event: StripeEvent): Promise<HandledEvent> {
  const { memory, read, clickField, readsPromotionCodes } = bridge;
  const { click, promotionCodes, subscriptionId, invoiceId } = checkout;
  const isReferredBy = click !== null || (readsPromotionCodes && promotionCodes.length > 0);
  if (memory === null || !isReferredBy || subscriptionId === null) return unused('no_click');
  await memory.remember(checkout);
  const subscription = readSubscription(await read(`/v1/subscriptions/${subscriptionId}`), clickField);
  if (subscription === null) return unused('unreadable');
  const json = invoiceId === null ? null : await read(`/v1/invoices/${invoiceId}`);
  const invoice = json === null ? null : readInvoice(json, clickField);
  const found = await referred(bridge, subscription, { click: subscription.click ?? click, plan: invoice?.plan ?? null });
  if (typeof found === 'string') return unused(found);
  if (json === null || invoice === null || invoice.paidAt === null) return inTurn(bridge, event, [bindBy(bridge, found)]);
  const bill = reportInvoice(bridge, found, { invoice, json, state: 'paid', reportedAt: invoice.paidAt });
  return inTurn(bridge, event, [bindBy(bridge, found), bill]);
}

type Billing = { readonly invoice: Invoice; readonly json: StripeJson; readonly state: InvoiceState; readonly reportedAt: Date };

const eligibleOf = ({ eligibleCents }: Bridge, { invoice, json }: Pick<Billing, 'invoice' | 'json'>): number | null =>
  eligibleCents === undefined ? null : Math.min(eligibleCents(json), invoice.amountPaid);

function reportInvoice(bridge: Bridge, found: Referred, billing: Billing): Send {
  const { invoice, state, reportedAt } = billing;
  const eligibleCents = eligibleOf(bridge, billing);
  return () => bridge.tributary.subscriptions.bill(invoiceReportOf(found, invoice, { state, reportedAt, eligibleCents }));
}

/** What was paid, and the reports about it that must precede its refund, because webhooks arrive in any order. */
type Paid =
  | { readonly is: 'order'; readonly order: PaidOrder; readonly before: readonly Send[] }
  | {
      readonly is: 'invoice';
      readonly found: Referred;
      readonly invoice: Invoice;
      readonly json: StripeJson;
      readonly before: readonly Send[];
    };

async function paidBy(bridge: Bridge, paymentIntentId: string | null, knownInvoiceId: string | null): Promise<Paid | Unused> {
  const known = paymentIntentId === null ? null : ((await bridge.memory?.orderOfPayment(paymentIntentId)) ?? null);
  if (known !== null) return known.isReferred ? { is: 'order', order: known, before: [] } : 'no_click';
  const invoiceId = knownInvoiceId ?? (await invoiceOf(bridge, paymentIntentId));
  if (invoiceId !== null) return paidInvoice(bridge, invoiceId);
  return paymentIntentId === null ? 'unknown_payment' : paidCheckout(bridge, paymentIntentId);
}

async function paidCheckout({ conversions, read, clickField }: Bridge, paymentIntentId: string): Promise<Paid | Unused> {
  if (conversions === null) return 'checkouts_not_reported';
  const checkout = await checkoutOfPayment(read, paymentIntentId, clickField);
  if (checkout === null) return 'unknown_payment';
  const order = await orderOf(read, checkout);
  if (order === null) return 'no_click';
  const { id: orderId, totalCents, subtotalCents: eligibleCents } = checkout;
  return { is: 'order', order: { orderId, totalCents, eligibleCents }, before: [() => conversions.record(order)] };
}

async function paidInvoice(bridge: Bridge, invoiceId: string): Promise<Paid | Unused> {
  const json = await bridge.read(`/v1/invoices/${invoiceId}`);
  const invoice = readInvoice(json, bridge.clickField);
  if (invoice === null) return 'unreadable';
  if (invoice.paidAt === null) return 'not_paid';
  const found = await referredBy(bridge, invoice);
  if (typeof found === 'string') return found;
  // The refund's webhook may arrive before the payment's. This sends the same report, so the payment is not recorded twice.
  const bill = reportInvoice(bridge, found, { invoice, json, state: 'paid', reportedAt: invoice.paidAt });
  return { is: 'invoice', found, invoice, json, before: [bindBy(bridge, found), bill] };
}

/** Only a full refund is a reversal: the whole charge, and no other charge paid the same invoice. */
async function carryRefund(bridge: Bridge, event: StripeEvent): Promise<HandledEvent> {
  const charge = readCharge(event.object);
  if (charge === null) return unused('unreadable');
  if (!charge.isRefunded) return unused('partial_refund');
  if (!charge.isUsd) return unused('refund_not_usd');
  const paid = await paidBy(bridge, charge.paymentIntentId, charge.invoiceId);
  if (typeof paid === 'string') return unused(paid);
  const refundedAt = event.at;
  if (paid.is === 'order') {
    const reversal = { orderId: paid.order.orderId, occurredAt: refundedAt, reason: 'refunded' };
    return inTurn(bridge, event, [...paid.before, () => conversionsOf(bridge).reverse(reversal)], false);
  }
  const { found, invoice } = paid;
  if (charge.amount < invoice.amountPaid) return unused('partial_refund');
  const reverse: Send = () => bridge.tributary.subscriptions.reverseInvoice(reversalOf(found, invoice, refundedAt));
  return inTurn(bridge, event, [...paid.before, reverse]);
}

async function carryPartialRefund(bridge: Bridge, event: StripeEvent): Promise<HandledEvent> {
  const refund = readRefund(event.object);
  if (refund === null) return unused('unreadable');
  if (!refund.isSucceeded) return unused('refund_not_succeeded');
  if (!refund.isUsd) return unused('refund_not_usd');
  const paid = await paidBy(bridge, refund.paymentIntentId, null);
  if (typeof paid === 'string') return unused(paid);
  if (paid.is === 'order') {
    if (refund.amount >= paid.order.totalCents) return unused('full_refund');
    const report = orderRefundOf(refund, paid.order);
    if (report === null) return unused('nothing_eligible');
    return inTurn(bridge, event, [...paid.before, () => conversionsOf(bridge).refund(report)], false);
  }
  if (refund.amount >= paid.invoice.amountPaid) return unused('full_refund');
  const report = invoiceRefundOf(paid.found, paid.invoice, { refund, eligibleCents: eligibleOf(bridge, paid) });
  if (report === null) return unused('nothing_eligible');
  return inTurn(bridge, event, [...paid.before, () => bridge.tributary.subscriptions.refundInvoice(report)]);
}

function conversionsOf({ conversions }: Bridge): Reports<Result>['conversions'] {
  if (conversions === null) throw new Error('Tributary: an order is found only where orders are reported.');
  return conversions;
}

async function invoiceOf({ read }: Bridge, paymentIntentId: string | null): Promise<string | null> {
  if (paymentIntentId === null) return null;
  const query = new URLSearchParams({ 'payment[type]': 'payment_intent', 'payment[payment_intent]': paymentIntentId });
  const payments = listIn(await read(`/v1/invoice_payments?${query.toString()}`), 'data');
  return payments.length === 0 ? null : idIn(payments[0], 'invoice');
}
