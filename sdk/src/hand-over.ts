import { createHmac, timingSafeEqual } from 'node:crypto';
import { isClickId } from './click.ts';

/** What both servers must agree on. */
export type HandOverOptions = {
  /** Shared by the two servers, at least 32 characters, and used for nothing else. Several in `readHandOver` during a rotation. */
  readonly secret: string | readonly string[];
  /** The tracking key of the store: a value of another store is not accepted. */
  readonly trackingKey: string;
  /** The host of the checkout, such as `pay.example`: a value for another host is not accepted. */
  readonly checkoutHost: string;
  /** The current time in milliseconds; for tests. */
  readonly nowMs?: number | undefined;
};

/** The query parameter of the URL that leads to the checkout. */
export const handOverParameter = 'rm_handover';

const secretLengthMin = 32;
const lifeSecondsDefault = 300;
const lifeSecondsMax = 900;
/** How far the clocks of the two servers may differ. */
const skewSeconds = 60;
const shape = /^(\d{10})\.([A-Za-z0-9_-]{43})\.([A-Za-z0-9._~-]{1,200})$/;

type CreateOptions = HandOverOptions & {
  /** 1 to 900; default 300. */
  readonly lifeSeconds?: number | undefined;
};

/**
 * The value of `rm_handover` for a link or redirect to a checkout on another domain, or null if there is no click. It names the click and
 * when it expires, and is signed, so that nobody can write a click of their own into it.
 */
export function createHandOver(click: string | null, options: CreateOptions): string | null {
  const [secret = ''] = secretsOf(options);
  const { lifeSeconds = lifeSecondsDefault, nowMs = Date.now() } = options;
  if (!Number.isInteger(lifeSeconds) || lifeSeconds < 1 || lifeSeconds > lifeSecondsMax)
    throw new RangeError(`Tributary: lifeSeconds must be a whole number from 1 to ${lifeSecondsMax}.`);
  if (!isClickId(click)) return null;
  const expires = String(Math.floor(nowMs / 1_000) + lifeSeconds);
  return `${expires}.${signatureOf({ expires, click }, secret, options).toString('base64url')}.${click}`;
}

/** The same as a URL of the checkout: without a click, the URL as it is. The checkout must be on `https:`, except on this machine. */
export function handOverUrl(checkoutUrl: string, click: string | null, options: Omit<CreateOptions, 'checkoutHost'>): string {
  const url = new URL(checkoutUrl);
  const isLocal = url.hostname === 'localhost' || url.hostname === '127.0.0.1';
  if (url.protocol !== 'https:' && !isLocal) throw new TypeError('Tributary: the checkout must have an https URL.');
  const value = createHandOver(click, { ...options, checkoutHost: url.host });
  if (value !== null) url.searchParams.set(handOverParameter, value);
  return url.href;
}

/**
 * The click of a hand-over, or null if the value is missing, malformed, expired, changed, or was made for another store or host. A valid
 * value can be used again until it expires, and then names the same click, which backs one order.
 */
export function readHandOver(value: string | null | undefined, options: HandOverOptions): string | null {
  const secrets = secretsOf(options);
  const { nowMs = Date.now() } = options;
  const [, expires, signature, click] = shape.exec(value ?? '') ?? [];
  if (expires === undefined || signature === undefined || click === undefined) return null;
  const given = Buffer.from(signature, 'base64url');
  // The last character of base64url has two unused bits: another spelling of the same bytes is not the value that was made.
  if (given.toString('base64url') !== signature) return null;
  const isOurs = secrets.some((secret) => timingSafeEqual(given, signatureOf({ expires, click }, secret, options)));
  const secondsLeft = Number(expires) - Math.floor(nowMs / 1_000);
  return isOurs && secondsLeft > 0 && secondsLeft <= lifeSecondsMax + skewSeconds ? click : null;
}

type Signed = { readonly expires: string; readonly click: string };

/** Every part but the last has a form without line breaks, so no two inputs have the same text. */
function signatureOf({ expires, click }: Signed, secret: string, { trackingKey, checkoutHost }: HandOverOptions): Buffer {
  const text = ['tributary-hand-over-1', trackingKey, checkoutHost.toLowerCase(), expires, click].join('\n');
  return createHmac('sha256', secret).update(text).digest();
}

function secretsOf({ secret, trackingKey, checkoutHost }: HandOverOptions): readonly string[] {
  const secrets = typeof secret === 'string' ? [secret] : secret;
  if (secrets.length === 0 || secrets.some((one) => typeof one !== 'string' || one.length < secretLengthMin))
    throw new TypeError(`Tributary: secret must have at least ${secretLengthMin} characters.`);
  if (!/^[\w-]{1,100}$/.test(trackingKey)) throw new TypeError('Tributary: trackingKey is missing or invalid.');
  if (!/^[A-Za-z0-9.:[\]-]{1,255}$/.test(checkoutHost)) throw new TypeError('Tributary: checkoutHost must be a host, such as pay.example.');
  return secrets;
}
