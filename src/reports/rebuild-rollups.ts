import { countDecisionRollups, countLinkRollups } from '../commissions/rollups-sql.ts';
import { replaceRollups } from '../rollups/rollups-sql.ts';
import { allStores } from '../merchants/stores-sql.ts';
import { inRepeatableRead } from '../db/snapshot.ts';
import { classifyFailure } from '../db/sql-errors.ts';
import { readAllPages } from '../http/csv.ts';
import type { Id } from '../core/ids.ts';
import type { Platform } from '../runtime/platform.ts';

/** The kinds that can be recounted. Filtered arrivals left only their rollup. */
const rebuiltKinds = ['order', 'invoice', 'lead', 'bonus', 'reversal', 'lost', 'approved', 'paid'] as const;
const triesMax = 20;

/** Recounts every store's rollups from its commissions while the service runs. Returns the number of stores. */
export async function rebuildRollups({ jobsDatabase: database }: Pick<Platform, 'jobsDatabase'>): Promise<number> {
  let count = 0;
  const pages = readAllPages(
    (page) => allStores(database, page),
    ({ storeId }) => [storeId],
  );
  for await (const stores of pages) {
    for (const { storeId } of stores) await rebuildStore(database, storeId);
    count += stores.length;
  }
  return count;
}

async function rebuildStore(database: Platform['database'], storeId: Id<'store'>): Promise<void> {
  for (let tries = 1; ; tries++) {
    try {
      return await inRepeatableRead(database, async (tx) => {
        const links = await countLinkRollups(tx, storeId);
        await replaceRollups(tx, { storeId, links, stores: await countDecisionRollups(tx, storeId) }, rebuiltKinds);
      });
    } catch (error) {
      if (tries === triesMax || classifyFailure(error) !== 'again') throw error;
    }
  }
}
