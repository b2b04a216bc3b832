import { storesOfCreator } from '../creators/members-sql.ts';
import type { Queryable } from '../platform/database/database.ts';
import { readPublicId, type Id } from '../platform/ids.ts';

export type InStore<Row> = { readonly storeId: Id<'store'>; readonly row: Row };

/** So many are asked at once: a creator's page must not take all connections. */
const askedAtOnce = 4;

/**
 * One page of a creator's rows out of all their stores, which may stand on different machines: each store gives its own page by
 * its own index, and the first of all of them are the page. `order` is that of the list.
 */
export async function acrossStores<Row>(
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
): Promise<ReadonlyArray<InStore<Row>>> {
  let found: ReadonlyArray<InStore<Row>> = [];
  for (let from = 0; from < storeIds.length; from += askedAtOnce) {
    const asked = storeIds.slice(from, from + askedAtOnce);
    const pages = await Promise.all(asked.map(async (storeId) => (await read(storeId)).map((row) => ({ storeId, row }))));
    // One more than the page, which says that there is another.
    found = [...found, ...pages.flat()].sort((one, other) => order(one.row, other.row)).slice(0, limit + 1);
  }
  return found;
}

/** The creator's stores, or the one of them that is asked for; a stranger's and nobody's are none. */
export async function storesAsked(db: Queryable, creatorId: Id<'crt'>, asked: string | undefined): Promise<ReadonlyArray<Id<'store'>>> {
  const own = await storesOfCreator(db, creatorId);
  if (asked === undefined) return own;
  const storeId = readPublicId('store', asked);
  return own.filter((one) => one === storeId);
}

/** By text as the database sorts it: ids and times of one length. */
export const newerFirst = (one: string, other: string): number => (one < other ? 1 : one > other ? -1 : 0);
