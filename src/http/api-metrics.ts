import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Metrics } from '../metrics/metrics.ts';

/** Counts each response of the management API. Event streams are left out: their duration depends on the client. */
export function countApiResponse({ apiRequests }: Metrics, { method }: FastifyRequest, reply: FastifyReply): void {
  if (String(reply.getHeader('content-type')).startsWith('text/event-stream')) return;
  apiRequests.observe({ method, status: reply.statusCode }, reply.elapsedTime / 1_000);
}
