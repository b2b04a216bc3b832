import { allStores } from '../merchants/stores-sql.ts';
import { firstIdAt, publicId, type Id } from '../platform/ids.ts';
import type { Platform } from '../platform/platform.ts';
import { tenantFailures } from '../platform/tenant-failures.ts';
import { plusDays } from '../platform/time.ts';
import { forgetRefused } from '../creators/refused-sql.ts';
import { forgetBodies } from './sql.ts';

/** What a merchant's server sent names their customers, and nobody asks for it after this long. */
export const bodyDays = 90;
/** A creator looks at refused orders of the last year; later nobody can do anything about them. */
export const refusedDays = 400;
/** What nights that failed left behind. A night that never ran comes later with its own time. */
const lookBackDays = 7;
const storesMax = 200;
const rowsMax = 5_000;

/**
 * The night job: bodies of the tracking log go, their lines stay; refused orders go after more than a year. Store by store, because a line
 * is found by its store.
 */
export async function forgetOldBodies({ database, log }: Platform, now: Date): Promise<void> {
  const until = plusDays(now, -bodyDays);
  const stretch = { fromId: firstIdAt(plusDays(until, -lookBackDays)), toId: firstIdAt(until), rowsMax };
  const failures = tenantFailures(log, 'Old bodies of the tracking log of stores could not be deleted');
  let after: readonly string[] | null = null;
  do {
    const stores: ReadonlyArray<{ readonly storeId: Id<'store'> }> = await allStores(database, { after, limit: storesMax });
    for (const { storeId } of stores)
      await failures.run(publicId('store', storeId), async () => {
        while ((await forgetBodies(database, storeId, stretch)) === rowsMax);
        while ((await forgetRefused(database, storeId, { before: plusDays(now, -refusedDays), most: rowsMax })) === rowsMax);
      });
    const last = stores.length > storesMax ? stores.at(-1) : undefined;
    after = last === undefined ? null : [last.storeId];
  } while (after !== null);
  failures.raise();
}
