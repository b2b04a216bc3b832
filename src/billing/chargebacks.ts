import { advanceCommissions, chargeBackCommissions, type InvoicedCommission } from '../commissions/billing-sql.ts';
import { insertOutboxEntries } from '../commissions/creator-outbox-sql.ts';
import { noCreator, type Posting, storePosting, storeTransfers, swapped } from '../ledger/store-postings.ts';
import { postStoreTransfers } from '../ledger/store-ledger-sql.ts';
import type { Transaction } from '../db/database.ts';
import { type Id, newId, publicId } from '../core/ids.ts';
import { invariant } from '../core/invariant.ts';
import { nowOrLater } from '../core/time.ts';
import type { Platform } from '../runtime/platform.ts';
import type { ProviderEvent } from '../payments/provider.ts';
import type { Money } from '../payments/providers.ts';
import { type Charge, type ChargeKey, listChargesOfInvoice, findCharge, lockCharge } from './charges-sql.ts';
import {
  forEachChunk,
  updatePastDue,
  lockNextChunk,
  type ChunkContext,
  type ChunkPosition,
  rowsOf,
  reversedPostingsOfPaidInvoice,
} from './collect-invoice.ts';
import { sumCredits } from './credit-notes-sql.ts';
import {
  type Dispute,
  listDisputesToUndo,
  insertDispute,
  insertLoss,
  isChargeTakenBack,
  assignAnotherCharge,
  sumLosses,
  markUndone,
} from './chargebacks-sql.ts';
import { collectStoreFailures } from './store-failures.ts';
import { sumByCreator } from './issue-invoice.ts';
import { dueOf, type InvoiceKey } from './invoice.ts';
import { insertInvoicePart, changeInvoice, lockInvoice } from './invoices-sql.ts';
import { disputeLostEmail, reinvoicedEmail, notifyFinance } from './billing-emails.ts';
import type { EventResult } from '../money-movement/protocol.ts';
import { keyOfReference, lookUpAndSettle } from './charge-invoice.ts';
import { type Cents, sum } from '../core/money.ts';
import { decideLoss, decideReinvoice, type RefundDecision, type RefundFacts, type RefundRefusal } from './decide-provider-refund.ts';

type LostDisputeEvent = Extract<ProviderEvent, { readonly about: 'dispute_lost' | 'payout_returned' }>;

/** Handles a lost card dispute: reopens the invoice and reverses its commissions if possible. Repeated events have no effect. */
export async function loseDispute(money: Money, event: LostDisputeEvent): Promise<EventResult> {
  const { platform } = money;
  const { database } = platform;
  const key = await keyOfReference(database, event.reference);
  if (key === null) return 'not_ours';
  const known = await findCharge(database, key);
  // The event about its success may be delayed, or the call was never answered, so the provider is asked.
  if (known?.state !== 'succeeded') await lookUpAndSettle(money, key, null);
  const lost = await database.transaction((tx) => reverseCharge(tx, platform, { key, event, content: disputeLostEmail }));
  platform.reached('billing: a dispute is lost');
  if (lost === null) return 'not_confirmed';
  await undoDisputes(platform, key.storeId);
  return 'applied';
}

type ReversedCharge = {
  readonly key: ChargeKey;
  readonly event: Pick<LostDisputeEvent, 'eventId' | 'why' | 'at'>;
  readonly content: typeof disputeLostEmail;
};

/**
 * Reverses a whole charge: the store owes the invoice again. `known`: it was reversed before, or it paid no invoice. Null: the charge
 * has not succeeded here yet.
 */
