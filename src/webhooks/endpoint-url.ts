import { isIP } from 'node:net';
import { isPublicAddress } from '../http/public-address.ts';

const urlLengthMax = 2_000;

export type ReadUrl = { readonly is: 'good'; readonly href: string } | { readonly is: 'wrong'; readonly message: string };

/** An early check for the person who saves the URL. Each attempt checks the address that it connects to. */
export function readEndpointUrl(text: string, allow: readonly string[]): ReadUrl {
  const wrong = (message: string): ReadUrl => ({ is: 'wrong', message });
  if (text.length > urlLengthMax) return wrong(`has at most ${urlLengthMax} characters`);
  if (!URL.canParse(text)) return wrong('must be a whole address, such as https://shop.example/webhooks');
  const url = new URL(text);
  const pair = `${url.hostname}:${url.port || (url.protocol === 'https:' ? '443' : '80')}`;
  const isAllowed = allow.some((allowed) => allowed.toLowerCase() === pair);
  if (url.protocol !== 'https:' && !(url.protocol === 'http:' && isAllowed)) return wrong('must begin with https://');
  if (url.username !== '' || url.password !== '') return wrong('must not carry a name or a password: the signature proves who calls');
  const host = url.hostname.replace(/^\[|\]$/g, '');
  if (!isAllowed && isIP(host) !== 0 && !isPublicAddress(host)) return wrong('must be an address on the public internet');
  url.hash = '';
  return { is: 'good', href: url.href };
}
