import { toldInLog } from '../platform/database/sql-errors.ts';
import { publicId, type Id } from '../platform/ids.ts';
import type { Platform } from '../platform/platform.ts';

/** One store's fault does not hold up the others, yet the job has failed: it ends with the first one. What is left is due again. */
export function faultsOf({ log }: Platform) {
  const faults: unknown[] = [];
  return {
    async of(storeId: Id<'store'> | null, work: () => Promise<unknown>): Promise<void> {
      await work().catch((error: unknown) => {
        faults.push(error);
        log.error({ store: storeId && publicId('store', storeId), error: toldInLog(error) }, 'billing: a store could not be billed');
      });
    },
    raise(): void {
      if (faults.length > 0) throw faults[0];
    },
  };
}
