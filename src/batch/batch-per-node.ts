import type { Id } from '../core/ids.ts';
import { invariant } from '../core/invariant.ts';
import type { Database } from '../db/database.ts';
import type { TenantDatabases } from '../db/tenant-database.ts';
import type { Attempt, RunBatch } from './attempts.ts';
import { createBatch, type Batch, type BatchOptions } from './batch.ts';

export type BatchPerNodeOptions<Item, Answer> = Omit<BatchOptions<Item, Answer>, 'groupOf' | 'runBatch'> & {
  /** The unit of fairness, which also determines the node. */
  readonly storeOf: (item: Item) => Id<'store'>;
  /** Runs one transaction on the node that holds the stores of these items. */
  readonly runBatch: (database: Database, items: readonly Item[], attempt: Attempt) => ReturnType<RunBatch<Item, Answer>>;
};

/**
 * A batch for each node of the database, with its own queue, lanes, and deadline: an outage of one node fills only its own queue, and
 * transactions stay on one node. With one PostgreSQL there is one batch.
 */
export function createBatchPerNode<Item, Answer>(
  { nodeOf, suspect }: Pick<TenantDatabases, 'nodeOf' | 'suspect'>,
  { storeOf, ...options }: BatchPerNodeOptions<Item, Answer>,
): Batch<Item, Answer> {
  const batches = new Map<string, Batch<Item, Answer>>();
  let isClosed = false;
  const open = () =>
    createBatch<Item, Answer>({
      ...options,
      groupOf: storeOf,
      runBatch(items, attempt) {
        const [first] = items;
        invariant(first !== undefined, 'a batch has an item');
        return options.runBatch(nodeOf(storeOf(first)).database, items, attempt);
      },
      onAttempt(report) {
        if (report.failure === 'connection lost' || report.failure === 'unavailable') suspect();
        options.onAttempt(report);
      },
    });
  function batchOf(item: Item): Batch<Item, Answer> {
    const { name } = nodeOf(storeOf(item));
    const known = batches.get(name);
    if (known) return known;
    const batch = open();
    if (isClosed) void batch.close();
    batches.set(name, batch);
    return batch;
  }
  return {
    put: (item) => batchOf(item).put(item),
    putWithCallback: (item, onResult) => batchOf(item).putWithCallback(item, onResult),
    async close() {
      isClosed = true;
      await Promise.all([...batches.values()].map((batch) => batch.close()));
    },
    stats() {
      const all = [...batches.values()].map((batch) => batch.stats());
      const sum = (count: (stats: (typeof all)[number]) => number) => all.reduce((total, stats) => total + count(stats), 0);
      return {
        waiting: sum(({ waiting }) => waiting),
        running: sum(({ running }) => running),
        groups: sum(({ groups }) => groups),
        keys: sum(({ keys }) => keys),
        unanswered: sum(({ unanswered }) => unanswered),
      };
    },
  };
}
