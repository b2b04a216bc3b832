import { createHash, randomBytes } from 'node:crypto';

/** A token has 256 random bits, so an unsalted SHA-256 is enough: a stolen table grants no access. */
export type Token = { readonly token: string; readonly hash: Buffer };

export const apiKeyPrefix = 'trb_';

const tokenBytes = 32;
const tokenShape = /^[A-Za-z0-9_-]{43}$/;

export function newToken(prefix = ''): Token {
  const token = prefix + randomBytes(tokenBytes).toString('base64url');
  return { token, hash: hashOfToken(token) };
}

/** Returns null for malformed tokens, so that they cost no query. */
export function readToken(text: string, prefix = ''): Buffer | null {
  if (!text.startsWith(prefix) || !tokenShape.test(text.slice(prefix.length))) return null;
  return hashOfToken(text);
}

const hashOfToken = (token: string): Buffer => createHash('sha256').update(token).digest();
