import type Stripe from 'stripe';
import { invariant } from '../core/invariant.ts';
import { secondMs } from '../core/time.ts';
import { cents } from '../core/money.ts';
import type { ChargeWarningEvent, ProviderEvent, ReadEvent, ReadProviderEvent } from './provider.ts';
import { chargeOutcomeOf } from './stripe-charges.ts';
import { failed, idOf, type StripeAccess } from './stripe-client.ts';
import { Type as T, type TSchema } from 'typebox';
import { validate } from '../http/validate.ts';
import { apiMessage } from '../messages/api-message.ts';

const signatureAgeSecondsMax = 300;

/** Stripe's library verifies the signature of the raw bytes. */
export const readStripeEvent =
  (access: StripeAccess, webhookSecret: string): ReadProviderEvent =>
  async (body, headers, now) => {
    const client = await access.client();
    const came = { body, signature: headers['stripe-signature'] ?? '', webhookSecret, now };
    if (!isSigned(client, came)) {
      return { is: 'forged', why: 'the signature is missing, too old, or not made with STRIPE_WEBHOOK_SECRET' };
    }
    const why = whyMalformed(body);
    if (why !== null) return { is: 'malformed', why };
    const event = client.webhooks.constructEvent(body, ...verification(came));
    if (event.livemode !== access.config.isLive) return nothing(event, `${event.type} of the other mode`);
    return understood(access, client, event);
  };

type SignedRequest = { readonly body: Buffer; readonly signature: string; readonly webhookSecret: string; readonly now: Date };

const verification = ({ signature, webhookSecret, now }: SignedRequest) =>
  [signature, webhookSecret, signatureAgeSecondsMax, undefined, now.getTime()] as const;

function isSigned(client: Stripe, came: SignedRequest): boolean {
  const verifier = client.webhooks.signature;
  invariant(verifier !== null, "Stripe's library can verify signatures");
  try {
    return verifier.verifyHeader(came.body, ...verification(came));
  } catch (error) {
    if (error instanceof client.errors.StripeError) return false;
    throw error;
  }
}

const read = (event: ProviderEvent): ReadEvent => ({ is: 'read', event });

const nothing = ({ id }: Stripe.Event, what: string): ReadEvent => read({ about: 'nothing', eventId: id, what });

/** Ignores objects without our reference, because the Stripe account may also be used for other business. */
async function understood(access: StripeAccess, client: Stripe, event: Stripe.Event): Promise<ReadEvent> {
  switch (event.type) {
    case 'payment_intent.succeeded':
    case 'payment_intent.payment_failed':
    case 'payment_intent.processing':
    case 'payment_intent.canceled': {
      const reference = event.data.object.metadata['reference'];
      const outcome = chargeOutcomeOf(event.data.object);
      if (reference === undefined || outcome === null) return nothing(event, event.type);
      return read({ about: 'charge', eventId: event.id, reference, outcome });
    }
    case 'transfer.created': {
      const { id, metadata } = event.data.object;
      const reference = metadata['reference'];
      if (reference === undefined) return nothing(event, event.type);
      return read({ about: 'payout', eventId: event.id, reference, outcome: { is: 'succeeded', providerId: id } });
    }
    case 'transfer.reversed':
      return reversed(event);
    case 'charge.dispute.created':
    case 'charge.dispute.funds_withdrawn':
      return disputeOpened(access, client, event);
    case 'charge.dispute.funds_reinstated':
    case 'charge.dispute.closed':
      return disputeClosed(access, client, event);
    case 'radar.early_fraud_warning.created': {
      const { payment_intent: payment, fraud_type: fraudType } = event.data.object;
      const why = apiMessage('stripe_webhooks.card_network_warned_charge_fraudulent', { fraudType });
      return ofPayment(access, client, { event, payment, about: 'fraud_warning', why, amount: null });
    }
    case 'charge.refunded': {
      const { payment_intent: payment, amount_refunded: refunded } = event.data.object;
      return ofPayment(access, client, {
        event,
        payment,
        about: 'charge_refunded',
        why: 'The charge was refunded at Stripe.',
        amount: refunded,
      });
    }
    default:
      // For example setup_intent.succeeded: a saved card is read when its owner returns from the form. And payout.failed: the bank
      // rejected a payout from the creator's own Stripe account, which still has the money.
      return nothing(event, event.type);
  }
}

/** Ignores a partial reversal, which an operator made at Stripe: it cannot be booked automatically. */
function reversed(event: Stripe.TransferReversedEvent): ReadEvent {
  const { metadata, reversed: isWhole } = event.data.object;
  const reference = metadata['reference'];
  if (reference === undefined || !isWhole) return nothing(event, isWhole ? event.type : `${event.type}, in part`);
  return read({ about: 'payout_returned', eventId: event.id, reference, at: timeOf(event), why: 'The transfer was reversed at Stripe.' });
}

const timeOf = ({ created }: Stripe.Event): Date => new Date(created * secondMs);

type DisputeEvent =
  | Stripe.ChargeDisputeClosedEvent
  | Stripe.ChargeDisputeCreatedEvent
  | Stripe.ChargeDisputeFundsReinstatedEvent
  | Stripe.ChargeDisputeFundsWithdrawnEvent;

/** An inquiry (`warning_…`) also counts, because it becomes a dispute unless it is answered. */
function disputeOpened(access: StripeAccess, client: Stripe, event: DisputeEvent): Promise<ReadEvent> {
  const { payment_intent: payment, reason, amount } = event.data.object;
  const why = apiMessage('stripe_webhooks.cardholder_disputed_charge', { reason });
  return ofPayment(access, client, { event, payment, about: 'dispute_opened', why, amount });
}

