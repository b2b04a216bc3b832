/** What goes wrong before or outside of a handler. */
export type Problem = {
  readonly status: number;
  readonly reason: ProblemReason;
  readonly message: string;
  readonly headers: Readonly<Record<string, string>>;
};

/** Every reason that the front door itself gives, with its status and its words. */
const problems = {
  bad_request: { status: 400, message: 'This is not a well-formed HTTP request.' },
  headers_too_large: { status: 431, message: 'The request line and headers together are too large.' },
  not_found: { status: 404, message: 'There is nothing here, or it is not yours.' },
  method_not_allowed: { status: 405, message: 'This address exists, but not for this method; see the Allow header.' },
  payload_too_large: { status: 413, message: 'The body is too large.' },
  unsupported_media_type: { status: 415, message: 'Send the body as application/json, without a Content-Encoding.' },
  internal_error: { status: 500, message: 'A mistake of ours. It was written down; the Request-Id names it.' },
  temporarily_unavailable: { status: 503, message: 'Not now; please try again in a moment.' },
} as const;
export type ProblemReason = keyof typeof problems;

/** Soon, but not at once: what is full now is full in ten milliseconds too. */
export const retryAfterSeconds = 2;

type Details = { readonly headers?: Readonly<Record<string, string>> };

export function problem(reason: ProblemReason, { headers = {} }: Details = {}): Problem {
  const wait = reason === 'temporarily_unavailable' ? { 'retry-after': String(retryAfterSeconds) } : {};
  return { ...problems[reason], reason, headers: { ...wait, ...headers } };
}

/** An address space with words of its own for problems: the postbacks have theirs, all else speaks the management API's. */
export type Dialect = {
  readonly prefix: string;
  readonly answer: (met: Problem) => ProblemAnswer;
};

export type ProblemAnswer = {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: object;
};

export function answerTo(met: Problem, path: string, dialects: readonly Dialect[]): ProblemAnswer {
  const dialect = dialects.find(({ prefix }) => path.startsWith(prefix));
  if (dialect) return dialect.answer(met);
  const { status, reason, message, headers } = met;
  return { status, headers, body: { ok: false, reason, message, errors: [] } };
}

/** Where the parser gave up before the path was known, the answer carries what either kind of client looks for. */
export function answerToNobodyKnowsWhom({ status, reason, message, headers }: Problem): ProblemAnswer {
  return { status, headers, body: { ok: false, reason, message, field: '', retry: 'never', errors: [] } };
}

/** The path of a request target, be it `/path?query` or `http://host/path`. */
export function pathOf(target: string): string {
  const path = target.startsWith('/') ? target : (URL.parse(target)?.pathname ?? '');
  return path.split(/[?#]/, 1)[0] ?? '';
}
