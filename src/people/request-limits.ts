import { RateLimiterMemory, RateLimiterRes } from 'rate-limiter-flexible';
import type { FastifyRequest } from 'fastify';
import type { Config } from '../core/config.ts';
import { secondMs } from '../core/time.ts';
import type { Identity } from './identity.ts';
import { networkCounter } from './network.ts';

/** Requests per second to the management API, in each process, for each API key, session, or network without either. */
const perSecond = { live: 25, sandbox: 200 } as const;

/** `isFirst`: the first request above the limit in its second. */
export type RateLimitExcess = { readonly waitSeconds: number; readonly isFirst: boolean };

/** Returns null below the limit. Counts in memory, because a query would cost more than most requests. */
export function createRequestLimiter(
  { mode }: Pick<Config, 'mode'>,
  requestsPerSecond: number = perSecond[mode],
): (identity: Identity | null, request: Pick<FastifyRequest, 'ip'>) => Promise<RateLimitExcess | null> {
  const limiter = new RateLimiterMemory({ points: requestsPerSecond, duration: 1 });
  return async (identity, request) => {
    if (mode === 'sandbox' && identity?.isOperator === true) return null;
    return limiter.consume(rateLimitKey(identity, request.ip)).then(
      () => null,
      (rejection: unknown) => {
        if (!(rejection instanceof RateLimiterRes)) throw rejection;
        const waitSeconds = Math.max(1, Math.ceil(rejection.msBeforeNext / secondMs));
        return { waitSeconds, isFirst: rejection.consumedPoints === requestsPerSecond + 1 };
      },
    );
  };
}

function rateLimitKey(identity: Identity | null, address: string): string {
  if (identity === null) return networkCounter(address);
  return identity.by.is === 'key' ? identity.by.apiKeyId : identity.by.sessionId;
}
