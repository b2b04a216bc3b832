import type { FastifyRequest } from 'fastify';
import type { Config } from '../platform/config.ts';
import { toldInLog } from '../platform/database/sql-errors.ts';
import { refuse, type Refusal } from '../platform/http/answers.ts';
import { publicId } from '../platform/ids.ts';
import type { Platform } from '../platform/platform.ts';
import { dayMs, minuteMs, realNow } from '../platform/time.ts';
import { apiKeyPrefix } from './api-keys.ts';
import { tokenInCookies } from './cookie.ts';
import { isCrossSite } from './cross-site.ts';
import { decideKeyRights } from './decide-key-rights.ts';
import type { Identity, Rights } from './identity.ts';
import { keyByHash, updateLastUsed, type KeyInUse } from './keys-sql.ts';
import { actsAsOperator, mustSetUpSecondFactor } from './operator-factor.ts';
import { creatorPermissions, isOperatorScope, namesOf, roles } from './permissions.ts';
import { sessionIdleDays } from './sessions.ts';
import { sessionByToken, updateLastSeen, type SessionWithPerson } from './sessions-sql.ts';
import { readToken } from './tokens.ts';

/** "Last used" and "last seen" are known to the minute: not every request is a write. */
const seenEveryMs = minuteMs;

/**
 * Who sends this request. A key goes by its header, which no other site can make a browser send; all else may be a
 * browser, so it must not come from another site, signed in or not.
 */
export function createIdentify(platform: Platform): (request: FastifyRequest) => Promise<Identity | null | Refusal> {
  return async (request) => {
    const { authorization, cookie, origin, host, 'sec-fetch-site': secFetchSite } = request.headers;
    const key = /^Bearer\b *(.*)$/i.exec(authorization ?? '')?.[1];
    if (key !== undefined) return byKey(platform, key);
    const provenance = { method: request.method, secFetchSite: secFetchSite?.toString(), origin, host };
    if (isCrossSite(provenance, platform.config.baseUrl)) {
      return refuse('cross_site_request', 'This request comes from the page of another site; only our own pages may send it.');
    }
    const token = tokenInCookies(platform.config.baseUrl, cookie);
    return token === null ? null : bySession(platform, token);
  };
}

async function byKey(platform: Platform, key: string): Promise<Identity | null> {
  const keyHash = readToken(key, apiKeyPrefix);
  const found = keyHash && (await keyByHash(platform.database, keyHash));
  if (!found) return null;
  const now = realNow();
  const before = new Date(now.getTime() - seenEveryMs);
  if (found.lastUsedAt === null || found.lastUsedAt < before) {
    inPassing(platform, updateLastUsed(platform.database, { apiKeyId: found.apiKeyId, now, before }));
  }
  return keyIdentity(found, platform.config.mode);
}

/** Null where its maker has lost every right that it came from: then it works as little as a revoked one. */
export function keyIdentity(key: KeyInUse, mode: Config['mode']): Identity | null {
  const rights = decideKeyRights(key, mode);
  const scopes = new Set(key.kind === 'operator' ? key.scopes.filter(isOperatorScope) : []);
  return rights && { actor: publicId('key', key.apiKeyId), name: key.name, ...rights, by: { is: 'key', apiKeyId: key.apiKeyId, scopes } };
}

async function bySession(platform: Platform, token: string): Promise<Identity | null> {
  const now = realNow();
  const tokenHash = readToken(token);
  const seenSince = new Date(now.getTime() - sessionIdleDays * dayMs);
  const found = tokenHash && (await sessionByToken(platform.database, { tokenHash, now, seenSince }));
  if (!found) return null;
  const before = new Date(now.getTime() - seenEveryMs);
  if (found.lastSeenAt < before) inPassing(platform, updateLastSeen(platform.database, { sessionId: found.sessionId, now, before }));
  return sessionIdentity(found, platform.config.mode);
}

export function sessionIdentity(found: SessionWithPerson, mode: Config['mode']): Identity {
  const { sessionId, userId, name, provedAt } = found;
  return {
    actor: publicId('user', userId),
    name,
    ...rightsOf({ ...found, isOperator: actsAsOperator(found, mode) }),
    mustSetUpSecondFactor: mustSetUpSecondFactor(found, mode),
    by: { is: 'session', userId, sessionId, provedAt },
  };
}

export const rightsOf = ({
  isOperator,
  creatorId,
  roles: held,
}: Pick<SessionWithPerson, 'isOperator' | 'creatorId' | 'roles'>): Rights => ({
  isOperator,
  stores: new Map(held.map(({ storeId, role }) => [storeId, new Set(roles[role])])),
  creator: creatorId === null ? null : { creatorId, permissions: new Set(namesOf(creatorPermissions)) },
});

/** Not in the request's way: nobody waits for it, and nothing is lost when it fails. */
function inPassing({ log }: Platform, write: Promise<void>): void {
  write.catch((error: unknown) => log.debug({ error: toldInLog(error) }, 'people: when this was last used could not be written'));
}
