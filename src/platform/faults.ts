import { isDatabaseAway } from './database/away.ts';
import { toldInLog } from './database/sql-errors.ts';
import type { Platform } from './platform.ts';

/** Not done in the time that there is. Nearly always something below is slow, and the sender comes again. */
export class Late extends Error {}

const kinds = ['database_away', 'late', 'ours'] as const;

const kindOf = (error: unknown): (typeof kinds)[number] =>
  error instanceof Late ? 'late' : isDatabaseAway(error) ? 'database_away' : 'ours';

/** Each fault stands in the log with the id of its request, and is counted: what passes by itself, and what somebody must mend. */
export function hearFaults(
  { log, metrics }: Pick<Platform, 'log' | 'metrics'>,
  words: string,
): (error: unknown, at: Readonly<Record<string, string>>) => void {
  // A figure that begins with its first fault never grew: the alert would miss that one.
  for (const kind of kinds) metrics.faults.inc({ kind }, 0);
  return (error, at) => {
    metrics.faults.inc({ kind: kindOf(error) });
    log.error({ ...at, error: toldInLog(error) }, words);
  };
}
