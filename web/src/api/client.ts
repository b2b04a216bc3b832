import { t } from './messages.ts';
import { language } from '../messages/messages.ts';
import type { Refusal, Session } from '../../../sdk/src/api-schema.ts';
import { withQuery, type Output, type RequestBody, type PathTo, type PathWith } from './operations.ts';
import { parseJson } from '../../../sdk/src/exact-json.ts';

// An operation without a body gets an empty one.
type GivenBody<P extends PathWith<M>, M extends 'post' | 'put' | 'patch'> =
  RequestBody<P, M> extends undefined ? [body?: Readonly<Record<string, never>>] : [body: RequestBody<P, M>];

type Client = {
  readonly get: <P extends PathWith<'get'>>(path: PathTo<P>, signal?: AbortSignal) => Promise<Output<P, 'get'>>;
  /** The same key with the same body is executed once. */
  readonly post: <P extends PathWith<'post'>>(
    path: PathTo<P>,
    ...given: [...GivenBody<P, 'post'>, idempotencyKey?: string]
  ) => Promise<Output<P, 'post'>>;
  readonly put: <P extends PathWith<'put'>>(path: PathTo<P>, ...given: GivenBody<P, 'put'>) => Promise<Output<P, 'put'>>;
  readonly patch: <P extends PathWith<'patch'>>(path: PathTo<P>, ...given: GivenBody<P, 'patch'>) => Promise<Output<P, 'patch'>>;
  /** Sends a file as it is, with its name in the query. */
  readonly upload: <P extends PathWith<'post'>>(
    path: PathTo<P>,
    given: { readonly name: string; readonly file: Blob },
    idempotencyKey?: string,
  ) => Promise<Output<P, 'post'>>;
  readonly delete: <P extends PathWith<'delete'>>(path: PathTo<P>) => Promise<Output<P, 'delete'>>;
};

const send =
  (method: ApiRequest['method']) =>
  (path: string, body: object = {}, idempotencyKey?: string): Promise<unknown> =>
    request({ method, path, ...(method !== 'DELETE' && { body }), ...(idempotencyKey !== undefined && { idempotencyKey }) });

/** The only module that sends requests to the API. Programs use the same paths and bodies (see /docs). */
export const api = {
  // The response is cast without a check: the service's tests validate every response against the document that the types come from.
  ...({
    get: (path: string, signal?: AbortSignal) => request({ method: 'GET', path, ...(signal && { signal }) }),
    post: send('POST'),
    upload: (path: string, { name, file }: { readonly name: string; readonly file: Blob }, idempotencyKey?: string) =>
      request({ method: 'POST', path: withQuery(path, { name }), file, ...(idempotencyKey !== undefined && { idempotencyKey }) }),
    put: send('PUT'),
    patch: send('PATCH'),
    delete: send('DELETE'),
  } as unknown as Client),
  /** Requires a recent proof of identity before the browser downloads a file: a rejected download would show a page of JSON. */
  requireRecentProof: async (): Promise<void> => {
    const { until, now } = await proofExpiry();
    if (until <= now + proofMarginMs && !(await handlers.askForProof()))
      throw new ApiError(403, { reason: 'proof_required', message: t.api_errors.proof_missing });
  },
  /**
   * Checks that a download will succeed: starts the request and cancels the body. It requests the list, not the file, because the
   * service records file downloads.
   */
  checkAvailable: async (path: string): Promise<void> => {
    const response = await fetch(`/api/v1${path}`, { headers: { accept: 'application/json' }, credentials: 'same-origin' }).catch(
      () => null,
    );
    if (response === null) throw new ApiError(0, unreachable);
    if (!response.ok) {
      const problem = errorFrom(response, await response.text());
      if (problem.reason === 'not_signed_in') handlers.onSignedOut();
      throw problem;
    }
    await response.body?.cancel();
  },
};

/** Leaves the download time to start. */
const proofMarginMs = 10_000;

/** Uses the service's clock, because the clock of this machine may be wrong. */
async function proofExpiry(): Promise<{ readonly until: number; readonly now: number }> {
  const response = await fetch('/api/v1/session', { headers: { accept: 'application/json' }, credentials: 'same-origin' }).catch(
    () => null,
  );
  if (response === null) throw new ApiError(0, unreachable);
  const text = await response.text();
  if (!response.ok) throw errorFrom(response, text);
  const now = Date.parse(response.headers.get('date') ?? '');
  const { proved_until: until } = parseBody(text) as Session;
  return { until: Date.parse(until ?? ''), now: Number.isNaN(now) ? Date.now() : now };
}

