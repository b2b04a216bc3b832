import type { Batch } from '../batch/batch.ts';
import { createBatchPerNode, type BatchPerNodeOptions } from '../batch/batch-per-node.ts';
import { FieldError, type Fields } from '../contract/fields.ts';
import type { Postback, PostbackRoute } from '../contract/postback-endpoint.ts';
import { postbackPaths } from '../contract/postback-operations.ts';
import type { Operation } from '../contract/reasons.ts';
import type { Outcome } from '../contract/reply.ts';
import { errorForLog } from '../db/sql-errors.ts';
import type { Integration } from '../merchants/integration-sql.ts';
import type { Platform } from '../runtime/platform.ts';
import { secondMs } from '../core/time.ts';

/**
 * The queue takes as many reports as the concurrency limiter lets through. The deadline is shorter than the endpoint's, so that the batch
 * answers before the endpoint gives up, unless authentication took half a second.
 */
const limits = {
  lanes: 3,
  lanesAlone: 1,
  sizeMax: 200,
  collecting: { itemsMin: 48, msMax: 50 },
  returning: { share: 0.25, msMax: 5 },
  waitingMax: 1_250,
  deadlineMs: 4 * secondMs,
} as const;

type PostbackBatchOptions<Item, Answer> = Pick<BatchPerNodeOptions<Item, Answer>, 'storeOf' | 'keysOf' | 'settledKeys' | 'runBatch'> &
  Partial<Pick<BatchPerNodeOptions<Item, Answer>, 'sizeMax'>>;

/** The batch in which reports share a transaction. It counts every attempt, and logs a failed one without the content of its reports. */
export function openPostbackBatch<Item, Answer>(
  { tenants, log, metrics }: Platform,
  name: 'orders' | 'subscriptions' | 'refunds' | 'leads',
  options: PostbackBatchOptions<Item, Answer>,
): Batch<Item, Answer> {
  const batch = createBatchPerNode<Item, Answer>(tenants, {
    ...limits,
    ...options,
    onAttempt: (report) => {
      metrics.batches.recordAttempt(name, report);
      const { failure, error, items } = report;
      if (failure !== null) log.warn({ failure, error: errorForLog(error), reports: items.length }, `a batch of ${name} failed`);
    },
  });
  metrics.batches.watch(name, batch.stats);
  return batch;
}

export type BatchedPostbacks = { readonly routes: ReadonlyArray<PostbackRoute<Integration>>; readonly close: () => Promise<void> };

/** Creates the routes of a batch. A report with an invalid field takes no place in the batch. */
export const batchRoute =
  <Is extends Operation, Item>(batch: Batch<Item, Outcome>, read: (operation: Is, postback: Postback<Integration>) => Item | FieldError) =>
  (operation: Is, fields: Fields): PostbackRoute<Integration> => ({
    path: postbackPaths[operation],
    operation,
    fields,
    async handle(postback) {
      const item = read(operation, postback);
      if (item instanceof FieldError) return { reason: item.reason, field: item.field, message: item.message };
      const end = await batch.put(item);
      return end.is === 'answered' ? end.answer : { reason: 'temporarily_unavailable' };
    },
  });
