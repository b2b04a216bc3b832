import type Stripe from 'stripe';
import { newId } from '../platform/ids.ts';
import { must } from '../platform/must.ts';
import { realNow } from '../platform/time.ts';
import { decideAgreement, payableCountries } from './decide-agreement.ts';
import { failed, idOf, type Failed, type StripeAccess } from './stripe-client.ts';
import { instrumentOf } from './stripe-charges.ts';

/** What the dashboards need of Stripe so that a card can be saved, and a creator be paid. No money moves here. */
export type StripeAccounts = {
  readonly beginSetup: (who: SetupOf) => Promise<SetupBegun | Failed>;
  readonly readSetup: (setupId: string) => Promise<SetupRead | Failed>;
  /** The countries whose creators can be paid, by the country of the account at Stripe that STRIPE_SECRET_KEY belongs to. */
  readonly countries: () => Promise<Countries | Failed>;
  readonly beginConnect: (who: ConnectOf) => Promise<ConnectBegun | UnpayableCountry | Failed>;
  readonly readConnect: (account: string) => Promise<ConnectRead | Failed>;
};

type SetupOf = {
  readonly reference: string;
  readonly email: string;
  /** The customer of an earlier beginning; null makes one. */
  readonly customer: string | null;
  /** Where Stripe leads back to: `{CHECKOUT_SESSION_ID}` in the first stands for the id of what was begun. */
  readonly successUrl: string;
  readonly cancelUrl: string;
};
/** The card is entered on Stripe's own page, at this address. */
type SetupBegun = { readonly is: 'begun'; readonly setupId: string; readonly url: string; readonly customer: string };
type SetupRead =
  | { readonly is: 'ready'; readonly reference: string; readonly instrument: string }
  | { readonly is: 'not_yet'; readonly status: string };

type Countries = { readonly is: 'known'; readonly countries: readonly string[] };
/** Stripe pays nobody there from the platform's country. */
type UnpayableCountry = { readonly is: 'unpayable_country' };

type ConnectOf = {
  readonly reference: string;
  readonly email: string;
  /** An account that was begun before, or the country of the creator, in which one is made. */
  readonly account: { readonly id: string } | { readonly country: string };
  /** Where Stripe sends the creator when they have answered, and when the link was too old. */
  readonly returnUrl: string;
  readonly refreshUrl: string;
};
type ConnectBegun = { readonly is: 'begun'; readonly account: string; readonly url: string };
type ConnectRead = { readonly is: 'ready' } | { readonly is: 'not_yet'; readonly missing: number };

export function stripeAccounts(access: StripeAccess): StripeAccounts {
  const attempt = async <Done>(work: (client: Stripe) => Promise<Done>): Promise<Done | Failed> => {
    const client = await access.client();
    return work(client).catch((error: unknown) => failed(client, error));
  };
  let platform: string | null = null;
  // Stripe lets no account change its country, so it is asked for once.
  const platformCountry = async (client: Stripe): Promise<string> =>
    (platform ??= countryOf(await client.accounts.retrieveCurrent({}, access.asking())));
  return {
    beginSetup: (who) => attempt((client) => beginSetup(access, client, who)),
    readSetup: (setupId) => attempt((client) => readSetup(access, client, setupId)),
    countries: () => attempt(async (client) => ({ is: 'known' as const, countries: payableCountries(await platformCountry(client)) })),
    beginConnect: (who) => attempt((client) => beginConnect({ access, client, platformCountry }, who)),
    readConnect: (account) => attempt((client) => readConnect(access, client, account)),
  };
}

/**
 * Saved for payments at which nobody is present: the bank asks its questions now. On Stripe's own page, because ours lets no foreign
 * script in, and no number of a card comes near us. Each beginning is one of its own: one that was answered is never begun again.
 */
