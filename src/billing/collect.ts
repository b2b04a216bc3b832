import { collectCommissions, endAdvanceOfCommissions, type BilledCommission } from '../commissions/billing-sql.ts';
import { tellCreators } from '../commissions/outbox-sql.ts';
import { move, ways } from '../ledger/posting.ts';
import { post } from '../ledger/sql.ts';
import type { Transaction } from '../platform/database/database.ts';
import type { Id } from '../platform/ids.ts';
import type { Platform } from '../platform/platform.ts';
import { faultsOf } from './faults.ts';
import { perCreator } from './gather.ts';
import { eachInvoice } from './each-invoice.ts';
import type { InvoiceKey } from './invoice.ts';
import { changeInvoice, invoicesToCollect, lockInvoice } from './invoices-sql.ts';
import { eachPart, nextOfInvoice, type Place } from './parts.ts';
import { beginPart } from './parts-sql.ts';

/** Moves what a paid invoice brought on to its creators, part by part; the next one goes on after a death. */
export const collectInvoice = (platform: Platform, key: InvoiceKey, now: Date): Promise<void> =>
  eachPart(platform, 'billing: a part is collected', (tx, after) => collectPart(tx, key, { now, after }));

/**
 * Under the invoice's lock, part by part: a dispute that is lost meanwhile stops it where it is. Each commission is judged under its
 * own lock, once: where a payout comes back meanwhile, what was advanced is found either so or as billed, and collected either way.
 */
async function collectPart(
  tx: Transaction,
  key: InvoiceKey,
  { now, after }: { readonly now: Date; readonly after: Place },
): Promise<Place> {
  const invoice = await lockInvoice(tx, key);
  if (invoice === null || invoice.state !== 'paid' || invoice.collectedAt !== null) return null;
  const { lines, last } = await nextOfInvoice(tx, key, after);
  const [advanced, billed] = [lines.filter(({ isAdvanced }) => isAdvanced), lines.filter(({ state }) => state === 'billed')];
  await endAdvanceOfCommissions(tx, rowsOf(key, advanced));
  await collectCommissions(tx, rowsOf(key, billed));
  await tellOfPart(tx, key, { advanced, billed, now });
  if (last === null) await changeInvoice(tx, invoice, { state: 'paid', collectedAt: now });
  return last;
}

export const rowsOf = ({ storeId }: InvoiceKey, lines: readonly BilledCommission[]) => ({
  storeId,
  commissionIds: lines.map(({ commissionId }) => commissionId),
});

type Part = { readonly advanced: readonly BilledCommission[]; readonly billed: readonly BilledCommission[]; readonly now: Date };

async function tellOfPart(tx: Transaction, key: InvoiceKey, { advanced, billed, now }: Part): Promise<void> {
  const lines = [...advanced, ...billed];
  if (lines.length === 0) return;
  const { storeId } = key;
  const fact = { source: { kind: 'charge', id: await beginPart(tx, key, now) }, at: now } as const;
  await tellCreators(tx, { storeId, kind: 'repaid', at: now }, advanced);
  await tellCreators(tx, { storeId, kind: 'collected', at: now }, billed);
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
