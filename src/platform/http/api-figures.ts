import type { FastifyReply, FastifyRequest } from 'fastify';
import { answerBuckets, type Metrics } from '../metrics.ts';

/** How the management API answers, by method and status: which of its hundred addresses is slow stands in the log at the level debug. */
export function openApiFigures({ histogram }: Metrics): (request: FastifyRequest, reply: FastifyReply) => void {
  const took = histogram('api_request_duration_seconds', 'From a request of the management API to its answer', ['method', 'status'], [
    ...answerBuckets,
  ]);
  return ({ method }, reply) => {
    // A stream ends when its reader goes, which says nothing about us.
    if (String(reply.getHeader('content-type')).startsWith('text/event-stream')) return;
    took.observe({ method, status: reply.statusCode }, reply.elapsedTime / 1_000);
  };
}
