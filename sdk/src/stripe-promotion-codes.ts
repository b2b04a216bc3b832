import { createHash } from 'node:crypto';
import { field, idIn, isStripeJson, listIn, type StripeJson } from './stripe-objects.ts';
import { stripeVersion } from './stripe-reader.ts';

/** A discount code of the management API, as far as Stripe needs it. */
export type CodeForStripe = {
  readonly code: string;
  readonly status: 'active' | 'paused' | 'ended';
  readonly valid_until?: string | null | undefined;
};

export type PromotionCodeOptions = {
  /** May write promotion codes: a restricted key with this permission is enough. */
  readonly stripeKey: string;
  /** The coupon that says how much customers save, such as `SPRING`. Tributary does not know the discount. */
  readonly coupon: string;
  /** The base URL of Stripe; for tests. */
  readonly stripeUrl?: string | undefined;
};

export type PromotionCodeChange = 'created' | 'activated' | 'deactivated' | 'unchanged';

const timeoutMs = 5_000;

/**
 * Makes Stripe's promotion code follow a code of Tributary: creates it while the code is active, and deactivates it when the code is
 * paused or ended. Safe to repeat. Throws if Stripe rejects the request or cannot be reached.
 */
export async function keepPromotionCode(code: CodeForStripe, options: PromotionCodeOptions): Promise<PromotionCodeChange> {
  const { stripeKey, coupon, stripeUrl = 'https://api.stripe.com' } = options;
  if (typeof stripeKey !== 'string' || !/^[\x21-\x7e]+$/.test(stripeKey))
    throw new TypeError('Tributary: stripeKey must be a key of Stripe that may write promotion codes.');
  const call = callerOf(stripeKey, stripeUrl);
  const isWanted = code.status === 'active';
  const found = await call(`/v1/promotion_codes?${new URLSearchParams({ code: code.code, limit: '100' }).toString()}`);
  const ofCoupon = listIn(found, 'data').filter((one) => idIn(one, 'promotion.coupon', 'coupon') === coupon);
  const active = ofCoupon.filter((one) => field(one, 'active') === true);
  if (isWanted && active.length > 0) return 'unchanged';
  if (!isWanted) {
    for (const one of active) await call(pathOf(one), { active: 'false' });
    return active.length === 0 ? 'unchanged' : 'deactivated';
  }
  const [paused] = ofCoupon;
  if (paused !== undefined) {
    await call(pathOf(paused), { active: 'true' });
    return 'activated';
  }
  const end = typeof code.valid_until === 'string' ? { expires_at: String(Math.floor(Date.parse(code.valid_until) / 1_000)) } : {};
  await call('/v1/promotion_codes', { 'promotion[type]': 'coupon', 'promotion[coupon]': coupon, code: code.code, ...end });
  return 'created';
}

const pathOf = (promotionCode: unknown): string => `/v1/promotion_codes/${encodeURIComponent(idIn(promotionCode, 'id') ?? '')}`;

type Call = (path: string, form?: Readonly<Record<string, string>>) => Promise<StripeJson>;

/** A creation has a key derived from its content, so that two processes create one promotion code. */
function callerOf(key: string, url: string): Call {
  return async (path, form) => {
    const body = form === undefined ? null : new URLSearchParams(form).toString();
    const response = await fetch(url + path, {
      method: body === null ? 'GET' : 'POST',
      headers: {
        authorization: `Bearer ${key}`,
        'stripe-version': stripeVersion,
        ...(body === null ? {} : { 'content-type': 'application/x-www-form-urlencoded' }),
        ...(path === '/v1/promotion_codes' && body !== null ? { 'idempotency-key': createHash('sha256').update(body).digest('hex') } : {}),
      },
      body,
      redirect: 'error',
      signal: AbortSignal.timeout(timeoutMs),
    });
    const json: unknown = await response.json();
    if (response.ok && isStripeJson(json)) return json;
    const message = field(json, 'error.message');
    throw new Error(`Stripe answered HTTP ${response.status}${typeof message === 'string' ? `: ${message}` : '.'}`);
  };
}
