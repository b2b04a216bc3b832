import { pagesOfStores } from '../merchants/stores-sql.ts';
import { firstIdAt, publicId } from '../core/ids.ts';
import type { Platform } from '../runtime/platform.ts';
import { tenantFailures } from '../queue/tenant-failures.ts';
import { plusDays } from '../core/time.ts';
import { deleteOldRefusedOrders } from '../creators/refused-orders-sql.ts';
import { deleteBodies } from './log-sql.ts';

/** Bodies may name customers, and are not needed longer than this. */
export const bodyRetentionDays = 90;
/** A creator can view refused orders for a year. */
export const refusedOrderRetentionDays = 400;
/** Covers earlier runs that failed. */
const lookBackDays = 7;
const pageBounds = { rowsPerPage: 200, pagesMax: 100_000 };
const rowsMax = 5_000;

/** A daily job. It deletes bodies but keeps their log entries. It runs store by store, because entries are indexed by store. */
export async function deleteOldBodies({ database, log }: Platform, now: Date, ranUpTo: Date): Promise<void> {
  const until = plusDays(now, -bodyRetentionDays);
  const idRange = { fromId: firstIdAt(plusDays(ranUpTo, -bodyRetentionDays - lookBackDays)), toId: firstIdAt(until), rowsMax };
  const refusedBefore = { before: plusDays(now, -refusedOrderRetentionDays), most: rowsMax };
  const failures = tenantFailures(log, 'Old bodies of the tracking log of stores could not be deleted');
  for await (const stores of pagesOfStores(database, pageBounds))
    for (const { storeId } of stores)
      await failures.run(publicId('store', storeId), async () => {
        while ((await deleteBodies(database, storeId, idRange)) === rowsMax);
        while ((await deleteOldRefusedOrders(database, storeId, refusedBefore)) === rowsMax);
      });
  failures.raise();
}
