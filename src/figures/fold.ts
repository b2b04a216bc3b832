import { isConnectionLost } from '../platform/database/sql-errors.ts';
import { publicId } from '../platform/ids.ts';
import type { Platform } from '../platform/platform.ts';
import { tenantFailures } from '../platform/tenant-failures.ts';
import { foldLinkDays, foldStoreDays, storesToFold, type Fold, type FoldWhich } from './sql.ts';

const roundsMax = 1_000;
const folds: readonly Fold[] = [foldLinkDays, foldStoreDays];

/**
 * A scheduled job: the writers' rows of days that are over become one row each. Rows of many stores share a transaction; where one
 * fails, each store is folded on its own, so that the rows of a single store cannot keep the others from being folded.
 */
export async function foldFigures(platform: Platform, now: Date): Promise<void> {
  const today = now.toISOString().slice(0, 10);
  try {
    for (const fold of folds) await foldWhole(platform, fold, { today, only: null });
  } catch (error) {
    if (isConnectionLost(error)) throw error;
    await foldEachStore(platform, today);
  }
}

async function foldWhole({ database }: Platform, fold: Fold, which: FoldWhich): Promise<void> {
  for (let round = 0; round < roundsMax; round++) if ((await fold(database, which)) === 0) return;
}

async function foldEachStore(platform: Platform, today: string): Promise<void> {
  const failures = tenantFailures(platform.log, 'The daily figures of stores could not be folded');
  for (const storeId of await storesToFold(platform.database, today))
    await failures.run(publicId('store', storeId), async () => {
      for (const fold of folds) await foldWhole(platform, fold, { today, only: storeId });
    });
  failures.raise();
}
