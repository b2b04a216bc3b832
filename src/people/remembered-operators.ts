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
export function cacheOperatorIdentity(identify: Identify, isForFigures: (request: FastifyRequest) => boolean): Identify {
  const remembered = new Map<string, { readonly identity: Identity; readonly until: number }>();
  return async (request) => {
    const { authorization } = request.headers;
    if (authorization === undefined || !isForFigures(request)) return identify(request);
    const name = hash('sha256', authorization);
    try {
      const identity = await identify(request);
      remembered.delete(name);
      if (identity !== null && !isRefusal(identity) && identity.isOperator && identity.by.is === 'key') {
        if (remembered.size >= cachedMax) remembered.clear();
        remembered.set(name, { identity, until: performance.now() + cachedMs });
      }
      return identity;
    } catch (error) {
      const known = remembered.get(name);
      if (known === undefined || known.until < performance.now() || !isDatabaseAway(error)) throw error;
      return known.identity;
    }
  };
}
