import type { Postback } from '../contract/door.ts';
import type { Operation, Reason } from '../contract/reasons.ts';
import { replyOf, type Outcome } from '../contract/reply.ts';
import type { Why } from '../contract/why.ts';
import type { Integration } from '../merchants/integration-sql.ts';
import { newId, type Id } from '../platform/ids.ts';
import { maskKeysIn, maskKeysInBytes } from '../platform/mask-keys.ts';
import { warningsOf, type Warning } from './warnings.ts';

/** One authenticated request and its answer: a line of the tracking log. */
export type PostbackLine = {
  readonly storeId: Id<'store'>;
  readonly postbackId: Id<'post'>;
  readonly at: Date;
  readonly operation: Operation;
  readonly status: number;
  readonly reason: Reason;
  /** The merchant's id of what it is about. */
  readonly subject: string | null;
  readonly isTest: boolean;
  readonly isReplay: boolean;
  readonly requestId: string;
  readonly postbackKeyId: Id<'pbkey'>;
  readonly latencyMs: number;
  readonly why: Why;
  readonly warnings: readonly Warning[];
  readonly reply: object;
  /** The bytes received, with keys of ours masked; null where they were not read. */
  readonly body: Buffer | null;
};

type Answered = {
  readonly outcome: Outcome;
  readonly why: Why;
  readonly subject: string | null;
  readonly isTest: boolean;
  readonly at: Date;
};

/** The line of a report that was judged, with what a merchant should be warned of. */
export function lineOf(postback: Postback<Integration>, { outcome, why, subject, isTest, at }: Answered): PostbackLine {
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
