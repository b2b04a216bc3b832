import type { Id } from '../core/ids.ts';
import { boundedKeysetPages, itself } from '../db/keyset-pages.ts';
import { errorForLog } from '../db/sql-errors.ts';
import type { Platform } from '../runtime/platform.ts';
import { listStoresOfCreator } from './members-sql.ts';
import { listUncopiedSuspensions, markSuspensionCopied, setSuspendedInStore } from './suspended-creators-sql.ts';
import { findAndLockCreator } from './suspensions-sql.ts';

export const copySuspensionsTask = 'copy_suspensions';

const bounds = { rowsPerPage: 100, pagesMax: 10 };

/**
 * Copies each changed suspension to the creator's stores, in transactions of their own: a postback decides by the copy. Each minute, for
 * what could not be copied after the change itself. Safe to run twice and at the same time.
 */
export async function copySuspensions({ jobsDatabase, tenants }: Platform): Promise<void> {
  const errors: unknown[] = [];
  const pages = boundedKeysetPages(bounds, itself<Id<'crt'>>, ({ after, limit }) =>
    listUncopiedSuspensions(jobsDatabase, { after: after === null ? null : [after], limit }),
  );
  // The store of one creator may be on a node that is down, which keeps nothing from the others.
  for await (const creators of pages)
    for (const creatorId of creators)
      await copySuspension({ jobsDatabase, tenants }, creatorId).catch((error: unknown) => void errors.push(error));
  if (errors.length > 0) throw errors[0];
}

/** After the commit of a change, so that it takes effect at once. What fails is left to the job. */
export async function copySuspensionsSoon(platform: Platform): Promise<void> {
  await copySuspensions(platform).catch((error: unknown) =>
    platform.log.warn({ error: errorForLog(error) }, 'a suspension is not known to all stores yet; it is copied each minute'),
  );
}

/** Holds the lock of the creator, so that two copies of different states cannot overtake each other. */
async function copySuspension({ jobsDatabase, tenants }: Pick<Platform, 'jobsDatabase' | 'tenants'>, creatorId: Id<'crt'>): Promise<void> {
  await jobsDatabase.transaction(async (tx) => {
    const creator = await findAndLockCreator(tx, creatorId);
    if (creator === null) return;
    const stores = await listStoresOfCreator(tx, creatorId);
    const copies = await Promise.allSettled(
      stores.map((storeId) => setSuspendedInStore(tenants.nodeOf(storeId).database, { storeId, creatorId }, creator.suspendedAt)),
    );
    // Stores on other nodes have their copy; the whole creator is copied again.
    for (const copy of copies) if (copy.status === 'rejected') throw copy.reason;
    await markSuspensionCopied(tx, creatorId, creator.suspendedAt);
  });
}
