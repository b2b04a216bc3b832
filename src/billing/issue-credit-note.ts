import { creditCommissions, lockInvoicedCommissions } from '../commissions/billing-sql.ts';
import { lostRollups } from '../commissions/rollups.ts';
import { addLinkRollups } from '../rollups/rollups-sql.ts';
import { insertOutboxEntries } from '../commissions/creator-outbox-sql.ts';
import { noCreator, type Posting, storePosting, storeTransfers, swapped } from '../ledger/store-postings.ts';
import { postStoreTransfers } from '../ledger/store-ledger-sql.ts';
import type { Transaction } from '../db/database.ts';
import { type Id, newId } from '../core/ids.ts';
import { cents, type Cents, noCents, sum } from '../core/money.ts';
import { invariant } from '../core/invariant.ts';
import {
  listCreditedCommissions,
  sumCredits,
  type CreditNote,
  insertCreditNote,
  insertNoteLines,
  type NoteLine,
} from './credit-notes-sql.ts';
import {
  amountsAfter,
  amountsBefore,
  type CreditableLine,
  type CreditWord,
  decideCreditLine,
  decideRest,
  type LineDecision,
  type NoteAmounts,
} from './decide-credit-note.ts';
import type { LateRefund } from './decide-late-refund.ts';
import { sumByCreator } from './issue-invoice.ts';
import { dueOf, type Invoice, type InvoiceKey } from './invoice.ts';
import { changeInvoice, lockInvoice } from './invoices-sql.ts';
import { updatePastDue, payWithoutCharge, writeOff } from './collect-invoice.ts';
import { incrementCreditNoteNumber, lockStoreBilling } from './billing-settings-sql.ts';

type NoteCommand = InvoiceKey & {
  readonly reason: string;
  readonly by: { readonly actor: string; readonly name: string };
  readonly now: Date;
  readonly chargeMin: Cents;
};

export type IssueCreditCommand = NoteCommand & {
  readonly commissionIds: ReadonlyArray<Id<'com'>>;
  readonly operatorBears: boolean;
};

export type CreditResult = {
  readonly invoice: Invoice;
  readonly notes: readonly CreditNote[];
  readonly words: ReadonlyMap<Id<'com'>, CreditWord>;
};

type Decided = { readonly line: CreditableLine; readonly decision: LineDecision };

/** Credits commissions whose orders were refunded after they were invoiced. Null: the invoice does not exist. */
export async function issueCreditNotes(tx: Transaction, command: IssueCreditCommand): Promise<CreditResult | null> {
  const { storeId, commissionIds, operatorBears } = command;
  const invoice = await lockInvoice(tx, command);
  if (invoice === null) return null;
  const locked = await lockInvoicedCommissions(tx, command, commissionIds);
  const credited = await listCreditedCommissions(tx, storeId, commissionIds);
  const decided = locked.map((line): Decided => {
    const { isWhole = false, lateCents = noCents } = credited.get(line.commissionId) ?? {};
    const amountCents = cents(line.amountCents - lateCents);
    const current = { ...line, amountCents, isPartlyBorne: lateCents > 0n, isCredited: isWhole || amountCents === noCents };
    return { line: current, decision: decideCreditLine(current, { invoiceState: invoice.state, operatorBears }) };
  });
  const notes: CreditNote[] = [];
  const before = decided
    .filter(({ decision }) => decision.do === 'credit before')
    .map(({ line }) => ({ ...line, isBorne: false, refundId: null }));
  if (before.length > 0) notes.push(await creditBefore(tx, command, invoice, before));
  const after = decided.flatMap(({ line, decision: { do: how } }) =>
    how === 'credit after' || how === 'bear' ? [{ ...line, isBorne: how === 'bear', refundId: null }] : [],
  );
  if (after.length > 0) notes.push(await creditAfter(tx, command, invoice, { lines: after, entryKind: 'credited' }));
  await reverseCredited(
    tx,
    command,
    [...before, ...after].filter(({ isBorne }) => !isBorne),
  );
  const left = before.length > 0 ? await settleRest(tx, command, invoice) : invoice;
  const words = new Map(decided.map(({ line, decision }) => [line.commissionId, decision.word]));
  return { invoice: left, notes, words: new Map(commissionIds.map((id) => [id, words.get(id) ?? 'not_found'])) };
}

export type RefundCredit = NoteCommand & {
  readonly refundId: Id<'rfd'>;
  readonly line: { readonly commissionId: Id<'com'>; readonly creatorId: Id<'crt'>; readonly amountCents: Cents };
  /** Before or after the store paid the invoice. */
  readonly kind: CreditNote['kind'];
  /** Nothing remains of the commission. */
  readonly isWhole: boolean;
};

/**
 * Credits what a refund took from the line of a commission. The caller holds the locks of the invoice and the commission, has decided, and
 * reduces the commission unless nothing remains of it.
 */
export async function creditRefund(tx: Transaction, command: RefundCredit, invoice: Invoice): Promise<CreditNote> {
  const { line, refundId, kind, isWhole } = command;
  const lines = [{ ...line, isBorne: false, refundId }];
  const note =
    kind === 'before'
      ? await creditBefore(tx, command, invoice, lines)
      : await creditAfter(tx, command, invoice, { lines, entryKind: isWhole ? 'credited' : 'refunded' });
  if (isWhole) await reverseCredited(tx, command, lines);
  if (kind === 'before') await settleRest(tx, command, invoice);
  return note;
}

