import { isServerFull, isConnectionLost, errorForLog } from '../db/sql-errors.ts';
import { publicId, type Id } from '../core/ids.ts';
import type { Platform } from '../runtime/platform.ts';
import { failureOf, TenantError } from '../queue/tenant-failures.ts';

const message = 'Stores could not be billed';

/** Runs each store's part, then fails the job with the stores that failed, so that it is retried. */
export function collectStoreFailures({ log }: Platform) {
  const stores = new Map<string, unknown>();
  const others: unknown[] = [];
  return {
    /** `null` for work on many stores, whose error names those that failed. */
    async of(storeId: Id<'store'> | null, work: () => Promise<unknown>): Promise<void> {
      await work().catch((error: unknown) => {
        log.error({ store: storeId && publicId('store', storeId), error: errorForLog(error) }, 'billing: a store could not be billed');
        if (error instanceof TenantError) for (const store of error.tenants) stores.set(store, stores.get(store) ?? error);
        else if (storeId === null || isConnectionLost(error) || isServerFull(error)) others.push(error);
        else stores.set(publicId('store', storeId), stores.get(publicId('store', storeId)) ?? error);
      });
    },
    raise(): void {
      // A lost connection is not an error of the store, so the job stays due.
      if (others.length > 0) throw others[0];
      if (stores.size > 0) throw failureOf(message, [...stores.keys()], stores.values().next().value);
    },
  };
}
