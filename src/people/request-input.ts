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
  const query = endpoint.query === null ? { is: 'good' as const, value: {} } : validateQuery(endpoint.query, queryOf(request));
  if (query.is === 'wrong') return refuse('invalid_request', 'The query is not right; see errors.', query.errors);
  if (endpoint.body === null) return { ids, query: query.value, body: null };
  const json = readJson(request.body);
  if (json.is === 'none') return refuse('json_required', 'The body must be JSON, in UTF-8; where there is nothing to say, {}.');
  const body = validate(endpoint.body, json.value);
  if (body.is === 'wrong') return refuse('invalid_request', 'The body is not right; see errors.', body.errors);
  return { ids, query: query.value, body: body.value };
}

const idsOfAccess = ({ access }: Endpoint): Readonly<Record<string, string>> =>
  access.who === 'store' ? { store: 'store' } : access.who === 'creator' ? { creator: 'crt' } : {};

// Fastify hands parameters on as unknown; its router makes them, and they are texts.
export const paramsOf = (request: FastifyRequest) => request.params as Readonly<Record<string, string>>;

/** A link cannot send a header, so it says in its address which file it wants; a browser then writes it to the disk as it comes. */
const fileTypes: ReadonlySet<unknown> = new Set(['text/csv', 'application/pdf']);

function fileTypeIn({ method, query }: FastifyRequest): string | null {
  const type = method === 'GET' && typeof query === 'object' && query !== null && 'accept' in query ? query.accept : null;
  return typeof type === 'string' && fileTypes.has(type) ? type : null;
}

/** Without what was read from it here. Anything else under that name is told as a field that is not known. */
function queryOf(request: FastifyRequest): unknown {
  if (fileTypeIn(request) === null) return request.query;
  const { accept: _accept, ...query } = { accept: null, ...Object(request.query) };
  return query;
}

const userAgentLengthMax = 500;

export function requestFactsOf(request: FastifyRequest): RequestFacts {
  const { 'user-agent': userAgent = '', accept = '' } = request.headers;
  return { id: request.id, address: request.ip, userAgent: userAgent.slice(0, userAgentLengthMax), accept: fileTypeIn(request) ?? accept };
}
