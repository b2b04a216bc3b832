import type { TSchema } from 'typebox';
import { publicId, type Id } from '../core/ids.ts';
import { apiReasons, type ApiReason, type FileType } from './responses.ts';
import type { Content, OpenApi, Operation, Parameter, Response, Schema, SecurityNeed } from './openapi-document.ts';
import { postbackPaths, postbackSchemas, type PostbackOperation } from './openapi-postbacks.ts';
import { plainSchema } from './openapi-schema.ts';

/** The parts of an operation that the document describes. `ApiRoute` of people/request-pipeline.ts has this type. */
export type DescribedRoute = {
  readonly method: string;
  readonly path: string;
  readonly endpoint: {
    readonly summary: string;
    readonly access: { readonly allow: string; readonly permission?: string };
    readonly proof: boolean | ((request: { readonly accept: string }) => boolean);
    readonly liveKeys: string;
    readonly ids: Readonly<Record<string, string>>;
    readonly query: TSchema | null;
    readonly body: TSchema | null;
    readonly uploadBytesMax: number | null;
    readonly reply: TSchema | null;
    readonly status: number;
    readonly files: readonly FileType[];
    readonly alsoRefuses: readonly ApiReason[];
    readonly inTransaction: boolean | ((body: never) => boolean);
  };
};

export type OpenApiOptions = {
  readonly baseUrl: string;
  /** The session cookie's name. */
  readonly sessionCookie: string;
  readonly routes: readonly DescribedRoute[];
  readonly postbacks: readonly PostbackOperation[];
};

/** Describes exactly the mounted routes, so that the document cannot differ from the API. */
export function describeApi({ baseUrl, sessionCookie, routes, postbacks }: OpenApiOptions): OpenApi {
  const described = routes.map((route) => ({ route, tag: tagOf(route, routes) }));
  const paths: Record<string, Record<string, Operation>> = {};
  for (const { route, tag } of described) {
    const path = templateOf(route.path);
    paths[path] = { ...paths[path], [route.method.toLowerCase()]: describe(route, tag) };
  }
  const { tag: postbackTag, paths: ofPostbacks } = postbackPaths(postbacks);
  return {
    openapi: '3.1.0',
    info: { title: 'Tributary API', version: '1', description: introduction.join('\n\n') },
    servers: [{ url: baseUrl }],
    tags: [...new Set(described.map(({ tag }) => tag))].map((name): OpenApi['tags'][number] => ({ name })).concat(postbackTag),
    paths: { ...paths, ...ofPostbacks },
    components: {
      schemas: { Refusal: refusalSchema, ...postbackSchemas },
      responses: refusals,
      securitySchemes: {
        apiKey: { type: 'http', scheme: 'bearer', description: 'An API key, `trb_…`, with scopes.' },
        session: { type: 'apiKey', in: 'cookie', name: sessionCookie, description: 'The session of a signed-in user.' },
        postbackKey: { type: 'http', scheme: 'bearer', description: "A store's postback key, from its server only." },
        postbackKeyHeader: {
          type: 'apiKey',
          in: 'header',
          name: 'X-Service-Postback-Key',
          description: 'The same key, for clients that cannot send a Bearer token.',
        },
      },
    },
  };
}

const introduction = [
  'The dashboards use only this API, so a program can do everything that a dashboard does.',
  'JSON in UTF-8, names in `snake_case`. Times are ISO 8601 in UTC with milliseconds, amounts are whole cents in fields named `*_cents`, and IDs are strings with a prefix, such as `store_…`. Unknown fields are rejected by name.',
  'Lists return `{ "data": […], "next_cursor": … }`. Send `next_cursor` back as `cursor` until it is `null`; `limit` defaults to 50 and is at most 200.',
  'Send `Authorization: Bearer trb_…`. A resource of another account returns exactly the same 404 as one that does not exist.',
  'A POST can have an `Idempotency-Key` of your choice: a repeat with the same body is not executed twice and returns the first response.',
  'An error is `{ "ok": false, "reason", "message", "errors": [{ "field", "message" }] }`. Branch on `reason`, never on the wording. For 429 and 503, `Retry-After` is the number of seconds to wait. Every response has a `Request-Id`; include it when you contact support.',
];

