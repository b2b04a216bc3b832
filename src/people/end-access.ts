import type { Queryable } from '../db/database.ts';
import { publicId, type Id } from '../core/ids.ts';
import { realNow } from '../core/time.ts';
import { deleteDevicesOf, deleteSessionsOf, deviceOfSession } from './sessions-sql.ts';
import { revokeKeys, listActiveKeysMadeBy, type RevokedKey } from './api-keys-sql.ts';
import { recordAuditEntry, type AuditActor } from './audit.ts';
import { mayGrant } from './decide-rights.ts';
import { rightsOf } from './identify.ts';
import { partyOf } from './party.ts';
import { listRolesOf } from './team-sql.ts';

type EndAccessOptions = {
  readonly userId: Id<'user'>;
  /** The requesting session, which stays signed in; its device stays known. */
  readonly except: Id<'sess'> | null;
  readonly endKeys: boolean;
  readonly by: AuditActor;
};

export type EndedAccess = { readonly sessions: number; readonly devices: number; readonly keys: number };

/** For a person who suspects a break-in: ends all access that works without the password, and writes an audit entry for each key. */
export async function endAllAccess(db: Queryable, { userId, except, endKeys, by }: EndAccessOptions): Promise<EndedAccess> {
  const device = except === null ? null : await deviceOfSession(db, except);
  const sessions = await deleteSessionsOf(db, { userId, except });
  const devices = await deleteDevicesOf(db, { userId, except: device });
  if (!endKeys) return { sessions, devices, keys: 0 };
  const made = await listActiveKeysMadeBy(db, userId);
  const keys = await revokeKeys(db, { apiKeyIds: made.map(({ apiKeyId }) => apiKeyId), now: realNow() });
  await auditRevokedKeys(db, by, { madeBy: userId, keys });
  return { sessions, devices, keys: keys.length };
}

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
