import { RateLimiterMemory, RateLimiterRes } from 'rate-limiter-flexible';
import type { FastifyRequest } from 'fastify';
import type { Config } from '../platform/config.ts';
import { secondMs } from '../platform/time.ts';
import type { Identity } from './identity.ts';
import { networkOf } from './network.ts';

/** Requests a second to the management API, in each process, for each key, session, or address that is nobody's. */
const perSecond = { live: 25, sandbox: 200 } as const;

/** Answers the seconds to wait, or null. Counted in memory: a round trip to the database would cost more than most requests. */
export function requestLimit({
  mode,
}: Pick<Config, 'mode'>): (identity: Identity | null, request: FastifyRequest) => Promise<number | null> {
  const limiter = new RateLimiterMemory({ points: perSecond[mode], duration: 1 });
  return async (identity, request) => {
    if (mode === 'sandbox' && identity?.isOperator === true) return null;
    return limiter.consume(whoCounts(identity, request.ip)).then(
      () => null,
      (refused: unknown) => {
        if (refused instanceof RateLimiterRes) return Math.max(1, Math.ceil(refused.msBeforeNext / secondMs));
        throw refused;
      },
    );
  };
}

function whoCounts(identity: Identity | null, address: string): string {
  if (identity === null) return networkOf(address);
  return identity.by.is === 'key' ? identity.by.apiKeyId : identity.by.sessionId;
}
