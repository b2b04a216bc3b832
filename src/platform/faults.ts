import { isDatabaseAway } from './database/away.ts';
import { toldInLog } from './database/sql-errors.ts';
import type { Platform } from './platform.ts';

/** Not done in the time that there is. Nearly always something below is slow, and the sender comes again. */
export class Late extends Error {}

const kindOf = (error: unknown): 'database_away' | 'late' | 'ours' =>
  error instanceof Late ? 'late' : isDatabaseAway(error) ? 'database_away' : 'ours';

/** Each fault stands in the log with the id of its request, and is counted: what passes by itself, and what somebody must mend. */
export const hearFaults =
  ({ log, metrics }: Pick<Platform, 'log' | 'metrics'>, words: string) =>
  (error: unknown, at: Readonly<Record<string, string>>): void => {
    metrics.faults.inc({ kind: kindOf(error) });
    log.error({ ...at, error: toldInLog(error) }, words);
  };
