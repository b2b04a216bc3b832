import { isConnectionLost, toldInLog } from '../platform/database/sql-errors.ts';
import { publicId, type Id } from '../platform/ids.ts';
import type { Platform } from '../platform/platform.ts';
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

const storesNamed = 5;

async function foldEachStore(platform: Platform, today: string): Promise<void> {
  const failed: Array<Id<'store'>> = [];
  for (const storeId of await storesToFold(platform.database, today)) {
    try {
      for (const fold of folds) await foldWhole(platform, fold, { today, only: storeId });
    } catch (error) {
      if (isConnectionLost(error)) throw error;
      failed.push(storeId);
      platform.log.error(
        { store: publicId('store', storeId), error: toldInLog(error) },
        'the daily figures of a store could not be folded',
      );
    }
  }
  if (failed.length === 0) return;
  // The job has failed, so that it shows on the jobs page and in the metrics; the other stores are done.
  const names = failed.slice(0, storesNamed).map((storeId) => publicId('store', storeId));
  throw new Error(
    `the daily figures of ${failed.length} stores could not be folded (${names.join(', ')}); they are tried again the next day`,
  );
}
