import type Stripe from 'stripe';
import { amountToJson, cents, type Cents } from '../core/money.ts';
import { hourMs, minuteMs } from '../core/time.ts';
import type { ChargeProvider, LookedUp, MoneyIntent, MoneyOutcome } from './provider.ts';
import { failed, type StripeAccess } from './stripe-client.ts';
import { stripeDeclineMessage } from './stripe-decline-messages.ts';

/** Stripe keeps an idempotency key for at least 24 hours. */
export const stripeKeyLifeMs = 20 * hourMs;
/**
 * Stripe's lists are current, unlike its search, which can be an hour behind. The time covers a call that was interrupted here but is still
 * in progress at Stripe.
 */
export const stripeAbsentIsSureAfterMs = 15 * minuteMs;
const chargeMin = cents(50);
/** Stripe accepts amounts of up to eight digits. */
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

/** `cus_…|pm_…`: a saved method can be charged only with its customer. */
export const instrumentOf = (customer: string, method: string): string => `${customer}|${method}`;

function readInstrument(instrument: string): { readonly customer: string; readonly method: string } | null {
  const [, customer = '', method = ''] = /^(cus_\w+)\|((?:pm|card|src)_\w+)$/.exec(instrument) ?? [];
  return customer === '' ? null : { customer, method };
}

/** An off-session charge: if the bank requires a confirmation, the charge is declined, and the person is asked to save the method again. */
async function charge(access: StripeAccess, { reference, amount, instrument, description }: MoneyIntent): Promise<MoneyOutcome> {
  const saved = readInstrument(instrument);
  if (saved === null) return declinedHere('no_such_instrument');
  if (amount > amountMax) return declinedHere('amount_too_large');
  const client = await access.client();
  const params: Stripe.PaymentIntentCreateParams = {
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
  return client.paymentIntents.create(params, access.asking(reference)).then(
    (made) => settled(access, made, amount),
    (error: unknown) => failed(client, error),
  );
}

/** A decline that is known without a call. */
export const declinedHere = (code: string): MoneyOutcome => ({
  is: 'declined',
  providerId: null,
  code,
  message: stripeDeclineMessage(code),
});

/** Null if the PaymentIntent still waits for its customer. */
export function chargeOutcomeOf(made: Stripe.PaymentIntent): MoneyOutcome | null {
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
  return { is: 'declined', providerId: id, code, message: stripeDeclineMessage(code) };
}

/** Cancels a payment that waits for its customer before it counts as declined, so that it cannot succeed later. */
async function settled(access: StripeAccess, made: Stripe.PaymentIntent, amount: Cents): Promise<MoneyOutcome> {
  if (made.amount !== amountToJson(amount)) return { is: 'unknown', why: 'Stripe: the payment is of another amount' };
  const outcome = chargeOutcomeOf(made);
  if (outcome !== null) return outcome;
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
 * Looks up Stripe's ID if it is known and has this reference, otherwise the payments of the customer. A success takes precedence over
 * declined attempts.
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
    // The pages that were not read may contain the success, so neither "absent" nor "declined" is certain.
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

/** Newest first, up to the page limit. Not limited by time, because the business time of the intent can differ from Stripe's. */
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
