import { creditCommissions, lockNamedOfInvoice } from '../commissions/billing-sql.ts';
import { figuresOfLost } from '../commissions/figures.ts';
import { addLinkFigures } from '../figures/sql.ts';
import { tellCreators } from '../commissions/outbox-sql.ts';
import { back, move, noCreator, ways, type Posting } from '../ledger/posting.ts';
import { post } from '../ledger/sql.ts';
import type { Transaction } from '../platform/database/database.ts';
import { newId, type Id } from '../platform/ids.ts';
import { noCents, sum, type Cents } from '../platform/money.ts';
import { must } from '../platform/must.ts';
import { creditedAmong, creditedSoFar, insertCreditNote, insertNoteLines, type CreditNote, type NoteLine } from './credit-notes-sql.ts';
import {
  amountsAfter,
  amountsBefore,
  decideCreditLine,
  decideRest,
  type CreditableLine,
  type CreditWord,
  type LineDecision,
  type NoteAmounts,
} from './decide-credit-note.ts';
import { perCreator } from './gather.ts';
import { dueOf, type Invoice, type InvoiceKey } from './invoice.ts';
import { changeInvoice, lockInvoice } from './invoices-sql.ts';
import { keepPastDue, payWithoutCharge, writeOff } from './pay.ts';
import { countCreditNote, lockStoreBilling } from './settings-sql.ts';

export type CreditAsked = InvoiceKey & {
  readonly commissionIds: ReadonlyArray<Id<'com'>>;
  readonly reason: string;
  readonly operatorBears: boolean;
  readonly by: { readonly actor: string; readonly name: string };
  readonly now: Date;
  readonly chargeMin: Cents;
};

export type CreditEnd = {
  readonly invoice: Invoice;
  readonly notes: readonly CreditNote[];
  readonly words: ReadonlyMap<Id<'com'>, CreditWord>;
};

type Decided = { readonly line: CreditableLine; readonly decision: LineDecision };

/** The operator's way out for what was refunded too late. Null: there is no such invoice. */
export async function creditLines(tx: Transaction, asked: CreditAsked): Promise<CreditEnd | null> {
  const { storeId, commissionIds, operatorBears } = asked;
  const invoice = await lockInvoice(tx, asked);
  if (invoice === null) return null;
  const locked = await lockNamedOfInvoice(tx, asked, commissionIds);
  const credited = await creditedAmong(tx, storeId, commissionIds);
  const decided = locked.map((line): Decided => {
    const standing = { ...line, isCredited: credited.has(line.commissionId) };
    return { line: standing, decision: decideCreditLine(standing, { invoiceState: invoice.state, operatorBears }) };
  });
  const notes: CreditNote[] = [];
  const before = decided.filter(({ decision }) => decision.do === 'credit before').map(({ line }) => ({ ...line, isBorne: false }));
  if (before.length > 0) notes.push(await creditBefore(tx, asked, invoice, before));
  const after = decided.flatMap(({ line, decision: { do: how } }) =>
    how === 'credit after' || how === 'bear' ? [{ ...line, isBorne: how === 'bear' }] : [],
  );
  if (after.length > 0) notes.push(await creditAfter(tx, asked, invoice, after));
  const left = before.length > 0 ? await settleRest(tx, asked, invoice) : invoice;
  const words = new Map(decided.map(({ line, decision }) => [line.commissionId, decision.word]));
  return { invoice: left, notes, words: new Map(commissionIds.map((id) => [id, words.get(id) ?? 'not_found'])) };
}

async function creditBefore(tx: Transaction, asked: CreditAsked, invoice: Invoice, lines: readonly NoteLine[]): Promise<CreditNote> {
  const { storeId, now } = asked;
  const amounts = amountsBefore(invoice, await creditedSoFar(tx, invoice), amountsOf(lines));
  const note = await keepNote(tx, asked, { kind: 'before', amounts, lines });
  const fact = factOf(note);
  await takeBack(tx, asked, lines);
  await post(tx, [
    ...perCreator(lines).flatMap(({ creatorId, amount }) => move({ storeId, creatorId, amount }, ways.credited, fact)),
    ...move({ storeId, creatorId: noCreator, amount: amounts.feeCents }, ways.feeCredited, fact),
    ...move({ storeId, creatorId: noCreator, amount: amounts.creditCents }, back(ways.creditUsed), { ...fact, at: now }),
  ]);
  return note;
}

/** What the operator bears and the fee that goes back move between the same two accounts, and so together. */
async function creditAfter(tx: Transaction, asked: CreditAsked, invoice: Invoice, lines: readonly NoteLine[]): Promise<CreditNote> {
  const { storeId, now } = asked;
  const amounts = amountsAfter(invoice, await creditedSoFar(tx, invoice), amountsOf(lines));
  const note = await keepNote(tx, asked, { kind: 'after', amounts, lines });
  const fact = factOf(note);
  const [borne, free] = [lines.filter(({ isBorne }) => isBorne), lines.filter(({ isBorne }) => !isBorne)];
  await takeBack(tx, asked, free);
  await tellCreators(tx, { storeId, kind: 'credited', at: now }, free);
  const ofOperator = sum([amounts.feeCents, ...amountsOf(borne)]);
  await post(tx, [
    ...perCreator(free).flatMap(({ creatorId, amount }) => move({ storeId, creatorId, amount }, ways.creditedLater, fact)),
    ...move({ storeId, creatorId: noCreator, amount: ofOperator }, ways.borne, fact),
  ]);
  return note;
}

const amountsOf = (lines: readonly NoteLine[]): readonly Cents[] => lines.map(({ amountCents }) => amountCents);
const factOf = ({ creditNoteId, at }: CreditNote): Pick<Posting, 'source' | 'at'> => ({
  source: { kind: 'credit_note', id: creditNoteId },
  at,
});

async function takeBack(tx: Transaction, { storeId, now, reason }: CreditAsked, lines: readonly NoteLine[]): Promise<void> {
  const commissionIds = lines.map(({ commissionId }) => commissionId);
  await addLinkFigures(tx, figuresOfLost(await creditCommissions(tx, { storeId, commissionIds }, { at: now, reason }), 1n));
}

type NewNote = { readonly kind: CreditNote['kind']; readonly amounts: NoteAmounts; readonly lines: readonly NoteLine[] };

async function keepNote(tx: Transaction, { storeId, invoiceId, reason, by, now }: CreditAsked, made: NewNote): Promise<CreditNote> {
  const { nextCreditNoteNumber } = await lockStoreBilling(tx, storeId);
  await countCreditNote(tx, storeId);
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

/** What is left may be nothing, or too little to be charged. */
async function settleRest(tx: Transaction, { now, chargeMin }: CreditAsked, invoice: Invoice): Promise<Invoice> {
  const credited = await creditedSoFar(tx, invoice);
  const due = dueOf(invoice, credited);
  const rest = decideRest({ due, isWhollyCredited: credited.beforeLines === invoice.linesCents, chargeMin });
  if (rest === 'still owed') return invoice;
  if (rest === 'paid') return payWithoutCharge(tx, invoice, now);
  if (rest === 'written off') return payWithoutCharge(tx, await writeOff(tx, invoice, due, now), now);
  must(due === noCents, 'nothing is owed for what was wholly credited');
  const voided = await changeInvoice(tx, invoice, { state: 'void', voidedAt: now, nextChargeAt: null });
  await keepPastDue(tx, invoice.storeId, now);
  return voided;
}
