import type { Queryable } from './database.ts';
import type { Id } from '../core/ids.ts';

/** A row that violates a check. */
export type Difference = {
  /** Null if the difference belongs to no single store. */
  readonly storeId: Id<'store'> | null;
  readonly detail: string;
};

/**
 * An invariant of the stored data that holds at all times, after crashes and repeated requests as well. Each module defines the
 * checks of its tables; src/app/verify.ts runs them in one snapshot, so that the service can keep running.
 */
export type Check = {
  readonly what: string;
  /** How many rows the check reads. */
  readonly rows: (db: Queryable) => Promise<bigint>;
  readonly differences: (db: Queryable) => Promise<readonly Difference[]>;
};
