import type { Queryable } from '../platform/database/database.ts';
import { sql } from '../platform/database/sql.ts';

export type Attempts = { readonly attempts: number; readonly windowEndsAt: Date };

/** Counts an attempt and answers how many its window has had. A row per counter, locked for one statement: all processes count together. */
export function countAttempt(
  db: Queryable,
  { counter, now, windowEndsAt }: { readonly counter: Buffer; readonly now: Date; readonly windowEndsAt: Date },
): Promise<Attempts> {
  return db.one<Attempts>(sql`
    insert into attempts as known (counter, attempts, window_ends_at) values (${counter}, 1, ${windowEndsAt})
    on conflict (counter) do update set
      attempts = case when known.window_ends_at <= ${now} then 1 else known.attempts + 1 end,
      window_ends_at = case when known.window_ends_at <= ${now} then excluded.window_ends_at else known.window_ends_at end
    returning attempts, window_ends_at`);
}

export function deleteOldAttempts(db: Queryable, { now, most }: { readonly now: Date; readonly most: number }): Promise<number> {
  return db.run(sql`delete from attempts where counter in (select counter from attempts where window_ends_at <= ${now} limit ${most})`);
}
