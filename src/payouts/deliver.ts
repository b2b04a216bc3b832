import { markDelivered, storesWithWaitingEntries, waitingEntries, type OutboxEntry } from '../commissions/outbox-sql.ts';
import { entryWays, moveOfCreator } from '../ledger/creator-posting.ts';
import { postOfCreator } from '../ledger/creator-sql.ts';
import type { Transaction } from '../platform/database/database.ts';
import { publicId, type Id } from '../platform/ids.ts';
import type { Platform } from '../platform/platform.ts';
import { tenantFailures } from '../platform/tenant-failures.ts';
import { addToEarnings, insertEntries } from './entries-sql.ts';
import { roundsMax, rowsPerTransactionMax } from './payout.ts';

const storesPerRound = 1_000;

/** Brings what all stores have told into the creators' books. Safe to run twice, and by two at once. */
export async function deliverToCreators(platform: Platform, now: Date): Promise<void> {
  let after: Id<'store'> | null = null;
  const failures = tenantFailures(platform.log, 'What stores owe could not be delivered to creators');
  for (let round = 0; round < roundsMax; round++) {
    const stores: ReadonlyArray<Id<'store'>> = await storesWithWaitingEntries(platform.database, { after, limit: storesPerRound });
    for (const storeId of stores) await failures.run(publicId('store', storeId), () => deliverOfStore(platform, storeId, now));
    if (stores.length < storesPerRound) break;
    after = stores.at(-1) ?? null;
  }
  failures.raise();
}

/**
 * First the creators' books, then the marks: a death in between delivers again, which the entries' own ids make nothing of. What one
 * creator's book does not take keeps nothing from the others; what is behind it comes the next time.
 */
export async function deliverOfStore({ database, clock, reached }: Platform, storeId: Id<'store'>, now: Date): Promise<void> {
  for (let round = 0; round < roundsMax; round++) {
    const entries = await waitingEntries(database, storeId, rowsPerTransactionMax);
    const kept: OutboxEntry[] = [];
    const faults: unknown[] = [];
    for (const [creatorId, ofCreator] of byCreator(entries)) {
      try {
        await database.transaction((tx) => keepEntries(tx, { creatorId, entries: ofCreator, at: clock.now() }));
      } catch (error) {
        faults.push(error);
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
    if (faults.length > 0) throw faults[0];
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

/** Posted when it is delivered, not when it was told: a month whose statement is out has nothing added to it. */
async function keepEntries(tx: Transaction, { creatorId, entries, at }: Delivery): Promise<void> {
  const fresh = await insertEntries(tx, { creatorId, entries });
  const added = entries.filter(({ entryId }) => fresh.has(entryId));
  if (added.length === 0) return;
  await addToEarnings(tx, { creatorId, entries: added });
  const postings = added.flatMap(({ storeId, entryId, kind, amountCents }) =>
    moveOfCreator({ creatorId, storeId, amount: amountCents }, entryWays[kind], { source: { kind: 'entry', id: entryId }, at }),
  );
  await postOfCreator(tx, creatorId, postings);
}