async function beginSetup(access: StripeAccess, client: Stripe, who: SetupOf): Promise<SetupBegun | Failed> {
  const { reference, email, customer, successUrl, cancelUrl } = who;
  const metadata = { reference };
  const owner = customer ?? (await client.customers.create({ email, metadata }, access.asking(`customer ${reference}`))).id;
  const { id, url } = await client.checkout.sessions.create(
    {
      mode: 'setup',
      currency: 'usd',
      customer: owner,
      success_url: successUrl,
      cancel_url: cancelUrl,
      metadata,
      setup_intent_data: { metadata },
    },
    access.asking(`checkout ${reference} ${newId(realNow())}`),
  );
  if (url === null) return { is: 'unknown', why: 'Stripe: a page for a card came without its address' };
  return { is: 'begun', setupId: id, url, customer: owner };
}

/** Asked of Stripe, whatever the browser says. The reference tells whose it is: nobody takes over another's card by its id. */
async function readSetup(access: StripeAccess, client: Stripe, setupId: string): Promise<SetupRead> {
  const session = await client.checkout.sessions.retrieve(setupId, { expand: ['setup_intent'] }, access.asking());
  const { setup_intent: setup, status } = session;
  const instrument = setup === null || typeof setup === 'string' ? null : setupInstrument(setup);
  if (instrument === null) return { is: 'not_yet', status: status ?? 'open' };
  return { is: 'ready', reference: session.metadata?.['reference'] ?? '', instrument };
}

export function setupInstrument({ status, customer, payment_method: method }: Stripe.SetupIntent): string | null {
  const [owner, saved] = [idOf(customer), idOf(method)];
  return status !== 'succeeded' || owner === null || saved === null ? null : instrumentOf(owner, saved);
}

type Connecting = {
  readonly access: StripeAccess;
  readonly client: Stripe;
  readonly platformCountry: (client: Stripe) => Promise<string>;
};

function countryOf({ country }: Stripe.Account): string {
  must(country !== undefined, 'an account at Stripe has a country');
  return country;
}

/** The creator tells Stripe who they are and where their bank is; we never see it. */
async function beginConnect(connecting: Connecting, who: ConnectOf): Promise<ConnectBegun | UnpayableCountry> {
  const { access, client } = connecting;
  const account = 'id' in who.account ? who.account.id : await newAccount(connecting, { ...who, country: who.account.country });
  if (account === null) return { is: 'unpayable_country' };
  const link = await client.accountLinks.create(
    { account, type: 'account_onboarding', return_url: who.returnUrl, refresh_url: who.refreshUrl },
    access.asking(),
  );
  return { is: 'begun', account, url: link.url };
}

/**
 * What Stripe calls Express: it asks the questions, and the creator has a small dashboard there; we pay its fees and answer for
 * negative balances. An account can only be sent money. Its country and its agreement stay as they are made. Null: Stripe pays nobody
 * there from the platform's country.
 */
async function newAccount(
  { access, client, platformCountry }: Connecting,
  { reference, email, country }: ConnectOf & { readonly country: string },
): Promise<string | null> {
  const agreement = decideAgreement({ platform: await platformCountry(client), creator: country });
  if (agreement === null) return null;
  const params: Stripe.AccountCreateParams = {
    country,
    email,
    controller: {
      fees: { payer: 'application' },
      losses: { payments: 'application' },
      requirement_collection: 'stripe',
      stripe_dashboard: { type: 'express' },
    },
    capabilities: { transfers: { requested: true } },
    ...(agreement === 'recipient' ? { tos_acceptance: { service_agreement: 'recipient' } } : {}),
    metadata: { reference },
  };
  return (await client.accounts.create(params, access.asking(`account ${reference} ${country}`))).id;
}

async function readConnect(access: StripeAccess, client: Stripe, account: string): Promise<ConnectRead> {
  const { capabilities, requirements } = await client.accounts.retrieve(account, {}, access.asking());
  if (capabilities?.transfers === 'active') return { is: 'ready' };
  return { is: 'not_yet', missing: requirements?.currently_due?.length ?? 0 };
}
