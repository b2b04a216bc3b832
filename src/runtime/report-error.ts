import { isDatabaseAway } from '../db/connection-errors.ts';
import { errorForLog } from '../db/sql-errors.ts';
import type { Platform } from './platform.ts';

/** A request that exceeded its deadline, nearly always because a dependency is slow. The sender retries. */
export class Late extends Error {}

const kinds = ['database_away', 'late', 'ours'] as const;

const kindOf = (error: unknown): (typeof kinds)[number] =>
  error instanceof Late ? 'late' : isDatabaseAway(error) ? 'database_away' : 'ours';

/** Logs each error with its request ID and counts it by kind: outages that pass, and bugs that have to be fixed. */
export function reportErrors(
  { log, metrics }: Pick<Platform, 'log' | 'metrics'>,
  message: string,
): (error: unknown, at: Readonly<Record<string, string>>) => void {
  // Each counter starts at 0, because an alert on its increase would miss an error that creates the series.
  for (const kind of kinds) metrics.errors.inc({ kind }, 0);
  return (error, at) => {
    metrics.errors.inc({ kind: kindOf(error) });
    log.error({ ...at, error: errorForLog(error) }, message);
  };
}
