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
