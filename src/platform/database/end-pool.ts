import { once } from 'node:events';
import type pg from 'pg';

const closeMsMax = 1_000;

/**
 * How a pool ends. It calls itself ended when it has said goodbye on each connection, which the server may not have heard yet: one that
 * stops next would still call them broken. So this waits until each is closed, unless the server is not there to close it. To be
 * called when the pool is made, before its first connection.
 */
export function endOf(pool: pg.Pool): () => Promise<void> {
  const open = new Set<pg.PoolClient>();
  pool.on('connect', (client) => void open.add(client));
  pool.on('remove', (client) => void open.delete(client));
  return async () => {
    await pool.end();
    const signal = AbortSignal.timeout(closeMsMax);
    while (open.size > 0 && !signal.aborted) await once(pool, 'remove', { signal }).catch(() => {});
  };
}

const goodbyeMsMax = 5_000;

/** Says goodbye, and is gone after this time also where no server is there to hear it: to be sure of that takes a quarter of an hour. */
export async function endInTime(client: pg.Client): Promise<void> {
  const late = setTimeout(() => client.connection.stream.destroy(), goodbyeMsMax);
  await client.end().finally(() => clearTimeout(late));
}
