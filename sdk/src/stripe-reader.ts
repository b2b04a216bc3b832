import { isStripeJson, type StripeJson } from './stripe-objects.ts';

export type ReadStripe = (path: string) => Promise<StripeJson>;

/** The API version of the shapes that are read; an account may use another. */
export const stripeVersion = '2026-10-28.endive';
const timeoutMs = 5_000;

/** Reads one Stripe object. Throws if it cannot be read: the webhook is then answered so that Stripe retries. */
export function stripeReader(key: string, url = 'https://api.stripe.com'): ReadStripe {
  if (typeof key !== 'string' || !/^[\x21-\x7e]+$/.test(key))
    throw new TypeError('Tributary: stripeKey must be a key of Stripe that may read.');
  return async (path) => {
    const headers = { authorization: `Bearer ${key}`, 'stripe-version': stripeVersion };
    const response = await fetch(url + path, { headers, redirect: 'error', signal: AbortSignal.timeout(timeoutMs) });
    const json: unknown = await response.json();
    if (response.ok && isStripeJson(json)) return json;
    throw new Error(`Stripe answered HTTP ${response.status}.`);
  };
}
