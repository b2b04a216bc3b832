import type { Queryable } from '../platform/database/database.ts';
import { publicId, type Id } from '../platform/ids.ts';
import type { Platform } from '../platform/platform.ts';
import { addressHashOf } from './address-hash.ts';
import { keepAudit, type AuditEntry } from './audit.ts';
import type { RequestFacts } from './endpoint.ts';
import type { Identity } from './identity.ts';
import type { EndedKey } from './keys-sql.ts';

type By = Pick<AuditEntry, 'at' | 'actor' | 'actorName' | 'requestId' | 'addressHash'>;

type Asked = { readonly platform: Platform; readonly now: Date; readonly identity: Identity; readonly request: RequestFacts };
export const byWhoAsks = ({ platform, now, identity, request }: Asked): By => ({
  at: now,
  actor: identity.actor,
  actorName: identity.name,
  requestId: request.id,
  addressHash: addressHashOf(platform.secrets, request.address),
});

type Ended = { readonly madeBy: Id<'user'>; readonly keys: readonly EndedKey[] };

/** Keys that ended because whoever made them left: a program stops by it, so each stands in the log as if it had been revoked by hand. */
export async function tellEndedKeys(db: Queryable, by: By, { madeBy, keys }: Ended): Promise<void> {
  for (const { apiKeyId, storeId, creatorId } of keys) {
    const subject = `/api/v1${placeOf({ storeId, creatorId })}/api-keys/${publicId('key', apiKeyId)}`;
    const details = { made_by: publicId('user', madeBy) };
    await keepAudit(db, { ...by, storeId, creatorId, action: 'api_key.revoked', subject, details });
  }
}

function placeOf({ storeId, creatorId }: Pick<EndedKey, 'storeId' | 'creatorId'>): string {
  if (storeId !== null) return `/stores/${publicId('store', storeId)}`;
  return creatorId === null ? '' : `/creators/${publicId('crt', creatorId)}`;
}
