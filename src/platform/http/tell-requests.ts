import type { FastifyInstance } from 'fastify';
import type { Log } from '../log.ts';
import { traceOf } from './trace.ts';

/**
 * At the level debug: one line for each request, with the id that its answer carries. The route as we wrote it, not the address
 * as it came: that may hold a code, a token or a name.
 */
export function tellRequests(app: FastifyInstance, log: Log): void {
  if (!log.isLevelEnabled('debug')) return;
  app.addHook('onResponse', (request, reply, done) => {
    const { id: requestId, method, routeOptions, headers } = request;
    const tookMs = Math.round(reply.elapsedTime * 10) / 10;
    log.debug({ requestId, ...traceOf(headers), method, route: routeOptions.url ?? '', status: reply.statusCode, tookMs }, 'answered');
    done();
  });
}
