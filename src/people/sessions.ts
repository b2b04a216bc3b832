import type { Queryable } from '../platform/database/database.ts';
import { newId, type Id } from '../platform/ids.ts';
import type { Platform } from '../platform/platform.ts';
import { plusDays, realNow } from '../platform/time.ts';
import { addressHashOf } from './address-hash.ts';
import type { RequestFacts } from './endpoint.ts';
import { deleteSurplusSessions, insertSession } from './sessions-sql.ts';
import { newToken } from './tokens.ts';

/** A session ends when nobody used it for this long, and in any case after the longer time. */
export const sessionIdleDays = 30;
export const sessionDaysMax = 90;

/** A person with more browsers than this loses the oldest session. */
const sessionsMax = 50;

/** The token is for the cookie alone: the table has its hash. */
export async function startSession(
  db: Queryable,
  { secrets }: Platform,
  { userId, deviceId }: { readonly userId: Id<'user'>; readonly deviceId: Id<'dev'> },
  request: RequestFacts,
): Promise<{ readonly token: string; readonly provedAt: Date }> {
  const now = realNow();
  const { token, hash } = newToken();
  await insertSession(db, {
    sessionId: newId(now),
    tokenHash: hash,
    userId,
    deviceId,
    now,
    expiresAt: plusDays(now, sessionDaysMax),
    userAgent: request.userAgent,
    addressHash: addressHashOf(secrets, request.address),
  });
  await deleteSurplusSessions(db, { userId, most: sessionsMax });
  return { token, provedAt: now };
}
