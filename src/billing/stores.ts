import { storesWithBillable } from '../commissions/billing-sql.ts';
import type { Database } from '../platform/database/database.ts';
import type { Id } from '../platform/ids.ts';
import type { InvoiceKey } from './invoice.ts';
import { storesGathering } from './invoices-sql.ts';
import { storesWithUnbilledArchiving } from './settings-sql.ts';

/** Stores share no row that is waited for: while one waits for its commit, others go on. */
export const storesAtOnce = 3;

const readAtOnce = 1_000;
const roundsMax = 10_000;

type Stretch = { readonly after: Id<'store'> | null; readonly limit: number };

/** Every store that could have something to bill, begun ones first, each once. */
export async function* storesToBill(database: Database, now: Date): AsyncGenerator<Id<'store'>> {
  // Of these two there are few at a time: only the third can be all stores, and is not remembered.
  const named = new Set<Id<'store'>>();
  for await (const storeId of eachStore((stretch) => storesGathering(database, stretch))) yield* onceMore(named, storeId);
  for await (const storeId of eachStore((stretch) => storesWithUnbilledArchiving(database, stretch))) yield* onceMore(named, storeId);
  for await (const storeId of eachStore((stretch) => storesWithBillable(database, { now, ...stretch })))
    if (!named.has(storeId)) yield storeId;
}

function* onceMore(named: Set<Id<'store'>>, storeId: Id<'store'>): Generator<Id<'store'>> {
  if (named.has(storeId)) return;
  named.add(storeId);
  yield storeId;
}

async function* eachStore(read: (stretch: Stretch) => Promise<ReadonlyArray<Id<'store'>>>): AsyncGenerator<Id<'store'>> {
  let after: Id<'store'> | null = null;
  for (let round = 0; round < roundsMax; round++) {
    const stores: ReadonlyArray<Id<'store'>> = await read({ after, limit: readAtOnce });
    yield* stores;
    if (stores.length < readAtOnce) return;
    after = stores.at(-1) ?? null;
  }
}

/** The invoices of a store together, in their order: of keys that come sorted by store. */
export async function* byStore(keys: AsyncIterable<InvoiceKey>): AsyncGenerator<readonly InvoiceKey[]> {
  let same: InvoiceKey[] = [];
  for await (const key of keys) {
    if (same.length > 0 && same[0]?.storeId !== key.storeId) {
      yield same;
      same = [];
    }
    same.push(key);
  }
  if (same.length > 0) yield same;
}
