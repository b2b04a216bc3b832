import type { Queryable } from '../platform/database/database.ts';
import { publicId, type Id } from '../platform/ids.ts';
import type { Platform } from '../platform/platform.ts';
import { realNow } from '../platform/time.ts';
import { addressHashOf } from './address-hash.ts';
import { deleteDevicesOf, deviceOfSession } from './devices-sql.ts';
import type { RequestFacts } from './endpoint.ts';
import { tellEndedKeys, type ByWhom } from './ended-keys.ts';
import { revokeKeys, workingKeysMadeBy } from './keys-sql.ts';
import { deleteSessionsOf } from './sessions-sql.ts';
import type { User } from './users-sql.ts';

type Ending = {
  readonly userId: Id<'user'>;
  /** The session that asks, which goes on; its device stays known. */
  readonly except: Id<'sess'> | null;
  readonly endKeys: boolean;
  readonly by: ByWhom;
};

export type Ended = { readonly sessions: number; readonly devices: number; readonly keys: number };

/** For whoever fears that somebody else got in: what could be used without knowing the password ends, and each key is in the audit log. */
export async function endAllAccess(db: Queryable, { userId, except, endKeys, by }: Ending): Promise<Ended> {
  const device = except === null ? null : await deviceOfSession(db, except);
  const sessions = await deleteSessionsOf(db, { userId, except });
  const devices = await deleteDevicesOf(db, { userId, except: device });
  if (!endKeys) return { sessions, devices, keys: 0 };
  const made = await workingKeysMadeBy(db, userId);
  const keys = await revokeKeys(db, { apiKeyIds: made.map(({ apiKeyId }) => apiKeyId), now: realNow() });
  await tellEndedKeys(db, by, { madeBy: userId, keys });
  return { sessions, devices, keys: keys.length };
}

/** Where nobody is signed in yet: the person whose link or password it was. */
export const byPerson = ({ clock, secrets }: Platform, { userId, name }: User, request: RequestFacts): ByWhom => ({
  at: clock.now(),
  actor: publicId('user', userId),
  actorName: name,
  requestId: request.id,
  addressHash: addressHashOf(secrets, request.address),
});
