import { retryAfterSeconds, type ProblemFormat, type Problem, type ProblemResponse } from '../http/problem.ts';
import type { Why } from './why.ts';
import { isReason, reasonRow, statusOf, type Operation, type Reason, type Refusal } from './reasons.ts';

/** All paths of the contract lie below this. */
export const contractPrefix = '/api/partner-network/';

/** What this report or an earlier one recorded. */
type Identifiers = {
  readonly transaction_id?: string;
  readonly conversion_id?: string;
  readonly binding_id?: string;
  readonly event_id?: string;
  readonly refund_id?: string;
  readonly lead_id?: string;
  /** What can still be refunded. */
  readonly remaining_cents?: number;
};

/** The result of a postback, in the terms of the contract. */
export type Outcome = {
  readonly reason: Reason;
  readonly ids?: Identifiers;
  /** For 400: the invalid field, as a JSON pointer. */
  readonly field?: string;
  /** Replaces the reason's own message with a more specific one. */
  readonly message?: string;
  /** The reply repeats the first one. */
  readonly isReplay?: true;
  /** For 503: the `Retry-After`, if it is not the default. */
  readonly waitSeconds?: number | undefined;
  /** The transaction that wrote the rows also wrote the entry in the tracking log. */
  readonly isLogged?: true;
};

/** An outcome, and the values that the decision compared. */
export type ExplainedOutcome = { readonly outcome: Outcome; readonly why: Why };

export type Reply = {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: ReplyBody;
};

type ReplyBody = Identifiers & {
  readonly ok: boolean;
  readonly reason: Reason;
  readonly message: string;
  readonly field?: string;
  readonly retry?: string;
};

/** The keys have this order on the wire: `ok`, `reason`, identifiers, `remaining_cents`, `message`, `field`, `retry`. */
export function replyOf(outcome: Outcome, operation: Operation | null): Reply {
  const { reason, ids = {}, field = '', isReplay } = outcome;
  const { retry, means } = reasonRow(reason);
  const status = statusOf(reason, operation);
  const body: ReplyBody = {
    ok: status === 200,
    reason,
    ...inOrder(ids),
    message: outcome.message ?? means,
    ...(status === 400 ? { field } : {}),
    ...(retry === undefined ? {} : { retry }),
  };
  return { status, headers: { ...headersOf(status, outcome.waitSeconds), ...(isReplay ? { 'idempotent-replayed': 'true' } : {}) }, body };
}

function inOrder({ transaction_id, conversion_id, binding_id, event_id, refund_id, lead_id, remaining_cents }: Identifiers): Identifiers {
  return {
    ...(transaction_id === undefined ? {} : { transaction_id }),
    ...(conversion_id === undefined ? {} : { conversion_id }),
    ...(binding_id === undefined ? {} : { binding_id }),
    ...(event_id === undefined ? {} : { event_id }),
    ...(refund_id === undefined ? {} : { refund_id }),
    ...(lead_id === undefined ? {} : { lead_id }),
    ...(remaining_cents === undefined ? {} : { remaining_cents }),
  };
}

function headersOf(status: number, waitSeconds = retryAfterSeconds): Readonly<Record<string, string>> {
  if (status === 503) return { 'retry-after': String(waitSeconds) };
  if (status === 401) return { 'www-authenticate': 'Bearer' };
  return {};
}

/** Renders errors of the HTTP server below the contract's prefix as replies of the contract, and counts them. */
export function contractDialect(onUnauthenticated: (reason: Refusal) => void): ProblemFormat {
  return {
    prefix: contractPrefix,
    answer(met) {
      const reason = reasonOf(met);
      onUnauthenticated(reason);
      const { status, headers, body } = replyOf({ reason }, null);
      return { status, headers: { ...met.headers, ...headers }, body } satisfies ProblemResponse;
    },
  };
}

/** An internal error is 503 here, so that the sender retries and no order is lost. */
function reasonOf({ reason }: Problem): Refusal {
  return isReason(reason) ? reason : 'temporarily_unavailable';
}
