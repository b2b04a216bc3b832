import type Stripe from 'stripe';
import type { StripeConfig } from '../platform/config.ts';
import { must } from '../platform/must.ts';
import { secondMs } from '../platform/time.ts';
import type { MoneyOutcome } from './provider.ts';
import { stripeWords } from './stripe-words.ts';

/** Stripe as this installation reaches it. */
export type StripeAccess = {
  readonly config: StripeConfig;
  readonly client: () => Promise<Stripe>;
  /** What goes with every call: nothing that matters is left to a default of the library or of the account. */
  readonly asking: (idempotencyKey?: string) => Stripe.RequestOptions;
};

/** The version of Stripe's API that this code was written against. The webhook's endpoint at Stripe is made with the same one. */
export const stripeApiVersion = '2026-10-28.endive';
const callTimeOutMs = 30 * secondMs;

/** The library is loaded when it is first used: it takes 80 ms and 37 MB, and most installations start without Stripe. */
export function openStripe(config: StripeConfig, timeOutMs: number = callTimeOutMs): StripeAccess {
  let opened: Promise<Stripe> | null = null;
  return {
    config,
    client: async () => (opened ??= newClient(config, timeOutMs)),
    // No retries of its own: a retry is a decision of ours, made from the intent in our database.
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
 * What an error of a call means for the money. Refused with 400, 402 or 404 it surely did not move. A time-out, a broken
 * connection, 5xx, 409 (the same key is being worked on) and 429 leave it open, and so does a key of ours that Stripe does
 * not take: the same call goes through once the operator has mended it, and no store is past due because of it.
 */
export function failed({ errors }: Stripe, error: unknown): Failed {
  must(!(error instanceof errors.StripeIdempotencyError), 'a key that was sent to Stripe is never sent with other content');
  if (error instanceof errors.StripeCardError) {
    const code = error.decline_code ?? error.code ?? 'card_declined';
    return { is: 'declined', providerId: error.payment_intent?.id ?? null, code, message: stripeWords(code) };
  }
  if (error instanceof errors.StripeInvalidRequestError) {
    const code = error.code ?? 'invalid_request';
    return { is: 'declined', providerId: null, code, message: stripeWords(code) };
  }
  if (error instanceof errors.StripeError)
    return { is: 'unknown', why: `Stripe: ${error.type} ${error.statusCode ?? 'without an answer'}` };
  throw error;
}

/** References are expanded or not, as Stripe likes. */
export const idOf = (thing: string | { readonly id: string } | null): string | null =>
  thing === null || typeof thing === 'string' ? thing : thing.id;
