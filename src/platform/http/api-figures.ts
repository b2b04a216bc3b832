import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Metrics } from '../metrics.ts';

/** Told of each answer of the management API. A stream ends when its reader goes, which says nothing about us. */
export function countApiAnswer({ apiRequests }: Metrics, { method }: FastifyRequest, reply: FastifyReply): void {
  if (String(reply.getHeader('content-type')).startsWith('text/event-stream')) return;
  apiRequests.observe({ method, status: reply.statusCode }, reply.elapsedTime / 1_000);
}
