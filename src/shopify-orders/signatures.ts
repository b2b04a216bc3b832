import { createHmac, timingSafeEqual } from 'node:crypto';

/** Shopify signs the bytes of a webhook with the secret of the app, in base64. */
export function isSignedWebhook(bytes: Buffer, header: string, secret: string): boolean {
  return isSame(Buffer.from(header, 'base64'), createHmac('sha256', secret).update(bytes).digest());
}

/** Shopify signs the sorted parameters of a redirect, without the signature itself, in hexadecimal. */
export function isSignedQuery(query: URLSearchParams, secret: string): boolean {
  const signed = createHmac('sha256', secret).update(textToSign(query)).digest();
  return isSame(Buffer.from(query.get('hmac') ?? '', 'hex'), signed);
}

function textToSign(query: URLSearchParams): string {
  const others = [...query].filter(([name]) => name !== 'hmac' && name !== 'signature');
  const sorted = others.toSorted(([one], [other]) => (one < other ? -1 : 1));
  return new URLSearchParams(sorted).toString().replaceAll('+', '%20');
}

const isSame = (given: Buffer, expected: Buffer): boolean => given.length === expected.length && timingSafeEqual(given, expected);
