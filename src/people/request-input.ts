import type { FastifyRequest } from 'fastify';
import { negotiateLanguage } from '../../locales/languages.ts';
import { notFound, refuse, type FieldError, type Refusal } from '../http/responses.ts';
import { readJson, findSizeError } from '../core/json.ts';
import { unstorableField } from '../http/storable.ts';
import { validate, validateQuery } from '../http/validate.ts';
import { readPublicId, type Id } from '../core/ids.ts';
import type { Endpoint, RequestFacts } from './endpoint.ts';
import { apiMessage } from '../messages/api-message.ts';

export type RequestInput = { readonly ids: Readonly<Record<string, Id>>; readonly query: unknown; readonly body: unknown };

/** Parses the IDs in the path, the query and the body. */
export function readInput(request: FastifyRequest, endpoint: Endpoint): RequestInput | Refusal {
  const params = pathParams(request);
  const ids: Record<string, Id> = {};
  for (const [name, prefix] of Object.entries({ ...accessIds(endpoint), ...endpoint.ids })) {
    const id = readPublicId(prefix, params[name] ?? '');
    if (id === null) return notFound;
    ids[name] = id;
  }
  const query =
    endpoint.query === null ? { is: 'good' as const, value: {} } : validateQuery(endpoint.query, queryWithoutAccept(request, endpoint));
  if (query.is === 'wrong') return refuse('invalid_request', apiMessage('shared.query_invalid'), query.errors);
  const badParameter = unstorableField(query.value);
  if (badParameter !== null) return refuse('invalid_request', apiMessage('shared.query_invalid'), [unstorableError(badParameter)]);
  if (endpoint.body === null) return { ids, query: query.value, body: null };
  const json = endpoint.isBodyOptional && isEmpty(request.body) ? ({ is: 'json', value: {} } as const) : readJson(request.body);
  if (json.is === 'none') return refuse('json_required', apiMessage('request_input.body_must_json_utf_8_send'));
  const shape = findSizeError(json.value);
  if (shape !== null) return refuse('invalid_request', apiMessage('shared.body_invalid'), [{ field: 'body', message: shape }]);
  const body = validate(endpoint.body, json.value);
  if (body.is === 'wrong') return refuse('invalid_request', apiMessage('shared.body_invalid'), body.errors);
  const badField = unstorableField(body.value);
  if (badField !== null) return refuse('invalid_request', apiMessage('shared.body_invalid'), [unstorableError(badField)]);
  return { ids, query: query.value, body: body.value };
}

const unstorableError = (field: string): FieldError => ({
  field: field === '' ? 'body' : field,
  message: apiMessage('request_input.must_not_contain_u_0000_or'),
});

const isEmpty = (body: unknown): boolean => body === undefined || body === null || (Buffer.isBuffer(body) && body.length === 0);

const accessIds = ({ access }: Endpoint): Readonly<Record<string, string>> =>
  access.allow === 'store' ? { store: 'store' } : access.allow === 'creator' ? { creator: 'crt' } : {};

// Fastify types path parameters as unknown, but its router always produces strings.
export const pathParams = (request: FastifyRequest) => request.params as Readonly<Record<string, string>>;

/** A link cannot set the Accept header, so the query may name the file type. The browser then saves the response while it arrives. */
function requestedFileType({ query }: FastifyRequest, { reply, files }: Endpoint): string | null {
  if (reply === null) return null;
  const type = typeof query === 'object' && query !== null && 'accept' in query ? query.accept : null;
  return files.find((file) => file === type) ?? null;
}

/** Removes a valid `accept`. Any other value of it is rejected as an unknown field. */
function queryWithoutAccept(request: FastifyRequest, endpoint: Endpoint): unknown {
  if (requestedFileType(request, endpoint) === null) return request.query;
  const { accept: _accept, ...query } = { accept: null, ...Object(request.query) };
  return query;
}

const userAgentLengthMax = 500;

export function readRequestFacts(request: FastifyRequest, endpoint: Endpoint): RequestFacts {
  const { 'user-agent': userAgent = '', accept = '', cookie: cookies = '', 'accept-language': acceptLanguage = '' } = request.headers;
  return {
    id: request.id,
    address: request.ip,
    userAgent: userAgent.slice(0, userAgentLengthMax),
    cookies,
    language: negotiateLanguage(acceptLanguage),
    accept: requestedFileType(request, endpoint) ?? accept,
    file: endpoint.uploadBytesMax !== null && Buffer.isBuffer(request.body) ? request.body : noBytes,
  };
}

const noBytes = Buffer.alloc(0);
