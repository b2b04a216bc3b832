import { findNextBillable, listStoresWithBillable } from '../commissions/billing-sql.ts';
import type { Database } from '../db/database.ts';
import type { Id } from '../core/ids.ts';
import { whatIsDue } from '../queue/scheduled-jobs.ts';
import type { Platform } from '../runtime/platform.ts';
import type { InvoiceKey } from './invoice.ts';
import { type InvoicePage, listStoresWithDraft } from './invoices-sql.ts';
import { listStoresWithUnbilledArchiving } from './billing-settings-sql.ts';
import { boundedKeysetPages, itself, type KeysetPage } from '../db/keyset-pages.ts';

/** Stores share no locked rows, so others proceed while one waits for its commit. */
export const storesInParallel = 3;

const storesPerPage = 1_000;

const pagesMax = 10_000;

/** Yields each store that may have something to invoice once, those with a draft first. */
export async function* paginateStoresToInvoice(database: Database, now: Date): AsyncGenerator<Id<'store'>> {
  // The first two lists are short, so their IDs fit in memory. The third can hold all stores.
  const named = new Set<Id<'store'>>();
  for await (const storeId of paginateStores((page) => listStoresWithDraft(database, page))) yield* yieldOnce(named, storeId);
  for await (const storeId of paginateStores((page) => listStoresWithUnbilledArchiving(database, page))) yield* yieldOnce(named, storeId);
  for await (const storeId of paginateStores((page) => listStoresWithBillable(database, { now, ...page })))
    if (!named.has(storeId)) yield storeId;
}

/** When the daily job has something to invoice: `whatIsDue` if a crash left a draft or an archived store was not invoiced. */
export async function earliestBilling({ database }: Platform): Promise<Date | null> {
  const first = { after: null, limit: 1 };
  if ((await listStoresWithDraft(database, first)).length > 0) return whatIsDue;
  if ((await listStoresWithUnbilledArchiving(database, first)).length > 0) return whatIsDue;
  return findNextBillable(database);
}

function* yieldOnce(named: Set<Id<'store'>>, storeId: Id<'store'>): Generator<Id<'store'>> {
  if (named.has(storeId)) return;
  named.add(storeId);
  yield storeId;
}

async function* paginateStores(read: (page: KeysetPage<Id<'store'>>) => Promise<ReadonlyArray<Id<'store'>>>): AsyncGenerator<Id<'store'>> {
  for await (const stores of boundedKeysetPages({ rowsPerPage: storesPerPage, pagesMax }, itself, read)) yield* stores;
}

/** Groups keys by store; they must arrive sorted by store. */
export async function* groupByStore(keys: AsyncIterable<InvoiceKey>): AsyncGenerator<readonly InvoiceKey[]> {
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

const invoicesPerPage = 500;

/** Pages through the result of a query for one store or for all, so that an invoice that cannot be processed does not hide later ones. */
export async function* paginateInvoices(
  storeId: Id<'store'> | null,
  read: (walk: InvoicePage) => Promise<readonly InvoiceKey[]>,
): AsyncGenerator<InvoiceKey> {
  const bounds = { rowsPerPage: invoicesPerPage, pagesMax };
  for await (const keys of boundedKeysetPages<InvoiceKey, InvoiceKey>(bounds, itself, (page) => read({ storeId, ...page }))) yield* keys;
}
