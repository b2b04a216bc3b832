import type { Queryable } from '../db/database.ts';
import { newId, type Id } from '../core/ids.ts';
import type { Platform } from '../runtime/platform.ts';
import { plusDays, realNow } from '../core/time.ts';
import { hashAddress } from './address-hash.ts';
import type { RequestFacts } from './endpoint.ts';
import { deleteSurplusSessions, insertSession } from './sessions-sql.ts';
import { newToken } from './tokens.ts';

/** A session ends after this long without use, and in any case after the longer time. */
export const sessionIdleDays = 30;
export const sessionDaysMax = 90;

/** When a person exceeds this number, the oldest session ends. */
const sessionsMax = 50;

/** The token exists only in the cookie: the table has its hash. */
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
    addressHash: hashAddress(secrets, request.address),
  });
  await deleteSurplusSessions(db, { userId, most: sessionsMax });
  return { token, provedAt: now };
}
