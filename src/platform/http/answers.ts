import type { Readable } from 'node:stream';

/**
 * How the management API refuses: every reason with its status, in one place. (The postbacks have a table of their own,
 * in contract/reasons.ts, because merchants' servers branch on it.)
 */
export const apiReasons = {
  invalid_request: 400,
  json_required: 400,
  not_signed_in: 401,
  wrong_email_or_password: 401,
  second_factor_required: 401,
  wrong_code: 401,
  cross_site_request: 403,
  permission_missing: 403,
  operator_only: 403,
  proof_required: 403,
  second_factor_setup_required: 403,
  person_required: 403,
  sandbox_only: 403,
  not_found: 404,
  conflict: 409,
  link_used_or_expired: 410,
  payload_too_large: 413,
  unsupported_media_type: 415,
  unprocessable: 422,
  idempotency_key_reused: 422,
  tracking_is_off: 422,
  terms_missing: 422,
  limit_reached: 422,
  too_many_requests: 429,
  temporarily_unavailable: 503,
} as const;
export type ApiReason = keyof typeof apiReasons;

/** What is wrong with which field, named as the sender named it. */
export type FieldFault = { readonly field: string; readonly message: string };

export type Refusal = {
  readonly answerIs: 'refusal';
  readonly reason: ApiReason;
  readonly message: string;
  readonly errors: readonly FieldFault[];
  readonly retryAfterSeconds?: number;
  /** What has to be kept although the request's transaction is rolled back: done after that, and before the answer is sent. */
  readonly afterRollback?: () => Promise<void>;
};

export const refuse = (reason: ApiReason, message: string, errors: readonly FieldFault[] = []): Refusal => ({
  answerIs: 'refusal',
  reason,
  message,
  errors,
});

/** Also for what belongs to somebody else: the two answers must not differ in one byte. */
export const notFound = refuse('not_found', 'There is nothing here, or it is not yours.');

/** A list is one header line for each of its values: cookies cannot share a line. */
type SentHeaders = Readonly<Record<string, string | string[]>>;

/** An answer that is more than a JSON body: a cookie, a download, a stream. */
export type Sent = {
  readonly answerIs: 'sent';
  readonly status?: number;
  readonly headers: SentHeaders;
  readonly body: unknown;
};
export const sent = (headers: SentHeaders, body: object | string | Buffer | Readable | null): Sent => ({
  answerIs: 'sent',
  headers,
  body,
});

/** In which form an operation may answer beside JSON. */
export type FileType = 'text/csv' | 'application/pdf' | 'text/event-stream' | 'text/plain';

export type Answer<Reply> = Reply | Refusal | Sent;

export const isRefusal = (answer: unknown): answer is Refusal => isAnswer(answer, 'refusal');
export const isSent = (answer: unknown): answer is Sent => isAnswer(answer, 'sent');

function isAnswer(answer: unknown, kind: string): boolean {
  return typeof answer === 'object' && answer !== null && 'answerIs' in answer && answer.answerIs === kind;
}
