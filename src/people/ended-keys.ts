import type { Queryable } from '../platform/database/database.ts';
import { publicId, type Id } from '../platform/ids.ts';
import type { Platform } from '../platform/platform.ts';
import { addressHashOf } from './address-hash.ts';
import { keepAudit, type AuditEntry } from './audit.ts';
import { mayGrant } from './decide-grant.ts';
import type { RequestFacts } from './endpoint.ts';
import type { Identity } from './identity.ts';
import { rightsOf } from './identify.ts';
import { revokeKeys, workingKeysMadeBy, type EndedKey } from './keys-sql.ts';
import { partyOf } from './party.ts';
import { rolesOf } from './team-sql.ts';

/** Who changed something, for the audit entries of what follows from it. */
export type ByWhom = Pick<AuditEntry, 'at' | 'actor' | 'actorName' | 'requestId' | 'addressHash'>;

type Asked = { readonly platform: Platform; readonly now: Date; readonly identity: Identity; readonly request: RequestFacts };
export const byWhoAsks = ({ platform, now, identity, request }: Asked): ByWhom => ({
  at: now,
  actor: identity.actor,
  actorName: identity.name,
  requestId: request.id,
  addressHash: addressHashOf(platform.secrets, request.address),
});

type Gone = { readonly madeBy: Id<'user'>; readonly creatorId: Id<'crt'> | null; readonly now: Date };

/**
 * Ends what somebody made whom only the right of an operator let do so, when they have it no more: keys of the operators, and those
 * of stores and creators that may do more than their own role there, or they themselves, may.
 */
export async function endOperatorKeysOf(db: Queryable, { madeBy, creatorId, now }: Gone): Promise<EndedKey[]> {
  const rights = rightsOf({ isOperator: false, creatorId, roles: await rolesOf(db, madeBy) });
  const beyond = (await workingKeysMadeBy(db, madeBy)).filter((key) => !mayGrant(rights, partyOf(key), key.scopes));
  return revokeKeys(db, { apiKeyIds: beyond.map(({ apiKeyId }) => apiKeyId), now });
}

type Ended = { readonly madeBy: Id<'user'>; readonly keys: readonly EndedKey[] };

/** Keys that ended because whoever made them left: a program stops by it, so each stands in the log as if it had been revoked by hand. */
export async function tellEndedKeys(db: Queryable, by: ByWhom, { madeBy, keys }: Ended): Promise<void> {
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
