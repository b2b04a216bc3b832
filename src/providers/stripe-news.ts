import type Stripe from 'stripe';
import { must } from '../platform/must.ts';
import { secondMs } from '../platform/time.ts';
import { cents } from '../platform/money.ts';
import type { ChargeWarningNews, ProviderNews, ReadNews, ReadProviderNews } from './provider.ts';
import { standingOf } from './stripe-charges.ts';
import { failed, idOf, type StripeAccess } from './stripe-client.ts';
import { whyMalformed } from './stripe-event.ts';

const signatureAgeSecondsMax = 300;

/** Verified by Stripe's own library, on the bytes as they came. */
export const readStripeNews =
  (access: StripeAccess, webhookSecret: string): ReadProviderNews =>
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

type Came = { readonly body: Buffer; readonly signature: string; readonly webhookSecret: string; readonly now: Date };

const verification = ({ signature, webhookSecret, now }: Came) =>
  [signature, webhookSecret, signatureAgeSecondsMax, undefined, now.getTime()] as const;

function isSigned(client: Stripe, came: Came): boolean {
  const verifier = client.webhooks.signature;
  must(verifier !== null, "Stripe's library has what verifies signatures");
  try {
    return verifier.verifyHeader(came.body, ...verification(came));
  } catch (error) {
    if (error instanceof client.errors.StripeError) return false;
    throw error;
  }
}

const read = (news: ProviderNews): ReadNews => ({ is: 'read', news });
const nothing = ({ id }: Stripe.Event, what: string): ReadNews => read({ about: 'nothing', newsId: id, what });

/** An account at Stripe may do more than our business: what has no reference of ours is nothing to us. */
async function understood(access: StripeAccess, client: Stripe, event: Stripe.Event): Promise<ReadNews> {
  switch (event.type) {
    case 'payment_intent.succeeded':
    case 'payment_intent.payment_failed':
    case 'payment_intent.processing':
    case 'payment_intent.canceled': {
      const reference = event.data.object.metadata['reference'];
      const outcome = standingOf(event.data.object);
      if (reference === undefined || outcome === null) return nothing(event, event.type);
      return read({ about: 'charge', newsId: event.id, reference, outcome });
    }
    case 'transfer.created': {
      const { id, metadata } = event.data.object;
      const reference = metadata['reference'];
      if (reference === undefined) return nothing(event, event.type);
      return read({ about: 'payout', newsId: event.id, reference, outcome: { is: 'succeeded', providerId: id } });
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
      const why = `The card network warned that the charge is fraudulent (${fraudType}).`;
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
      // Among them setup_intent.succeeded: a saved card is read when its owner comes back from the form, who says which one it is.
      // And payout.failed: the bank of a creator refused what their own account at Stripe sent, and the money is there.
      return nothing(event, event.type);
  }
}

/** A part that was taken back, by hand at Stripe, is nothing that we could book by ourselves. */
function reversed(event: Stripe.TransferReversedEvent): ReadNews {
  const { metadata, reversed: isWhole } = event.data.object;
  const reference = metadata['reference'];
  if (reference === undefined || !isWhole) return nothing(event, isWhole ? event.type : `${event.type}, in part`);
  return read({ about: 'payout_returned', newsId: event.id, reference, at: timeOf(event), why: 'The transfer was reversed at Stripe.' });
}

const timeOf = ({ created }: Stripe.Event): Date => new Date(created * secondMs);

type DisputeEvent =
  | Stripe.ChargeDisputeClosedEvent
  | Stripe.ChargeDisputeCreatedEvent
  | Stripe.ChargeDisputeFundsReinstatedEvent
  | Stripe.ChargeDisputeFundsWithdrawnEvent;

/** An inquiry (`warning_…`) counts too: it becomes a dispute unless it is answered. */
function disputeOpened(access: StripeAccess, client: Stripe, event: DisputeEvent): Promise<ReadNews> {
  const { payment_intent: payment, reason, amount } = event.data.object;
  const why = `The cardholder disputed the charge (${reason}).`;
  return ofPayment(access, client, { event, payment, about: 'dispute_opened', why, amount });
}

const wonStatuses: readonly string[] = ['won', 'warning_closed', 'prevented'];

async function disputeClosed(access: StripeAccess, client: Stripe, event: DisputeEvent): Promise<ReadNews> {
  const { status, payment_intent: payment, reason, amount } = event.data.object;
  if (wonStatuses.includes(status)) {
    const why = `The dispute (${reason}) was closed as ${status}.`;
    return ofPayment(access, client, { event, payment, about: 'dispute_won', why, amount });
  }
  if (status !== 'lost') return nothing(event, `${event.type} ${status}`);
  const why = `The holder of the card disputed the charge (${reason}), and the bank took their side.`;
  return ofPayment(access, client, { event, payment, about: 'dispute_lost', why, amount });
}

type OfPayment = {
  readonly event: Stripe.Event;
  readonly payment: string | Stripe.PaymentIntent | null | undefined;
  readonly about: ChargeWarningNews | 'dispute_lost';
  readonly why: string;
  /** Shown to operators; an event may lack it. */
  readonly amount: number | null | undefined;
};

/** A dispute, a warning and a refund name the payment, and only the payment names our reference. */
async function ofPayment(access: StripeAccess, client: Stripe, { event, payment, about, why, amount }: OfPayment): Promise<ReadNews> {
  const paymentId = idOf(payment ?? null);
  if (paymentId === null) return nothing(event, event.type);
  try {
    const { metadata } = await client.paymentIntents.retrieve(paymentId, {}, access.asking());
    const reference = metadata['reference'];
    if (reference === undefined) return nothing(event, event.type);
    const common = { newsId: event.id, reference, at: timeOf(event), why };
    if (about === 'dispute_lost') return read({ about, ...common });
    return read({ about, ...common, amount: typeof amount === 'number' ? cents(amount) : null });
  } catch (error) {
    return { is: 'not_now', why: `Stripe: reading the payment of ${event.type} was ${failed(client, error).is}` };
  }
}
