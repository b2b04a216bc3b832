import type Stripe from 'stripe';
import { amountToJson, type Cents } from '../core/money.ts';
import type { LookedUp, MoneyIntent, MoneyOutcome, PayoutProvider } from './provider.ts';
import { amountMax, declinedHere, stripeAbsentIsSureAfterMs, stripeKeyLifeMs } from './stripe-charges.ts';
import { failed, type StripeAccess } from './stripe-client.ts';

/** Pays a creator by a transfer to their Stripe account, which pays their bank. */
export function stripePayouts(access: StripeAccess): PayoutProvider {
  return {
    name: 'stripe',
    ends: 'at_once',
    keyLifeMs: stripeKeyLifeMs,
    absentIsSureAfterMs: stripeAbsentIsSureAfterMs,
    pay: (intent) => pay(access, intent),
    lookUpPayout: (intent) => lookUpPayout(access, intent),
  };
}

async function pay(access: StripeAccess, { reference, amount, instrument, description }: MoneyIntent): Promise<MoneyOutcome> {
  if (!/^acct_\w+$/.test(instrument)) return declinedHere('no_such_instrument');
  if (amount > amountMax) return declinedHere('amount_too_large');
  const client = await access.client();
  const params: Stripe.TransferCreateParams = {
    amount: amountToJson(amount),
    currency: 'usd',
    destination: instrument,
    description,
    // The transfer group is the only value of ours by which Stripe can list transfers.
    transfer_group: reference,
    metadata: { reference },
  };
  return client.transfers.create(params, access.asking(reference)).then(
    ({ id }): MoneyOutcome => ({ is: 'succeeded', providerId: id }),
    (error: unknown) => failed(client, error),
  );
}

const transferOutcomeOf = ({ id, amount: sent }: Stripe.Transfer, amount: Cents): MoneyOutcome =>
  sent === amountToJson(amount) ? { is: 'succeeded', providerId: id } : { is: 'unknown', why: 'Stripe: the transfer is of another amount' };

/** An existing transfer has succeeded, even if it was reversed later: a webhook event reports the reversal. */
async function lookUpPayout(access: StripeAccess, { reference, amount, providerId }: MoneyIntent): Promise<LookedUp> {
  const client = await access.client();
  const isIts = ({ metadata }: Stripe.Transfer): boolean => metadata['reference'] === reference;
  try {
    const known = typeof providerId === 'string' ? await client.transfers.retrieve(providerId, {}, access.asking()) : null;
    if (known !== null && isIts(known)) return transferOutcomeOf(known, amount);
    const { data } = await client.transfers.list({ transfer_group: reference, limit: 10 }, access.asking());
    const found = data.find(isIts);
    return found === undefined ? { is: 'absent' } : transferOutcomeOf(found, amount);
  } catch (error) {
    const { is } = failed(client, error);
    return { is: 'unknown', why: `Stripe: the look-up was ${is}` };
  }
}
