import { publicId, readPublicId, type Id } from '../core/ids.ts';
import { realNow, secondMs } from '../core/time.ts';
import type { Queryable } from '../db/database.ts';
import { boundedKeysetPages, itself } from '../db/keyset-pages.ts';
import { enqueue } from '../queue/enqueue-sql.ts';
import { tenantFailures } from '../queue/tenant-failures.ts';
import type { Platform } from '../runtime/platform.ts';

type StoreId = Id<'store'>;
/** Work for each store that is connected to a platform. */
type StoreTask = {
  /** A page of the connected stores, by ID. */
  readonly listConnected: (db: Queryable, after: StoreId | null, limit: number) => Promise<readonly StoreId[]>;
  /** For the log. */
  readonly failed: string;
};
export type StoreRun = { readonly storeId: StoreId; readonly until: Date };

const storeBounds = { rowsPerPage: 500, pagesMax: 20 };
/** Nothing starts later than this in one run, because other tasks of the queue wait. */
const runMsMax = 20 * secondMs;

/** Enqueued in the transaction that makes something due. */
export const wakeStore = (db: Queryable, task: string, storeId: StoreId): Promise<void> =>
  enqueue(db, task, { store: publicId('store', storeId) }, { key: `${task} ${storeId}` });

/** The failure of one store delays no other. */
export async function forEachConnectedStore(
  platform: Platform,
  task: StoreTask,
  run: (storeId: StoreId) => Promise<unknown>,
): Promise<void> {
  const pages = boundedKeysetPages<StoreId, StoreId>(storeBounds, itself, ({ after, limit }) =>
    task.listConnected(platform.database, after, limit),
  );
  await forEachStore(platform, task, (await Array.fromAsync(pages)).flat(), run);
}

/** Handles what is due of the store that the payload names, or of all connected ones. */
export function handleStores(
  platform: Platform,
  payload: unknown,
  { handleStore, ...task }: StoreTask & { readonly handleStore: (run: StoreRun) => Promise<void> },
): Promise<void> {
  const until = new Date(realNow().getTime() + runMsMax);
  const run = (storeId: StoreId): Promise<void> => handleStore({ storeId, until });
  const named = storeIn(payload);
  return named === null ? forEachConnectedStore(platform, task, run) : forEachStore(platform, task, [named], run);
}

async function forEachStore(
  { log }: Platform,
  { failed }: StoreTask,
  storeIds: readonly StoreId[],
  run: (storeId: StoreId) => Promise<unknown>,
): Promise<void> {
  const failures = tenantFailures(log, failed);
  for (const storeId of storeIds) await failures.run(publicId('store', storeId), () => run(storeId));
  failures.raise();
}

function storeIn(payload: unknown): StoreId | null {
  const store = typeof payload === 'object' && payload !== null && 'store' in payload ? payload.store : null;
  return typeof store === 'string' ? readPublicId('store', store) : null;
}
