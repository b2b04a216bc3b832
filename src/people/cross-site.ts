/** What a browser says of itself about where a request comes from. Programs say nothing of the kind. */
export type Provenance = {
  readonly method: string;
  readonly secFetchSite: string | undefined;
  readonly origin: string | undefined;
  /** The host that the request came to. */
  readonly host: string | undefined;
};

/**
 * Whether another site made a browser send this. A request that changes nothing may come from anywhere, since no other
 * site reads its answer. All others must come from our own pages: the cookie's SameSite stops most of this, but not a
 * neighbour under the same domain, nor somebody who wants you signed in as them.
 */
export function isCrossSite({ method, secFetchSite, origin, host }: Provenance, baseUrl: string): boolean {
  if (readOnlyMethods.has(method)) return false;
  if (secFetchSite !== undefined && secFetchSite !== 'same-origin') return true;
  if (origin === undefined) return false;
  return origin !== new URL(baseUrl).origin && hostOf(origin) !== host?.toLowerCase();
}

const readOnlyMethods: ReadonlySet<string> = new Set(['GET', 'HEAD', 'OPTIONS']);

/** `null` is what sandboxed frames and files send: it is nobody's host. */
const hostOf = (origin: string): string | null => (URL.canParse(origin) ? new URL(origin).host : null);
