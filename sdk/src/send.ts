import { decideAnswer, type AnswerJson, type Try } from './decide-answer.ts';
import type { Postback } from './reports.ts';

type Common = {
  readonly reason: string;
  /** A message for people. Branch on `ok`, `retry` and `reason`. */
  readonly message: string;
  /** Of the last response; null if there was none. */
  readonly status: number | null;
  /** The service's ID of the request, for its tracking log. */
  readonly requestId: string | null;
  readonly attempts: number;
};

/** The result of a report. `retry` says what remains to be done. */
export type Result = Accepted | Refused | NotSent | Held | Unavailable;
export type Accepted = Common & {
  readonly ok: true;
  readonly outcome: 'accepted';
  readonly retry: 'no';
  /** The report had been accepted before; nothing was recorded twice. */
  readonly isReplay: boolean;
  readonly transactionId: string | null;
  readonly conversionId: string | null;
  readonly bindingId: string | null;
  readonly eventId: string | null;
  readonly refundId: string | null;
  readonly leadId: string | null;
  /** Of a partial refund: what can still be refunded. */
  readonly remainingCents: number | null;
  readonly postback: Postback;
};
/** Final, unless a key, a URL or a setting is wrong and will be fixed: a queue keeps such a report. */
export type Refused = Common & {
  readonly ok: false;
  readonly outcome: 'refused';
  readonly retry: 'no';
  readonly field: string | null;
  /** Of a partial refund that is too high: what can still be refunded. */
  readonly remainingCents: number | null;
  readonly postback: Postback;
};
/** The report was invalid before it was sent, or carries no click. */
export type NotSent = Common & { readonly ok: false; readonly outcome: 'not_sent'; readonly retry: 'no'; readonly field: string };
/**
 * `active_hold`: a refund of something under dispute or review. `invoice_in_progress`: a partial refund while its invoice is charged. Send
 * `postback` once a day until that is over.
 */
export type Held = Common & {
  readonly ok: false;
  readonly outcome: 'held';
  readonly retry: 'tomorrow';
  readonly retryAfterMs: number;
  readonly postback: Postback;
};
/** All attempts failed for now. Store `postback` and send it later. */
export type Unavailable = Common & {
  readonly ok: false;
  readonly outcome: 'unavailable';
  readonly retry: 'later';
  readonly retryAfterMs: number;
  readonly postback: Postback;
};

export type Limits = {
  readonly attemptsMax: number;
  /** For one attempt, to the last byte of its response. */
  readonly timeoutMs: number;
  /** For all attempts and the pauses between them: the result is returned by then. */
  readonly deadlineMs: number;
  readonly firstPauseMs: number;
};

/** Longer pauses are left to the caller, because this function should not block for them. */
const pauseMsMax = 8_000;
const laterMs = 60_000;
const dayMs = 86_400_000;
const answerBytesMax = 65_536;

type Target = { readonly url: string; readonly key: string; readonly limits: Limits };

/** Sends the same bytes until the response is final or the attempts are used up. Never throws. */
export async function send(postback: Postback, { url, key, limits }: Target): Promise<Result> {
  const endsAt = Date.now() + limits.deadlineMs;
  for (let attempts = 1; ; attempts += 1) {
    const timeoutMs = Math.max(1, Math.min(limits.timeoutMs, endsAt - Date.now()));
    const came = await attempt(postback.body, { url, key, timeoutMs });
    const result = resultOf(postback, came, attempts);
    if (result.outcome !== 'unavailable') return result;
    // Full jitter: senders that failed together must not retry together. The server's Retry-After is added.
    const drawn = Math.random() * Math.min(pauseMsMax, limits.firstPauseMs * 2 ** attempts);
    const pauseMs = drawn + (came.retryAfterMs ?? 0);
    const isOver = attempts >= limits.attemptsMax || pauseMs > 2 * pauseMsMax || Date.now() + pauseMs >= endsAt;
    if (isOver) return result;
    await new Promise((resolve) => setTimeout(resolve, pauseMs));
  }
}

