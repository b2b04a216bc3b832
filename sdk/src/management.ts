import { randomUUID } from 'node:crypto';
import { parseJson, type Cents } from './exact-json.ts';
import type { paths } from './api-schema.ts';

// Callers name these types in their own code.
export type { Cents, paths };

type Method = 'get' | 'post' | 'put' | 'patch' | 'delete';

/** The paths that have an operation with this method. */
export type PathWith<M extends Method> = { [P in keyof paths]: M extends keyof paths[P] ? P : never }[keyof paths];

type Operation<P extends keyof paths, M extends Method> = M extends keyof paths[P] ? paths[P][M] : never;
type Parameters<O> = O extends { readonly parameters: infer All } ? All : unknown;
type Part<All, Name extends string> = All extends { readonly [K in Name]: infer Fields }
  ? { readonly [K in Name]: Fields }
  : All extends { readonly [K in Name]?: infer Fields }
    ? [Fields] extends [undefined]
      ? unknown
      : { readonly [K in Name]?: Fields }
    : unknown;
type Body<O> = O extends { readonly requestBody: { readonly content: { readonly 'application/json': infer Json } } }
  ? { readonly body: Json }
  : O extends { readonly requestBody?: { readonly content: { readonly 'application/json': infer Json } } }
    ? { readonly body?: Json }
    : unknown;

/** What a call of this operation needs: path and query parameters, and a body. */
export type Input<P extends keyof paths, M extends Method> = Part<Parameters<Operation<P, M>>, 'path'> &
  Part<Parameters<Operation<P, M>>, 'query'> &
  Body<Operation<P, M>> &
  CallOptions;

export type CallOptions = {
  readonly signal?: AbortSignal;
  /** For POST: one key per thing that you create. The client makes one up, so that its own retries create nothing twice. */
  readonly idempotencyKey?: string;
};

type Success<O> = O extends { readonly responses: infer All }
  ? { [S in keyof All]: S extends 200 | 201 | 202 ? All[S] : never }[keyof All]
  : never;

/** The JSON body of a successful response; undefined where it has none. */
export type Output<P extends keyof paths, M extends Method> =
  Success<Operation<P, M>> extends { readonly content: { readonly 'application/json': infer Json } } ? Json : undefined;

type Item<Json> = Json extends { readonly data: ReadonlyArray<infer Row>; readonly next_cursor: string | null } ? Row : never;

/** The lists that have pages. */
export type PagedPath = { [P in PathWith<'get'>]: Item<Output<P, 'get'>> extends never ? never : P }[PathWith<'get'>];

// The input may be left out where none of its fields is required.
type Given<P extends keyof paths, M extends Method> = object extends Input<P, M> ? [input?: Input<P, M>] : [input: Input<P, M>];

export type ManagementClient = {
  readonly get: <P extends PathWith<'get'>>(path: P, ...given: Given<P, 'get'>) => Promise<Output<P, 'get'>>;
  readonly post: <P extends PathWith<'post'>>(path: P, ...given: Given<P, 'post'>) => Promise<Output<P, 'post'>>;
  readonly put: <P extends PathWith<'put'>>(path: P, ...given: Given<P, 'put'>) => Promise<Output<P, 'put'>>;
  readonly patch: <P extends PathWith<'patch'>>(path: P, ...given: Given<P, 'patch'>) => Promise<Output<P, 'patch'>>;
  readonly delete: <P extends PathWith<'delete'>>(path: P, ...given: Given<P, 'delete'>) => Promise<Output<P, 'delete'>>;
  /** Every row of a list, page by page. */
  readonly each: <P extends PagedPath>(path: P, ...given: Given<P, 'get'>) => AsyncGenerator<Item<Output<P, 'get'>>, void>;
};

export type ManagementOptions = {
  /** Where the service runs: `https://partners.example`. */
  readonly url: string;
  /** An API key with the scopes that your calls need: `trb_…`. */
  readonly apiKey: string;
  /** For one attempt, to the last byte of its response. Default 30,000. */
  readonly timeoutMs?: number;
  /** Attempts of one call that the service could not answer (429, 503, no response). Default 4. */
  readonly attemptsMax?: number;
  readonly fetch?: typeof fetch;
};

