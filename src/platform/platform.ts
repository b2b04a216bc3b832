import type { Config } from './config.ts';
import type { Database } from './database/database.ts';
import type { FaultPoints } from './fault-points.ts';
import type { Log } from './log.ts';
import type { Metrics } from './metrics.ts';
import type { OwnAddress } from './own-address.ts';
import type { Secrets } from './secrets.ts';
import type { Clock } from './time.ts';

/** The tools that every room may use, made once in service.ts and handed down as the first argument. */
export type Platform = {
  readonly config: Config;
  readonly database: Database;
  /** For work that nobody waits for: longer time-outs, connections of its own. */
  readonly nightDatabase: Database;
  readonly clock: Clock;
  readonly log: Log;
  readonly metrics: Metrics;
  readonly secrets: Secrets;
  readonly own: OwnAddress;
  /** Says that a named step was reached. Only tests of deaths listen; a room calls it between a commit and what follows it. */
  readonly reached: (point: string) => void;
  readonly faultPoints: FaultPoints;
};
