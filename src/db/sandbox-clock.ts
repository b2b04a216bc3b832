import type { Clock } from '../core/time.ts';
import type { Queryable } from './database.ts';
import { sql } from './sql.ts';

/** The sandbox's clock. Its offset is stored in the database, so that all processes and the next start agree on the time. */
export function sandboxClock(database: Queryable): Clock {
  let offsetMs = 0;
  return {
    now: () => new Date(Date.now() + offsetMs),
    async refresh() {
      const moved = await database.find<{ offsetMs: bigint }>(sql`select offset_ms from sandbox_clock`);
      offsetMs = Number(moved?.offsetMs ?? 0n);
    },
  };
}

/** Moves forward only: if two moves race, the later time wins. */
export async function moveSandboxClock(database: Queryable, clock: Clock, to: Date): Promise<void> {
  const offsetMs = to.getTime() - Date.now();
  await database.run(sql`
    insert into sandbox_clock (singleton, offset_ms) values (true, ${offsetMs})
    on conflict (singleton) do update set offset_ms = greatest(sandbox_clock.offset_ms, excluded.offset_ms)`);
  await clock.refresh();
}
