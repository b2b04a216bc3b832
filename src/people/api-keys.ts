import type { Queryable } from '../platform/database/database.ts';
import { newId, type Id } from '../platform/ids.ts';
import { realNow } from '../platform/time.ts';
import { insertApiKey } from './keys-sql.ts';
import type { Party } from './party.ts';
import type { Permission } from './permissions.ts';
import { newToken } from './tokens.ts';

export const apiKeyPrefix = 'trb_';

/** More active keys than this nobody can tell apart. */
export const keysMax = 50;

export type NewApiKey = {
  readonly name: string;
  readonly party: Party;
  /** Nothing for an operator's key: it may do all. */
  readonly scopes: readonly Permission[];
  readonly madeBy: Id<'user'> | null;
};

/** `key` is known this once: its hash is kept, and its last letters, by which people tell keys apart. */
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
