import type { Metrics } from './metrics.ts';
import type { Database } from '../db/database.ts';

/** Waiting for a connection means that other queries occupy the pool: the first sign of a slow database. */
export function registerPoolMetrics({ gauge }: Metrics, databases: () => ReadonlyMap<string, Database>): void {
  const pools = () => [...databases()].map(([name, { pool }]) => ({ name, pool }));
  gauge(
    'database_connections',
    'Connections of each pool by state, and requests waiting for one',
    () =>
      pools().flatMap(({ name, pool }) => [
        { labels: { pool: name, state: 'in_use' }, value: pool.totalCount - pool.idleCount },
        { labels: { pool: name, state: 'idle' }, value: pool.idleCount },
        { labels: { pool: name, state: 'waiting' }, value: pool.waitingCount },
      ]),
    ['pool', 'state'],
  );
  gauge(
    'database_connections_max',
    'Maximum connections of each pool',
    () => pools().map(({ name, pool }) => ({ labels: { pool: name }, value: pool.options.max })),
    ['pool'],
  );
}
