import type Stripe from 'stripe';
import { amountToJson, type Cents } from '../platform/money.ts';
import type { LookedUp, MoneyIntent, MoneyOutcome, PayoutProvider } from './provider.ts';
import { amountMax, declinedHere, stripeAbsentIsSureAfterMs, stripeKeyLifeMs } from './stripe-charges.ts';
import { failed, type StripeAccess } from './stripe-client.ts';

/** A creator is paid by a transfer to their own account at Stripe, which pays their bank as they told it to. */
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
  const asked: Stripe.TransferCreateParams = {
    amount: amountToJson(amount),
    currency: 'usd',
    destination: instrument,
    description,
    // Transfers can be listed by their group, and by nothing else that is ours.
    transfer_group: reference,
    metadata: { reference },
  };
  return client.transfers.create(asked, access.asking(reference)).then(
    ({ id }): MoneyOutcome => ({ is: 'succeeded', providerId: id }),
    (error: unknown) => failed(client, error),
  );
}

const standingOf = ({ id, amount: sent }: Stripe.Transfer, amount: Cents): MoneyOutcome =>
  sent === amountToJson(amount) ? { is: 'succeeded', providerId: id } : { is: 'unknown', why: 'Stripe: the transfer is of another amount' };

/** A transfer that is there has succeeded, also where it was reversed later: that is told by news of its own. */
async function lookUpPayout(access: StripeAccess, { reference, amount, providerId }: MoneyIntent): Promise<LookedUp> {
  const client = await access.client();
  const isIts = ({ metadata }: Stripe.Transfer): boolean => metadata['reference'] === reference;
  try {
    const known = typeof providerId === 'string' ? await client.transfers.retrieve(providerId, {}, access.asking()) : null;
    if (known !== null && isIts(known)) return standingOf(known, amount);
    const { data } = await client.transfers.list({ transfer_group: reference, limit: 10 }, access.asking());
    const found = data.find(isIts);
    return found === undefined ? { is: 'absent' } : standingOf(found, amount);
  } catch (error) {
    const { is } = failed(client, error);
    return { is: 'unknown', why: `Stripe: the look-up was ${is}` };
  }
}
