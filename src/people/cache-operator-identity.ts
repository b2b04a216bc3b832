import { hash } from 'node:crypto';
import type { FastifyRequest } from 'fastify';
import { isDatabaseAway } from '../db/connection-errors.ts';
import { isRefusal, type Refusal } from '../http/responses.ts';
import { hourMs } from '../core/time.ts';
import type { Identity } from './identity.ts';

type Identify = (request: FastifyRequest) => Promise<Identity | null | Refusal>;

const cachedMs = hourMs;
const cachedMax = 16;

/**
 * Metrics are needed most while the database is down, when keys cannot be verified. A client that read them with an operator key within the
 * last hour may continue to read them, and nothing else, until the database is back. A revoked key is removed at its next request while the
 * database responds.
 */
export function cacheOperatorIdentity(identify: Identify, isMetricsRequest: (request: FastifyRequest) => boolean): Identify {
  const cache = new Map<string, { readonly identity: Identity; readonly until: number }>();
  return async (request) => {
    const { authorization } = request.headers;
    if (authorization === undefined || !isMetricsRequest(request)) return identify(request);
    const cacheKey = hash('sha256', authorization);
    try {
      const identity = await identify(request);
      cache.delete(cacheKey);
      if (identity !== null && !isRefusal(identity) && identity.isOperator && identity.by.is === 'key') {
        if (cache.size >= cachedMax) cache.clear();
        cache.set(cacheKey, { identity, until: performance.now() + cachedMs });
      }
      return identity;
    } catch (error) {
      const cached = cache.get(cacheKey);
      if (cached === undefined || cached.until < performance.now() || !isDatabaseAway(error)) throw error;
      return cached.identity;
    }
  };
}
