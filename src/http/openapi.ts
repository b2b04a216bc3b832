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
        session: { type: 'apiKey', in: 'cookie', name: sessionCookie, description: 'The session of a signed-in person.' },
        postbackKey: { type: 'http', scheme: 'bearer', description: "A store's postback key, from its server only." },
        postbackKeyHeader: {
          type: 'apiKey',
          in: 'header',
          name: 'X-Service-Postback-Key',
          description: 'The same key, where no Bearer can be sent.',
        },
      },
    },
  };
}

const introduction = [
  'Everything that a dashboard does, a program can do: the dashboards call this API and nothing else.',
  'JSON in UTF-8, names in `snake_case`. Times are ISO 8601 in UTC with milliseconds, amounts are whole cents in fields named `*_cents`, ids are text with a prefix, such as `store_…`. A field that is not known is refused by its name.',
  'Lists answer `{ "data": […], "next_cursor": … }`. Send `next_cursor` back as `cursor` until it is `null`; `limit` is 50, at most 200.',
  'Send `Authorization: Bearer trb_…`. What belongs to somebody else answers exactly like what does not exist: 404.',
  'A POST may carry an `Idempotency-Key` of your own: sent again with the same body it is not done twice, and gives the first answer again.',
  'A refusal is `{ "ok": false, "reason", "message", "errors": [{ "field", "message" }] }`. Branch on `reason`, never on the wording. 429 and 503 say in `Retry-After` how many seconds to wait. Every answer has a `Request-Id`: name it when you ask for help.',
];

function describe({ method, path, endpoint }: DescribedRoute, tag: string): Operation {
  const { summary, access, proof, liveKeys, query, body, reply, status, files, alsoRefuses, inTransaction } = endpoint;
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
    ...(body === null ? {} : { requestBody: { required: true, content: json(plainSchema(body)) } }),
    responses: {
      [String(status)]: { description: successDescription(status), ...contentOf(reply, files) },
      ...refusalResponses({
        access,
        isChange: method !== 'GET',
        hasInput: body !== null || query !== null || isRepeatable,
        hasBody: body !== null,
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
      return 'Anyone may, without a key.';
    case 'signed in':
      return 'Whoever is signed in may, or has an API key.';
    case 'person':
      return 'A signed-in person may; an API key may not.';
    case 'operator':
      return "An operator may, or an operator's key.";
    default:
      return `Needs the permission \`${permission ?? ''}\` in this ${allow}. Operators may too.`;
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

/** A link in a page cannot set the Accept header, so the media type may be in the query instead. */
function acceptParameter({ reply, files }: DescribedRoute['endpoint']): readonly Parameter[] {
  if (reply === null || files.length === 0) return [];
  const description = 'The media type to answer with, instead of the Accept header';
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
  description: 'Text of your own, once per intended change: the same request again gives the first answer again.',
  schema: { type: 'string', minLength: 1, maxLength: 255 },
};

const successDescription = (status: number): string =>
  status === 201 ? 'It is made.' : status === 204 ? 'It is done; there is nothing to say.' : 'It is done.';

const refusalSchema: Schema = {
  type: 'object',
  required: ['ok', 'reason', 'message', 'errors'],
  properties: {
    ok: { type: 'boolean', const: false },
    reason: { type: 'string', description: 'Branch on this.', examples: Object.keys(apiReasons) },
    message: { type: 'string', description: 'For people; its wording may change.' },
    errors: {
      type: 'array',
      items: { type: 'object', required: ['field', 'message'], properties: { field: { type: 'string' }, message: { type: 'string' } } },
    },
  },
};

const statusDescriptions: Readonly<Record<(typeof apiReasons)[ApiReason], string>> = {
  400: 'The request is not right; `errors` names each field.',
  401: 'It is not known who asks.',
  403: 'You may not do this.',
  404: 'This resource does not exist, or you do not have access to it.',
  409: 'It does not fit what is there already.',
  410: 'The link was used, or is too old.',
  413: 'The body is larger than 1 MiB.',
  415: 'The body is not sent as JSON.',
  422: 'The request is well-formed, but cannot be done; `message` says why.',
  429: 'Too many requests; wait as many seconds as `Retry-After` says.',
  503: 'Not now; the same request may succeed after `Retry-After` seconds.',
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
  const often = typeof proof === 'function' ? ', where the answer is a file,' : '';
  return [
    ...(proof === false ? [] : [`A session${often} must have proved who it is in the last ten minutes.`]),
    ...(liveKeys === 'refused' ? [`In live mode API keys${often} are refused.`] : []),
    ...(liveKeys.includes(':') ? [`In live mode an API key needs the scope \`${liveKeys}\`.`] : []),
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