function describe({ method, path, endpoint }: DescribedRoute, tag: string): Operation {
  const { summary, access, proof, liveKeys, query, body, uploadBytesMax, reply, status, files, alsoRefuses, inTransaction } = endpoint;
  const isRepeatable = method === 'POST' && inTransaction !== false && access.allow !== 'anyone';
  const parameters = [
    ...pathParameters(path, endpoint),
    ...queryParameters(query),
    ...acceptParameter(endpoint),
    ...(isRepeatable ? [idempotencyKey] : []),
  ];
  const needed = access.permission ?? (access.allow === 'operator' ? 'operator' : undefined);
  return {
    operationId: operationIdOf(method, path),
    summary,
    description: [accessDescription(access), ...proofDescriptions({ proof, liveKeys })].join(' '),
    tags: [tag],
    security: securityOf(access.allow),
    parameters,
    ...requestBodyOf(body, uploadBytesMax),
    responses: {
      [String(status)]: { description: successDescription(status), ...contentOf(reply, files) },
      ...refusalResponses({
        access,
        isChange: method !== 'GET',
        hasInput: body !== null || query !== null || isRepeatable,
        hasBody: body !== null || uploadBytesMax !== null,
        names: path.includes(':'),
        alsoRefuses,
      }),
    },
    ...(needed === undefined ? {} : { 'x-permission': needed }),
  };
}

/** `POST /api/v1/stores/:store/programs` is `postStoresByStorePrograms`: unique, because method and path are. */
function operationIdOf(method: string, path: string): string {
  const words = segmentsOf(path).flatMap((segment) =>
    segment.startsWith(':') ? ['by', ...segment.slice(1).split(/[-_]/)] : segment.split(/[-_.]/),
  );
  return method.toLowerCase() + words.map((word) => word.charAt(0).toUpperCase() + word.slice(1)).join('');
}

const segmentsOf = (path: string): readonly string[] =>
  path.split('/').filter((segment) => segment !== '' && segment !== 'api' && segment !== 'v1');

const templateOf = (path: string): string => path.replace(/:([a-z_]+)/gi, '{$1}');

/** A resource of a store or a creator with several operations has its own tag. All other operations are grouped by the first word. */
function tagOf(route: DescribedRoute, routes: readonly DescribedRoute[]): string {
  const [first = '', , third] = segmentsOf(route.path);
  const isOwn = third !== undefined && routes.filter(({ path }) => hasSamePrefix(segmentsOf(path), segmentsOf(route.path))).length > 1;
  const words = (isOwn ? third : first).replaceAll('-', ' ').replace(/^api\b/, 'API');
  return words.charAt(0).toUpperCase() + words.slice(1);
}

const hasSamePrefix = (one: readonly string[], other: readonly string[]) => [0, 1, 2].every((place) => one[place] === other[place]);

function accessDescription({ allow, permission }: DescribedRoute['endpoint']['access']): string {
  switch (allow) {
    case 'anyone':
      return 'Does not require authentication.';
    case 'signed in':
      return 'Requires a session or an API key.';
    case 'person':
      return 'Requires a session; API keys are rejected.';
    case 'operator':
      return "Requires an operator, or an operator's API key.";
    default:
      return `Requires the permission \`${permission ?? ''}\` in this ${allow}, or an operator.`;
  }
}

function securityOf(allow: string): readonly SecurityNeed[] {
  if (allow === 'anyone') return [];
  return allow === 'person' ? [{ session: [] }] : [{ apiKey: [] }, { session: [] }];
}

const exampleId = '0195a3c4-5b6d-7e8f-9a0b-1c2d3e4f5a6b';

function pathParameters(path: string, { access, ids }: DescribedRoute['endpoint']): readonly Parameter[] {
  const prefixes: Readonly<Record<string, string>> = { ...(access.allow === 'creator' ? { creator: 'crt' } : { store: 'store' }), ...ids };
  return [...path.matchAll(/:([a-z_]+)/gi)].map(([, name = '']) => {
    const prefix = prefixes[name];
    const schema: Schema =
      prefix === undefined
        ? { type: 'string' }
        : { type: 'string', pattern: `^${prefix}_[0-7][0-9a-hjkmnp-tv-z]{25}$`, examples: [publicId(prefix, exampleId as Id)] };
    return { name, in: 'path', required: true, schema };
  });
}

function queryParameters(query: TSchema | null): readonly Parameter[] {
  if (query === null) return [];
  const { properties = {}, required = [] } = plainSchema(query);
  return Object.entries(properties).map(([name, { description, ...schema }]) => ({
    name,
    in: 'query',
    required: required.includes(name),
    ...(description === undefined ? {} : { description }),
    schema,
  }));
}

function requestBodyOf(body: TSchema | null, uploadBytesMax: number | null): Pick<Operation, 'requestBody'> {
  if (uploadBytesMax !== null) {
    const description = `The bytes of the file, at most ${uploadBytesMax}`;
    return { requestBody: { required: true, content: { 'application/octet-stream': { schema: { description } } } } };
  }
  return body === null ? {} : { requestBody: { required: true, content: json(plainSchema(body)) } };
}

/** A link in a page cannot set the Accept header, so the media type may be in the query instead. */
function acceptParameter({ reply, files }: DescribedRoute['endpoint']): readonly Parameter[] {
  if (reply === null || files.length === 0) return [];
  const description = 'The media type of the response, instead of the Accept header';
  return [{ name: 'accept', in: 'query', required: false, description, schema: { type: 'string', enum: files } }];
}

