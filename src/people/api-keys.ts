import type { Queryable } from '../db/database.ts';
import { newId, type Id } from '../core/ids.ts';
import { realNow } from '../core/time.ts';
import { insertApiKey } from './keys-sql.ts';
import type { Party } from './party.ts';
import type { Permission } from './permissions.ts';
import { newToken } from './tokens.ts';

export const apiKeyPrefix = 'trb_';

/** People cannot distinguish more active keys than this. */
export const apiKeysMax = 50;

export type NewApiKey = {
  readonly name: string;
  readonly party: Party;
  /** Null for an operator's key, which has all permissions. */
  readonly scopes: readonly Permission[];
  readonly madeBy: Id<'user'> | null;
};

/** `key` is returned only once. The table has its hash and its last characters, by which people distinguish keys. */
export async function createApiKey(
  db: Queryable,
  { name, party, scopes, madeBy }: NewApiKey,
): Promise<{ readonly apiKeyId: Id<'key'>; readonly key: string; readonly last4: string; readonly createdAt: Date }> {
  const now = realNow();
  const apiKeyId = newId<'key'>(now);
  const { token: key, hash: keyHash } = newToken(apiKeyPrefix);
  const last4 = key.slice(-4);
  await insertApiKey(db, { apiKeyId, keyHash, last4, name, party, scopes, madeBy, now });
  return { apiKeyId, key, last4, createdAt: now };
}
