import type { FastifyRequest } from 'fastify';
import { decideVisit, type Visit } from './decide-visit.ts';

/** Who comes, as their headers tell. */
export const visitOf = ({ method, headers }: FastifyRequest): Visit =>
  decideVisit({
    method,
    userAgent: headers['user-agent'],
    purpose: headerText(headers['sec-purpose'] ?? headers['purpose'] ?? headers['x-moz']),
    fetchDestination: headerText(headers['sec-fetch-dest']),
  });

const headerText = (header: string | readonly string[] | undefined): string | undefined =>
  typeof header === 'string' ? header : header?.join(',');
