import type { Config } from '../core/config.ts';
import type { Database } from '../db/database.ts';
import type { TenantDatabases } from '../db/tenant-database.ts';
import type { CrashPoints } from '../core/crash-points.ts';
import type { Log } from '../core/log.ts';
import type { Metrics } from '../metrics/metrics.ts';
import type { OwnAddress } from '../http/own-address.ts';
import type { Secrets } from '../core/secrets.ts';
import type { Clock } from '../core/time.ts';

/** What every module gets as its first argument, created once by the composition root. */
export type Platform = {
  readonly config: Config;
  readonly database: Database;
  /** The databases of single stores: the nodes of a cluster, or `database`. */
  readonly tenants: TenantDatabases;
  /** For background jobs: longer timeouts, a separate connection pool. */
  readonly jobsDatabase: Database;
  readonly clock: Clock;
  readonly log: Log;
  readonly metrics: Metrics;
  readonly secrets: Secrets;
  readonly own: OwnAddress;
  /** Called between a commit and the step after it. Only crash tests listen. */
  readonly reached: (point: string) => void;
  readonly crashPoints: CrashPoints;
};
