import {
  listStoresWithUndeliveredEntries,
  listUndeliveredEntries,
  markDelivered,
  type OutboxEntry,
} from '../commissions/creator-outbox-sql.ts';
import { creatorPosting, entryTransfers } from '../ledger/creator-postings.ts';
import { postCreatorTransfers } from '../ledger/creator-ledger-sql.ts';
import type { Transaction } from '../db/database.ts';
import { type Id, publicId } from '../core/ids.ts';
import type { Platform } from '../runtime/platform.ts';
import { tenantFailures } from '../queue/tenant-failures.ts';
import { addToEarnings, insertEntries } from './earnings-sql.ts';
import { roundsMax, rowsPerTransactionMax } from './payout.ts';
import { boundedKeysetPages, itself } from '../db/keyset-pages.ts';

const storesPerPage = 1_000;

/** Posts the stores' outbox entries to the creators' ledgers. Safe to run twice, and by two processes at the same time. */
export async function deliverEarnings(platform: Platform, now: Date): Promise<void> {
  const failures = tenantFailures(platform.log, 'What stores owe could not be delivered to creators');
  const pages = boundedKeysetPages<Id<'store'>, Id<'store'>>({ rowsPerPage: storesPerPage, pagesMax: roundsMax }, itself, (page) =>
    listStoresWithUndeliveredEntries(platform.database, page),
  );
  for await (const stores of pages)
    for (const storeId of stores) await failures.run(publicId('store', storeId), () => deliverStoreEarnings(platform, storeId, now));
  failures.raise();
}

/**
 * Posts to the creators' ledgers first, then marks the entries: a crash in between delivers them again, and their IDs prevent a second
 * posting. A failure for one creator does not stop the others; its later entries wait for the next run.
 */
export async function deliverStoreEarnings({ database, clock, reached }: Platform, storeId: Id<'store'>, now: Date): Promise<void> {
  for (let round = 0; round < roundsMax; round++) {
    const entries = await listUndeliveredEntries(database, storeId, rowsPerTransactionMax);
    const kept: OutboxEntry[] = [];
    const errors: unknown[] = [];
    for (const [creatorId, ofCreator] of byCreator(entries)) {
      try {
        await database.transaction((tx) => insertDeliveredEntries(tx, { creatorId, entries: ofCreator, at: clock.now() }));
      } catch (error) {
        errors.push(error);
        continue;
      }
      kept.push(...ofCreator);
      reached('payouts: entries kept');
    }
    await markDelivered(
      database,
      storeId,
      kept.map(({ entryId }) => entryId),
      now,
    );
    if (errors.length > 0) throw errors[0];
    if (entries.length < rowsPerTransactionMax) return;
  }
}

function byCreator(entries: readonly OutboxEntry[]): ReadonlyMap<Id<'crt'>, readonly OutboxEntry[]> {
  const together = new Map<Id<'crt'>, OutboxEntry[]>();
  for (const entry of entries) {
    const before = together.get(entry.creatorId);
    if (before) before.push(entry);
    else together.set(entry.creatorId, [entry]);
  }
  return together;
}

type Delivery = { readonly creatorId: Id<'crt'>; readonly entries: readonly OutboxEntry[]; readonly at: Date };

/** Posts at the time of delivery, so that nothing is added to a month whose statement is out. */
async function insertDeliveredEntries(tx: Transaction, { creatorId, entries, at }: Delivery): Promise<void> {
  const fresh = await insertEntries(tx, { creatorId, entries });
  const added = entries.filter(({ entryId }) => fresh.has(entryId));
  if (added.length === 0) return;
  await addToEarnings(tx, { creatorId, entries: added });
  const postings = added.flatMap(({ storeId, entryId, kind, amountCents }) =>
    creatorPosting({ creatorId, storeId, amount: amountCents }, entryTransfers[kind], { source: { kind: 'entry', id: entryId }, at }),
  );
  await postCreatorTransfers(tx, creatorId, postings);
}
