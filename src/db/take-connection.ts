import type pg from 'pg';

/**
 * Requests that wait for a connection of one pool. A pool of ten connections answers this many short statements within its connection
 * timeout. While the database hangs, thousands of requests per second would wait in memory, only to fail at their timeout.
 */
export const waitingMax = 2_000;

/** Fails immediately if too many requests wait. Callers answer as they do if no connection is free in time (`connection-errors.ts`). */
export function takeConnection(pool: pg.Pool): Promise<pg.PoolClient> {
  if (pool.waitingCount >= waitingMax) return Promise.reject(new Error('too many requests wait for a database connection'));
  return pool.connect();
}
