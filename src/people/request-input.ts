import type { FastifyRequest } from 'fastify';
import { notFound, refuse, type Refusal } from '../platform/http/answers.ts';
import { readJson } from '../platform/http/json.ts';
import { validate, validateQuery } from '../platform/http/validate.ts';
import { readPublicId, type Id } from '../platform/ids.ts';
import type { Endpoint, RequestFacts } from './endpoint.ts';

export type Input = { readonly ids: Readonly<Record<string, Id>>; readonly query: unknown; readonly body: unknown };

/** The ids in the path, the query and the body, or what is wrong with them. */
export function readInput(request: FastifyRequest, endpoint: Endpoint): Input | Refusal {
  const params = paramsOf(request);
  const ids: Record<string, Id> = {};
  for (const [name, prefix] of Object.entries({ ...idsOfAccess(endpoint), ...endpoint.ids })) {
    const id = readPublicId(prefix, params[name] ?? '');
    if (id === null) return notFound;
    ids[name] = id;
  }
  const query = endpoint.query === null ? { is: 'good' as const, value: {} } : validateQuery(endpoint.query, request.query);
  if (query.is === 'wrong') return refuse('invalid_request', 'The query is not right; see errors.', query.errors);
  if (endpoint.body === null) return { ids, query: query.value, body: null };
  const json = readJson(request.body);
  if (json.is === 'none') return refuse('json_required', 'The body must be JSON, in UTF-8.');
  const body = validate(endpoint.body, json.value);
  if (body.is === 'wrong') return refuse('invalid_request', 'The body is not right; see errors.', body.errors);
  return { ids, query: query.value, body: body.value };
}

const idsOfAccess = ({ access }: Endpoint): Readonly<Record<string, string>> =>
  access.who === 'store' ? { store: 'store' } : access.who === 'creator' ? { creator: 'crt' } : {};

// Fastify hands parameters on as unknown; its router makes them, and they are texts.
export const paramsOf = (request: FastifyRequest) => request.params as Readonly<Record<string, string>>;

const userAgentLengthMax = 500;

export function requestFactsOf(request: FastifyRequest): RequestFacts {
  const { 'user-agent': userAgent = '', accept = '' } = request.headers;
  return { id: request.id, address: request.ip, userAgent: userAgent.slice(0, userAgentLengthMax), accept };
}
