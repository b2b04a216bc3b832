import { listStoresOfCreator } from '../creators/members-sql.ts';
import type { Queryable } from '../db/database.ts';
import { readPublicId, type Id } from '../core/ids.ts';

export type StoreRow<Row> = { readonly storeId: Id<'store'>; readonly row: Row };

/** Limits the database connections that one page uses. */
const storesInParallel = 4;

/**
 * One page of a creator's rows from all their stores, which may be on different machines. Reads a page from each store by its own index
 * and merges them by `order`.
 */
export async function paginateStores<Row>(
  storeIds: ReadonlyArray<Id<'store'>>,
  {
    read,
    order,
    limit,
  }: {
    readonly read: (storeId: Id<'store'>) => Promise<readonly Row[]>;
    readonly order: (one: Row, other: Row) => number;
    readonly limit: number;
  },
): Promise<ReadonlyArray<StoreRow<Row>>> {
  let found: ReadonlyArray<StoreRow<Row>> = [];
  for (let from = 0; from < storeIds.length; from += storesInParallel) {
    const chunk = storeIds.slice(from, from + storesInParallel);
    const pages = await Promise.all(chunk.map(async (storeId) => (await read(storeId)).map((row) => ({ storeId, row }))));
    // One row more than the page shows that there is another page.
    found = [...found, ...pages.flat()].sort((one, other) => order(one.row, other.row)).slice(0, limit + 1);
  }
  return found;
}

/** All of the creator's stores, or the requested one if it is theirs. */
export async function requestedStores(
  db: Queryable,
  creatorId: Id<'crt'>,
  requested: string | undefined,
): Promise<ReadonlyArray<Id<'store'>>> {
  const own = await listStoresOfCreator(db, creatorId);
  if (requested === undefined) return own;
  const storeId = readPublicId('store', requested);
  return own.filter((one) => one === storeId);
}

/** Compares text like the database; the values are IDs or times of equal length. */
export const compareDescending = (one: string, other: string): number => (one < other ? 1 : one > other ? -1 : 0);
