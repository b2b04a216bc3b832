import type { Config } from '../core/config.ts';
import type { Queryable } from '../db/database.ts';
import type { Id } from '../core/ids.ts';
import { decideReserve, reserveOver, type Reserve } from './decide-reserve.ts';
import { listReserveFacts } from './reserves-sql.ts';
import { readRiskSettings } from './risk-settings.ts';

type When = { readonly mode: Config['mode']; readonly now: Date };

/** The reserve periods of these stores that are not over. */
export async function listReserves(
  db: Queryable,
  storeIds: ReadonlyArray<Id<'store'>>,
  { mode, now }: When,
): Promise<ReadonlyMap<Id<'store'>, Reserve>> {
  const { reserve } = await readRiskSettings(db, mode);
  const running = new Map<Id<'store'>, Reserve>();
  if (storeIds.length === 0 || decideReserve(null, reserve, now).is === 'over') return running;
  const facts = new Map((await listReserveFacts(db, storeIds)).map((row) => [row.storeId, row]));
  for (const storeId of storeIds) {
    const found = decideReserve(facts.get(storeId) ?? null, reserve, now);
    if (found.is !== 'over') running.set(storeId, found);
  }
  return running;
}

export const findReserve = async (db: Queryable, storeId: Id<'store'>, when: When): Promise<Reserve> =>
  (await listReserves(db, [storeId], when)).get(storeId) ?? reserveOver;
