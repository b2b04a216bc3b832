import { readAddress, siteOf, type Site } from './site.ts';
import { apiMessage } from '../messages/api-message.ts';

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
  if (url.protocol === 'http:' && site.protocol === 'https:') return wrong('must start with https://, like the site of the store');
  if (url.port !== '' && url.port !== site.port) return wrong('must have the same port as the site of the store');
  if (!belongsTo(url.hostname, site)) return wrong(`is not on the site of the store; its host must be ${hostsOf(site)}`);
  return { is: 'good', href: url.href };
}

const belongsTo = (hostname: string, { host, ownsSubdomains }: Site): boolean =>
  hostname === host || (ownsSubdomains && hostname.endsWith(`.${host}`));

const hostsOf = ({ host, ownsSubdomains }: Site): string => (ownsSubdomains ? apiMessage('destination.or_end', { host }) : host);

const wrong = (message: string) => ({ is: 'wrong', message }) as const;
