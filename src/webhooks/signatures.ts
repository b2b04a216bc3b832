import { createHmac, randomBytes } from 'node:crypto';
import type { Queryable } from '../db/database.ts';
import type { SealedColumn } from '../db/sealed-columns.ts';
import { newId } from '../core/ids.ts';
import type { Secrets } from '../core/secrets.ts';
import { realNow } from '../core/time.ts';
import type { WebhookKey } from './webhook-endpoint.ts';
import { insertSecret, listSecrets } from './endpoints-sql.ts';

// Signs in the format of https://github.com/standard-webhooks/standard-webhooks, so that its libraries can verify. test/webhooks/ uses
// the official one.

const secretPrefix = 'whsec_';

const secretBytes = 32;

/** The secret in the form that merchants store: `whsec_` and 32 random bytes in base64. */
export const newSecret = (): string => secretPrefix + randomBytes(secretBytes).toString('base64');

export type Signed = { readonly id: string; readonly at: Date; readonly body: string };

/** One signature per valid secret, so that a receiver with any of them can verify. */
export function signedHeaders({ id, at, body }: Signed, secrets: readonly string[]): Readonly<Record<string, string>> {
  const seconds = Math.floor(at.getTime() / 1_000).toString();
  const signatures = secrets.map((secret) => `v1,${signatureOf(`${id}.${seconds}.${body}`, secret)}`);
  return { 'webhook-id': id, 'webhook-timestamp': seconds, 'webhook-signature': signatures.join(' ') };
}

const signatureOf = (text: string, secret: string): string =>
  createHmac('sha256', Buffer.from(secret.slice(secretPrefix.length), 'base64'))
    .update(text)
    .digest('base64');

const sealOf = (secretId: string): string => `webhook secret ${secretId}`;

export const sealedWebhookSecrets: SealedColumn = {
  table: 'webhook_secrets',
  column: 'secret_sealed',
  holds: 'bytes',
  key: [
    { name: 'store_id', type: 'uuid' },
    { name: 'webhook_secret_id', type: 'uuid' },
  ],
  boundTo: ([, secretId = '']) => sealOf(secretId),
};

/** Returns the plain secret once. */
export async function createSecret(db: Queryable, secrets: Secrets, key: WebhookKey): Promise<string> {
  const createdAt = realNow();
  const secretId = newId<'whs'>(createdAt);
  const secret = newSecret();
  await insertSecret(db, key, { secretId, createdAt, secretSealed: secrets.seal(Buffer.from(secret), sealOf(secretId)) });
  return secret;
}

/** Valid secrets in plain text, for signing, newest first. */
export async function openSecrets(db: Queryable, secrets: Secrets, key: WebhookKey, now: Date): Promise<readonly string[]> {
  const kept = await listSecrets(db, key, now);
  return kept.map(({ secretId, secretSealed }) => secrets.open(secretSealed, sealOf(secretId)).toString('utf8'));
}
