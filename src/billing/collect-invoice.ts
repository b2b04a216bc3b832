import { countPaidInvoice } from '../holds/reserves-sql.ts';
import { noCreator, type Posting, type Source, storePosting, storeTransfers, swapped } from '../ledger/store-postings.ts';
import { postStoreTransfers } from '../ledger/store-ledger-sql.ts';
import { setPastDue } from '../merchants/stores-sql.ts';
import type { Transaction } from '../db/database.ts';
import type { Id } from '../core/ids.ts';
import { cents, type Cents } from '../core/money.ts';
import { nowOrLater, type Clock } from '../core/time.ts';
import { sumCredits } from './credit-notes-sql.ts';
import type { CreditedSoFar, Invoice, InvoiceKey } from './invoice.ts';
import {
  insertInvoicePart,
  changeInvoice,
  hasUnpaid,
  listInvoicesToCollect,
  lockInvoice,
  listCommissionIdsOfInvoice,
} from './invoices-sql.ts';
import { startPastDueNotices, lockStoreBilling } from './billing-settings-sql.ts';
import {
  collectCommissions,
  type CommissionAmount,
  endAdvances,
  type InvoicedCommission,
  lockInvoicedCommissions,
} from '../commissions/billing-sql.ts';
import { insertOutboxEntries } from '../commissions/creator-outbox-sql.ts';
import type { Platform } from '../runtime/platform.ts';
import { collectStoreFailures } from './store-failures.ts';
import { linesPerTransactionMax, sumByCreator } from './issue-invoice.ts';
import { paginateInvoices } from './paginate-invoices.ts';

type Fact = { readonly source: Source; readonly at: Date };

/** Marks an invoice paid and posts the store's own money. Its commissions follow in chunks, see `collectInvoice`. */
export async function payInvoice(tx: Transaction, invoice: Invoice, { source, at }: Fact): Promise<Invoice> {
  const credited = await sumCredits(tx, invoice);
  const paid = await changeInvoice(tx, invoice, 'pay', { paidAt: at, nextChargeAt: null, isBackupTried: false });
  await updatePastDue(tx, invoice.storeId, at);
  if (source.kind === 'charge') await countPaidInvoice(tx, invoice.storeId, at);
  await postStoreTransfers(tx, postingsOfPaidInvoice(invoice, credited, { source, at }));
  return paid;
}

/** Credit covers the invoice, or the rest is below the minimum charge. The postings refer to the invoice, since there is no charge. */
export const payWithoutCharge = (tx: Transaction, invoice: Invoice, at: Date): Promise<Invoice> =>
  payInvoice(tx, invoice, { source: { kind: 'invoice', id: invoice.invoiceId }, at });

/** The operator bears an amount that is too small to be charged. */
export async function writeOff(tx: Transaction, invoice: Invoice, due: Cents, at: Date): Promise<Invoice> {
  await lockStoreBilling(tx, invoice.storeId);
  await postStoreTransfers(
    tx,
    storePosting(ownOf(invoice, due), storeTransfers.writtenOff, { source: { kind: 'invoice', id: invoice.invoiceId }, at }),
  );
  return changeInvoice(tx, invoice, 'writeOff', { writtenOffCents: due });
}

/**
 * Transfers of the fee and of the credit used. A line that was credited after collection belongs to no creator any more: when the money
 * of its invoice is paid back and paid again, that part is the store's own.
 */
export const postingsOfPaidInvoice = (invoice: Invoice, credited: CreditedSoFar, fact: Fact): readonly Posting[] => [
  ...storePosting(
    ownOf(invoice, cents(invoice.feeCents - credited.beforeFee + credited.afterUnclaimedLines)),
    storeTransfers.collected,
    fact,
  ),
  ...storePosting(
    ownOf(invoice, cents(invoice.creditCents - credited.beforeCredit + invoice.writtenOffCents)),
    storeTransfers.creditCollected,
    fact,
  ),
];

export const reversedPostingsOfPaidInvoice = (invoice: Invoice, credited: CreditedSoFar, fact: Fact): readonly Posting[] =>
  postingsOfPaidInvoice(invoice, credited, fact).map(({ debit, credit, ...posting }) => ({ ...posting, ...swapped({ debit, credit }) }));

const ownOf = ({ storeId }: Invoice, amount: Posting['amount']) => ({ storeId, creatorId: noCreator, amount });

/**
 * A store is past due while one of its invoices is. Takes the lock on the store's billing, so that two invoices settled at the same
 * time see each other. The lock order everywhere: invoice, charge, commissions, the store's billing, the store, balances.
 */
