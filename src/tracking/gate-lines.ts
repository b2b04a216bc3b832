import type { AuthenticatedAnswer } from '../contract/door.ts';
import { Fault, text } from '../contract/fields.ts';
import { replyOf } from '../contract/reply.ts';
import type { Integration } from '../merchants/integration-sql.ts';
import { createBatch } from '../platform/batch.ts';
import { newId } from '../platform/ids.ts';
import { maskKeys, maskKeysIn, maskKeysInBytes } from '../platform/mask-keys.ts';
import { must } from '../platform/must.ts';
import type { Platform } from '../platform/platform.ts';
import { secondMs } from '../platform/time.ts';
import type { PostbackLine } from './line.ts';
import { keepPostbacks } from './sql.ts';
import { warningsOf } from './warnings.ts';
import { toldInLog } from '../platform/database/sql-errors.ts';

export type GateLines = {
  /** Ends when the line is on disk; fails where it cannot be, so that the door answers 503 instead. */
  readonly keep: (answer: AuthenticatedAnswer<Integration>) => Promise<void>;
  readonly close: () => Promise<void>;
};

const sizeMax = 200;
const waitingMax = 2_000;
const deadlineMs = 3 * secondMs;

/** The lines of what a gate refused after the key was proved (not JSON, too large, a wrong field): no decision carries them. */
export function openGateLines({ database, clock, log, metrics }: Platform): GateLines {
  const batch = createBatch<PostbackLine, 'kept'>({
    lanes: 1,
    lanesAlone: 1,
    sizeMax,
    waitingMax,
    deadlineMs,
    groupOf: ({ storeId }) => storeId,
    apart: () => database.layout.isDistributed,
    keysOf: () => [],
    carryOut: async (lines, attempt) => {
      await database.transaction((tx) => keepPostbacks(tx, lines), attempt.commitSent);
      return lines.map(() => 'kept');
    },
    tried: (tried) => {
      metrics.batches.tried('gate_lines', tried);
      const { failure, error } = tried;
      if (failure !== null) log.warn({ failure, error: toldInLog(error) }, 'lines of the tracking log were not written');
    },
  });
  metrics.batches.watch('gate_lines', batch.figures);
  return {
    async keep(answer) {
      const end = await batch.put(gateLineOf(answer, clock.now()));
      must(end.is === 'answered', `the tracking log took no line: ${end.is}`);
    },
    close: batch.close,
  };
}

function gateLineOf(answer: AuthenticatedAnswer<Integration>, at: Date): PostbackLine {
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

/** The id under which its merchant looks for it, and has it erased: it may be right where something else is wrong. */
function subjectOf({ operation, json }: AuthenticatedAnswer<Integration>): string | null {
  const name = operation === 'conversion' || operation === 'reversal' ? 'order_id' : 'event_id';
  const id = text(json?.[name], name);
  return id instanceof Fault || id === null ? null : maskKeys(id).text;
}

const nothingRead = { bytes: null, kinds: [] };

const isTest = ({ json }: AuthenticatedAnswer<Integration>): boolean => json?.['test'] === true || json?.['environment'] === 'test';
