import { invariant } from '../../src/core/invariant.ts';
import type { MoneyIntent } from '../../src/payments/provider.ts';
import { stripeCharges } from '../../src/payments/stripe-charges.ts';
import { openStripe } from '../../src/payments/stripe-client.ts';
import { readStripeEvent } from '../../src/payments/stripe-webhooks.ts';
import { stripePayouts } from '../../src/payments/stripe-transfers.ts';
import type { StripeObject } from '../support/stripe-book.ts';
import { startFakeStripe, type FakeStripe } from '../support/stripe-server.ts';
import type { BookLine, Kind, WebhookQuery, Subject } from './subject.ts';

/** The timeout of a call that the stand-in never answers. All other calls have the usual one: under load, an answer can take seconds. */
const shortTimeOutMs = 1_000;

const referenceOf = ({ metadata }: StripeObject) => (metadata as { readonly reference: string }).reference;
const toOf = ({ customer, payment_method: method, destination }: StripeObject) =>
  typeof destination === 'string' ? destination : `${String(customer)}|${String(method)}`;

const lineOf =
  (kind: Kind) =>
  (object: StripeObject): BookLine => ({
    kind,
    reference: referenceOf(object),
    amount: BigInt(object['amount'] as number),
    to: toOf(object),
  });

export async function openStripeSubject(): Promise<Subject> {
  const standIn = await startFakeStripe();
  const { host, port, secretKey, webhookSecret, book } = standIn;
  const config = { secretKey, webhookSecret, isLive: false, api: { host, port } };
  const access = openStripe(config);
  const shortAccess = openStripe(config, shortTimeOutMs);
  const called = new Set<string>();
  const accessFor = ({ reference, instrument }: MoneyIntent) => {
    const isUnanswered = instrument.includes('_timeout_') && !called.has(reference);
    called.add(reference);
    return isUnanswered ? shortAccess : access;
  };
  let made = 0;
  return {
    charges: { ...stripeCharges(access), charge: (intent) => stripeCharges(accessFor(intent)).charge(intent) },
    payouts: { ...stripePayouts(access), pay: (intent) => stripePayouts(accessFor(intent)).pay(intent) },
    instrument(end, kind) {
      const word = end === 'money_back' ? 'ok' : end;
      return kind === 'charge' ? `cus_${++made}|pm_${word}_${made}` : `acct_${word}_${++made}`;
    },
    async moved() {
      const paid = book.all('payment_intent').filter(({ status }) => status === 'succeeded');
      return [...paid.map(lineOf('charge')), ...book.all('transfer').map(lineOf('payout'))];
    },
    pass: async (ms) => standIn.pass(ms),
    end: async (reference, end) =>
      void book.change(objectOf(standIn, reference).id, { status: end === 'succeeded' ? 'succeeded' : 'requires_payment_method' }),
    read: readStripeEvent(access, webhookSecret),
    async webhook(query) {
      const { type, object } = stripeEventOf(query, objectOf(standIn, query.reference));
      return standIn.webhook(type, object, {
        id: `evt_${query.reference}`,
        ...(query.signedAt === undefined ? {} : { signedAt: query.signedAt }),
        ...(query.by === undefined ? {} : { secret: 'whsec_of_a_stranger' }),
      });
    },
    async close() {
      await standIn.close();
      invariant(standIn.problems.length === 0, `The Stripe stand-in rejected requests: ${standIn.problems.join('; ')}`);
    },
  };
}

function objectOf({ book }: FakeStripe, reference: string): StripeObject {
  const found = [...book.all('payment_intent'), ...book.all('transfer')].find((object) => referenceOf(object) === reference);
  invariant(found !== undefined, 'the stand-in has the charge or transfer');
  return found;
}

function stripeEventOf({ kind, reports }: WebhookQuery, object: StripeObject): { readonly type: string; readonly object: StripeObject } {
  if (reports === undefined) return { type: kind === 'charge' ? 'payment_intent.succeeded' : 'transfer.created', object };
  if (kind === 'payout') return { type: 'transfer.reversed', object: { ...object, reversed: true } };
  const dispute = { id: `dp_${object.id}`, object: 'dispute', status: 'lost', reason: 'fraudulent', payment_intent: object.id };
  return { type: 'charge.dispute.closed', object: dispute };
}
