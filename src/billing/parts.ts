import { lockNamedOfInvoice, type OfInvoice } from '../commissions/billing-sql.ts';
import type { Transaction } from '../platform/database/database.ts';
import type { Id } from '../platform/ids.ts';
import type { Platform } from '../platform/platform.ts';
import type { InvoiceKey } from './invoice.ts';
import { namesOnInvoice } from './invoices-sql.ts';

/** What one transaction touches: nobody waits long for it. */
export const linesPerTransactionMax = 1_000;
const partsMax = 10_000;

/** How far a walk through an invoice's commissions has come. Null: it has not begun, or it is at its end. */
export type Place = Id<'com'> | null;

/** Each part in a transaction of its own, until one says that it was the last. After a death another walk begins anew. */
export async function eachPart(
  { database, reached }: Platform,
  point: string,
  work: (tx: Transaction, after: Place) => Promise<Place>,
): Promise<void> {
  let after: Place = null;
  for (let part = 0; part < partsMax; part++) {
    after = await database.transaction((tx) => work(tx, after));
    reached(point);
    if (after === null) return;
  }
}

/** The next ones of an invoice, locked as they stand; `last` is null where no others follow. */
export async function nextOfInvoice(
  tx: Transaction,
  key: InvoiceKey,
  after: Place,
): Promise<{ readonly lines: readonly OfInvoice[]; readonly last: Place }> {
  const commissionIds = await namesOnInvoice(tx, key, { after, limit: linesPerTransactionMax });
  const lines = await lockNamedOfInvoice(tx, key, commissionIds);
  return { lines, last: commissionIds.length < linesPerTransactionMax ? null : (commissionIds.at(-1) ?? null) };
}
