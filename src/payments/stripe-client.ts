import type Stripe from 'stripe';
import type { StripeConfig } from '../core/config.ts';
import { invariant } from '../core/invariant.ts';
import { secondMs } from '../core/time.ts';
import type { MoneyOutcome } from './provider.ts';
import { stripeDeclineMessage } from './stripe-decline-messages.ts';

/** The Stripe client and options of this installation. */
export type StripeAccess = {
  readonly config: StripeConfig;
  readonly client: () => Promise<Stripe>;
  /** Sets the options explicitly for every call, so that no default of the library or the account applies. */
  readonly asking: (idempotencyKey?: string) => Stripe.RequestOptions;
};

/** The Stripe API version that this code supports. The webhook endpoint at Stripe must use the same version. */
export const stripeApiVersion = '2026-10-28.endive';
const callTimeOutMs = 30 * secondMs;

/** Loads the library at first use: it takes 80 ms and 37 MB, and most installations run without Stripe. */
export function openStripe(config: StripeConfig, timeOutMs: number = callTimeOutMs): StripeAccess {
  let opened: Promise<Stripe> | null = null;
  return {
    config,
    client: async () => (opened ??= newClient(config, timeOutMs)),
    // The library does not retry, because our code decides about retries from the stored intent.
    asking: (idempotencyKey) => ({
      apiVersion: stripeApiVersion,
      timeout: timeOutMs,
      maxNetworkRetries: 0,
      ...(idempotencyKey === undefined ? {} : { idempotencyKey }),
    }),
  };
}

async function newClient({ secretKey, api }: StripeConfig, timeout: number): Promise<Stripe> {
  const { default: Library } = await import('stripe');
  const where = api === null ? {} : { host: api.host, port: api.port, protocol: 'http' as const };
  return new Library(secretKey, { apiVersion: stripeApiVersion, timeout, maxNetworkRetries: 0, telemetry: false, ...where });
}

export type Failed = Extract<MoneyOutcome, { is: 'declined' | 'unknown' }>;

/**
 * Maps an error to an outcome. After 400, 402 or 404 no money moved. After a timeout, a broken connection, 5xx, 409 (the key is in use) or
 * 429 the outcome is unknown. It is also unknown after a rejected API key: the call succeeds once the operator has replaced the key, and no
 * store becomes past due because of it.
 */
export function failed({ errors }: Stripe, error: unknown): Failed {
  invariant(!(error instanceof errors.StripeIdempotencyError), 'an idempotency key is never sent to Stripe with different content');
  if (error instanceof errors.StripeCardError) {
    const code = error.decline_code ?? error.code ?? 'card_declined';
    return { is: 'declined', providerId: error.payment_intent?.id ?? null, code, message: stripeDeclineMessage(code) };
  }
  if (error instanceof errors.StripeInvalidRequestError) {
    const code = error.code ?? 'invalid_request';
    return { is: 'declined', providerId: null, code, message: stripeDeclineMessage(code) };
  }
  if (error instanceof errors.StripeError)
    return { is: 'unknown', why: `Stripe: ${error.type} ${error.statusCode ?? 'without an answer'}` };
  throw error;
}

/** Stripe returns references as IDs or as expanded objects. */
export const idOf = (thing: string | { readonly id: string } | null): string | null =>
  thing === null || typeof thing === 'string' ? thing : thing.id;
