import type { Queryable } from '../platform/database/database.ts';
import type { SealedColumn } from '../platform/database/sealed-columns.ts';
import { newId } from '../platform/ids.ts';
import type { Secrets } from '../platform/secrets.ts';
import { realNow } from '../platform/time.ts';
import type { WebhookKey } from './endpoint.ts';
import { insertSecret, secretsOf } from './endpoints-sql.ts';
import { newSecret } from './sign.ts';

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

/** Gives it in clear, this once. */
export async function keepNewSecret(db: Queryable, secrets: Secrets, key: WebhookKey): Promise<string> {
  const createdAt = realNow();
  const secretId = newId<'whs'>(createdAt);
  const secret = newSecret();
  await insertSecret(db, key, { secretId, createdAt, secretSealed: secrets.seal(Buffer.from(secret), sealOf(secretId)) });
  return secret;
}

/** In clear, for signing: all that are valid, the newest first. */
export async function openSecrets(db: Queryable, secrets: Secrets, key: WebhookKey, now: Date): Promise<readonly string[]> {
  const kept = await secretsOf(db, key, now);
  return kept.map(({ secretId, secretSealed }) => secrets.open(secretSealed, sealOf(secretId)).toString('utf8'));
}