function contentOf(reply: TSchema | null, files: readonly FileType[]): { readonly content?: Content } {
  if (reply === null && files.length === 0) return {};
  return {
    content: {
      ...(reply === null ? {} : json(plainSchema(reply))),
      ...Object.fromEntries(files.map((type) => [type, { schema: { type: 'string' as const } }])),
    },
  };
}

const idempotencyKey: Parameter = {
  name: 'Idempotency-Key',
  in: 'header',
  required: false,
  description: 'A unique value of your choice for each change. A repeat of the request returns the first response.',
  schema: { type: 'string', minLength: 1, maxLength: 255 },
};

const successDescription = (status: number): string =>
  status === 201 ? 'Created.' : status === 204 ? 'Done, without a response body.' : 'Done.';

const refusalSchema: Schema = {
  type: 'object',
  required: ['ok', 'reason', 'message', 'errors'],
  properties: {
    ok: { type: 'boolean', const: false },
    reason: { type: 'string', description: 'A stable code. Branch on it.', examples: Object.keys(apiReasons) },
    message: { type: 'string', description: 'A sentence for people. Its wording may change.' },
    errors: {
      type: 'array',
      items: { type: 'object', required: ['field', 'message'], properties: { field: { type: 'string' }, message: { type: 'string' } } },
    },
  },
};

const statusDescriptions: Readonly<Record<(typeof apiReasons)[ApiReason], string>> = {
  400: 'The request is invalid. `errors` lists each field.',
  401: 'Authentication is missing or invalid.',
  403: 'You do not have permission.',
  404: 'This resource does not exist, or you do not have access to it.',
  409: 'The request conflicts with the current state.',
  410: 'The link was already used or has expired.',
  413: 'The body is larger than 1 MiB, or a file is larger than its operation allows.',
  415: 'The Content-Type of the body is not JSON, or for a file not application/octet-stream.',
  422: 'The request is valid but cannot be executed. `message` explains why.',
  429: 'Too many requests. Wait for the number of seconds in `Retry-After`.',
  503: 'Temporarily unavailable. The same request may succeed after `Retry-After` seconds.',
};

/** One response for each status, with its reasons. */
const refusals: OpenApi['components']['responses'] = Object.fromEntries(
  Object.entries(statusDescriptions).map(([status, means]) => {
    const reasons = Object.entries(apiReasons).flatMap(([reason, its]) => (String(its) === status ? [`\`${reason}\``] : []));
    return [
      `Refused${status}`,
      { description: `${means} Reasons: ${reasons.join(', ')}.`, content: json({ $ref: '#/components/schemas/Refusal' }) },
    ];
  }),
);

type RefusalFacts = {
  readonly access: { readonly allow: string };
  readonly isChange: boolean;
  readonly hasInput: boolean;
  readonly hasBody: boolean;
  readonly names: boolean;
  readonly alsoRefuses: readonly ApiReason[];
};

/** Requirements beyond the access rule: a recent proof for sessions, and a scope or a person instead of API keys in live mode. */
function proofDescriptions({
  proof,
  liveKeys,
}: {
  readonly proof: boolean | ((request: never) => boolean);
  readonly liveKeys: string;
}): string[] {
  const often = typeof proof === 'function' ? ', for file responses,' : '';
  return [
    ...(proof === false ? [] : [`A session${often} must have a proof of identity from the last ten minutes.`]),
    ...(liveKeys === 'refused' ? [`In live mode, API keys${often} are rejected.`] : []),
    ...(liveKeys.includes(':') ? [`In live mode, an API key needs the scope \`${liveKeys}\`.`] : []),
  ];
}

function refusalResponses({ access, isChange, hasInput, hasBody, names, alsoRefuses }: RefusalFacts): Readonly<Record<string, Response>> {
  const open = access.allow === 'anyone';
  const statuses = [
    // Also for a path that cannot be decoded.
    ...(hasInput || names ? [400] : []),
    ...(open && !hasBody ? [] : [401]),
    // Also for requests from other sites, which are refused without authentication.
    ...(open && !isChange ? [] : [403]),
    ...(names ? [404] : []),
    ...(isChange ? [409] : []),
    // Also for operations without a body: a body that is sent must still be small JSON.
    ...(hasBody || isChange ? [413, 415] : []),
    ...(hasInput ? [422] : []),
    ...alsoRefuses.map((reason) => apiReasons[reason]),
    429,
    503,
  ];
  return Object.fromEntries(statuses.map((status) => [String(status), { $ref: `#/components/responses/Refused${status}` }]));
}

function json(schema: Schema): Content {
  return { 'application/json': { schema } };
}
