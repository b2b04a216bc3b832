import { advanceCommissions, uncollectCommissions, type OfInvoice } from '../commissions/billing-sql.ts';
import { tellCreators } from '../commissions/outbox-sql.ts';
import { back, move, ways } from '../ledger/posting.ts';
import { post } from '../ledger/sql.ts';
import type { Transaction } from '../platform/database/database.ts';
import { newId, type Id } from '../platform/ids.ts';
import { must } from '../platform/must.ts';
import type { Platform } from '../platform/platform.ts';
import type { ProviderNews } from '../providers/provider.ts';
import type { Money } from '../providers/providers.ts';
import { findCharge, lockCharge, type ChargeKey } from './charges-sql.ts';
import { rowsOf } from './collect.ts';
import { creditedSoFar } from './credit-notes-sql.ts';
import { disputesToUndo, insertDispute, letAnotherPay, markUndone, type Dispute } from './disputes-sql.ts';
import { faultsOf } from './faults.ts';
import { perCreator } from './gather.ts';
import { dueOf } from './invoice.ts';
import { changeInvoice, lockInvoice } from './invoices-sql.ts';
import { tellFinance } from './letters-out.ts';
import { disputeLostLetter } from './letters.ts';
import { eachPart, nextOfInvoice, type Place } from './parts.ts';
import { beginPart } from './parts-sql.ts';
import { keepPastDue, storePostingsBack } from './pay.ts';
import { keyOfReference, lookUpAndSettle, type NewsEnd } from './settle-from-outside.ts';

type DisputeNews = Extract<ProviderNews, { readonly about: 'dispute_lost' | 'payout_returned' }>;

/** A card dispute was lost: the invoice is open again, and its commissions go back where they can. However often it is told. */
export async function disputeLost(money: Money, news: DisputeNews): Promise<NewsEnd> {
  const { platform } = money;
  const { database } = platform;
  const key = await keyOfReference(database, news.reference);
  if (key === null) return 'not_ours';
  const known = await findCharge(database, key);
  // The news of its success may still be on its way, or the call was never answered: the provider knows.
  if (known?.state !== 'succeeded') await lookUpAndSettle(money, key, null);
  const lost = await database.transaction((tx) => loseLocked(tx, platform, key, news));
  platform.reached('billing: a dispute is lost');
  if (lost === null) return 'not_now';
  await undoDisputes(platform, platform.clock.now(), key.storeId);
  return 'done';
}

/** Null: it is no success here yet. */
async function loseLocked(tx: Transaction, platform: Platform, key: ChargeKey, news: DisputeNews): Promise<'lost' | 'known' | null> {
  const now = platform.clock.now();
  const { storeId, chargeId } = key;
  const found = await findCharge(tx, key);
  const invoice = found && (await lockInvoice(tx, found));
  const charge = invoice && (await lockCharge(tx, key));
  must(invoice && charge, 'a charge that is disputed is there, and its invoice');
  if (charge.state !== 'succeeded') return null;
  const credited = await creditedSoFar(tx, invoice);
  // Where all of it was credited or waived, no charge paid it: this one brought what nobody owed.
  const due = dueOf(invoice, credited);
  const isPaidByCharge = invoice.state === 'paid' && due > invoice.writtenOffCents;
  const isOurs = isPaidByCharge && !(await letAnotherPay(tx, key, { invoiceId: invoice.invoiceId, due }));
  const disputeId = newId<'dsp'>(now);
  const { newsId, why, at: lostAt } = news;
  const { invoiceId } = invoice;
  const isNew = await insertDispute(tx, {
    storeId,
    disputeId,
    chargeId,
    invoiceId,
    newsId,
    why,
    lostAt,
    at: now,
    undoneAt: isOurs ? null : now,
  });
  if (!isNew || !isOurs) return 'known';
  const open = await changeInvoice(tx, invoice, {
    state: 'charged_back',
    paidAt: null,
    collectedAt: null,
    chargedBackAt: now,
    nextChargeAt: null,
    failures: 0,
    firstFailedAt: null,
    isBackupTried: false,
  });
  await keepPastDue(tx, storeId, now);
  await post(tx, storePostingsBack(invoice, credited, { source: { kind: 'dispute', id: disputeId }, at: now }));
  await tellFinance(tx, platform, storeId, (facts) => disputeLostLetter({ ...facts, invoice: open, due }));
  return 'lost';
}

const disputesAtOnceMax = 1_000;

/** A job: what was taken back and not undone to its end. */
export async function undoDisputes(platform: Platform, now: Date, storeId: Id<'store'> | null): Promise<void> {
  const faults = faultsOf(platform);
  for (const dispute of await disputesToUndo(platform.database, storeId, disputesAtOnceMax))
    await faults.of(dispute.storeId, () => undoDispute(platform, dispute, now));
  faults.raise();
}

const undoDispute = (platform: Platform, dispute: Dispute, now: Date): Promise<void> =>
  eachPart(platform, 'billing: a part is taken back', (tx, after) => undoPart(tx, dispute, { now, after }));

/**
 * Under the invoice's lock. What is in no payout yet is billed again; what is in one stays, and the operator bears it until the
 * store pays. If it has paid again already, what was not taken back yet stays as it is: its books never moved.
 */
async function undoPart(tx: Transaction, dispute: Dispute, { now, after }: { readonly now: Date; readonly after: Place }): Promise<Place> {
  const invoice = await lockInvoice(tx, dispute);
  const isOpen = invoice !== null && invoice.state !== 'paid' && invoice.state !== 'void';
  const { lines, last } = isOpen ? await nextOfInvoice(tx, dispute, after) : { lines: [], last: null };
  await takeBack(
    tx,
    dispute,
    lines.filter(({ state, isAdvanced }) => (state === 'collected' || state === 'paid') && !isAdvanced),
    now,
  );
  if (last === null) await markUndone(tx, dispute, now);
  return last;
}

async function takeBack(tx: Transaction, dispute: Dispute, lines: readonly OfInvoice[], now: Date): Promise<void> {
  if (lines.length === 0) return;
  const { storeId } = dispute;
  const [kept, free] = [lines.filter(({ isInPayout }) => isInPayout), lines.filter(({ isInPayout }) => !isInPayout)];
  await uncollectCommissions(tx, rowsOf(dispute, free));
  await advanceCommissions(tx, rowsOf(dispute, kept), now);
  await tellCreators(tx, { storeId, kind: 'charged_back', at: now }, free);
  await tellCreators(tx, { storeId, kind: 'advanced', at: now }, kept);
  const fact = { source: { kind: 'dispute', id: await beginPart(tx, dispute, now) }, at: now } as const;
  await post(
    tx,
    perCreator(lines).flatMap(({ creatorId, amount }) => move({ storeId, creatorId, amount }, back(ways.collected), fact)),
  );
}
