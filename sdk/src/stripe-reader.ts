import { isStripeJson, type StripeJson } from './stripe-objects.ts';

export type ReadStripe = (path: string) => Promise<StripeJson>;

/** The API version of the shapes that are read; an account may use another. */
export const stripeVersion = '2026-10-28.endive';
const timeoutMs = 5_000;

/** Why an object could not be read. The key may lack a permission, or Stripe may be away. */
export type StripeReadFailure = 'stripe_key_missing' | 'stripe_key_rejected' | 'stripe_key_lacks_permission' | 'stripe_object_missing';

export class StripeReadError extends Error {
  readonly reason: StripeReadFailure | 'stripe_unavailable';
  constructor(reason: StripeReadError['reason'], message: string) {
    super(message);
    this.reason = reason;
  }
}

const reasonsByStatus: Readonly<Record<number, StripeReadFailure>> = {
  401: 'stripe_key_rejected',
  403: 'stripe_key_lacks_permission',
  404: 'stripe_object_missing',
};

/** Reads one Stripe object. Throws if it cannot be read: the webhook is then answered so that Stripe retries. */
export function stripeReader(key: string, url = 'https://api.stripe.com'): ReadStripe {
  if (typeof key !== 'string' || !/^[\x21-\x7e]+$/.test(key))
    throw new TypeError('Tributary: stripeKey must be a key of Stripe that may read.');
  return async (path) => {
    const headers = { authorization: `Bearer ${key}`, 'stripe-version': stripeVersion };
    const [response, json] = await answerOf(url + path, { headers, redirect: 'error', signal: AbortSignal.timeout(timeoutMs) });
    if (response.ok && isStripeJson(json)) return json;
    throw new StripeReadError(reasonsByStatus[response.status] ?? 'stripe_unavailable', `Stripe answered HTTP ${response.status}.`);
  };
}

async function answerOf(url: string, options: RequestInit): Promise<readonly [Response, unknown]> {
  try {
    const response = await fetch(url, options);
    return [response, await response.json()];
  } catch {
    // The error text is not passed on, because a library may put secrets in it.
    throw new StripeReadError('stripe_unavailable', 'Stripe gave no readable answer.');
  }
}
