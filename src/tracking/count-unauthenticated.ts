import type { Refusal } from '../contract/reasons.ts';
import type { Log } from '../core/log.ts';
import type { Platform } from '../runtime/platform.ts';
import { dayOf, secondMs } from '../core/time.ts';
import { addUnauthenticatedCounts, type UnauthenticatedCount } from './log-sql.ts';
import { errorForLog } from '../db/sql-errors.ts';

/** Counts requests without a valid key by day and reason. They are not stored, so that no stranger can fill the disk. */
export type UnauthenticatedCounter = { readonly count: (reason: Refusal) => void; readonly close: () => Promise<void> };

const flushMs = 2 * secondMs;

export function countUnauthenticated({ database, clock, log, metrics }: Platform): UnauthenticatedCounter {
  const counts = new Map<string, UnauthenticatedCount>();
  const total = metrics.counter('postbacks_turned_away_total', 'Postbacks rejected before authentication', ['reason']);

  async function flush(): Promise<void> {
    const taken = [...counts.values()];
    counts.clear();
    if (taken.length === 0) return;
    try {
      await addUnauthenticatedCounts(database, taken);
      logInvalidKeys(log, taken);
    } catch (error) {
      log.warn({ error: errorForLog(error) }, 'unauthenticated requests could not be counted; they are counted with the next ones');
      for (const count of taken) add(count);
    }
  }
  function add({ day, reason, count }: UnauthenticatedCount): void {
    const key = `${day} ${reason}`;
    counts.set(key, { day, reason, count: (counts.get(key)?.count ?? 0n) + count });
  }
  const timer = setInterval(() => void flush(), flushMs);
  timer.unref();
  return {
    count(reason) {
      total.inc({ reason });
      add({ day: dayOf(clock.now()), reason, count: 1n });
    },
    async close() {
      clearInterval(timer);
      await flush();
    },
  };
}

/** Logs each reason once every two seconds, because a line for each failed authentication would let a stranger fill the disk. */
function logInvalidKeys(log: Log, counted: readonly UnauthenticatedCount[]): void {
  for (const { reason, count } of counted) {
    if (reason !== 'missing_postback_key' && reason !== 'invalid_postback_key') continue;
    log.warn({ event: 'postback_key_refused', reason, count: count.toString() }, 'security event');
  }
}
