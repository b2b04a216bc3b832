import type { Config } from '../platform/config.ts';
import type { Queryable } from '../platform/database/database.ts';
import type { Id } from '../platform/ids.ts';
import { dayMs, realNow } from '../platform/time.ts';
import { decideAccess } from './decide-access.ts';
import { keyIdentity, sessionIdentity } from './identify.ts';
import type { Identity } from './identity.ts';
import type { StorePermission } from './permissions.ts';
import { sessionIdleDays } from './sessions.ts';
import { keyInForce } from './keys-sql.ts';
import { sessionInForce } from './still-may-sql.ts';

type Mode = Config['mode'];

type Asked = { readonly identity: Identity; readonly storeId: Id<'store'>; readonly permission: StorePermission };

/** Whether whoever was let in would be let in again now: for an answer that goes on long after its request was judged. */
export async function stillMay(
  { database, config }: { readonly database: Queryable; readonly config: Pick<Config, 'mode'> },
  { identity, storeId, permission }: Asked,
): Promise<boolean> {
  const facts = { identity: await identityNow(database, config.mode, identity), storeId, creatorId: null, subjectExists: true };
  return decideAccess({ who: 'store', permission }, facts) === 'allowed';
}

/** Whoever was let in, as they would be let in now; null where they would not. */
export async function identityNow(db: Queryable, mode: Mode, { by }: Identity): Promise<Identity | null> {
  if (by.is === 'key') {
    const key = await keyInForce(db, by.apiKeyId);
    return key && keyIdentity(key, mode);
  }
  const now = realNow();
  const session = await sessionInForce(db, { sessionId: by.sessionId, now, seenSince: new Date(now.getTime() - sessionIdleDays * dayMs) });
  return session && sessionIdentity(session, mode);
}
