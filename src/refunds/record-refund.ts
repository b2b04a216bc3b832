import { rowLocked, Superseded, type Attempt } from '../batch/attempts.ts';
import { creditRefund } from '../billing/issue-credit-note.ts';
import { chargeMinOf } from '../billing/issue-invoice.ts';
import type { Invoice } from '../billing/invoice.ts';
import { reverseCommissions } from '../commissions/commissions-sql.ts';
import { earningBreakdown } from '../commissions/commission.ts';
import { endEarlyHold, findRefund, insertRefund, reduceCommission, type NewRefundRow, limitLockWait } from '../commissions/refunds-sql.ts';
import { partlyRefundedRollups, partlyUnapprovedRollups, reversedRollups } from '../commissions/rollups.ts';
import { contentHash } from '../contract/content-hash.ts';
import type { ExplainedOutcome, Outcome } from '../contract/reply.ts';
import { newId, type Id } from '../core/ids.ts';
import { invariant } from '../core/invariant.ts';
import { amountToJson, noCents } from '../core/money.ts';
import { listSuspendedCreators } from '../creators/suspended-creators-sql.ts';
import type { Database, Transaction } from '../db/database.ts';
import { postStoreTransfers } from '../ledger/store-ledger-sql.ts';
import { insertStoreEvents } from '../notify/store-events-sql.ts';
import { insertEarlyReversals, insertOrders } from '../orders/orders-sql.ts';
import type { Providers } from '../payments/providers.ts';
import { addLinkRollups, addStoreRollups } from '../rollups/rollups-sql.ts';
import { insertEarlyInvoiceReversals, saveInvoices } from '../subscriptions/invoices-sql.ts';
import { logEntryOf } from '../tracking/log-entry.ts';
import { insertLogEntries } from '../tracking/log-sql.ts';
import { decideRefund, refundOutcome, type RefundDecision, type RefundEffect } from './decide-refund.ts';
import { earlierRefund, loadTarget, newestFieldList, type Item, type LoadedTarget } from './load-target.ts';

export type RecordingContext = { readonly database: Database; readonly providers: Providers; readonly now: () => Date };

/** Locks what was refunded, decides, writes, commits, and returns the outcome, in one transaction. */
export async function recordRefund(
  { database, providers, now: readClock }: RecordingContext,
  item: Item,
  attempt: Attempt,
): Promise<Outcome | typeof rowLocked> {
  return database.transaction(async (tx) => {
    await limitLockWait(tx, attempt.lockWaitMs);
    const explained = await decideAndWrite(tx, { providers, readClock, lockWaitMs: attempt.lockWaitMs }, item);
    if (explained === null) return rowLocked;
    const { isTest, at, ...outcome } = explained;
    const entry = logEntryOf(item.postback, { ...outcome, subject: item.report.refundId, isTest, at });
    await insertLogEntries(tx, [entry]);
    return { ...outcome.outcome, isLogged: true };
  }, attempt.commitSent);
}

type LoadContext = { readonly readClock: () => Date; readonly lockWaitMs: number };
type Explained = ExplainedOutcome & { readonly isTest: boolean; readonly at: Date };

/** Null: another transaction has locked a row. */
async function decideAndWrite(
  tx: Transaction,
  { providers, ...context }: LoadContext & { readonly providers: Providers },
  item: Item,
): Promise<Explained | null> {
  const loaded = await loadAndDecide(tx, context, item);
  if (loaded === null) return null;
  const { target, decision, now } = loaded;
  if (decision.do === 'remember') await rememberEarly(tx, target, now);
  if (decision.do === 'refund') await writeRefund(tx, { providers, now, item, target, decision });
  return { ...refundOutcome(decision), isTest: target.isTest, at: now };
}

type Decided = { readonly target: LoadedTarget; readonly decision: RefundDecision; readonly now: Date };

/**
 * A replay needs no lock. The refund is read again under the locks, because a copy may have been recorded meanwhile. The clock is read
 * under them too, so that two refunds of an order have the times and the events of their order.
 */
async function loadAndDecide(tx: Transaction, { readClock, lockWaitMs }: LoadContext, item: Item): Promise<Decided | null> {
  const decide = (target: LoadedTarget, earlier: Awaited<ReturnType<typeof findRefund>>): Decided => {
    const now = readClock();
    const decision = decideRefund(item.report, {
      now,
      storeId: item.storeId,
      earlier: earlier && earlierRefund(item, earlier),
      target: target.facts,
      fresh: { refundId: newId<'rfd'>(now) },
    });
    return { target, decision, now };
  };
  const before = await findRefund(tx, item);
  if (before !== null)
    return decide({ facts: { is: 'refused', reason: 'duplicate_refund_conflict', why: {} }, isTest: isTest(item) }, before);
  const target = await loadTarget(tx, item, lockWaitMs);
  return target && decide(target, await findRefund(tx, item));
}

const isTest = (item: Item): boolean => item.is === 'invoice_refund' && item.report.environment === 'test';

/** The dry run of the linter. Writes nothing. Null if a row is locked. */
export async function dryRunRefund(tx: Transaction, context: LoadContext, item: Item): Promise<ExplainedOutcome | null> {
  const decided = await loadAndDecide(tx, context, item);
  return decided && refundOutcome(decided.decision);
}

/** Like an early reversal: the commission is put on hold if the order or invoice still arrives. */
async function rememberEarly(tx: Transaction, { early }: LoadedTarget, now: Date): Promise<void> {
  invariant(early !== undefined, 'what is remembered has a key');
  if (early.is === 'invoice') return void (await insertEarlyInvoiceReversals(tx, [early.key], now));
  if ((await insertOrders(tx, [], [{ ...early.key, at: now }])) < 1) throw new Superseded('another process recorded the order first');
  await insertEarlyReversals(tx, [early.key], now);
}

