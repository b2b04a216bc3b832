import type { IncomingHttpHeaders } from 'node:http';
import type { FastifyInstance } from 'fastify';
import type { Log } from '../core/log.ts';

/**
 * Logs each request at the level debug, with the ID of its response. Logs the route pattern, not the URL, which may contain a code, a
 * token or a name.
 */
export function logRequests(app: FastifyInstance, log: Log): void {
  if (!log.isLevelEnabled('debug')) return;
  app.addHook('onResponse', (request, reply, done) => {
    const { id: requestId, method, routeOptions, headers } = request;
    const tookMs = Math.round(reply.elapsedTime * 10) / 10;
    log.debug({ requestId, ...readTraceId(headers), method, route: routeOptions.url ?? '', status: reply.statusCode, tookMs }, 'answered');
    done();
  });
}

const shape = /^[0-9a-f]{2}-([0-9a-f]{32})-[0-9a-f]{16}-[0-9a-f]{2}(-.*)?$/;

/**
 * The trace ID of a request from the W3C Trace Context header, for the log lines of the request. Decision 0029 says why there is no
 * further tracing.
 */
export function readTraceId({ traceparent }: IncomingHttpHeaders): { readonly trace?: string } {
  if (typeof traceparent !== 'string' || traceparent.startsWith('ff-')) return {};
  const trace = shape.exec(traceparent)?.[1];
  return trace === undefined || /^0+$/.test(trace) ? {} : { trace };
}
