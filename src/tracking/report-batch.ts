import type { Tried } from '../platform/batch-attempts.ts';
import { toldInLog } from '../platform/database/sql-errors.ts';
import type { Platform } from '../platform/platform.ts';
import { secondMs } from '../platform/time.ts';

/**
 * How reports are batched, one-time and recurring alike. As many may wait as the door lets in: who storms is stopped there. The deadline
 * is below the door's own, so that the batch answers before that gives up, unless looking up the key took half a second.
 */
export const reportLimits = { lanes: 3, lanesAlone: 1, sizeMax: 200, waitingMax: 1_250, deadlineMs: 4 * secondMs } as const;

/** Each attempt is counted. One that failed stands in the log: how many reports were in it, and nothing of what they said. */
export const hearOfBatch =
  ({ log, metrics }: Pick<Platform, 'log' | 'metrics'>, batch: 'orders' | 'subscriptions') =>
  <Item>(tried: Tried<Item>): void => {
    metrics.batches.tried(batch, tried);
    const { failure, error, items } = tried;
    if (failure !== null) log.warn({ failure, error: toldInLog(error), reports: items.length }, `a batch of ${batch} was not carried out`);
  };
