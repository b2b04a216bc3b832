import type Stripe from 'stripe';
import { amountToJson, cents, type Cents } from '../platform/money.ts';
import { hourMs, minuteMs } from '../platform/time.ts';
import type { ChargeProvider, LookedUp, MoneyIntent, MoneyOutcome } from './provider.ts';
import { failed, type StripeAccess } from './stripe-client.ts';
import { stripeWords } from './stripe-words.ts';

/** Stripe keeps a key for at least 24 hours. */
export const stripeKeyLifeMs = 20 * hourMs;
/**
 * Lists at Stripe are read from the books themselves, unlike its search, which may be an hour behind. What remains is a call
 * that was cut off here and still worked on there.
 */
export const stripeAbsentIsSureAfterMs = 15 * minuteMs;
const chargeMin = cents(50);
/** Eight digits are what Stripe takes. */
export const amountMax = cents(99_999_999);
const pageMax = 100;
const pagesMax = 20;

export function stripeCharges(access: StripeAccess): ChargeProvider {
  return {
    name: 'stripe',
    chargeMin,
    keyLifeMs: stripeKeyLifeMs,
    absentIsSureAfterMs: stripeAbsentIsSureAfterMs,
    charge: (intent) => charge(access, intent),
    lookUpCharge: (intent) => lookUpCharge(access, intent),
  };
}

/** `cus_…|pm_…`: a saved method can be charged only together with its customer. */
export const instrumentOf = (customer: string, method: string): string => `${customer}|${method}`;

function readInstrument(instrument: string): { readonly customer: string; readonly method: string } | null {
  const [, customer = '', method = ''] = /^(cus_\w+)\|((?:pm|card|src)_\w+)$/.exec(instrument) ?? [];
  return customer === '' ? null : { customer, method };
}

/** Nobody is there to confirm: what would need a person is declined, and the person is asked to save the method again. */
async function charge(access: StripeAccess, { reference, amount, instrument, description }: MoneyIntent): Promise<MoneyOutcome> {
  const saved = readInstrument(instrument);
  if (saved === null) return declinedHere('no_such_instrument');
  if (amount > amountMax) return declinedHere('amount_too_large');
  const client = await access.client();
  const asked: Stripe.PaymentIntentCreateParams = {
    amount: amountToJson(amount),
    currency: 'usd',
    customer: saved.customer,
    payment_method: saved.method,
    off_session: true,
    confirm: true,
    automatic_payment_methods: { enabled: true, allow_redirects: 'never' },
    description,
    metadata: { reference },
  };
  return client.paymentIntents.create(asked, access.asking(reference)).then(
    (made) => settled(access, made, amount),
    (error: unknown) => failed(client, error),
  );
}

/** What needs no call to be known. */
export const declinedHere = (code: string): MoneyOutcome => ({ is: 'declined', providerId: null, code, message: stripeWords(code) });

/** How a PaymentIntent stands; null where it still waits for somebody who is not there. */
export function standingOf(made: Stripe.PaymentIntent): MoneyOutcome | null {
  switch (made.status) {
    case 'succeeded':
      return { is: 'succeeded', providerId: made.id };
    case 'processing':
      return { is: 'pending', providerId: made.id };
    case 'canceled':
    case 'requires_payment_method':
      return declinedBy(made, made.status === 'canceled' ? 'canceled' : 'card_declined');
    case 'requires_action':
    case 'requires_confirmation':
      return null;
    default:
      return { is: 'unknown', why: `Stripe: the payment is ${made.status}` };
  }
}

function declinedBy({ id, last_payment_error: error }: Stripe.PaymentIntent, otherwise: string): MoneyOutcome {
  const code = error?.decline_code ?? error?.code ?? otherwise;
  return { is: 'declined', providerId: id, code, message: stripeWords(code) };
}

/** What waits for a person is cancelled before it is called declined: it must not succeed behind our back. */
async function settled(access: StripeAccess, made: Stripe.PaymentIntent, amount: Cents): Promise<MoneyOutcome> {
  if (made.amount !== amountToJson(amount)) return { is: 'unknown', why: 'Stripe: the payment is of another amount' };
  const standing = standingOf(made);
  if (standing !== null) return standing;
  const client = await access.client();
  return client.paymentIntents.cancel(made.id, {}, access.asking(`cancel ${made.id}`)).then(
    () => declinedBy(made, 'authentication_required'),
    (error: unknown): MoneyOutcome => {
      const { is } = failed(client, error);
      return { is: 'unknown', why: `Stripe: the payment waits for its customer, and cancelling it was ${is}` };
    },
  );
}

/**
 * By Stripe's own id where we have it and it is of this reference, else among the payments of the customer; a success hides what
 * was declined beside it.
 */
async function lookUpCharge(access: StripeAccess, { reference, amount, instrument, providerId }: MoneyIntent): Promise<LookedUp> {
  const client = await access.client();
  try {
    const known = typeof providerId === 'string' ? await client.paymentIntents.retrieve(providerId, {}, access.asking()) : null;
    if (known?.metadata['reference'] === reference) return await settled(access, known, amount);
    const customer = readInstrument(instrument)?.customer;
    const { found, isWhole } = customer === undefined ? noPayments : await paymentsOf(access, { customer, reference });
    const [first] = found.toSorted((one, other) => rankOf(one) - rankOf(other));
    const isBest = first !== undefined && bestFirst.includes(first.status);
    // What was not read may hold the success: neither "absent" nor "declined" is sure.
    if (!isWhole && !isBest) return { is: 'unknown', why: 'Stripe: the customer has more payments than a look-up reads' };
    return first === undefined ? { is: 'absent' } : await settled(access, first, amount);
  } catch (error) {
    const { is } = failed(client, error);
    return { is: 'unknown', why: `Stripe: the look-up was ${is}` };
  }
}

const bestFirst = ['succeeded', 'processing'];
const rankOf = ({ status }: Stripe.PaymentIntent): number => (bestFirst.includes(status) ? bestFirst.indexOf(status) : bestFirst.length);

type Payments = { readonly found: readonly Stripe.PaymentIntent[]; readonly isWhole: boolean };
const noPayments: Payments = { found: [], isWhole: true };

/** The newest first, as far as the pages reach. Not bounded by time: the business time of the intent may be another than Stripe's. */
async function paymentsOf(
  access: StripeAccess,
  { customer, reference }: { readonly customer: string; readonly reference: string },
): Promise<Payments> {
  const client = await access.client();
  const found: Stripe.PaymentIntent[] = [];
  let after: string | null = null;
  for (let page = 0; page < pagesMax; page++) {
    const params: Stripe.PaymentIntentListParams = { customer, limit: pageMax, ...(after === null ? {} : { starting_after: after }) };
    const list: Stripe.ApiList<Stripe.PaymentIntent> = await client.paymentIntents.list(params, access.asking());
    found.push(...list.data.filter(({ metadata }) => metadata['reference'] === reference));
    if (!list.has_more) return { found, isWhole: true };
    after = list.data.at(-1)?.id ?? null;
    if (after === null) break;
  }
  return { found, isWhole: false };
}
