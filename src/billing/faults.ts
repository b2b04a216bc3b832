import { hasNoRoom, isConnectionLost, toldInLog } from '../platform/database/sql-errors.ts';
import { publicId, type Id } from '../platform/ids.ts';
import type { Platform } from '../platform/platform.ts';
import { failureOf, TenantError } from '../platform/tenant-failures.ts';

const message = 'Stores could not be billed';

/** An error of one store keeps nothing from the others, and fails the job with the names of the stores. What is left is due again. */
export function faultsOf({ log }: Platform) {
  const stores = new Map<string, unknown>();
  const others: unknown[] = [];
  return {
    /** `null` for work on many stores, which names those that failed in its own error. */
    async of(storeId: Id<'store'> | null, work: () => Promise<unknown>): Promise<void> {
      await work().catch((error: unknown) => {
        log.error({ store: storeId && publicId('store', storeId), error: toldInLog(error) }, 'billing: a store could not be billed');
        if (error instanceof TenantError) for (const store of error.tenants) stores.set(store, stores.get(store) ?? error);
        else if (storeId === null || isConnectionLost(error) || hasNoRoom(error)) others.push(error);
        else stores.set(publicId('store', storeId), stores.get(publicId('store', storeId)) ?? error);
      });
    },
    raise(): void {
      // A lost connection is the error of no store: the job stays due.
      if (others.length > 0) throw others[0];
      if (stores.size > 0) throw failureOf(message, [...stores.keys()], stores.values().next().value);
    },
  };
}