/** Credits the store with a part of a commission that is in a payout. The caller holds the locks of the invoice and the commission. */
export const bearLateRefund = (tx: Transaction, command: NoteCommand, invoice: Invoice, line: BorneLine): Promise<CreditNote> =>
  creditAfter(tx, command, invoice, { lines: [{ ...line, isBorne: true, refundId: null }], entryKind: 'credited' });

type BorneLine = Omit<NoteLine, 'isBorne' | 'refundId' | 'late'> & { readonly late: LateRefund };

async function creditBefore(tx: Transaction, command: NoteCommand, invoice: Invoice, lines: readonly NoteLine[]): Promise<CreditNote> {
  const { storeId, now } = command;
  const amounts = amountsBefore(invoice, await sumCredits(tx, invoice), amountsOf(lines));
  const note = await insertNote(tx, command, { kind: 'before', amounts, lines });
  const fact = factOf(note);
  await postStoreTransfers(tx, [
    ...sumByCreator(lines).flatMap(({ creatorId, amount }) => storePosting({ storeId, creatorId, amount }, storeTransfers.credited, fact)),
    ...storePosting({ storeId, creatorId: noCreator, amount: amounts.feeCents }, storeTransfers.feeCredited, fact),
    ...storePosting({ storeId, creatorId: noCreator, amount: amounts.creditCents }, swapped(storeTransfers.creditUsed), {
      ...fact,
      at: now,
    }),
  ]);
  return note;
}

/** The amount that the operator bears and the returned fee move between the same two accounts, so they are one transfer. */
async function creditAfter(
  tx: Transaction,
  command: NoteCommand,
  invoice: Invoice,
  { lines, entryKind }: { readonly lines: readonly NoteLine[]; readonly entryKind: 'credited' | 'refunded' },
): Promise<CreditNote> {
  const { storeId, now } = command;
  const amounts = amountsAfter(invoice, await sumCredits(tx, invoice), amountsOf(lines));
  const note = await insertNote(tx, command, { kind: 'after', amounts, lines });
  const fact = factOf(note);
  const [borne, free] = [lines.filter(({ isBorne }) => isBorne), lines.filter(({ isBorne }) => !isBorne)];
  await insertOutboxEntries(tx, { storeId, kind: entryKind, at: now }, free);
  const ofOperator = sum([amounts.feeCents, ...amountsOf(borne)]);
  await postStoreTransfers(tx, [
    ...sumByCreator(free).flatMap(({ creatorId, amount }) =>
      storePosting({ storeId, creatorId, amount }, storeTransfers.creditedLater, fact),
    ),
    ...storePosting({ storeId, creatorId: noCreator, amount: ofOperator }, storeTransfers.borne, fact),
  ]);
  return note;
}

const amountsOf = (lines: readonly NoteLine[]): readonly Cents[] => lines.map(({ amountCents }) => amountCents);
const factOf = ({ creditNoteId, at }: CreditNote): Pick<Posting, 'source' | 'at'> => ({
  source: { kind: 'credit_note', id: creditNoteId },
  at,
});

async function reverseCredited(tx: Transaction, { storeId, now, reason }: NoteCommand, lines: readonly NoteLine[]): Promise<void> {
  const commissionIds = lines.map(({ commissionId }) => commissionId);
  await addLinkRollups(tx, lostRollups(await creditCommissions(tx, { storeId, commissionIds }, { at: now, reason }), 1n));
}

type NewNote = { readonly kind: CreditNote['kind']; readonly amounts: NoteAmounts; readonly lines: readonly NoteLine[] };

async function insertNote(tx: Transaction, { storeId, invoiceId, reason, by, now }: NoteCommand, made: NewNote): Promise<CreditNote> {
  const { nextCreditNoteNumber } = await lockStoreBilling(tx, storeId);
  await incrementCreditNoteNumber(tx, storeId);
  const note: CreditNote = {
    storeId,
    creditNoteId: newId<'cn'>(now),
    invoiceId,
    number: nextCreditNoteNumber,
    kind: made.kind,
    reason,
    ...made.amounts,
    madeBy: by.actor,
    madeByName: by.name,
    at: now,
  };
  await insertCreditNote(tx, note);
  await insertNoteLines(tx, note, made.lines);
  return note;
}

/** The remaining amount may be zero or below the minimum charge. */
async function settleRest(tx: Transaction, { now, chargeMin }: NoteCommand, invoice: Invoice): Promise<Invoice> {
  const credited = await sumCredits(tx, invoice);
  const due = dueOf(invoice, credited);
  const rest = decideRest({ due, isWhollyCredited: credited.beforeLines === invoice.linesCents, chargeMin });
  if (rest === 'still owed') return invoice;
  if (rest === 'paid') return payWithoutCharge(tx, invoice, now);
  if (rest === 'written off') return payWithoutCharge(tx, await writeOff(tx, invoice, due, now), now);
  invariant(due === noCents, 'a wholly credited invoice has no amount due');
  const voided = await changeInvoice(tx, invoice, 'void', { voidedAt: now, nextChargeAt: null });
  await updatePastDue(tx, invoice.storeId, now);
  return voided;
}
