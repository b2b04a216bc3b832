export const clickCookie = '_service_click';
const shape = /^[A-Za-z0-9._~-]{1,200}$/;

export const isClickId = (value: unknown): value is string => typeof value === 'string' && shape.test(value);

/**
 * The click ID in a request's `Cookie` header, or null. With a consent manager, check consent first: without consent the cookie must not be
 * read either.
 */
export function clickFromCookie(header: string | null | undefined): string | null {
  for (const pair of (header ?? '').split(';')) {
    const at = pair.indexOf('=');
    const value = pair.slice(at + 1).trim();
    if (at > 0 && pair.slice(0, at).trim() === clickCookie && isClickId(value)) return value;
  }
  return null;
}

type CookieOptions = {
  /** Whether the page is on `https:`. */
  readonly isSecure: boolean;
  /** 1 to 365; default 30. */
  readonly maxAgeDays?: number | undefined;
};

const daySeconds = 86_400;

/**
 * The header `Set-Cookie` for a click, as the capture script writes it: not HttpOnly, because `getClick()` reads it, and without a Domain.
 * Set it only with the shopper's consent, and mark the response `Cache-Control: private, no-store`.
 */
export function clickSetCookie(click: string, { isSecure, maxAgeDays = 30 }: CookieOptions): string {
  if (!Number.isInteger(maxAgeDays) || maxAgeDays < 1 || maxAgeDays > 365)
    throw new RangeError('Tributary: maxAgeDays must be a whole number from 1 to 365.');
  if (!isClickId(click)) throw new TypeError('Tributary: this is not a click ID.');
  return `${clickCookie}=${click}; Path=/; Max-Age=${maxAgeDays * daySeconds}; SameSite=Lax${isSecure ? '; Secure' : ''}`;
}
