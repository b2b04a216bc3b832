import { must } from '../../src/platform/must.ts';
import { stripeCharges } from '../../src/providers/stripe-charges.ts';
import { openStripe } from '../../src/providers/stripe-client.ts';
import { readStripeNews } from '../../src/providers/stripe-news.ts';
import { stripePayouts } from '../../src/providers/stripe-transfers.ts';
import type { StripeObject } from '../support/stripe-book.ts';
import { startStripeStandIn } from '../support/stripe-stand-in.ts';
import { holdsTheContract, type Subject } from './contract.ts';

/** The library waits no longer than this for the stand-in, which answers in milliseconds or never. */
const timeOutMs = 500;

const referenceOf = ({ metadata }: StripeObject) => (metadata as { readonly reference: string }).reference;

async function openSubject(): Promise<Subject> {
  const standIn = await startStripeStandIn();
  const { host, port, secretKey, webhookSecret, book } = standIn;
  const access = openStripe({ secretKey, webhookSecret, isLive: false, api: { host, port } }, timeOutMs);
  const objectOf = (reference: string) => {
    const found = [...book.all('payment_intent'), ...book.all('transfer')].find((object) => referenceOf(object) === reference);
    must(found !== undefined, 'the stand-in knows what was charged and paid');
    return found;
  };
  let made = 0;
  return {
    charges: stripeCharges(access),
    payouts: stripePayouts(access),
    instrument: (end, kind) => (kind === 'charge' ? `cus_${++made}|pm_${end}_${made}` : `acct_${end}_${++made}`),
    async moved() {
      const paid = book.all('payment_intent').filter(({ status }) => status === 'succeeded');
      const lineOf = (kind: 'charge' | 'payout') => (object: StripeObject) => ({
        kind,
        reference: referenceOf(object),
        amount: BigInt(object['amount'] as number),
      });
      return [...paid.map(lineOf('charge')), ...book.all('transfer').map(lineOf('payout'))];
    },
    pass: async (ms) => standIn.pass(ms),
    end: async (reference, end) =>
      void book.change(objectOf(reference).id, { status: end === 'succeeded' ? 'succeeded' : 'requires_payment_method' }),
    read: readStripeNews(access, webhookSecret),
    news: async ({ kind, reference, signedAt, by }) =>
      standIn.news(kind === 'charge' ? 'payment_intent.succeeded' : 'transfer.created', objectOf(reference), {
        id: `evt_${reference}`,
        ...(signedAt === undefined ? {} : { signedAt }),
        ...(by === undefined ? {} : { secret: 'whsec_of_a_stranger' }),
      }),
    async close() {
      await standIn.close();
      must(standIn.faults.length === 0, `Stripe understands every request; not these: ${standIn.faults.join('; ')}`);
    },
  };
}

holdsTheContract(openSubject, { pendingPayouts: false });
