import type { Config } from '../platform/config.ts';
import type { Queryable } from '../platform/database/database.ts';
import type { Id } from '../platform/ids.ts';
import { decideReserve, reserveOver, type Reserve } from './decide-reserve.ts';
import { reserveFactsOf } from './reserves-sql.ts';
import { readRiskSettings } from './settings.ts';

type When = { readonly mode: Config['mode']; readonly now: Date };

/** Of those stores whose reserve period is not over; the others are not in the answer. */
export async function reservesOf(
  db: Queryable,
  storeIds: ReadonlyArray<Id<'store'>>,
  { mode, now }: When,
): Promise<ReadonlyMap<Id<'store'>, Reserve>> {
  const { reserve } = await readRiskSettings(db, mode);
  const running = new Map<Id<'store'>, Reserve>();
  if (storeIds.length === 0 || decideReserve(null, reserve, now).is === 'over') return running;
  const facts = new Map((await reserveFactsOf(db, storeIds)).map((row) => [row.storeId, row]));
  for (const storeId of storeIds) {
    const found = decideReserve(facts.get(storeId) ?? null, reserve, now);
    if (found.is !== 'over') running.set(storeId, found);
  }
  return running;
}

export const reserveOf = async (db: Queryable, storeId: Id<'store'>, when: When): Promise<Reserve> =>
  (await reservesOf(db, [storeId], when)).get(storeId) ?? reserveOver;