export async function updatePastDue(tx: Transaction, storeId: Id<'store'>, now: Date): Promise<void> {
  await lockStoreBilling(tx, storeId);
  const isPastDue = await hasUnpaid(tx, storeId);
  const isNew = await setPastDue(tx, { storeId, at: isPastDue ? now : null });
  if (isPastDue && isNew) await startPastDueNotices(tx, storeId, now);
}

/** Passes the money of a paid invoice on to its creators, in chunks. After a crash, the next run resumes. */
export const collectInvoice = (platform: Platform, key: InvoiceKey): Promise<void> =>
  forEachChunk(platform, 'billing: a part is collected', (tx, after) => collectChunk(tx, key, { clock: platform.clock, after }));

export type ChunkContext = { readonly clock: Clock; readonly after: ChunkPosition };

/**
 * Locks the invoice for each chunk, so that a dispute that is lost meanwhile stops the collection. Reads each commission under its own
 * lock: if a payout is returned meanwhile, an advanced commission is found as advanced or as billed, and is collected in both cases.
 */
async function collectChunk(tx: Transaction, key: InvoiceKey, { clock, after }: ChunkContext): Promise<ChunkPosition> {
  const invoice = await lockInvoice(tx, key);
  if (invoice === null || invoice.state !== 'paid' || invoice.collectedAt !== null) return null;
  // Read under the lock, and not before the payment: a run can take minutes, and another process may have issued the invoice meanwhile.
  const now = nowOrLater(clock, invoice.paidAt);
  const { lines, last } = await lockNextChunk(tx, key, after);
  const [advanced, billed] = [lines.filter(({ isAdvanced }) => isAdvanced), lines.filter(({ state }) => state === 'billed')];
  await endAdvances(tx, rowsOf(key, advanced));
  await collectCommissions(tx, rowsOf(key, billed));
  await postCollected(tx, key, { advanced, billed, now });
  if (last === null) await changeInvoice(tx, invoice, 'collect', { collectedAt: now });
  return last;
}

export const rowsOf = ({ storeId }: InvoiceKey, lines: readonly CommissionAmount[]) => ({
  storeId,
  commissionIds: lines.map(({ commissionId }) => commissionId),
});

type CollectedLines = { readonly advanced: readonly CommissionAmount[]; readonly billed: readonly CommissionAmount[]; readonly now: Date };

async function postCollected(tx: Transaction, key: InvoiceKey, { advanced, billed, now }: CollectedLines): Promise<void> {
  const lines = [...advanced, ...billed];
  if (lines.length === 0) return;
  const { storeId } = key;
  const fact = { source: { kind: 'charge', id: await insertInvoicePart(tx, key, now) }, at: now } as const;
  await insertOutboxEntries(tx, { storeId, kind: 'repaid', at: now }, advanced);
  await insertOutboxEntries(tx, { storeId, kind: 'collected', at: now }, billed);
  await postStoreTransfers(
    tx,
    sumByCreator(lines).flatMap(({ creatorId, amount }) => storePosting({ storeId, creatorId, amount }, storeTransfers.collected, fact)),
  );
}

/** A job, and the first step of every run: finishes the collection of paid invoices. */
export async function collectInvoices(platform: Platform, storeId: Id<'store'> | null): Promise<void> {
  const failures = collectStoreFailures(platform);
  for await (const key of paginateInvoices(storeId, (walk) => listInvoicesToCollect(platform.database, walk)))
    await failures.of(key.storeId, () => collectInvoice(platform, key));
  failures.raise();
}

const chunksMax = 10_000;

/** The last commission that was processed. Null: none yet, or no chunk is left. */
export type ChunkPosition = Id<'com'> | null;

/** Runs each chunk in its own transaction until one reports that it was the last. After a crash, the next run starts over. */
export async function forEachChunk(
  { database, reached }: Platform,
  point: string,
  work: (tx: Transaction, after: ChunkPosition) => Promise<ChunkPosition>,
): Promise<void> {
  let after: ChunkPosition = null;
  for (let part = 0; part < chunksMax; part++) {
    after = await database.transaction((tx) => work(tx, after));
    reached(point);
    if (after === null) return;
  }
}

/** Locks the next commissions of an invoice. `last` is null in the last chunk. */
export async function lockNextChunk(
  tx: Transaction,
  key: InvoiceKey,
  after: ChunkPosition,
): Promise<{ readonly lines: readonly InvoicedCommission[]; readonly last: ChunkPosition }> {
  const commissionIds = await listCommissionIdsOfInvoice(tx, key, { after, limit: linesPerTransactionMax });
  const lines = await lockInvoicedCommissions(tx, key, commissionIds);
  return { lines, last: commissionIds.length < linesPerTransactionMax ? null : (commissionIds.at(-1) ?? null) };
}
