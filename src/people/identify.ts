import type { FastifyRequest } from 'fastify';
import type { Config } from '../core/config.ts';
import { errorForLog } from '../db/sql-errors.ts';
import { refuse, type Refusal } from '../http/responses.ts';
import { publicId, type Id } from '../core/ids.ts';
import type { Queryable } from '../db/database.ts';
import type { Platform } from '../runtime/platform.ts';
import { dayMs, minuteMs, realNow } from '../core/time.ts';
import { readSessionToken, sessionIdleDays } from './cookie.ts';
import { isCrossSite } from './cross-site.ts';
import { decideKeyRights, actsAsOperator, mustSetUpSecondFactor } from './decide-rights.ts';
import type { Identity, Rights } from './identity.ts';
import { findKeyByHash, findKeyMaker, updateKeyLastUsed, type KeyWithMaker } from './api-keys-sql.ts';
import { creatorPermissions, isOperatorScope, roles } from './permissions.ts';
import { namesOf } from '../core/names-of.ts';
import { findSessionByToken, updateSessionLastSeen, type SessionWithPerson } from './sessions-sql.ts';
import { readToken, apiKeyPrefix } from './tokens.ts';
import { apiMessage } from '../messages/api-message.ts';

/** "Last used" and "last seen" are accurate to a minute, so that not every request writes. */
const lastSeenIntervalMs = minuteMs;

/**
 * Identifies the sender by API key or session. Another site cannot make a browser send an Authorization header, so a request with a key
 * is accepted from everywhere. Any other request may come from a browser, so requests from other sites are refused, signed in or not.
 */
export function createIdentify(platform: Platform): (request: FastifyRequest) => Promise<Identity | null | Refusal> {
  return async (request) => {
    const { authorization, cookie, origin, host, 'sec-fetch-site': secFetchSite } = request.headers;
    const key = /^Bearer\b *(.*)$/i.exec(authorization ?? '')?.[1];
    if (key !== undefined) return identifyByKey(platform, key);
    const provenance = { method: request.method, secFetchSite: secFetchSite?.toString(), origin, host };
    if (isCrossSite(provenance, platform.config.baseUrl)) {
      return refuse('cross_site_request', apiMessage('identify.request_comes_from_another_site'));
    }
    const token = readSessionToken(platform.config.baseUrl, cookie);
    return token === null ? null : identifyBySession(platform, token);
  };
}

async function identifyByKey(platform: Platform, key: string): Promise<Identity | null> {
  const keyHash = readToken(key, apiKeyPrefix);
  const found = keyHash && (await findKeyByHash(platform.database, keyHash));
  if (!found) return null;
  const now = realNow();
  const before = new Date(now.getTime() - lastSeenIntervalMs);
  if (found.lastUsedAt === null || found.lastUsedAt < before) {
    runInBackground(platform, updateKeyLastUsed(platform.database, { apiKeyId: found.apiKeyId, now, before }));
  }
  return keyIdentity(found, platform.config.mode);
}

/** Null if the person who created the key has lost all rights that it was based on; then it is as invalid as a revoked key. */
export function keyIdentity(key: KeyWithMaker, mode: Config['mode']): Identity | null {
  const rights = decideKeyRights(key, mode);
  const scopes = new Set(key.kind === 'operator' ? key.scopes.filter(isOperatorScope) : []);
  return rights && { actor: publicId('key', key.apiKeyId), name: key.name, ...rights, by: { is: 'key', apiKeyId: key.apiKeyId, scopes } };
}

async function identifyBySession(platform: Platform, token: string): Promise<Identity | null> {
  const now = realNow();
  const tokenHash = readToken(token);
  const seenSince = new Date(now.getTime() - sessionIdleDays * dayMs);
  const found = tokenHash && (await findSessionByToken(platform.database, { tokenHash, now, seenSince }));
  if (!found) return null;
  const before = new Date(now.getTime() - lastSeenIntervalMs);
  if (found.lastSeenAt < before)
    runInBackground(platform, updateSessionLastSeen(platform.database, { sessionId: found.sessionId, now, before }));
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

/** The request does not wait for this write, and its failure is only logged. */
function runInBackground({ log }: Platform, write: Promise<void>): void {
  write.catch((error: unknown) => log.debug({ error: errorForLog(error) }, 'could not update the time of last use'));
}

/** The user of the session, or the user who created the API key: where two people must agree, a key does not count as a second person. */
export const findResponsibleUser = async (db: Queryable, { by }: Identity): Promise<Id<'user'> | null> =>
  by.is === 'session' ? by.userId : findKeyMaker(db, by.apiKeyId);
