import { apiMessage } from '../messages/api-message.ts';

/** An error response from outside a handler. */
export type Problem = {
  readonly status: number;
  readonly reason: ProblemReason;
  readonly message: string;
  readonly headers: Readonly<Record<string, string>>;
};

/** Every reason that the HTTP server itself gives. */
const problems = {
  bad_request: { status: 400, message: apiMessage('problem.request_not_valid_http_check') },
  headers_too_large: { status: 431, message: apiMessage('problem.request_line_and_headers_too') },
  not_found: { status: 404, message: apiMessage('shared.not_found') },
  method_not_allowed: { status: 405, message: apiMessage('problem.url_does_not_support_request') },
  payload_too_large: { status: 413, message: apiMessage('problem.body_too_large_send_smaller') },
  unsupported_media_type: { status: 415, message: apiMessage('problem.send_body_with_content_type_application') },
  internal_error: { status: 500, message: apiMessage('problem.request_failed_because_error_service') },
  temporarily_unavailable: { status: 503, message: apiMessage('problem.service_temporarily_unavailable_try_agai') },
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