/** The result of a report whose last attempt came back like this. */
export function resultOf(postback: Postback, came: Came, attempts: number): Result {
  const verdict = decideAnswer(came);
  const { message, ...details } = wordsOf(came);
  const common = { message, status: came.is === 'answer' ? came.status : null, requestId: came.requestId, attempts };
  if (verdict.next === 'done') return accepted(postback, common, { json: verdict.json, isReplay: came.isReplay });
  if (verdict.next === 'stop')
    return { ...common, ok: false, outcome: 'refused', retry: 'no', reason: verdict.reason, ...details, postback };
  const left = { ...common, ok: false, postback } as const;
  if (verdict.next === 'tomorrow') return { ...left, outcome: 'held', retry: 'tomorrow', reason: verdict.reason, retryAfterMs: dayMs };
  const retryAfterMs = Math.max(laterMs, came.retryAfterMs ?? 0);
  return { ...left, outcome: 'unavailable', retry: 'later', reason: verdict.reason, retryAfterMs };
}

/** One attempt, with what its headers say. */
export type Came = Try & { readonly requestId: string | null; readonly retryAfterMs: number | null; readonly isReplay: boolean };

async function attempt(
  body: string,
  { url, key, timeoutMs }: { readonly url: string; readonly key: string; readonly timeoutMs: number },
): Promise<Came> {
  const nothing = { is: 'no answer', requestId: null, retryAfterMs: null, isReplay: false } as const;
  try {
    const response = await fetch(url, {
      method: 'POST',
      headers: {
        'content-type': 'application/json',
        authorization: `Bearer ${key}`,
        accept: 'application/json',
        'user-agent': 'tributary-node',
      },
      body,
      redirect: 'manual',
      signal: AbortSignal.timeout(timeoutMs),
    });
    const { status, headers } = response;
    const json = jsonOf(await beginningOf(response));
    return {
      is: 'answer',
      status,
      json,
      requestId: headers.get('request-id'),
      retryAfterMs: retryAfter(headers.get('retry-after')),
      isReplay: headers.get('idempotent-replayed') === 'true',
    };
  } catch (error) {
    // The error text is not passed on, because a library may put secrets in it.
    return { ...nothing, reason: error instanceof Error && error.name === 'TimeoutError' ? 'timeout' : 'network_error' };
  }
}

/** Stops reading a response of unlimited size. */
async function beginningOf({ body }: Response): Promise<string> {
  if (body === null) return '';
  const reader = body.getReader();
  const decoder = new TextDecoder();
  let text = '';
  while (text.length < answerBytesMax) {
    const { done, value } = await reader.read();
    if (done) return text + decoder.decode();
    text += decoder.decode(value, { stream: true });
  }
  await reader.cancel();
  return text;
}

function jsonOf(text: string): AnswerJson | null {
  try {
    const json: unknown = JSON.parse(text);
    return isAnswer(json) ? json : null;
  } catch {
    return null;
  }
}

const isAnswer = (json: unknown): json is AnswerJson =>
  typeof json === 'object' &&
  json !== null &&
  'ok' in json &&
  typeof json.ok === 'boolean' &&
  'reason' in json &&
  typeof json.reason === 'string';

/** Seconds, or a date. */
function retryAfter(header: string | null): number | null {
  if (header === null) return null;
  const ms = /^\d+$/.test(header) ? Number(header) * 1_000 : Date.parse(header) - Date.now();
  return ms > 0 ? ms : null;
}

type Words = { readonly message: string; readonly field: string | null; readonly remainingCents: number | null };

function wordsOf(came: Try): Words {
  const json = came.is === 'answer' ? came.json : null;
  const message = textIn(json, 'message') ?? (came.is === 'answer' ? `The answer was HTTP ${came.status}.` : 'No answer came.');
  return { message, field: textIn(json, 'field'), remainingCents: numberIn(json, 'remaining_cents') };
}

function textIn(json: AnswerJson | null, name: string): string | null {
  const value = json?.[name];
  return typeof value === 'string' || typeof value === 'number' ? String(value) : null;
}

function numberIn(json: AnswerJson | null, name: string): number | null {
  const value = json?.[name];
  return typeof value === 'number' ? value : null;
}

type WithoutReason = Omit<Common, 'reason'>;

function accepted(
  postback: Postback,
  common: WithoutReason,
  { json, isReplay }: { readonly json: AnswerJson; readonly isReplay: boolean },
): Accepted {
  return {
    ...common,
    ok: true,
    outcome: 'accepted',
    retry: 'no',
    reason: json.reason,
    isReplay,
    transactionId: textIn(json, 'transaction_id'),
    conversionId: textIn(json, 'conversion_id'),
    bindingId: textIn(json, 'binding_id'),
    eventId: textIn(json, 'event_id'),
    refundId: textIn(json, 'refund_id'),
    leadId: textIn(json, 'lead_id'),
    remainingCents: numberIn(json, 'remaining_cents'),
    postback,
  };
}
