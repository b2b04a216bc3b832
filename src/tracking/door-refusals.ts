import type { Refusal } from '../contract/reasons.ts';
import type { Platform } from '../platform/platform.ts';
import { secondMs } from '../platform/time.ts';
import { addDoorRefusals, type DoorRefusal } from './sql.ts';
import { toldInLog } from '../platform/database/sql-errors.ts';

/** Requests that proved no key are counted by day and kind, not kept: a stranger must not fill our disk. */
export type DoorRefusals = { readonly count: (reason: Refusal) => void; readonly close: () => Promise<void> };

const flushMs = 2 * secondMs;

export function openDoorRefusals({ database, clock, log, metrics }: Platform): DoorRefusals {
  const counts = new Map<string, DoorRefusal>();
  const total = metrics.counter('postbacks_turned_away_total', 'Postbacks refused before their sender was known', ['reason']);

  async function flush(): Promise<void> {
    const taken = [...counts.values()];
    counts.clear();
    if (taken.length === 0) return;
    try {
      await addDoorRefusals(database, taken);
    } catch (error) {
      log.warn({ error: toldInLog(error) }, 'refusals at the door could not be counted; they are counted with the next');
      for (const refusal of taken) add(refusal);
    }
  }
  function add({ day, reason, count }: DoorRefusal): void {
    const key = `${day} ${reason}`;
    counts.set(key, { day, reason, count: (counts.get(key)?.count ?? 0n) + count });
  }
  const timer = setInterval(() => void flush(), flushMs);
  timer.unref();
  return {
    count(reason) {
      total.inc({ reason });
      add({ day: clock.now().toISOString().slice(0, 10), reason, count: 1n });
    },
    async close() {
      clearInterval(timer);
      await flush();
    },
  };
}
