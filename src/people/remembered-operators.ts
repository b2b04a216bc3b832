import { hash } from 'node:crypto';
import type { FastifyRequest } from 'fastify';
import { isDatabaseAway } from '../platform/database/away.ts';
import { isRefusal, type Refusal } from '../platform/http/answers.ts';
import { hourMs } from '../platform/time.ts';
import type { Identity } from './identity.ts';

type Identify = (request: FastifyRequest) => Promise<Identity | null | Refusal>;

const rememberedMs = hourMs;
const rememberedMax = 16;

/**
 * Figures are wanted most while the database is away, and a key cannot be looked up then. So whoever read them with an operator's
 * key within the last hour may go on reading them, and nothing else, until the database is back. A key that was revoked is
 * forgotten at its next try while the database answers.
 */
export function rememberOperators(identify: Identify, isForFigures: (request: FastifyRequest) => boolean): Identify {
  const remembered = new Map<string, { readonly identity: Identity; readonly until: number }>();
  return async (request) => {
    const { authorization } = request.headers;
    if (authorization === undefined || !isForFigures(request)) return identify(request);
    const name = hash('sha256', authorization);
    try {
      const identity = await identify(request);
      remembered.delete(name);
      if (identity !== null && !isRefusal(identity) && identity.isOperator && identity.by.is === 'key') {
        if (remembered.size >= rememberedMax) remembered.clear();
        remembered.set(name, { identity, until: performance.now() + rememberedMs });
      }
      return identity;
    } catch (error) {
      const known = remembered.get(name);
      if (known === undefined || known.until < performance.now() || !isDatabaseAway(error)) throw error;
      return known.identity;
    }
  };
}