type Writing = {
  readonly providers: Providers;
  readonly now: Date;
  readonly item: Item;
  readonly target: LoadedTarget;
  readonly decision: Extract<RefundDecision, { readonly do: 'refund' }>;
};

async function writeRefund(tx: Transaction, writing: Writing): Promise<void> {
  const { item, target, decision, now } = writing;
  const { refund, effect } = decision;
  const refundId = refund.ids.refundId;
  invariant(refundId !== null && target.sourceId !== undefined, 'a recorded refund has an ID and a source');
  const credited = effect?.credit ? await credit(tx, writing, { ...effect, credit: effect.credit }) : null;
  const row: NewRefundRow = {
    storeId: item.storeId,
    refundHash: item.refundHash,
    refundId,
    merchantRefundId: item.report.refundId,
    operation: item.is,
    contentHash: contentHash(newestFieldList(item), item.report.content),
    sourceId: target.sourceId,
    commissionId: refund.ids.commissionId,
    amountCents: item.report.amount,
    remainingCents: refund.remaining,
    parts: effect?.taken ?? [],
    commissionCents: effect?.difference ?? noCents,
    effect: effect === null ? 'none' : effect.isWhole ? 'reversed' : 'reduced',
    creditNoteId: credited,
    occurredAt: refund.occurredAt,
    receivedAt: now,
    reason: item.report.reason,
  };
  if (!(await insertRefund(tx, row))) throw new Superseded('another process recorded this refund ID first');
  if (effect !== null) await applyEffect(tx, writing, effect);
}

async function applyEffect(tx: Transaction, { item, target, decision, now }: Writing, effect: RefundEffect): Promise<void> {
  const { commission } = target;
  invariant(commission !== undefined, 'an effect is on a locked commission');
  const { storeId, commissionId } = commission;
  const key = { storeId, commissionId };
  const { amount } = item.report;
  await postStoreTransfers(tx, effect.postings);
  const refunded = {
    ...commission,
    at: now,
    refundedCents: amount,
    refundedCommissionCents: effect.difference,
    wasRejected: commission.state === 'rejected',
  };
  if (effect.isWhole && commission.invoiceId === null) {
    const ended = await reverseCommissions(tx, [{ ...key, at: now, reason: item.report.reason }]);
    if (target.invoice) await saveInvoices(tx, [reversedInvoice(target.invoice, decision, { at: now, reason: item.report.reason })]);
    return addLinkRollups(tx, reversedRollups(ended));
  }
  // The credit note reversed the commission and counted it as lost.
  if (effect.isWhole) return addLinkRollups(tx, partlyRefundedRollups({ ...refunded, wasRejected: true }));
  if (commission.heldReason === 'early_reversal') {
    const suspended = await listSuspendedCreators(tx, [{ storeId: key.storeId, creatorId: commission.creatorId }]);
    await endEarlyHold(tx, key, { isCreatorSuspended: suspended.has(commission.creatorId) });
  }
  await reduceCommission(tx, key, {
    amountCents: effect.earning.amount,
    refundedCents: amount,
    refundedCommissionCents: effect.difference,
    earned: earningBreakdown(effect.earning),
  });
  await addLinkRollups(tx, partlyRefundedRollups(refunded));
  await addStoreRollups(tx, partlyUnapprovedRollups(refunded));
  const detail = {
    refund_id: item.report.refundId,
    reason: item.report.reason,
    refund_cents: amountToJson(amount),
    commission_before_cents: amountToJson(commission.amountCents),
    amount_cents: amountToJson(effect.earning.amount),
  };
  await insertStoreEvents(tx, { storeId, type: 'commission.refunded', at: now, detail, subjectIds: [commissionId] });
}

/** A refund of everything is the reversal of the invoice: a later reversal changes nothing. */
function reversedInvoice(
  invoice: NonNullable<LoadedTarget['invoice']>,
  { refund }: Writing['decision'],
  { at, reason }: { readonly at: Date; readonly reason: string | null },
): NonNullable<LoadedTarget['invoice']> {
  const { refundId } = refund.ids;
  invariant(refundId !== null, 'a recorded refund has an ID');
  return { ...invoice, reversal: { eventId: refundId, at, reason } };
}

const byRefund = { actor: 'system', name: 'refund reported by the store' } as const;

async function credit(
  tx: Transaction,
  { providers, item, target, decision, now }: Writing,
  effect: RefundEffect & { readonly credit: 'before' | 'after' },
): Promise<Id<'cn'>> {
  const { billed, commission } = target;
  const { refundId } = decision.refund.ids;
  invariant(billed && commission && refundId !== null, 'a credit is on a locked invoice');
  const { storeId } = commission;
  const { refundId: merchantId, reason } = item.report;
  const note = await creditRefund(
    tx,
    {
      ...keyOfInvoice(billed),
      refundId,
      line: { ...commission, amountCents: effect.difference },
      kind: effect.credit,
      isWhole: effect.isWhole,
      reason: `Refund ${merchantId}${reason === null ? '' : `: ${reason}`}`,
      by: byRefund,
      now,
      chargeMin: await chargeMinOf(tx, providers, storeId),
    },
    billed,
  );
  return note.creditNoteId;
}

const keyOfInvoice = ({ storeId, invoiceId }: Invoice) => ({ storeId, invoiceId });
