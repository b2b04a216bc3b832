import { isStripeJson, type StripeJson } from './stripe-objects.ts';

export type ReadStripe = (path: string) => Promise<StripeJson>;

/** The version whose shapes were read; an account may be on another. */
const stripeVersion = '2026-10-28.endive';
const timeoutMs = 5_000;

/** Reads one object of Stripe. Throws where it cannot be had: then the webhook is answered so that it comes again. */
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