/** An error response of the service, or no response. Branch on `reason`; `message` is for people. */
export class ManagementError extends Error {
  readonly reason: string;
  /** Null where no response arrived. */
  readonly status: number | null;
  readonly errors: ReadonlyArray<{ readonly field: string; readonly message: string }>;
  /** The `Request-Id` of the response, which the service logs. */
  readonly requestId: string | null;
  constructor(given: Pick<ManagementError, 'reason' | 'message' | 'status' | 'errors' | 'requestId'>) {
    super(given.message);
    this.name = 'ManagementError';
    this.reason = given.reason;
    this.status = given.status;
    this.errors = given.errors;
    this.requestId = given.requestId;
  }
}

const timeoutMsUsual = 30_000;
const attemptsUsual = 4;
const pauseMsFirst = 500;
const pauseMsMax = 30_000;

type Call = { readonly method: Method; readonly path: string; readonly input: AnyInput };
type AnyInput = CallOptions & {
  readonly path?: Readonly<Record<string, unknown>>;
  readonly query?: Readonly<Record<string, string | number | boolean | null | undefined>>;
  readonly body?: unknown;
};

/** A typed client of the management API. It depends on `fetch` and nothing else. */
export function createManagementClient(options: ManagementOptions): ManagementClient {
  const base = new URL(options.url);
  if (base.protocol !== 'https:' && !isLocal(base.hostname))
    throw new TypeError(`The API key would be sent in plain text to ${base.origin}. Use https.`);
  const call =
    (method: Method) =>
    (path: string, input: AnyInput = {}) =>
      send({ method, path, input }, options);
  async function* each(path: string, input: AnyInput = {}): AsyncGenerator<unknown, void> {
    let cursor = input.query?.['cursor'];
    do {
      const query = { ...input.query, cursor };
      // The types of `each` admit lists with pages only.
      const page = (await send({ method: 'get', path, input: { ...input, query } }, options)) as {
        readonly data: readonly unknown[];
        readonly next_cursor: string | null;
      };
      yield* page.data;
      cursor = page.next_cursor;
    } while (cursor !== null);
  }
  const client = { get: call('get'), post: call('post'), put: call('put'), patch: call('patch'), delete: call('delete'), each };
  // The document says what each operation returns; the service's tests validate every response against it.
  return client as unknown as ManagementClient;
}

const isLocal = (host: string): boolean => host === 'localhost' || host === '[::1]' || host.startsWith('127.');

async function send(given: Call, options: ManagementOptions): Promise<unknown> {
  const attemptsMax = options.attemptsMax ?? attemptsUsual;
  // A retry repeats the same key, so a request whose response was lost is not executed again.
  const key = given.method === 'post' ? (given.input.idempotencyKey ?? randomUUID()) : null;
  for (let attempts = 1; ; attempts += 1) {
    const result = await attempt(given, key, options);
    if (!(result instanceof Retry)) return result;
    if (attempts >= attemptsMax || given.input.signal?.aborted === true) throw result.error;
    await pause(result.afterMs ?? pauseMsFirst * 2 ** (attempts - 1), given.input.signal);
  }
}

class Retry {
  readonly error: ManagementError;
  readonly afterMs: number | null;
  constructor(error: ManagementError, afterMs: number | null) {
    this.error = error;
    this.afterMs = afterMs;
  }
}