export async function reverseCharge(
  tx: Transaction,
  platform: Platform,
  { key, event, content }: ReversedCharge,
): Promise<'lost' | 'known' | null> {
  const now = platform.clock.now();
  const { storeId, chargeId } = key;
  const found = await findCharge(tx, key);
  const invoice = found && (await lockInvoice(tx, found));
  const charge = invoice && (await lockCharge(tx, key));
  invariant(invoice && charge, 'a disputed charge and its invoice exist');
  if (charge.state !== 'succeeded') return null;
  const credited = await sumCredits(tx, invoice);
  // If the whole invoice was credited or waived, this charge was unmatched.
  const due = dueOf(invoice, credited);
  const isPaidByCharge = invoice.state === 'paid' && due > invoice.writtenOffCents;
  const isOurs = isPaidByCharge && !(await assignAnotherCharge(tx, key, { invoiceId: invoice.invoiceId, due }));
  const disputeId = newId<'dsp'>(now);
  const { eventId, why, at: lostAt } = event;
  const { invoiceId } = invoice;
  const isNew = await insertDispute(tx, {
    storeId,
    disputeId,
    chargeId,
    invoiceId,
    eventId,
    why,
    lostAt,
    at: now,
    undoneAt: isOurs ? null : now,
  });
  if (isNew) await undoLosses(tx, key, { source: { kind: 'dispute', id: disputeId }, at: now });
  if (!isNew || !isOurs) return 'known';
  const open = await changeInvoice(tx, invoice, 'chargeBack', {
    paidAt: null,
    collectedAt: null,
    chargedBackAt: now,
    nextChargeAt: null,
    failures: 0,
    firstFailedAt: null,
    isBackupTried: false,
  });
  await updatePastDue(tx, storeId, now);
  await postStoreTransfers(tx, reversedPostingsOfPaidInvoice(invoice, credited, { source: { kind: 'dispute', id: disputeId }, at: now }));
  await notifyFinance(tx, platform, storeId, (facts) => content({ ...facts, invoice: open, due }));
  return 'lost';
}

/** The operator bore a part that was refunded earlier; now the store owes all of it. */
async function undoLosses(tx: Transaction, key: ChargeKey, fact: Pick<Posting, 'source' | 'at'>): Promise<void> {
  const amount = await sumLosses(tx, key);
  await postStoreTransfers(
    tx,
    storePosting({ storeId: key.storeId, creatorId: noCreator, amount }, swapped(storeTransfers.refundBorne), fact),
  );
}

const disputesAtOnceMax = 1_000;

/** A job: finishes reversing the commissions of lost disputes. */
export async function undoDisputes(platform: Platform, storeId: Id<'store'> | null): Promise<void> {
  const failures = collectStoreFailures(platform);
  for (const dispute of await listDisputesToUndo(platform.database, storeId, disputesAtOnceMax))
    await failures.of(dispute.storeId, () => undoDispute(platform, dispute));
  failures.raise();
}

const undoDispute = (platform: Platform, dispute: Dispute): Promise<void> =>
  forEachChunk(platform, 'billing: a chunk is reversed', (tx, after) => undoChunk(tx, dispute, { clock: platform.clock, after }));

/**
 * Locks the invoice. Commissions that are in no payout become billed again; the others are advanced by the operator until the store
 * pays. If the store has paid again already, the remaining commissions stay as they are.
 */
async function undoChunk(tx: Transaction, dispute: Dispute, { clock, after }: ChunkContext): Promise<ChunkPosition> {
  const invoice = await lockInvoice(tx, dispute);
  const now = nowOrLater(clock, invoice?.chargedBackAt ?? null);
  const isOpen = invoice !== null && invoice.state !== 'paid' && invoice.state !== 'void';
  const { lines, last } = isOpen ? await lockNextChunk(tx, dispute, after) : { lines: [], last: null };
  await reverseCommissions(
    tx,
    dispute,
    lines.filter(({ state, isAdvanced }) => (state === 'collected' || state === 'paid') && !isAdvanced),
    now,
  );
  if (last === null) await markUndone(tx, dispute, now);
  return last;
}

async function reverseCommissions(tx: Transaction, dispute: Dispute, lines: readonly InvoicedCommission[], now: Date): Promise<void> {
  if (lines.length === 0) return;
  const { storeId } = dispute;
  const [kept, free] = [lines.filter(({ isInPayout }) => isInPayout), lines.filter(({ isInPayout }) => !isInPayout)];
  await chargeBackCommissions(tx, rowsOf(dispute, free));
  await advanceCommissions(tx, rowsOf(dispute, kept), now);
  await insertOutboxEntries(tx, { storeId, kind: 'charged_back', at: now }, free);
  await insertOutboxEntries(tx, { storeId, kind: 'advanced', at: now }, kept);
  const fact = { source: { kind: 'dispute', id: await insertInvoicePart(tx, dispute, now) }, at: now } as const;
  await postStoreTransfers(
    tx,
    sumByCreator(lines).flatMap(({ creatorId, amount }) =>
      storePosting({ storeId, creatorId, amount }, swapped(storeTransfers.collected), fact),
    ),
  );
}

