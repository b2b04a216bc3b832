import type { Platform } from '../platform/platform.ts';
import { notedCharges, notedPayouts } from './keep-apart.ts';
import { manualPayouts } from './manual.ts';
import type { ChargeProvider, PayoutProvider, ReadProviderNews } from './provider.ts';
import { openSandbox } from './sandbox.ts';
import { readSandboxNews } from './sandbox-news.ts';
import { stripeAccounts, type StripeAccounts } from './stripe-accounts.ts';
import { stripeCharges } from './stripe-charges.ts';
import { openStripe, type StripeAccess } from './stripe-client.ts';
import { readStripeNews } from './stripe-news.ts';
import { stripePayouts } from './stripe-transfers.ts';

/** Who can charge and pay here, by the configuration. A provider that is not allowed is not there: null, never a refusal later. */
export type Providers = {
  /** What a method that is saved today belongs to. */
  readonly standard: ChargeProvider['name'];
  readonly chargeProvider: (name: ChargeProvider['name']) => ChargeProvider | null;
  readonly payoutProvider: (name: PayoutProvider['name']) => PayoutProvider | null;
  /** What reads the news that come over HTTP; null where none can come. */
  readonly readNews: { readonly sandbox: ReadProviderNews | null; readonly stripe: ReadProviderNews | null };
  /** Saving cards and connecting accounts; null without a key of Stripe. */
  readonly accounts: StripeAccounts | null;
};

/** What the rooms that move money are handed first. */
export type Money = { readonly platform: Platform; readonly providers: Providers };

/** The same with the connections and the time-outs of what nobody waits for in a hurry. */
export const atNight = ({ platform, providers }: Money): Money => ({
  platform: { ...platform, database: platform.nightDatabase },
  providers,
});

/** Opens no connection and loads nothing: that is done at the first call. */
export function openProviders(platform: Platform): Providers {
  const { config, secrets } = platform;
  const sandbox = config.mode === 'sandbox' ? openSandbox(platform) : null;
  const access = config.stripe === null ? null : openStripe(config.stripe);
  const charges = {
    sandbox: sandbox && notedCharges(platform, sandbox.charges),
    stripe: access && notedCharges(platform, stripeCharges(access)),
  };
  const payouts = {
    sandbox: sandbox && notedPayouts(platform, sandbox.payouts),
    stripe: access && notedPayouts(platform, stripePayouts(access)),
    // By hand real money can be moved in either mode: it is the person who moves it.
    manual: manualPayouts,
  };
  return {
    standard: config.mode === 'sandbox' ? 'sandbox' : 'stripe',
    chargeProvider: (name) => charges[name],
    payoutProvider: (name) => payouts[name],
    readNews: { sandbox: sandbox && readSandboxNews(secrets), stripe: stripeNews(access) },
    accounts: access && stripeAccounts(access),
  };
}

function stripeNews(access: StripeAccess | null): ReadProviderNews | null {
  if (access === null || access.config.webhookSecret === null) return null;
  return readStripeNews(access, access.config.webhookSecret);
}
