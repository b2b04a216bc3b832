import type { Tried } from '../platform/batch-attempts.ts';
import { toldInLog } from '../platform/database/sql-errors.ts';
import type { Log } from '../platform/log.ts';
import { secondMs } from '../platform/time.ts';

/** How reports are batched, one-time and recurring alike. The batch's deadline is below the door's own: it answers before that gives up. */
export const reportLimits = { lanes: 3, lanesAlone: 1, sizeMax: 200, waitingMax: 5_000, deadlineMs: 4 * secondMs } as const;

/** A batch that failed, in the log: how many reports were in it, and nothing of what they said. */
export const warnOfFailure =
  (log: Log, what: string) =>
  <Item>({ failure, error, items }: Tried<Item>): void => {
    if (failure !== null) log.warn({ failure, error: toldInLog(error), reports: items.length }, `a batch of ${what} was not carried out`);
  };
