import type { AuthenticatedAnswer } from '../contract/postback-endpoint.ts';
import type { Operation } from '../contract/reasons.ts';
import { FieldError, text } from '../contract/fields.ts';
import { replyOf } from '../contract/reply.ts';
import type { Integration } from '../merchants/integration-sql.ts';
import { createBatchPerNode } from '../batch/batch-per-node.ts';
import { newId } from '../core/ids.ts';
import { maskKeys, maskKeysIn, maskKeysInBytes } from '../core/mask-keys.ts';
import { invariant } from '../core/invariant.ts';
import type { Platform } from '../runtime/platform.ts';
import { secondMs } from '../core/time.ts';
import type { LogEntry } from './log-entry.ts';
import { insertLogEntries } from './log-sql.ts';
import { warningsOf } from './warnings.ts';
import { errorForLog } from '../db/sql-errors.ts';

type RejectedPostbackLog = {
  /** Resolves after the commit. Rejects if the entry cannot be written, so that the endpoint answers 503. */
  readonly write: (answer: AuthenticatedAnswer<Integration>) => Promise<void>;
  readonly close: () => Promise<void>;
};

const sizeMax = 200;
const waitingMax = 2_000;
const deadlineMs = 3 * secondMs;

/** Logs postbacks that failed a check after authentication (not JSON, too large, an invalid field), because no decision logs them. */
export function openRejectedPostbackLog({ tenants, clock, log, metrics }: Platform): RejectedPostbackLog {
  const batch = createBatchPerNode<LogEntry, 'written'>(tenants, {
    lanes: 1,
    lanesAlone: 1,
    sizeMax,
    waitingMax,
    deadlineMs,
    storeOf: ({ storeId }) => storeId,
    keysOf: () => [],
    runBatch: async (database, entries, attempt) => {
      await database.transaction((tx) => insertLogEntries(tx, entries), attempt.commitSent);
      return entries.map(() => 'written');
    },
    onAttempt: (tried) => {
      metrics.batches.recordAttempt('gate_lines', tried);
      const { failure, error } = tried;
      if (failure !== null) log.warn({ failure, error: errorForLog(error) }, 'entries of the tracking log were not written');
    },
  });
  metrics.batches.watch('gate_lines', batch.stats);
  return {
    async write(answer) {
      const end = await batch.put(rejectedEntry(answer, clock.now()));
      invariant(end.is === 'answered', `the tracking log did not write the entry: ${end.is}`);
    },
    close: batch.close,
  };
}

function rejectedEntry(answer: AuthenticatedAnswer<Integration>, at: Date): LogEntry {
  const { operation, integration, requestId, outcome, status, latencyMs } = answer;
  const { bytes, kinds } = answer.bytes === null ? nothingRead : maskKeysInBytes(answer.bytes);
  return {
    storeId: integration.storeId,
    postbackId: newId(at),
    at,
    operation,
    status,
    reason: outcome.reason,
    subject: subjectOf(answer),
    isTest: isTest(answer),
    isReplay: false,
    requestId,
    postbackKeyId: integration.postbackKeyId,
    latencyMs,
    why: {},
    warnings: warningsOf({ ...answer, keysInBody: kinds }, { outcome, why: {} }),
    reply: maskKeysIn(replyOf(outcome, operation).body),
    body: bytes,
  };
}

const subjectFields: Readonly<Partial<Record<Operation, string>>> = {
  conversion: 'order_id',
  reversal: 'order_id',
  order_refund: 'refund_id',
  invoice_refund: 'refund_id',
  lead: 'lead_id',
  lead_reversal: 'lead_id',
};

/** The ID by which the merchant finds the entry, and has it erased. It may be valid although another field is not. */
function subjectOf({ operation, json }: AuthenticatedAnswer<Integration>): string | null {
  const name = subjectFields[operation] ?? 'event_id';
  const id = text(json?.[name], name);
  return id instanceof FieldError || id === null ? null : maskKeys(id).text;
}

const nothingRead = { bytes: null, kinds: [] };

const isTest = ({ json }: AuthenticatedAnswer<Integration>): boolean => json?.['test'] === true || json?.['environment'] === 'test';
