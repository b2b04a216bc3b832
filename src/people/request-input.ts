import type { FastifyRequest } from 'fastify';
import { notFound, refuse, type FieldFault, type Refusal } from '../platform/http/answers.ts';
import { readJson, shapeFault } from '../platform/http/json.ts';
import { unstorableField } from '../platform/http/storable.ts';
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
  const query = endpoint.query === null ? { is: 'good' as const, value: {} } : validateQuery(endpoint.query, queryOf(request, endpoint));
  if (query.is === 'wrong') return refuse('invalid_request', 'The query is not right; see errors.', query.errors);
  const badParameter = unstorableField(query.value);
  if (badParameter !== null) return refuse('invalid_request', 'The query is not right; see errors.', [unstorable(badParameter)]);
  if (endpoint.body === null) return { ids, query: query.value, body: null };
  const json = endpoint.isBodyOptional && isEmpty(request.body) ? ({ is: 'json', value: {} } as const) : readJson(request.body);
  if (json.is === 'none') return refuse('json_required', 'The body must be JSON, in UTF-8; where there is nothing to say, {}.');
  const shape = shapeFault(json.value);
  if (shape !== null) return refuse('invalid_request', 'The body is not right; see errors.', [{ field: 'body', message: shape }]);
  const body = validate(endpoint.body, json.value);
  if (body.is === 'wrong') return refuse('invalid_request', 'The body is not right; see errors.', body.errors);
  const badField = unstorableField(body.value);
  if (badField !== null) return refuse('invalid_request', 'The body is not right; see errors.', [unstorable(badField)]);
  return { ids, query: query.value, body: body.value };
}

const unstorable = (field: string): FieldFault => ({
  field: field === '' ? 'body' : field,
  message: 'must not contain U+0000 or an unpaired surrogate',
});

const isEmpty = (body: unknown): boolean => body === undefined || body === null || (Buffer.isBuffer(body) && body.length === 0);

const idsOfAccess = ({ access }: Endpoint): Readonly<Record<string, string>> =>
  access.who === 'store' ? { store: 'store' } : access.who === 'creator' ? { creator: 'crt' } : {};

// Fastify hands parameters on as unknown; its router makes them, and they are texts.
export const paramsOf = (request: FastifyRequest) => request.params as Readonly<Record<string, string>>;

/** A link cannot send a header, so the query may name the file type; a browser then writes the answer to disk as it arrives. */
function fileTypeIn({ query }: FastifyRequest, { reply, files }: Endpoint): string | null {
  if (reply === null) return null;
  const type = typeof query === 'object' && query !== null && 'accept' in query ? query.accept : null;
  return files.find((file) => file === type) ?? null;
}

/** The query without `accept`. Any other value of that name is rejected as an unknown field. */
function queryOf(request: FastifyRequest, endpoint: Endpoint): unknown {
  if (fileTypeIn(request, endpoint) === null) return request.query;
  const { accept: _accept, ...query } = { accept: null, ...Object(request.query) };
  return query;
}

const userAgentLengthMax = 500;

export function requestFactsOf(request: FastifyRequest, endpoint: Endpoint): RequestFacts {
  const { 'user-agent': userAgent = '', accept = '', cookie: cookies = '' } = request.headers;
  return {
    id: request.id,
    address: request.ip,
    userAgent: userAgent.slice(0, userAgentLengthMax),
    cookies,
    accept: fileTypeIn(request, endpoint) ?? accept,
  };
}