/** Locks the invoice, then its charges; webhook events about a charge wait for it. */
export async function lockRefunded(tx: Transaction, key: InvoiceKey): Promise<ReadonlyArray<Id<'chg'>>> {
  const invoice = await lockInvoice(tx, key);
  invariant(invoice, 'invoices are never deleted');
  const charges = await listChargesOfInvoice(tx, key);
  for (const charge of charges) await lockCharge(tx, charge);
  return charges.map(({ chargeId }) => chargeId);
}

export type Refund = { readonly chargeId: Id<'chg'>; readonly refundedCents: Cents | null };

export type RefundResult = { readonly is: 'done'; readonly amount: Cents } | { readonly is: 'refused'; readonly why: RefundRefusal };

type RefundBooking = InvoiceKey & {
  readonly caseId: Id<'case'>;
  /** The refunds that the provider reported, per charge of the invoice. */
  readonly refunds: readonly Refund[];
  readonly at: Date;
};

/** Books a refund as a loss of the operator; the creators keep their money. The caller must hold the charge locks. */
export async function bookLoss(tx: Transaction, booking: RefundBooking): Promise<RefundResult> {
  const decided = await decideEach(tx, booking, decideLoss);
  if (!Array.isArray(decided)) return decided;
  const { storeId, invoiceId, caseId, at } = booking;
  for (const { charge, amount } of decided) {
    const lossId = newId<'dsp'>(at);
    await insertLoss(tx, { storeId, lossId, chargeId: charge.chargeId, invoiceId, caseId, amountCents: amount, at });
    await postStoreTransfers(
      tx,
      storePosting({ storeId, creatorId: noCreator, amount }, storeTransfers.refundBorne, { source: { kind: 'dispute', id: lossId }, at }),
    );
  }
  return { is: 'done', amount: sum(decided.map(({ amount }) => amount)) };
}

/**
 * Reopens the invoice, as after a lost dispute. Its commissions are reversed in chunks after the commit, see `undoDisputes`. The caller
 * must hold the charge locks.
 */
export async function reinvoice(tx: Transaction, platform: Platform, booking: RefundBooking): Promise<RefundResult> {
  const decided = await decideEach(tx, booking, decideReinvoice);
  if (!Array.isArray(decided)) return decided;
  const event = { eventId: publicId('case', booking.caseId), why: 'Refunded at the payment provider, and invoiced again.', at: booking.at };
  for (const { charge } of decided) await reverseCharge(tx, platform, { key: charge, event, content: reinvoicedEmail });
  return { is: 'done', amount: sum(decided.map(({ amount }) => amount)) };
}

type Decided = { readonly charge: Charge; readonly amount: Cents };

/** Decides all refunds or none. */
async function decideEach(
  tx: Transaction,
  { storeId, refunds, ...booking }: RefundBooking,
  decide: (facts: RefundFacts) => RefundDecision,
): Promise<Decided[] | (RefundResult & { readonly is: 'refused' })> {
  const charges = await listChargesOfInvoice(tx, { storeId, invoiceId: booking.invoiceId });
  const decided: Decided[] = [];
  for (const { chargeId, refundedCents } of refunds) {
    const charge = charges.find((one) => one.chargeId === chargeId);
    invariant(charge, 'a reported charge belongs to its invoice');
    const decision = decide({
      chargeState: charge.state,
      chargedCents: charge.amountCents,
      refundedCents,
      bookedCents: await sumLosses(tx, charge),
      isTakenBack: await isChargeTakenBack(tx, charge),
    });
    if (decision.do === 'refuse') return { is: 'refused', why: decision.why };
    decided.push({ charge, amount: decision.amount });
  }
  return decided;
}
