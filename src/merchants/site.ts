import { invariant } from '../core/invariant.ts';

/** The part of a store's site that restricts link destinations. */
export type Site = {
  readonly protocol: 'http:' | 'https:';
  /** The host without a leading `www.`, unless the rest would be a public suffix. */
  readonly host: string;
  /** True if one store owns the host and all its subdomains, as with `shop.example`; false for `com`, `co.uk` and IP addresses. */
  readonly ownsSubdomains: boolean;
  /** Empty for the default port of the protocol. */
  readonly port: string;
};

export type ReadAddress = { readonly is: 'good'; readonly url: URL } | { readonly is: 'wrong'; readonly message: string };
export type ReadSite = { readonly is: 'good'; readonly siteUrl: string } | { readonly is: 'wrong'; readonly message: string };

export const addressLengthMax = 2_000;

/** The normalized URL of the site, without query, fragment and trailing slash. */
export function readSite(text: string): ReadSite {
  const read = readAddress(text);
  if (read.is === 'wrong') return read;
  const { origin, pathname } = read.url;
  return { is: 'good', siteUrl: origin + pathname.replace(/\/+$/, '') };
}

/** Expects a URL that `readSite` returned. */
export function siteOf(siteUrl: string): Site {
  const { protocol, hostname, port } = new URL(siteUrl);
  invariant(protocol === 'http:' || protocol === 'https:', 'a parsed site uses http or https');
  const bare = hostname.startsWith('www.') ? hostname.slice('www.'.length) : hostname;
  const host = isOneOwners(bare) ? bare : hostname;
  return { protocol, host, ownsSubdomains: isOneOwners(host), port };
}

/**
 * Rejects URLs that parsers read differently: browsers correct `https:host`, `\`, line breaks and spaces in their own ways, so such input
 * is rejected before it is parsed.
 */
export function readAddress(text: string): ReadAddress {
  if (text.length > addressLengthMax) return wrong(`has more than ${addressLengthMax} characters`);
  if (/[\s\p{C}\\]/u.test(text)) return wrong('must not contain spaces, control characters, or backslashes');
  const authority = /^https?:\/\/([^/?#]+)/i.exec(text)?.[1];
  if (authority === undefined) return wrong('must start with https:// or http:// and a host');
  if (authority.includes('@')) return wrong('must not contain a user name or password');
  const url = URL.parse(text);
  if (url === null || !hostShape.test(url.hostname)) return wrong('is not a valid URL of a web page');
  if (url.href.length > addressLengthMax) return wrong(`has more than ${addressLengthMax} characters after encoding`);
  return { is: 'good', url };
}

const wrong = (message: string) => ({ is: 'wrong', message }) as const;

/** Labels without gaps and without a trailing dot, which browsers treat as another host; or an IPv6 address. */
const hostShape = /^([a-z0-9_-]+(\.[a-z0-9_-]+)*|\[[0-9a-f:.]+\])$/;

/**
 * An approximation, because the public suffix list is long and changes weekly: single labels, IP addresses and the common second-level
 * suffixes of countries have no single owner.
 */
function isOneOwners(host: string): boolean {
  const labels = host.split('.');
  const [second = '', top = ''] = labels.slice(-2);
  if (labels.length < 2 || host.startsWith('[') || /^\d+$/.test(top)) return false;
  return labels.length > 2 || top.length > 2 || !countrySecondLevels.has(second);
}

const countrySecondLevels: ReadonlySet<string> = new Set(['ac', 'co', 'com', 'edu', 'go', 'gob', 'gov', 'ne', 'net', 'or', 'org']);
