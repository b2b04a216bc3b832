import type { Id } from '../platform/ids.ts';

/** Each feed asks the database twice a second: a dashboard opens one, and a team that looks on together some. */
export const feedsOfStoreMax = 20;
/** Of all stores, in one process. */
const feedsMax = 200;

const taken = new Map<Id<'store'>, number>();

/** A place among the feeds of this process, until it is given back; null where there is none for this store. */
export function takePlace(storeId: Id<'store'>): (() => void) | null {
  const ofStore = taken.get(storeId) ?? 0;
  const ofAll = [...taken.values()].reduce((sum, count) => sum + count, 0);
  if (ofStore >= feedsOfStoreMax || ofAll >= feedsMax) return null;
  taken.set(storeId, ofStore + 1);
  return () => giveBack(storeId);
}

function giveBack(storeId: Id<'store'>): void {
  const left = (taken.get(storeId) ?? 0) - 1;
  if (left > 0) taken.set(storeId, left);
  else taken.delete(storeId);
}
