import type { Config } from '../core/config.ts';
import type { Queryable } from '../db/database.ts';
import type { Id } from '../core/ids.ts';
import { dayMs, realNow } from '../core/time.ts';
import { decideAccess } from './decide-access.ts';
import { keyIdentity, sessionIdentity } from './identify.ts';
import type { Identity } from './identity.ts';
import type { StorePermission } from './permissions.ts';
import { findActiveKey } from './api-keys-sql.ts';
import { findActiveSession } from './sessions-sql.ts';
import { sessionIdleDays } from './cookie.ts';

type Mode = Config['mode'];

type StorePermissionCheck = { readonly identity: Identity; readonly storeId: Id<'store'>; readonly permission: StorePermission };

/** Checks access again during a response that continues long after its request was authorized. */
export async function isStillAllowed(
  { database, config }: { readonly database: Queryable; readonly config: Pick<Config, 'mode'> },
  { identity, storeId, permission }: StorePermissionCheck,
): Promise<boolean> {
  const facts = { identity: await reloadIdentity(database, config.mode, identity), storeId, creatorId: null, subjectExists: true };
  return decideAccess({ allow: 'store', permission }, facts) === 'allowed';
}

/** The requester's current identity; null if the credential is no longer valid. */
export async function reloadIdentity(db: Queryable, mode: Mode, { by }: Identity): Promise<Identity | null> {
  if (by.is === 'key') {
    const key = await findActiveKey(db, by.apiKeyId);
    return key && keyIdentity(key, mode);
  }
  const now = realNow();
  const session = await findActiveSession(db, {
    sessionId: by.sessionId,
    now,
    seenSince: new Date(now.getTime() - sessionIdleDays * dayMs),
  });
  return session && sessionIdentity(session, mode);
}
