import { retryAfterSeconds, type Dialect, type Problem, type ProblemAnswer } from '../platform/http/problem.ts';
import { isReason, rowOf, statusOf, type Operation, type Reason, type Refusal } from './reasons.ts';

/** All paths of the contract lie below this. */
export const contractPrefix = '/api/partner-network/';

/** What was recorded, or what an earlier report recorded. */
type Identifiers = {
  readonly transaction_id?: string;
  readonly conversion_id?: string;
  readonly binding_id?: string;
  readonly event_id?: string;
};

/** What becomes of a postback, in the words of the contract. */
export type Outcome = {
  readonly reason: Reason;
  readonly ids?: Identifiers;
  /** With 400: where the fault lies, as a JSON pointer. */
  readonly field?: string;
  /** A sentence that says more than the reason's own. */
  readonly message?: string;
  /** The first answer, given again. */
  readonly isReplay?: true;
  /** With 503: when to come again, where it is not the usual moment. */
  readonly waitSeconds?: number | undefined;
  /** Its line in the tracking log was written with its rows, in the same transaction. */
  readonly isLogged?: true;
};

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

/** The keys stand in this order on the wire: `ok`, `reason`, identifiers, `message`, `field`, `retry`. */
export function replyOf(outcome: Outcome, operation: Operation | null): Reply {
  const { reason, ids = {}, field = '', isReplay } = outcome;
  const { retry, means } = rowOf(reason);
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

function inOrder({ transaction_id, conversion_id, binding_id, event_id }: Identifiers): Identifiers {
  return {
    ...(transaction_id === undefined ? {} : { transaction_id }),
    ...(conversion_id === undefined ? {} : { conversion_id }),
    ...(binding_id === undefined ? {} : { binding_id }),
    ...(event_id === undefined ? {} : { event_id }),
  };
}

function headersOf(status: number, waitSeconds = retryAfterSeconds): Readonly<Record<string, string>> {
  if (status === 503) return { 'retry-after': String(waitSeconds) };
  if (status === 401) return { 'www-authenticate': 'Bearer' };
  return {};
}

/** What the front door refuses below the contract's prefix is said in the contract's words, and counted. */
export function contractDialect(onRefusedAtDoor: (reason: Refusal) => void): Dialect {
  return {
    prefix: contractPrefix,
    answer(met) {
      const reason = reasonOf(met);
      onRefusedAtDoor(reason);
      const { status, headers, body } = replyOf({ reason }, null);
      return { status, headers: { ...met.headers, ...headers }, body } satisfies ProblemAnswer;
    },
  };
}

/** A mistake of ours is no reason to lose an order: it is 503 here, and the sender comes again. */
function reasonOf({ reason }: Problem): Refusal {
  return isReason(reason) ? reason : 'temporarily_unavailable';
}
