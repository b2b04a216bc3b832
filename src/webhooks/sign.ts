import { createHmac, randomBytes } from 'node:crypto';

// The Standard Webhooks form: https://github.com/standard-webhooks/standard-webhooks. Every library for it can check what is signed
// here; test/webhooks/ does so with the official one.

const secretPrefix = 'whsec_';
const secretBytes = 32;

/** A secret as people keep it: `whsec_` and 32 random bytes in base64. */
export const newSecret = (): string => secretPrefix + randomBytes(secretBytes).toString('base64');

export type Signed = { readonly id: string; readonly at: Date; readonly body: string };

/** One signature for each secret that is valid: a receiver who knows any of them is content. */
export function signedHeaders({ id, at, body }: Signed, secrets: readonly string[]): Readonly<Record<string, string>> {
  const seconds = Math.floor(at.getTime() / 1_000).toString();
  const signatures = secrets.map((secret) => `v1,${signatureOf(`${id}.${seconds}.${body}`, secret)}`);
  return { 'webhook-id': id, 'webhook-timestamp': seconds, 'webhook-signature': signatures.join(' ') };
}

const signatureOf = (text: string, secret: string): string =>
  createHmac('sha256', Buffer.from(secret.slice(secretPrefix.length), 'base64'))
    .update(text)
    .digest('base64');
