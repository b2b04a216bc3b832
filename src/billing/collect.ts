import {
  collectCommissions,
  endAdvanceOfCommissions,
  lockAdvancedOfInvoice,
  lockOfInvoice,
  type BilledCommission,
} from '../commissions/billing-sql.ts';
import { tellCreators } from '../commissions/outbox-sql.ts';
import { move, ways } from '../ledger/posting.ts';
import { post } from '../ledger/sql.ts';
import type { Transaction } from '../platform/database/database.ts';
import type { Id } from '../platform/ids.ts';
import type { Platform } from '../platform/platform.ts';
import { faultsOf } from './faults.ts';
import { linesPerTransactionMax, perCreator } from './gather.ts';
import { eachInvoice } from './each-invoice.ts';
import type { InvoiceKey } from './invoice.ts';
import { changeInvoice, invoicesToCollect, lockInvoice } from './invoices-sql.ts';
import { beginPart } from './parts-sql.ts';

const partsMax = 10_000;

/** Moves what a paid invoice brought on to its creators, part by part; the next one goes on after a death. */
export async function collectInvoice(platform: Platform, key: InvoiceKey, now: Date): Promise<void> {
  for (let part = 0; part < partsMax; part++) {
    const isWhole = await platform.database.transaction((tx) => collectPart(tx, key, now));
    platform.reached('billing: a part is collected');
    if (isWhole) return;
  }
}

/**
 * Under the invoice's lock, part by part: a dispute that is lost meanwhile stops it where it is. What was advanced comes first: a
 * payout that comes back between the two makes it billed, never the other way round, and so nothing is overlooked.
 */
async function collectPart(tx: Transaction, key: InvoiceKey, now: Date): Promise<boolean> {
  const invoice = await lockInvoice(tx, key);
  if (invoice === null || invoice.state !== 'paid' || invoice.collectedAt !== null) return true;
  const advanced = await lockAdvancedOfInvoice(tx, key, linesPerTransactionMax);
  if (advanced.length > 0) {
    await endAdvanceOfCommissions(tx, rowsOf(key, advanced));
    await tellOfPart(tx, key, { lines: advanced, kind: 'repaid', now });
    return false;
  }
  const billed = await lockOfInvoice(tx, key, 'billed', { after: null, limit: linesPerTransactionMax });
  if (billed.length > 0) {
    await collectCommissions(tx, rowsOf(key, billed));
    await tellOfPart(tx, key, { lines: billed, kind: 'collected', now });
    return false;
  }
  await changeInvoice(tx, invoice, { state: 'paid', collectedAt: now });
  return true;
}

export const rowsOf = ({ storeId }: InvoiceKey, lines: readonly BilledCommission[]) => ({
  storeId,
  commissionIds: lines.map(({ commissionId }) => commissionId),
});

type Part = { readonly lines: readonly BilledCommission[]; readonly kind: 'collected' | 'repaid'; readonly now: Date };

async function tellOfPart(tx: Transaction, key: InvoiceKey, { lines, kind, now }: Part): Promise<void> {
  const { storeId } = key;
  const fact = { source: { kind: 'charge', id: await beginPart(tx, key, now) }, at: now } as const;
  await tellCreators(tx, { storeId, kind, at: now }, lines);
  await post(
    tx,
    perCreator(lines).flatMap(({ creatorId, amount }) => move({ storeId, creatorId, amount }, ways.collected, fact)),
  );
}

/** A job, and the beginning of every run: what was paid and not collected to its end. */
export async function collectInvoices(platform: Platform, now: Date, storeId: Id<'store'> | null): Promise<void> {
  const faults = faultsOf(platform);
  for await (const key of eachInvoice(storeId, (walk) => invoicesToCollect(platform.database, walk)))
    await faults.of(key.storeId, () => collectInvoice(platform, key, now));
  faults.raise();
}
