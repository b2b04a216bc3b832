import type { Readable } from 'node:stream';
import type { Id } from '../core/ids.ts';
import { apiMessage } from '../messages/api-message.ts';

/**
 * Every reason for which the management API refuses a request, with its status. Postbacks have their own table in contract/reasons.ts,
 * because merchants' servers branch on it.
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

/** An error in a field of the request, by the name that the sender used. */
export type FieldError = { readonly field: string; readonly message: string };

/** `none`: not a security event, although the reason usually is one. */
export type SecurityEvent =
  | 'sign_in_failed'
  | 'second_factor_failed'
  | 'one_time_link_refused'
  | 'access_refused'
  | 'attempts_limited'
  | 'requests_limited'
  | 'none';

export type Refusal = {
  readonly answerIs: 'refusal';
  readonly reason: ApiReason;
  readonly message: string;
  readonly errors: readonly FieldError[];
  readonly retryAfterSeconds?: number;
  /** Runs after the transaction was rolled back and before the response is sent, for writes that must survive the rollback. */
  readonly afterRollback?: () => Promise<void>;
  /** For the log only, never for the response: see people/security-events.ts. */
  readonly security?: { readonly event?: SecurityEvent; readonly userId?: Id<'user'> };
};

export const refuse = (reason: ApiReason, message: string, errors: readonly FieldError[] = []): Refusal => ({
  answerIs: 'refusal',
  reason,
  message,
  errors,
});

/** Also used for resources of other accounts: both responses must be identical to the byte. */
export const notFound = refuse('not_found', apiMessage('shared.not_found'));

/** An array becomes one header line per value, as cookies need. */
type SentHeaders = Readonly<Record<string, string | string[]>>;

/** A response with headers or without a JSON body, such as a cookie, a download, or a stream. */
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

/** Media types other than JSON that an operation may return. */
export type FileType =
  | 'text/csv'
  | 'application/pdf'
  | 'text/event-stream'
  | 'text/plain'
  | 'image/png'
  | 'image/jpeg'
  | 'image/webp'
  | 'image/gif';

export type Answer<Reply> = Reply | Refusal | Sent;

export const isRefusal = (answer: unknown): answer is Refusal => isAnswer(answer, 'refusal');
export const isSent = (answer: unknown): answer is Sent => isAnswer(answer, 'sent');

function isAnswer(answer: unknown, kind: string): boolean {
  return typeof answer === 'object' && answer !== null && 'answerIs' in answer && answer.answerIs === kind;
}
