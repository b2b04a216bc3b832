import type { Postback } from '../contract/postback-endpoint.ts';
import type { Operation, Reason } from '../contract/reasons.ts';
import { replyOf, type Outcome } from '../contract/reply.ts';
import type { Why } from '../contract/why.ts';
import type { Integration } from '../merchants/integration-sql.ts';
import { newId, type Id } from '../core/ids.ts';
import { maskKeysIn, maskKeysInBytes } from '../core/mask-keys.ts';
import { warningsOf, type Warning } from './warnings.ts';

/** An authenticated request and its reply, as the tracking log stores them. */
export type LogEntry = {
  readonly storeId: Id<'store'>;
  readonly postbackId: Id<'post'>;
  readonly at: Date;
  readonly operation: Operation;
  readonly status: number;
  readonly reason: Reason;
  /** The merchant's order ID or event ID. */
  readonly subject: string | null;
  readonly isTest: boolean;
  readonly isReplay: boolean;
  readonly requestId: string;
  readonly postbackKeyId: Id<'pbkey'>;
  readonly latencyMs: number;
  readonly why: Why;
  readonly warnings: readonly Warning[];
  readonly reply: object;
  /** The bytes received, with the service's own keys masked. Null if the body was not read. */
  readonly body: Buffer | null;
};

type Answered = {
  readonly outcome: Outcome;
  readonly why: Why;
  readonly subject: string | null;
  readonly isTest: boolean;
  readonly at: Date;
};

/** The log entry of a report that a decision answered, with its warnings. */
export function logEntryOf(postback: Postback<Integration>, { outcome, why, subject, isTest, at }: Answered): LogEntry {
  const { operation, integration, requestId } = postback;
  const { status, body } = replyOf(outcome, operation);
  const { bytes, kinds } = maskKeysInBytes(postback.bytes);
  return {
    storeId: integration.storeId,
    postbackId: newId(at),
    at,
    operation,
    status,
    reason: outcome.reason,
    subject,
    isTest,
    isReplay: outcome.isReplay === true,
    requestId,
    postbackKeyId: integration.postbackKeyId,
    latencyMs: performance.now() - postback.startedAt,
    why: maskKeysIn(why),
    warnings: warningsOf({ ...postback, keysInBody: kinds }, { outcome, why }),
    reply: maskKeysIn(body),
    body: bytes,
  };
}
