import type { Queryable } from '../db/database.ts';
import { publicId, type Id } from '../core/ids.ts';
import type { Platform } from '../runtime/platform.ts';
import { realNow } from '../core/time.ts';
import { hashAddress } from './address-hash.ts';
import { deleteDevicesOf, deleteSessionsOf, deviceOfSession } from './sessions-sql.ts';
import type { RequestFacts } from './endpoint.ts';
import { auditRevokedKeys, type AuditActor } from './ended-keys.ts';
import { revokeKeys, listActiveKeysMadeBy } from './keys-sql.ts';
import type { User } from './users-sql.ts';

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

/** For requests without a session: the owner of the link or password. */
export const auditActorOfUser = ({ clock, secrets }: Platform, { userId, name }: User, request: RequestFacts): AuditActor => ({
  at: clock.now(),
  actor: publicId('user', userId),
  actorName: name,
  requestId: request.id,
  addressHash: hashAddress(secrets, request.address),
});
