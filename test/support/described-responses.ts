import Schema from 'typebox/schema';
import { describePostbacks } from '../../src/contract/postback-operations.ts';
import { openPageInspector } from '../../src/capture/page-inspector.ts';
import { invariant } from '../../src/core/invariant.ts';
import type { OpenApi, Operation, Response } from '../../src/http/openapi-document.ts';
import { describeApi } from '../../src/http/openapi.ts';
import { apiRoutes } from '../../src/app/routes/routes.ts';

/** Nothing is signed or charged here: the operations are only described. */
const ring = { keys: () => [], completeKeys: () => [], keysAt: async () => [], refresh: async () => {}, close: () => {} };
const chargeProvider = () => null;
const readEvent = { sandbox: null, stripe: null };
const providers = { standard: 'sandbox', chargeProvider, payoutProvider: chargeProvider, readEvent, accounts: null } as const;

export const wholeRoutes = apiRoutes({ ring, providers, inspector: openPageInspector() });

const describedWith = (postbacks: ReturnType<typeof describePostbacks>): OpenApi =>
  describeApi({ baseUrl: 'https://partners.example', sessionCookie: 'tributary_session', routes: wholeRoutes, postbacks });

export const describedWhole = (): OpenApi => describedWith([]);

export type Answered = {
  readonly method: string;
  /** With its query, from the root: `/api/v1/stores?limit=1`. */
  readonly path: string;
  readonly status: number;
  readonly contentType: string;
  /** Null where the body is not JSON. */
  readonly text: string | null;
};

type Described = { readonly method: string; readonly name: string; readonly path: RegExp; readonly responses: Operation['responses'] };
type Check = (value: unknown) => readonly string[];

const document = describedWith(describePostbacks());

/** Literal segments take precedence over parameters: `/creators/me` is not the creator whose ID is "me". */
const operations: readonly Described[] = Object.entries(document.paths)
  .toSorted(([one], [other]) => one.split('{').length - other.split('{').length)
  .flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, { responses }]) => ({
      method: method.toUpperCase(),
      name: `${method.toUpperCase()} ${path}`,
      path: new RegExp(`^${path.replaceAll('.', String.raw`\.`).replaceAll(/\{\w+\}/g, '[^/]+')}$`),
      responses,
    })),
  );

/** Every operation as the document names it: `GET /api/v1/stores/{store}`. */
export const operationNames: readonly string[] = operations.map(({ name }) => name);

const described = (method: string, pathname: string): Described | undefined =>
  operations.find((one) => one.method === (method === 'HEAD' ? 'GET' : method) && one.path.test(pathname));

/** The operation that a success response came from. */
export function succeededOperation({ method, path, status }: Answered): string | null {
  const [pathname = ''] = path.split('?');
  return method !== 'HEAD' && status >= 200 && status < 300 ? (described(method, pathname)?.name ?? null) : null;
}

/** The parts of a response that the document does not describe: a status, a media type, a missing, mistyped or extra field. */
export function undescribedIn({ method, path, status, contentType, text }: Answered): string | null {
  const [pathname = ''] = path.split('?');
  const operation = described(method, pathname);
  if (operation === undefined) return undescribedPath({ method, pathname, status });
  const at = `${method} ${pathname} answered ${status}`;
  const response = operation.responses[String(status)];
  if (response === undefined) return `${at}, a status that its description does not name: ${text?.slice(0, 300)}`;
  const { content } = resolved(response);
  const type = contentType.split(';')[0]?.trim() ?? '';
  if (content === undefined) return text === null || text === '' ? null : `${at} with a body, though its description has none`;
  const schema = content[type]?.schema;
  if (schema === undefined) return `${at} as "${type}", a media type that its description does not name`;
  if (type !== 'application/json' || text === null || method === 'HEAD') return null;
  const wrong = checkOf(schema)(JSON.parse(text));
  return wrong.length === 0 ? null : `${at} otherwise than described: ${wrong.slice(0, 5).join('; ')} in ${text.slice(0, 500)}`;
}

const isPathKnown = (pathname: string): boolean => operations.some(({ path }) => path.test(pathname));

function undescribedPath({ method, pathname, status }: { readonly method: string; readonly pathname: string; readonly status: number }) {
  const isOk = isPathKnown(pathname) ? [405, 403, 400, 413, 415, 503].includes(status) : [404, 400, 413, 415, 503, 405].includes(status);
  return isOk ? null : `${method} ${pathname} answered ${status}, and the document has no such operation`;
}

function resolved(response: Response): Exclude<Response, { readonly $ref: string }> {
  if (!('$ref' in response)) return response;
  const found = document.components.responses[response.$ref.slice('#/components/responses/'.length)];
  invariant(found, `the document contains ${response.$ref}`);
  return found;
}

const checks = new WeakMap<object, Check>();

/** Each schema is compiled once per test process, with the first response that needs it. */
function checkOf(schema: object): Check {
  const known = checks.get(schema);
  if (known !== undefined) return known;
  const compiled = Schema.Compile(strict(schema) as object);
  const made: Check = (value) => {
    if (compiled.Check(value)) return [];
    const [, errors] = compiled.Errors(value);
    return errors.map(({ instancePath, message, params }) => `${instancePath} ${message} ${JSON.stringify(params)}`);
  };
  checks.set(schema, made);
  return made;
}

type Node = Readonly<Record<string, unknown>>;
const isNode = (value: unknown): value is Node => typeof value === 'object' && value !== null && !Array.isArray(value);

/**
 * Clients must accept fields that are added later, so the document leaves its objects open. Here they are closed, so that an undescribed
 * field is found. References are resolved.
 */
function strict(schema: unknown): unknown {
  if (!isNode(schema)) return schema;
  const { $ref: reference, allOf, anyOf, items, properties, additionalProperties, ...others } = schema;
  if (typeof reference === 'string') return strict(document.components.schemas[reference.split('/').at(-1) ?? '']);
  if (Array.isArray(allOf)) return merged(allOf.map(strict));
  const isClosed = properties !== undefined && additionalProperties === undefined;
  return {
    ...others,
    ...(Array.isArray(anyOf) ? { anyOf: anyOf.map(strict) } : {}),
    ...(items === undefined ? {} : { items: strict(items) }),
    ...(isNode(properties) ? { properties: Object.fromEntries(Object.entries(properties).map(([name, of]) => [name, strict(of)])) } : {}),
    ...(isClosed
      ? { additionalProperties: false }
      : additionalProperties === undefined
        ? {}
        : { additionalProperties: strict(additionalProperties) }),
  };
}

/** Objects that a response combines with allOf, such as the response of a postback and its reasons. */
function merged(parts: readonly unknown[]): object {
  const objects = parts.filter(isNode) as ReadonlyArray<{ readonly properties?: object; readonly required?: readonly string[] }>;
  return {
    type: 'object',
    required: objects.flatMap(({ required = [] }) => required),
    properties: Object.assign({}, ...objects.map(({ properties = {} }) => properties)),
    additionalProperties: false,
  };
}
