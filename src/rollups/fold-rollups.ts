import { isDistributed } from '../db/distribute.ts';
import { isConnectionLost } from '../db/sql-errors.ts';
import { publicId } from '../core/ids.ts';
import type { Platform } from '../runtime/platform.ts';
import { tenantFailures } from '../queue/tenant-failures.ts';
import { foldLinkDays, foldStoreDays, listStoresToFold, type Fold, type FoldScope } from './rollups-sql.ts';
import { dayOf } from '../core/time.ts';

const roundsMax = 1_000;
const folds: readonly Fold[] = [foldLinkDays, foldStoreDays];

/**
 * A scheduled job: adds up the rows of past days that different writers wrote, so that each day has one row. Rows of many stores share a
 * transaction; if it fails, each store gets its own, so that one store cannot block the others. In a cluster each store has its own from
 * the start, because stores are on different machines.
 */
export async function foldRollups(platform: Platform, now: Date): Promise<void> {
  const today = dayOf(now);
  if (await isDistributed(platform.database)) return foldEachStore(platform, today);
  try {
    for (const fold of folds) await foldCompletely(platform, fold, { today, only: null });
  } catch (error) {
    if (isConnectionLost(error)) throw error;
    await foldEachStore(platform, today);
  }
}

async function foldCompletely({ database }: Platform, fold: Fold, which: FoldScope): Promise<void> {
  for (let round = 0; round < roundsMax; round++) if ((await fold(database, which)) === 0) return;
}

async function foldEachStore(platform: Platform, today: string): Promise<void> {
  const failures = tenantFailures(platform.log, 'The daily rollups of stores could not be folded');
  for (const storeId of await listStoresToFold(platform.database, today))
    await failures.run(publicId('store', storeId), async () => {
      for (const fold of folds) await foldCompletely(platform, fold, { today, only: storeId });
    });
  failures.raise();
}
