import { must } from '../platform/must.ts';

/** A store's site, as far as links ask: where on the web it is. */
export type Site = {
  readonly protocol: 'http:' | 'https:';
  /** Its host without a leading `www.`, where what is left still names one shop. */
  readonly host: string;
  /** `shop.example` is one shop's with all below it; `com`, `co.uk`, an address in numbers are not. */
  readonly ownsSubdomains: boolean;
  /** Empty: the protocol's own. */
  readonly port: string;
};

export type ReadAddress = { readonly is: 'good'; readonly url: URL } | { readonly is: 'wrong'; readonly message: string };
export type ReadSite = { readonly is: 'good'; readonly siteUrl: string } | { readonly is: 'wrong'; readonly message: string };

export const addressLengthMax = 2_000;

/** The site's address in one spelling: without query, fragment and last slash. */
export function readSite(text: string): ReadSite {
  const read = readAddress(text);
  if (read.is === 'wrong') return read;
  const { origin, pathname } = read.url;
  return { is: 'good', siteUrl: origin + pathname.replace(/\/+$/, '') };
}

/** Of an address that `readSite` wrote. */
export function siteOf(siteUrl: string): Site {
  const { protocol, hostname, port } = new URL(siteUrl);
  must(protocol === 'http:' || protocol === 'https:', 'a site that was read is a web address');
  const bare = hostname.startsWith('www.') ? hostname.slice('www.'.length) : hostname;
  const host = isOneOwners(bare) ? bare : hostname;
  return { protocol, host, ownsSubdomains: isOneOwners(host), port };
}

/**
 * A web address that means the same to every reader. Browsers mend `https:host`, `\`, line breaks and spaces in ways of
 * their own, so whatever needs mending is refused before it is parsed.
 */
export function readAddress(text: string): ReadAddress {
  if (text.length > addressLengthMax) return wrong(`has more than ${addressLengthMax} characters`);
  if (/[\s\p{C}\\]/u.test(text)) return wrong('holds a space, a control character or a backslash');
  const authority = /^https?:\/\/([^/?#]+)/i.exec(text)?.[1];
  if (authority === undefined) return wrong('must begin with https:// or http:// and a host');
  if (authority.includes('@')) return wrong('must not hold a name or a password');
  const url = URL.parse(text);
  if (url === null || !hostShape.test(url.hostname)) return wrong('is no address of a web page');
  if (url.href.length > addressLengthMax) return wrong(`has more than ${addressLengthMax} characters once it is encoded`);
  return { is: 'good', url };
}

const wrong = (message: string) => ({ is: 'wrong', message }) as const;

/** Labels without gaps and without a last dot, which is another host to a browser; or an IPv6 address. */
const hostShape = /^([a-z0-9_-]+(\.[a-z0-9_-]+)*|\[[0-9a-f:.]+\])$/;

/**
 * The list of all public suffixes is long and changes weekly. This much is told by shape: a name of one label, an address
 * in numbers, and the usual second levels of countries, below which everybody has a shop of their own.
 */
function isOneOwners(host: string): boolean {
  const labels = host.split('.');
  const [second = '', top = ''] = labels.slice(-2);
  if (labels.length < 2 || host.startsWith('[') || /^\d+$/.test(top)) return false;
  return labels.length > 2 || top.length > 2 || !countrySecondLevels.has(second);
}

const countrySecondLevels: ReadonlySet<string> = new Set(['ac', 'co', 'com', 'edu', 'go', 'gob', 'gov', 'ne', 'net', 'or', 'org']);
