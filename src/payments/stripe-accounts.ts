import type Stripe from 'stripe';
import { newId } from '../core/ids.ts';
import { invariant } from '../core/invariant.ts';
import { realNow } from '../core/time.ts';
import { decideAgreement, payableCountries } from './decide-agreement.ts';
import { failed, idOf, type Failed, type StripeAccess } from './stripe-client.ts';
import { instrumentOf } from './stripe-charges.ts';

/** The Stripe calls for saving cards and connecting creator accounts; they move no money. */
export type StripeAccounts = {
  readonly beginSetup: (account: SetupOf) => Promise<StartedSetup | Failed>;
  readonly readSetup: (setupId: string) => Promise<SetupRead | Failed>;
  /** The countries whose creators can be paid, which depend on the country of the platform's Stripe account. */
  readonly countries: () => Promise<Countries | Failed>;
  readonly beginConnect: (account: ConnectOf) => Promise<StartedConnect | UnpayableCountry | Failed>;
  readonly readConnect: (account: string) => Promise<ConnectRead | Failed>;
};

type SetupOf = {
  readonly reference: string;
  readonly email: string;
  /** The customer of an earlier setup; null creates one. */
  readonly customer: string | null;
  /** Stripe redirects here and replaces `{CHECKOUT_SESSION_ID}` with the ID of the setup. */
  readonly successUrl: string;
  readonly cancelUrl: string;
};
/** The URL of the Stripe page for entering the card. */
type StartedSetup = { readonly is: 'begun'; readonly setupId: string; readonly url: string; readonly customer: string };
type SetupRead =
  | {
      readonly is: 'ready';
      readonly reference: string;
      readonly instrument: string;
      /** Identical for the same card in any store; null if the method is not a card. */
      readonly cardFingerprint: string | null;
    }
  | { readonly is: 'not_yet'; readonly status: string };

type Countries = { readonly is: 'known'; readonly countries: readonly string[] };
/** Stripe does not pay to this country from the platform's country. */
type UnpayableCountry = { readonly is: 'unpayable_country' };

type ConnectOf = {
  readonly reference: string;
  readonly email: string;
  /** An existing account, or the country of a new one. */
  readonly account: { readonly id: string } | { readonly country: string };
  /** Stripe redirects the creator here when they finish, or when the link has expired. */
  readonly returnUrl: string;
  readonly refreshUrl: string;
};
type StartedConnect = { readonly is: 'begun'; readonly account: string; readonly url: string };
type ConnectRead = { readonly is: 'ready' } | { readonly is: 'not_yet'; readonly missing: number };

export function stripeAccounts(access: StripeAccess): StripeAccounts {
  const attempt = async <Done>(work: (client: Stripe) => Promise<Done>): Promise<Done | Failed> => {
    const client = await access.client();
    return work(client).catch((error: unknown) => failed(client, error));
  };
  let platform: string | null = null;
  // Requested once, because a Stripe account cannot change its country.
  const platformCountry = async (client: Stripe): Promise<string> =>
    (platform ??= countryOf(await client.accounts.retrieveCurrent({}, access.asking())));
  return {
    beginSetup: (store) => attempt((client) => beginSetup(access, client, store)),
    readSetup: (setupId) => attempt((client) => readSetup(access, client, setupId)),
    countries: () => attempt(async (client) => ({ is: 'known' as const, countries: payableCountries(await platformCountry(client)) })),
    beginConnect: (creator) => attempt((client) => beginConnect({ access, client, platformCountry }, creator)),
    readConnect: (account) => attempt((client) => readConnect(access, client, account)),
  };
}

/**
 * Saves a card for off-session payments, so that the bank authenticates the cardholder now. The card is entered on Stripe's page, because
 * our pages load no third-party scripts and must not receive card numbers. Each setup has its own key, so that a finished one is not
 * returned again.
 */
async function beginSetup(access: StripeAccess, client: Stripe, setup: SetupOf): Promise<StartedSetup | Failed> {
  const { reference, email, customer, successUrl, cancelUrl } = setup;
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

/**
 * Reads the setup from Stripe instead of trusting the browser. The reference proves which store owns it, so that a store cannot use another
 * one's card.
 */
async function readSetup(access: StripeAccess, client: Stripe, setupId: string): Promise<SetupRead> {
  const session = await client.checkout.sessions.retrieve(setupId, { expand: ['setup_intent.payment_method'] }, access.asking());
  const { setup_intent: setup, status } = session;
  const whole = setup === null || typeof setup === 'string' ? null : setup;
  const instrument = whole && setupInstrument(whole);
  if (whole === null || instrument === null) return { is: 'not_yet', status: status ?? 'open' };
  return { is: 'ready', reference: session.metadata?.['reference'] ?? '', instrument, cardFingerprint: fingerprintOf(whole) };
}

const fingerprintOf = ({ payment_method: method }: Stripe.SetupIntent): string | null =>
  method === null || typeof method === 'string' ? null : (method.card?.fingerprint ?? null);

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
  invariant(country !== undefined, 'a Stripe account has a country');
  return country;
}

/** The creator enters their identity and bank details at Stripe; we never receive them. */
async function beginConnect(connecting: Connecting, request: ConnectOf): Promise<StartedConnect | UnpayableCountry> {
  const { access, client } = connecting;
  const account =
    'id' in request.account ? request.account.id : await newAccount(connecting, { ...request, country: request.account.country });
  if (account === null) return { is: 'unpayable_country' };
  const link = await client.accountLinks.create(
    { account, type: 'account_onboarding', return_url: request.returnUrl, refresh_url: request.refreshUrl },
    access.asking(),
  );
  return { is: 'begun', account, url: link.url };
}

/**
 * Creates an Express account: Stripe collects the requirements and offers a small dashboard; the platform pays the fees and is liable for
 * negative balances. The account can only receive transfers. Its country and agreement cannot change. Null if Stripe does not pay to the
 * country.
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
