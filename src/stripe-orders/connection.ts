import type { SealedColumn } from '../db/sealed-columns.ts';
import type { Id } from '../core/ids.ts';
import type { Secrets } from '../core/secrets.ts';
import type { StripeConnection } from './connections-sql.ts';

type SecretColumn = 'signing_secret_sealed' | 'previous_secret_sealed' | 'api_key_sealed';

/** A previous secret is moved between columns as it is, so the kind is bound, not the column. */
const boundTo = (kind: 'signing secret' | 'API key', storeId: string): string => `stripe ${kind} ${storeId}`;

const sealedColumn = (column: SecretColumn, kind: 'signing secret' | 'API key'): SealedColumn => ({
  table: 'stripe_connections',
  column,
  holds: 'bytes',
  key: [{ name: 'store_id', type: 'uuid' }],
  boundTo: ([storeId = '']) => boundTo(kind, storeId),
});

export const sealedStripeSecrets: readonly SealedColumn[] = [
  sealedColumn('signing_secret_sealed', 'signing secret'),
  sealedColumn('previous_secret_sealed', 'signing secret'),
  sealedColumn('api_key_sealed', 'API key'),
];

export const sealSigningSecret = (secrets: Secrets, storeId: Id<'store'>, plain: string): Buffer =>
  secrets.seal(Buffer.from(plain), boundTo('signing secret', storeId));

export const sealApiKey = (secrets: Secrets, storeId: Id<'store'>, plain: string): Buffer =>
  secrets.seal(Buffer.from(plain), boundTo('API key', storeId));

/** The signing secrets that are valid now, the newest first. */
export function openSigningSecrets(secrets: Secrets, connection: StripeConnection, now: Date): readonly string[] {
  const { storeId, signingSecretSealed, previousSecretSealed, previousSecretUntil } = connection;
  const isPreviousValid = previousSecretUntil !== null && previousSecretUntil > now;
  const sealed = [signingSecretSealed, ...(previousSecretSealed !== null && isPreviousValid ? [previousSecretSealed] : [])];
  return sealed.map((secret) => secrets.open(secret, boundTo('signing secret', storeId)).toString('utf8'));
}

export const openApiKey = (secrets: Secrets, { storeId, apiKeySealed }: StripeConnection): string | null =>
  apiKeySealed === null ? null : secrets.open(apiKeySealed, boundTo('API key', storeId)).toString('utf8');
