import type { Queryable } from '../db/database.ts';
import { sql } from '../db/sql.ts';

export type AttemptCount = { readonly attempts: number; readonly windowEndsAt: Date };

type Counting = { readonly counter: Buffer; readonly now: Date; readonly windowEndsAt: Date };

/**
 * Counts an attempt and returns the number of attempts in its window. Each counter is a row, locked for one statement, so that all
 * processes count together.
 */
export function countAttempt(db: Queryable, { counter, now, windowEndsAt }: Counting): Promise<AttemptCount> {
  return db.one<AttemptCount>(sql`
    insert into attempts as known (counter, attempts, window_ends_at) values (${counter}, 1, ${windowEndsAt})
    on conflict (counter) do update set
      attempts = case when known.window_ends_at <= ${now} then 1 else known.attempts + 1 end,
      window_ends_at = case when known.window_ends_at <= ${now} then excluded.window_ends_at else known.window_ends_at end
    returning attempts, window_ends_at`);
}

/** Counts an attempt and restarts the window, so that a continuing series of failures does not expire. */
export function countAttemptAndExtend(db: Queryable, { counter, now, windowEndsAt }: Counting): Promise<AttemptCount> {
  return db.one<AttemptCount>(sql`
    insert into attempts as known (counter, attempts, window_ends_at) values (${counter}, 1, ${windowEndsAt})
    on conflict (counter) do update set
      attempts = case when known.window_ends_at <= ${now} then 1 else known.attempts + 1 end,
      not_before = case when known.window_ends_at <= ${now} then null else known.not_before end,
      window_ends_at = excluded.window_ends_at
    returning attempts, window_ends_at`);
}

export type Counter = { readonly attempts: number; readonly notBefore: Date | null };

export const readCounter = (db: Queryable, { counter, now }: { readonly counter: Buffer; readonly now: Date }): Promise<Counter | null> =>
  db.find<Counter>(sql`select attempts, not_before from attempts where counter = ${counter} and window_ends_at > ${now}`);

type Delay = { readonly counter: Buffer; readonly notBefore: Date; readonly windowEndsAt: Date };

/** Sets the time from which the next attempt is admitted. A wait that has already begun keeps its time. */
export async function delayUntil(db: Queryable, { counter, notBefore, windowEndsAt }: Delay): Promise<void> {
  await db.run(sql`
    insert into attempts as known (counter, attempts, window_ends_at, not_before) values (${counter}, 0, ${windowEndsAt}, ${notBefore})
    on conflict (counter) do update set
      not_before = excluded.not_before, window_ends_at = greatest(known.window_ends_at, excluded.window_ends_at)`);
}

/** Returns 0 if another request was first: the row lock lets only one of several concurrent requests through. */
export const deleteCounter = (db: Queryable, counter: Buffer): Promise<number> =>
  db.run(sql`delete from attempts where counter = ${counter}`);

/** Removes an attempt that succeeded from the failures. */
export async function decrementCounter(db: Queryable, counter: Buffer): Promise<void> {
  await db.run(sql`update attempts set attempts = attempts - 1 where counter = ${counter} and attempts > 0`);
}

export function deleteExpiredAttempts(db: Queryable, { now, most }: { readonly now: Date; readonly most: number }): Promise<number> {
  return db.run(sql`delete from attempts where counter in (select counter from attempts where window_ends_at <= ${now} limit ${most})`);
}
