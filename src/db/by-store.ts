import type { Id } from '../core/ids.ts';

type OfStore = { readonly storeId: Id<'store'> };

/**
 * Runs a statement per store, in the order of the store IDs, so that two batches lock rows in the same order. Each statement names one
 * store: in a cluster a query over several stores may need several machines, and many are rejected there. The statements are sent together.
 */
export async function queryByStore<Key extends OfStore, Row>(
  keys: readonly Key[],
  query: (storeId: Id<'store'>, keys: readonly Key[]) => Promise<readonly Row[]>,
): Promise<Row[]> {
  return (await Promise.all(groupByStore(keys).map(([storeId, ofStore]) => query(storeId, ofStore)))).flat();
}

/** The same for statements that return a number of rows. Returns their sum. */
export async function runByStore<Key extends OfStore>(
  keys: readonly Key[],
  run: (storeId: Id<'store'>, keys: readonly Key[]) => Promise<number>,
): Promise<number> {
  const counts = await Promise.all(groupByStore(keys).map(([storeId, ofStore]) => run(storeId, ofStore)));
  return counts.reduce((sum, count) => sum + count, 0);
}

function groupByStore<Key extends OfStore>(keys: readonly Key[]): ReadonlyArray<readonly [Id<'store'>, readonly Key[]]> {
  const [first] = keys;
  if (first === undefined) return [];
  if (keys.every(({ storeId }) => storeId === first.storeId)) return [[first.storeId, keys]];
  return [...Map.groupBy(keys, ({ storeId }) => storeId)].toSorted(([one], [other]) => (one < other ? -1 : 1));
}
