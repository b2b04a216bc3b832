import type { Queryable } from '../db/database.ts';
import { publicId, type Id } from '../core/ids.ts';
import type { Platform } from '../runtime/platform.ts';
import { hashAddress } from './address-hash.ts';
import { recordAuditEntry, type AuditEntry } from './audit.ts';
import { mayGrant } from './decide-grant.ts';
import type { RequestFacts } from './endpoint.ts';
import type { Identity } from './identity.ts';
import { rightsOf } from './identify.ts';
import { revokeKeys, listActiveKeysMadeBy, type RevokedKey } from './keys-sql.ts';
import { partyOf } from './party.ts';
import { listRolesOf } from './team-sql.ts';

/** The actor of a change, for the audit entries of its consequences. */
export type AuditActor = Pick<AuditEntry, 'at' | 'actor' | 'actorName' | 'requestId' | 'addressHash'>;

type AuditedRequest = { readonly platform: Platform; readonly now: Date; readonly identity: Identity; readonly request: RequestFacts };
export const auditActorOf = ({ platform, now, identity, request }: AuditedRequest): AuditActor => ({
  at: now,
  actor: identity.actor,
  actorName: identity.name,
  requestId: request.id,
  addressHash: hashAddress(platform.secrets, request.address),
});

type FormerOperator = { readonly madeBy: Id<'user'>; readonly creatorId: Id<'crt'> | null; readonly now: Date };

/**
 * Ends the keys of a former operator that depended on the operator's right: operator keys, and keys of stores and creators with more
 * permissions than the person has there.
 */
export async function revokeKeysBeyondRights(db: Queryable, { madeBy, creatorId, now }: FormerOperator): Promise<RevokedKey[]> {
  const rights = rightsOf({ isOperator: false, creatorId, roles: await listRolesOf(db, madeBy) });
  const beyond = (await listActiveKeysMadeBy(db, madeBy)).filter((key) => !mayGrant(rights, partyOf(key), key.scopes));
  return revokeKeys(db, { apiKeyIds: beyond.map(({ apiKeyId }) => apiKeyId), now });
}

type RevokedKeys = { readonly madeBy: Id<'user'>; readonly keys: readonly RevokedKey[] };

/** Keys that ended because their creator left. A program stops working, so each key is logged as if it had been revoked manually. */
export async function auditRevokedKeys(db: Queryable, by: AuditActor, { madeBy, keys }: RevokedKeys): Promise<void> {
  for (const { apiKeyId, storeId, creatorId } of keys) {
    const subject = `/api/v1${partyPath({ storeId, creatorId })}/api-keys/${publicId('key', apiKeyId)}`;
    const details = { made_by: publicId('user', madeBy) };
    await recordAuditEntry(db, { ...by, storeId, creatorId, action: 'api_key.revoked', subject, details });
  }
}

function partyPath({ storeId, creatorId }: Pick<RevokedKey, 'storeId' | 'creatorId'>): string {
  if (storeId !== null) return `/stores/${publicId('store', storeId)}`;
  return creatorId === null ? '' : `/creators/${publicId('crt', creatorId)}`;
}
