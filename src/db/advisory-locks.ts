import type pg from 'pg';
import type { Id } from '../core/ids.ts';
import type { Database } from './database.ts';

export type HeldLock = { readonly release: () => Promise<void> };

/** One number pair per lock; every process of every version must use the same pair. */
const scheduleKey = '7245, 3';
const historyKey = '7245, 4';
const stripeEventsKey = 7245;

/** Held while scheduled jobs run, so that only one process runs them. `skip` returns null if another process holds it. */
export const scheduleLock = (database: Database, ifTaken: 'wait' | 'skip'): Promise<HeldLock | null> =>
  ifTaken === 'wait'
    ? hold(database, `select pg_advisory_lock(${scheduleKey}), true as taken`)
    : hold(database, `select pg_try_advisory_lock(${scheduleKey}) as taken`);

/**
 * The seed holds this lock while it writes past events: jobs that act at the current time would settle and deliver what the seed
 * still needs at an earlier time. The seed waits for running jobs; a job that finds the lock taken gets null and retries later.
 */
export const historyLock = (database: Database, as: 'history' | 'work'): Promise<HeldLock | null> =>
  as === 'history'
    ? hold(database, `select pg_advisory_lock(${historyKey}), true as taken`)
    : hold(database, `select pg_try_advisory_lock_shared(${historyKey}) as taken`);

/** Held while the Stripe events of a store are processed, so that they keep their order. Null if another run holds it. */
export const stripeEventsLock = (database: Database, storeId: Id<'store'>): Promise<HeldLock | null> =>
  hold(database, `select pg_try_advisory_lock(hashtextextended('${storeId}', ${stripeEventsKey})) as taken`);

/**
 * The lock belongs to the connection, so that it is released when the process ends, even after a crash. Connections for locks are kept for
 * some minutes: opening one takes both processes ten milliseconds and more, and an idle sandbox takes six locks each minute.
 */
async function hold(database: Database, statement: string): Promise<HeldLock | null> {
  const client = await database.connectForLock();
  try {
    const { rows } = await client.query<{ taken: boolean }>(statement);
    if (rows[0]?.taken === true) return { release: () => release(client) };
  } catch (error) {
    client.release(true);
    throw error;
  }
  client.release();
  return null;
}

const releaseMsMax = 5_000;

/** Never fails: a connection that does not release its lock in time is closed, which releases it. */
async function release(client: pg.PoolClient): Promise<void> {
  const query = { text: 'select pg_advisory_unlock_all()', query_timeout: releaseMsMax };
  const isReleased = await client.query(query).then(
    () => true,
    () => false,
  );
  client.release(!isReleased);
}
