import type { Metrics } from '../metrics.ts';
import type { Database } from './database.ts';

/** Who waits for a connection waits for all that is asked on the others: the first sign of a database that is slow. */
export function watchPools({ gauge }: Metrics, databases: Readonly<Record<'web' | 'night', Database>>): void {
  const pools = Object.entries(databases).map(([name, { pool }]) => ({ name, pool }));
  gauge(
    'database_connections',
    'Connections of the pools, and who waits for one',
    () =>
      pools.flatMap(({ name, pool }) => [
        { labels: { pool: name, state: 'in_use' }, value: pool.totalCount - pool.idleCount },
        { labels: { pool: name, state: 'idle' }, value: pool.idleCount },
        { labels: { pool: name, state: 'waiting' }, value: pool.waitingCount },
      ]),
    ['pool', 'state'],
  );
  gauge(
    'database_connections_max',
    'As many connections a pool may have',
    () => pools.map(({ name, pool }) => ({ labels: { pool: name }, value: pool.options.max })),
    ['pool'],
  );
}
