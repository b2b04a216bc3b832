/** The headers by which a browser reports the origin of a request. Other programs do not send them. */
export type RequestOrigin = {
  readonly method: string;
  readonly secFetchSite: string | undefined;
  readonly origin: string | undefined;
  /** The host that the request was sent to. */
  readonly host: string | undefined;
};

/**
 * Whether another site made a browser send this request. Reads may come from anywhere, because no other site can read the response. All
 * other requests must come from our own pages: the cookie's SameSite stops most of this, but neither another host of the same domain nor a
 * forced sign-in to an attacker's account.
 */
export function isCrossSite({ method, secFetchSite, origin, host }: RequestOrigin, baseUrl: string): boolean {
  if (readOnlyMethods.has(method)) return false;
  if (secFetchSite !== undefined && secFetchSite !== 'same-origin') return true;
  if (origin === undefined) return false;
  return origin !== new URL(baseUrl).origin && hostOf(origin) !== host?.toLowerCase();
}

const readOnlyMethods: ReadonlySet<string> = new Set(['GET', 'HEAD', 'OPTIONS']);

/** Sandboxed frames and files send `null`, which is not a host. */
const hostOf = (origin: string): string | null => (URL.canParse(origin) ? new URL(origin).host : null);
