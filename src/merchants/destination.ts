import { readAddress, siteOf, type Site } from './site.ts';

export type Destination = { readonly is: 'good'; readonly href: string } | { readonly is: 'wrong'; readonly message: string };

/**
 * A link may lead only to the store's host and its subdomains, because otherwise a creator could use our domain to redirect to any page.
 * Only the parsed URL is stored and used, never the given text.
 */
export function readDestination(text: string, siteUrl: string): Destination {
  const read = readAddress(text);
  if (read.is === 'wrong') return read;
  const { url } = read;
  const site = siteOf(siteUrl);
  if (url.protocol === 'http:' && site.protocol === 'https:') return wrong("must begin with https://, as the store's site does");
  if (url.port !== '' && url.port !== site.port) return wrong("has a port that is not the one of the store's site");
  if (!belongsTo(url.hostname, site)) return wrong(`leads away from the store's site; its host must be ${hostsOf(site)}`);
  return { is: 'good', href: url.href };
}

const belongsTo = (hostname: string, { host, ownsSubdomains }: Site): boolean =>
  hostname === host || (ownsSubdomains && hostname.endsWith(`.${host}`));

const hostsOf = ({ host, ownsSubdomains }: Site): string => (ownsSubdomains ? `${host} or end in .${host}` : host);

const wrong = (message: string) => ({ is: 'wrong', message }) as const;