const wonStatuses: readonly string[] = ['won', 'warning_closed', 'prevented'];

async function disputeClosed(access: StripeAccess, client: Stripe, event: DisputeEvent): Promise<ReadEvent> {
  const { status, payment_intent: payment, reason, amount } = event.data.object;
  if (wonStatuses.includes(status)) {
    const why = apiMessage('stripe_webhooks.dispute_closed_as', { reason, status });
    return ofPayment(access, client, { event, payment, about: 'dispute_won', why, amount });
  }
  if (status !== 'lost') return nothing(event, `${event.type} ${status}`);
  const why = apiMessage('stripe_webhooks.cardholder_disputed_charge_2', { reason });
  return ofPayment(access, client, { event, payment, about: 'dispute_lost', why, amount });
}

type OfPayment = {
  readonly event: Stripe.Event;
  readonly payment: string | Stripe.PaymentIntent | null | undefined;
  readonly about: ChargeWarningEvent | 'dispute_lost';
  readonly why: string;
  /** Shown to operators; some events do not contain it. */
  readonly amount: number | null | undefined;
};

/** A dispute, a warning and a refund contain only the payment ID, so the payment is read for our reference. */
async function ofPayment(access: StripeAccess, client: Stripe, { event, payment, about, why, amount }: OfPayment): Promise<ReadEvent> {
  const paymentId = idOf(payment ?? null);
  if (paymentId === null) return nothing(event, event.type);
  try {
    const { metadata } = await client.paymentIntents.retrieve(paymentId, {}, access.asking());
    const reference = metadata['reference'];
    if (reference === undefined) return nothing(event, event.type);
    const common = { eventId: event.id, reference, at: timeOf(event), why };
    if (about === 'dispute_lost') return read({ about, ...common });
    return read({ about, ...common, amount: typeof amount === 'number' ? cents(amount) : null });
  } catch (error) {
    return { is: 'not_now', why: `Stripe: reading the payment of ${event.type} was ${failed(client, error).is}` };
  }
}

/**
 * The fields that our code reads, with their types. A signature proves the sender of an event, not its form: the endpoint at Stripe may use
 * another API version.
 */
// PostgreSQL cannot store U+0000, and Stripe's own limit for a text is 5,000 characters.
const text = T.String({ maxLength: 5_000, pattern: String.raw`^[^\u0000]*$` });

// IDs become part of request URLs.
const id = T.String({ pattern: String.raw`^[\w-]{1,255}$` });

const nullable = <Schema extends TSchema>(schema: Schema) => T.Union([schema, T.Null()]);

const idOrObject = T.Union([id, T.Object({ id })]);

const metadata = T.Object({ reference: T.Optional(text) });

const lastSecondOfYear9999 = 253_402_300_799;

const envelope = T.Object({
  id,
  object: T.Literal('event'),
  type: text,
  created: T.Integer({ minimum: 0, maximum: lastSecondOfYear9999 }),
  livemode: T.Boolean(),
  data: T.Object({ object: T.Object({}) }),
});

const paymentIntent = T.Object({
  id,
  status: text,
  metadata,
  last_payment_error: T.Optional(nullable(T.Object({ code: T.Optional(nullable(text)), decline_code: T.Optional(nullable(text)) }))),
});

const transfer = T.Object({ id, metadata, reversed: T.Boolean() });

const amount = T.Integer({ minimum: 0 });

const payment = nullable(idOrObject);

const dispute = T.Object({ status: text, reason: text, amount: T.Optional(amount), payment_intent: payment });

const fraudWarning = T.Object({ fraud_type: text, payment_intent: T.Optional(payment) });

const refundedCharge = T.Object({ amount_refunded: amount, payment_intent: payment });

/** The form of `data.object` by event type. Other types are ignored. */
const objects: Readonly<Record<string, TSchema>> = {
  'payment_intent.succeeded': paymentIntent,
  'payment_intent.payment_failed': paymentIntent,
  'payment_intent.processing': paymentIntent,
  'payment_intent.canceled': paymentIntent,
  'transfer.created': transfer,
  'transfer.reversed': transfer,
  'charge.dispute.created': dispute,
  'charge.dispute.funds_withdrawn': dispute,
  'charge.dispute.funds_reinstated': dispute,
  'charge.dispute.closed': dispute,
  'radar.early_fraud_warning.created': fraudWarning,
  'charge.refunded': refundedCharge,
};

export const eventTypesThatAreRead: readonly string[] = Object.keys(objects);

/** Null if every field that is read has its type. The reason names the wrong fields, but not their values. */
export function whyMalformed(body: Buffer): string | null {
  const json = parseJson(body);
  if (json === undefined) return 'it is not JSON';
  const validated = validate(envelope, json);
  if (validated.is === 'wrong') return validated.errors.map(({ field, message }) => `${field} ${message}`).join('; ');
  const schema = objects[validated.value.type];
  const object = schema === undefined ? null : validate(schema, validated.value.data.object);
  return object?.is === 'wrong' ? object.errors.map(({ field, message }) => `data.object.${field} ${message}`).join('; ') : null;
}

function parseJson(body: Buffer): unknown {
  try {
    return JSON.parse(body.toString('utf8'));
  } catch {
    return undefined;
  }
}
