import type { Platform } from '../runtime/platform.ts';
import { recordingCharges, recordingPayouts } from './separate-real-money.ts';
import { manualPayouts } from './manual-payouts.ts';
import type { ChargeProvider, PayoutProvider, ReadProviderEvent } from './provider.ts';
import { openSandbox } from './sandbox.ts';
import { readSandboxEvent } from './sandbox-webhooks.ts';
import { stripeAccounts, type StripeAccounts } from './stripe-accounts.ts';
import { stripeCharges } from './stripe-charges.ts';
import { openStripe, type StripeAccess } from './stripe-client.ts';
import { readStripeEvent } from './stripe-webhooks.ts';
import { stripePayouts } from './stripe-transfers.ts';

/** The providers that the configuration allows; null for all others. */
export type Providers = {
  /** The provider of newly saved methods. */
  readonly standard: ChargeProvider['name'];
  readonly chargeProvider: (name: ChargeProvider['name']) => ChargeProvider | null;
  readonly payoutProvider: (name: PayoutProvider['name']) => PayoutProvider | null;
  /** Reads webhook events; null if the provider cannot send any. */
  readonly readEvent: { readonly sandbox: ReadProviderEvent | null; readonly stripe: ReadProviderEvent | null };
  /** Saves cards and connects accounts; null without a Stripe key. */
  readonly accounts: StripeAccounts | null;
};

/** The dependencies of the modules that move money. */
export type Money = { readonly platform: Platform; readonly providers: Providers };

/** Uses the connections and timeouts of scheduled jobs, because a run can cover all stores or creators. */
export const inBackground = ({ platform, providers }: Money): Money => ({
  platform: { ...platform, database: platform.jobsDatabase },
  providers,
});

/** Opens no connections and loads no libraries before the first call. */
export function openProviders(platform: Platform): Providers {
  const { config, secrets } = platform;
  const sandbox = config.mode === 'sandbox' ? openSandbox(platform) : null;
  const access = config.stripe === null ? null : openStripe(config.stripe);
  const charges = {
    sandbox: sandbox && recordingCharges(platform, sandbox.charges),
    stripe: access && recordingCharges(platform, stripeCharges(access)),
  };
  const payouts = {
    sandbox: sandbox && recordingPayouts(platform, sandbox.payouts),
    stripe: access && recordingPayouts(platform, stripePayouts(access)),
    // A person can transfer real money in either mode.
    manual: manualPayouts,
  };
  return {
    standard: config.mode === 'sandbox' ? 'sandbox' : 'stripe',
    chargeProvider: (name) => charges[name],
    payoutProvider: (name) => payouts[name],
    readEvent: { sandbox: sandbox && readSandboxEvent(secrets), stripe: stripeEventReader(access) },
    accounts: access && stripeAccounts(access),
  };
}

function stripeEventReader(access: StripeAccess | null): ReadProviderEvent | null {
  if (access === null || access.config.webhookSecret === null) return null;
  return readStripeEvent(access, access.config.webhookSecret);
}
