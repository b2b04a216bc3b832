import { once } from 'node:events';
import type pg from 'pg';

const closeMsMax = 1_000;

/**
 * Closes a pool and waits until each connection is closed. `pool.end()` resolves once it has sent the termination messages, and a
 * server that stops before it reads them logs the connections as broken. Must be called before the pool opens its first connection.
 */
export function createPoolCloser(pool: pg.Pool): () => Promise<void> {
  const open = new Set<pg.PoolClient>();
  pool.on('connect', (client) => void open.add(client));
  pool.on('remove', (client) => void open.delete(client));
  return async () => {
    await pool.end();
    const signal = AbortSignal.timeout(closeMsMax);
    while (open.size > 0 && !signal.aborted) await once(pool, 'remove', { signal }).catch(() => {});
  };
}
