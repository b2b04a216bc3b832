import type { Id } from '../core/ids.ts';
import type { Queryable } from '../db/database.ts';
import { findStoresThatCount, type StoresThatCount } from './terms-sql.ts';

type OfStore = { readonly storeId: Id<'store'> };

const rememberedMax = 50_000;
/** The columns of `stores` that it caches are never reset, so a store is remembered without a limit in time. */
const remembered = { beyondClicks: new Set<Id<'store'>>(), newCustomers: new Set<Id<'store'>>() };

/** Those of the stores of which this process knows without a statement that they count more than clicks. */
export function rememberedStores(stores: readonly OfStore[]): StoresThatCount {
  const knownOf = (known: ReadonlySet<Id<'store'>>) => new Set(stores.flatMap(({ storeId }) => (known.has(storeId) ? [storeId] : [])));
  return { beyondClicks: knownOf(remembered.beyondClicks), newCustomers: knownOf(remembered.newCustomers) };
}

/** Remembers the stores that it finds. */
export async function storesThatCount(db: Queryable, stores: readonly OfStore[]): Promise<StoresThatCount> {
  const found = await findStoresThatCount(db, stores);
  remember(remembered.beyondClicks, found.beyondClicks);
  remember(remembered.newCustomers, found.newCustomers);
  return found;
}

function remember(known: Set<Id<'store'>>, found: ReadonlySet<Id<'store'>>): void {
  if (known.size + found.size > rememberedMax) known.clear();
  for (const storeId of found) known.add(storeId);
}
