import { createHash, randomBytes } from 'node:crypto';

/** 256 bits of chance: nobody guesses it, so a plain SHA-256 of it is enough to keep. A stolen table opens no door. */
export type Token = { readonly token: string; readonly hash: Buffer };

const tokenBytes = 32;
const tokenShape = /^[A-Za-z0-9_-]{43}$/;

export function newToken(prefix = ''): Token {
  const token = prefix + randomBytes(tokenBytes).toString('base64url');
  return { token, hash: hashOfToken(token) };
}

/** Null for what no token of ours looks like: it need not be looked up. */
export function readToken(text: string, prefix = ''): Buffer | null {
  if (!text.startsWith(prefix) || !tokenShape.test(text.slice(prefix.length))) return null;
  return hashOfToken(text);
}

const hashOfToken = (token: string): Buffer => createHash('sha256').update(token).digest();
