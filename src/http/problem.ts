/** An error response from outside a handler. */
export type Problem = {
  readonly status: number;
  readonly reason: ProblemReason;
  readonly message: string;
  readonly headers: Readonly<Record<string, string>>;
};

/** Every reason that the HTTP server itself gives. */
const problems = {
  bad_request: { status: 400, message: 'The request is not valid HTTP. Check the client that sends it.' },
  headers_too_large: { status: 431, message: 'The request line and headers are too large. Send fewer or shorter headers.' },
  not_found: { status: 404, message: 'This resource does not exist, or you do not have access to it.' },
  method_not_allowed: { status: 405, message: 'This URL does not support the request method. See the Allow header.' },
  payload_too_large: { status: 413, message: 'The body is too large. Send a smaller one.' },
  unsupported_media_type: { status: 415, message: 'Send the body with the Content-Type application/json and without a Content-Encoding.' },
  internal_error: { status: 500, message: 'The request failed because of an error in the service. Report the Request-Id to support.' },
  temporarily_unavailable: { status: 503, message: 'The service is temporarily unavailable. Try again in a few seconds.' },
} as const;
export type ProblemReason = keyof typeof problems;

/** Not immediately, because an overload does not end within milliseconds. */
export const retryAfterSeconds = 2;

type Details = { readonly headers?: Readonly<Record<string, string>> };

export function problem(reason: ProblemReason, { headers = {} }: Details = {}): Problem {
  const wait = reason === 'temporarily_unavailable' ? { 'retry-after': String(retryAfterSeconds) } : {};
  return { ...problems[reason], reason, headers: { ...wait, ...headers } };
}

/** A path prefix with its own format of error responses: postbacks have one; all other paths use that of the management API. */
export type ProblemFormat = {
  readonly prefix: string;
  readonly answer: (met: Problem) => ProblemResponse;
};

export type ProblemResponse = {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: object;
};

export function problemResponse(met: Problem, path: string, formats: readonly ProblemFormat[]): ProblemResponse {
  const format = formats.find(({ prefix }) => path.startsWith(prefix));
  if (format) return format.answer(met);
  const { status, reason, message, headers } = met;
  return { status, headers, body: { ok: false, reason, message, errors: [] } };
}

/** For a request whose path could not be parsed: the body has the fields of both formats. */
export function problemResponseWithoutPath({ status, reason, message, headers }: Problem): ProblemResponse {
  return { status, headers, body: { ok: false, reason, message, field: '', retry: 'never', errors: [] } };
}

/** The path of a request target in origin form (`/path?query`) or absolute form (`http://host/path`). */
export function pathOf(target: string): string {
  const path = target.startsWith('/') ? target : (URL.parse(target)?.pathname ?? '');
  return path.split(/[?#]/, 1)[0] ?? '';
}
