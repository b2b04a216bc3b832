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

const clientEndMsMax = 5_000;

/**
 * Ends the connection, and destroys the socket after this time if the server does not respond: the operating system would take a
 * quarter of an hour to give up.
 */
export async function endWithTimeout(client: pg.Client): Promise<void> {
  const late = setTimeout(() => client.connection.stream.destroy(), clientEndMsMax);
  await client.end().finally(() => clearTimeout(late));
}