async function attempt({ method, path, input }: Call, key: string | null, options: ManagementOptions): Promise<unknown> {
  const timeout = AbortSignal.timeout(options.timeoutMs ?? timeoutMsUsual);
  const request = {
    method: method.toUpperCase(),
    headers: {
      accept: 'application/json',
      authorization: `Bearer ${options.apiKey}`,
      ...(input.body !== undefined && { 'content-type': 'application/json' }),
      ...(key !== null && { 'idempotency-key': key }),
    },
    ...(input.body !== undefined && { body: JSON.stringify(input.body, bigintAsInteger) }),
    signal: input.signal === undefined ? timeout : anySignal(timeout, input.signal),
  };
  const url = urlOf(options.url, path, input);
  let response: Response;
  let text: string;
  try {
    response = await (options.fetch ?? fetch)(url, request);
    text = await response.text();
  } catch (cause) {
    if (input.signal?.aborted === true) throw cause;
    const message = `No response from ${new URL(options.url).origin}.`;
    const error = new ManagementError({ reason: 'no_response', message, status: null, errors: [], requestId: null });
    error.cause = cause;
    if (!isRepeatable(method)) throw error;
    return new Retry(error, null);
  }
  if (response.ok) return text === '' ? undefined : parseJson(text);
  const error = errorOf(response, text);
  if (response.status === 429 || (response.status === 503 && isRepeatable(method)))
    return new Retry(error, retryAfterMs(response.headers.get('retry-after')));
  throw error;
}

function urlOf(url: string, path: string, { path: values = {}, query = {} }: AnyInput): string {
  const filled = path.replace(/\{(\w+)\}/g, (_whole, name: string) => {
    const value = values[name];
    if (typeof value !== 'string' || value === '') throw new TypeError(`The path ${path} needs "${name}".`);
    return encodeURIComponent(value);
  });
  const target = new URL(`${url.replace(/\/$/, '')}/api/v1${filled}`);
  for (const [name, value] of Object.entries(query))
    if (value !== undefined && value !== null) target.searchParams.set(name, String(value));
  return target.href;
}

function errorOf(response: Response, text: string): ManagementError {
  const said = readError(text);
  return new ManagementError({
    reason: said.reason ?? 'unexpected_response',
    message: said.message ?? `The service answered with status ${response.status}.`,
    status: response.status,
    errors: said.errors ?? [],
    requestId: response.headers.get('request-id'),
  });
}

function readError(text: string): Partial<Pick<ManagementError, 'reason' | 'message' | 'errors'>> {
  try {
    const json: unknown = JSON.parse(text);
    return typeof json === 'object' && json !== null ? json : {};
  } catch {
    return {};
  }
}

/** The header may be seconds or a date. */
function retryAfterMs(header: string | null): number | null {
  if (header === null) return null;
  const seconds = Number(header);
  const ms = Number.isFinite(seconds) ? seconds * 1_000 : Date.parse(header) - Date.now();
  return Number.isNaN(ms) ? null : Math.max(0, ms);
}

function pause(ms: number, signal: AbortSignal | undefined): Promise<void> {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(done, Math.min(ms, pauseMsMax));
    function done() {
      signal?.removeEventListener('abort', stop);
      resolve();
    }
    function stop() {
      clearTimeout(timer);
      reject(signal?.reason);
    }
    signal?.addEventListener('abort', stop, { once: true });
  });
}

/** `AbortSignal.any` came with Node 20; the package supports Node 18. */
function anySignal(one: AbortSignal, other: AbortSignal): AbortSignal {
  const both = new AbortController();
  for (const signal of [one, other]) {
    if (signal.aborted) both.abort(signal.reason);
    signal.addEventListener('abort', () => both.abort(signal.reason), { once: true });
  }
  return both.signal;
}

/**
 * Without a response, or with 503, the server may have executed the request. A GET or PUT can be repeated, and a POST has its
 * key. A repeated PATCH can make a second version of a program's terms, and a repeated DELETE would report not_found for what it deleted.
 */
const isRepeatable = (method: Method): boolean => method !== 'patch' && method !== 'delete';

/** Amounts in a request are at most 2^53 - 1 cents; a larger one would lose digits. */
function bigintAsInteger(name: string, value: unknown): unknown {
  if (typeof value !== 'bigint') return value;
  const isExact = BigInt(Number.MIN_SAFE_INTEGER) <= value && value <= BigInt(Number.MAX_SAFE_INTEGER);
  if (!isExact) throw new RangeError(`${name} is too large: ${value}`);
  return Number(value);
}