export type Page<Item> = { readonly data: readonly Item[]; readonly next_cursor: string | null };

/** A validation error of one field, with the name that the service gives it. */
export type FieldError = Refusal['errors'][number];

/** An error response of the service, or a failure to reach it. */
export class ApiError extends Error {
  readonly status: number;
  readonly reason: string;
  readonly errors: readonly FieldError[];
  readonly retryAfterSeconds: number | null;
  constructor(
    status: number,
    body: { reason: string; message: string; errors?: readonly FieldError[] },
    retryAfterSeconds: number | null = null,
  ) {
    super(body.message);
    this.status = status;
    this.reason = body.reason;
    this.errors = body.errors ?? [];
    this.retryAfterSeconds = retryAfterSeconds;
  }
}

/** True for network failures, rate limits and server errors, which a retry may resolve. */
export const isTransient = ({ status }: ApiError): boolean => status === 0 || status === 429 || status >= 500;

/** What the app shell does about responses that any request may get. */
export type ApiHandlers = {
  /** Asks the person for a proof of identity; resolves to false when they cancel. */
  readonly askForProof: () => Promise<boolean>;
  /** True while an operator views another account: requests that change something are not sent. */
  readonly isReadOnly: () => boolean;
  /** Called when the session ended, in this tab or elsewhere. */
  readonly onSignedOut: () => void;
};
let handlers: ApiHandlers = { askForProof: async () => false, isReadOnly: () => false, onSignedOut: () => {} };
export function setApiHandlers(given: Partial<ApiHandlers>): void {
  handlers = { ...handlers, ...given };
}

type ApiRequest = {
  readonly method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  readonly path: string;
  readonly body?: object;
  readonly file?: Blob;
  readonly idempotencyKey?: string;
  readonly signal?: AbortSignal;
};

const unreachable = {
  reason: 'not_reached',
  message: t.api_errors.not_reached,
};

const readOnlyError = { reason: 'only_looking', message: t.api_errors.read_only };

/** Moving the sandbox clock runs weeks of jobs before it answers. */
const timeoutMs = 120_000;

async function request(given: ApiRequest): Promise<unknown> {
  if (given.method !== 'GET' && given.path !== '/session' && handlers.isReadOnly()) throw new ApiError(403, readOnlyError);
  const answer = await attempt(given);
  if (!(answer instanceof ApiError)) return answer;
  if (answer.reason === 'not_signed_in') handlers.onSignedOut();
  // Sensitive requests need a recent proof of identity. Once it is given, the same request is sent again; a second rejection is final.
  if (answer.reason !== 'proof_required' || !(await handlers.askForProof())) throw answer;
  const again = await attempt(given);
  if (again instanceof ApiError) throw again;
  return again;
}

async function attempt({ method, path, body, file, idempotencyKey, signal }: ApiRequest): Promise<unknown> {
  // Explanations are in the language of the page, which may not be that of the browser.
  const headers = new Headers({ accept: 'application/json', 'accept-language': language });
  if (body !== undefined) headers.set('content-type', 'application/json');
  if (file !== undefined) headers.set('content-type', 'application/octet-stream');
  if (idempotencyKey !== undefined) headers.set('idempotency-key', idempotencyKey);
  const timeout = AbortSignal.timeout(timeoutMs);
  try {
    const response = await fetch(`/api/v1${path}`, {
      method,
      headers,
      credentials: 'same-origin',
      signal: signal ? AbortSignal.any([signal, timeout]) : timeout,
      ...(body !== undefined && { body: JSON.stringify(body) }),
      ...(file !== undefined && { body: file }),
    });
    const text = await response.text();
    return response.ok ? parseBody(text) : errorFrom(response, text);
  } catch (error) {
    if (signal?.aborted) throw error;
    return new ApiError(0, unreachable);
  }
}

const parseBody = (text: string): unknown => (text === '' ? undefined : parseJson(text));

function errorFrom(response: Response, text: string): ApiError {
  const wait = Number(response.headers.get('retry-after') ?? Number.NaN);
  return new ApiError(response.status, parseError(text), Number.isFinite(wait) ? wait : null);
}

function parseError(text: string): { reason: string; message: string; errors?: readonly FieldError[] } {
  try {
    const body = JSON.parse(text) as Partial<{ reason: string; message: string; errors: readonly FieldError[] }>;
    if (typeof body.reason === 'string' && typeof body.message === 'string') {
      return { reason: body.reason, message: body.message, errors: body.errors ?? [] };
    }
  } catch {
    // A proxy answered instead of the service.
  }
  return { reason: 'unreadable', message: t.api_errors.unreadable };
}
