import type { Queryable } from '../platform/database/database.ts';
import { sql } from '../platform/database/sql.ts';

export type Attempts = { readonly attempts: number; readonly windowEndsAt: Date };

type Counting = { readonly counter: Buffer; readonly now: Date; readonly windowEndsAt: Date };

/** Counts an attempt and answers how many its window has had. A row per counter, locked for one statement: all processes count together. */
export function countAttempt(db: Queryable, { counter, now, windowEndsAt }: Counting): Promise<Attempts> {
  return db.one<Attempts>(sql`
    insert into attempts as known (counter, attempts, window_ends_at) values (${counter}, 1, ${windowEndsAt})
    on conflict (counter) do update set
      attempts = case when known.window_ends_at <= ${now} then 1 else known.attempts + 1 end,
      window_ends_at = case when known.window_ends_at <= ${now} then excluded.window_ends_at else known.window_ends_at end
    returning attempts, window_ends_at`);
}

/** The same, where each attempt begins the window again: what goes on is not forgotten. */
export function countOngoing(db: Queryable, { counter, now, windowEndsAt }: Counting): Promise<Attempts> {
  return db.one<Attempts>(sql`
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

type Waiting = { readonly counter: Buffer; readonly notBefore: Date; readonly windowEndsAt: Date };

/** From when on the next attempt is admitted. What waits already keeps its time. */
export async function holdUntil(db: Queryable, { counter, notBefore, windowEndsAt }: Waiting): Promise<void> {
  await db.run(sql`
    insert into attempts as known (counter, attempts, window_ends_at, not_before) values (${counter}, 0, ${windowEndsAt}, ${notBefore})
    on conflict (counter) do update set
      not_before = excluded.not_before, window_ends_at = greatest(known.window_ends_at, excluded.window_ends_at)`);
}

/** 0 where somebody else was first: of many at once the row's lock lets one through. */
export const takeCounter = (db: Queryable, counter: Buffer): Promise<number> =>
  db.run(sql`delete from attempts where counter = ${counter}`);

/** An attempt that turned out right was no failure. */
export async function uncount(db: Queryable, counter: Buffer): Promise<void> {
  await db.run(sql`update attempts set attempts = attempts - 1 where counter = ${counter} and attempts > 0`);
}

export function deleteOldAttempts(db: Queryable, { now, most }: { readonly now: Date; readonly most: number }): Promise<number> {
  return db.run(sql`delete from attempts where counter in (select counter from attempts where window_ends_at <= ${now} limit ${most})`);
}
