import { must } from '../../src/platform/must.ts';
import { stripeCharges } from '../../src/providers/stripe-charges.ts';
import { openStripe } from '../../src/providers/stripe-client.ts';
import { readStripeNews } from '../../src/providers/stripe-news.ts';
import { stripePayouts } from '../../src/providers/stripe-transfers.ts';
import type { StripeObject } from '../support/stripe-book.ts';
import { startStripeStandIn, type StripeStandIn } from '../support/stripe-stand-in.ts';
import type { BookLine, Kind, NewsAsked, Subject } from './subject.ts';

/** The library waits no longer than this for the stand-in, which answers in milliseconds or never. */
const timeOutMs = 500;

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
  const standIn = await startStripeStandIn();
  const { host, port, secretKey, webhookSecret, book } = standIn;
  const access = openStripe({ secretKey, webhookSecret, isLive: false, api: { host, port } }, timeOutMs);
  let made = 0;
  return {
    charges: stripeCharges(access),
    payouts: stripePayouts(access),
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
    read: readStripeNews(access, webhookSecret),
    async news(asked) {
      const { type, object } = toldOf(asked, objectOf(standIn, asked.reference));
      return standIn.news(type, object, {
        id: `evt_${asked.reference}`,
        ...(asked.signedAt === undefined ? {} : { signedAt: asked.signedAt }),
        ...(asked.by === undefined ? {} : { secret: 'whsec_of_a_stranger' }),
      });
    },
    async close() {
      await standIn.close();
      must(standIn.faults.length === 0, `Stripe understands every request; not these: ${standIn.faults.join('; ')}`);
    },
  };
}

function objectOf({ book }: StripeStandIn, reference: string): StripeObject {
  const found = [...book.all('payment_intent'), ...book.all('transfer')].find((object) => referenceOf(object) === reference);
  must(found !== undefined, 'the stand-in knows what was charged and paid');
  return found;
}

function toldOf({ kind, tells }: NewsAsked, object: StripeObject): { readonly type: string; readonly object: StripeObject } {
  if (tells === undefined) return { type: kind === 'charge' ? 'payment_intent.succeeded' : 'transfer.created', object };
  if (kind === 'payout') return { type: 'transfer.reversed', object: { ...object, reversed: true } };
  const dispute = { id: `dp_${object.id}`, object: 'dispute', status: 'lost', reason: 'fraudulent', payment_intent: object.id };
  return { type: 'charge.dispute.closed', object: dispute };
}
