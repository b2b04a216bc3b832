import type { Queryable } from './database/database.ts';
import type { Id } from './ids.ts';

/** A row that is not as it must be. */
export type Difference = {
  /** Null where a check failed, which is of no single store. */
  readonly storeId: Id<'store'> | null;
  readonly detail: string;
};

/**
 * Something that holds for every row at every moment, whatever crashed or was sent twice. Each room has those of its own
 * tables; src/verify.ts gathers them. All are asked of one moment, so that the database may be at work meanwhile.
 */
export type Check = {
  readonly what: string;
  /** How many rows it looks at. */
  readonly rows: (db: Queryable) => Promise<bigint>;
  readonly differences: (db: Queryable) => Promise<readonly Difference[]>;
};
