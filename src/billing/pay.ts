import { countPaidInvoice } from '../holds/reserves-sql.ts';
import { back, move, noCreator, ways, type Posting, type Source } from '../ledger/posting.ts';
import { post } from '../ledger/sql.ts';
import { setPastDue } from '../merchants/stores-sql.ts';
import type { Transaction } from '../platform/database/database.ts';
import type { Id } from '../platform/ids.ts';
import { cents, type Cents } from '../platform/money.ts';
import { creditedSoFar } from './credit-notes-sql.ts';
import type { CreditedSoFar, Invoice } from './invoice.ts';
import { changeInvoice, hasUnpaid } from './invoices-sql.ts';
import { beginTelling, lockStoreBilling } from './settings-sql.ts';

type Fact = { readonly source: Source; readonly at: Date };

/** The money of an invoice is there. What belongs to the store itself moves now, its commissions in parts after it. */
export async function payInvoice(tx: Transaction, invoice: Invoice, { source, at }: Fact): Promise<Invoice> {
  const credited = await creditedSoFar(tx, invoice);
  const paid = await changeInvoice(tx, invoice, { state: 'paid', paidAt: at, nextChargeAt: null, isBackupTried: false });
  await keepPastDue(tx, invoice.storeId, at);
  if (source.kind === 'charge') await countPaidInvoice(tx, invoice.storeId, at);
  await post(tx, storePostings(invoice, credited, { source, at }));
  return paid;
}

/** Nothing is left to charge: credit covers it, or the rest is too little. The invoice itself is the fact. */
export const payWithoutCharge = (tx: Transaction, invoice: Invoice, at: Date): Promise<Invoice> =>
  payInvoice(tx, invoice, { source: { kind: 'invoice', id: invoice.invoiceId }, at });

/** Too little to be charged: the operator bears it. */
export async function writeOff(tx: Transaction, invoice: Invoice, due: Cents, at: Date): Promise<Invoice> {
  await lockStoreBilling(tx, invoice.storeId);
  await post(tx, move(ownOf(invoice, due), ways.writtenOff, { source: { kind: 'invoice', id: invoice.invoiceId }, at }));
  return changeInvoice(tx, invoice, { state: invoice.state, writtenOffCents: due });
}

/**
 * The fee, and the credit by which less came in. A line that was credited after it was collected is no creator's any more: where
 * the money of its invoice went and comes again, it is the store's own.
 */
export const storePostings = (invoice: Invoice, credited: CreditedSoFar, fact: Fact): readonly Posting[] => [
  ...move(ownOf(invoice, cents(invoice.feeCents - credited.beforeFee + credited.afterUnclaimedLines)), ways.collected, fact),
  ...move(ownOf(invoice, cents(invoice.creditCents - credited.beforeCredit + invoice.writtenOffCents)), ways.creditCameIn, fact),
];

export const storePostingsBack = (invoice: Invoice, credited: CreditedSoFar, fact: Fact): readonly Posting[] =>
  storePostings(invoice, credited, fact).map(({ debit, credit, ...posting }) => ({ ...posting, ...back({ debit, credit }) }));

const ownOf = ({ storeId }: Invoice, amount: Posting['amount']) => ({ storeId, creatorId: noCreator, amount });

/**
 * A store is past due as long as one of its invoices is. Under the lock of its billing, so that two invoices at once do not miss each
 * other. Everywhere the order of locks is: invoice, charge, commissions, the store's billing, the store, balances.
 */
export async function keepPastDue(tx: Transaction, storeId: Id<'store'>, now: Date): Promise<void> {
  await lockStoreBilling(tx, storeId);
  const isPastDue = await hasUnpaid(tx, storeId);
  const isNew = await setPastDue(tx, { storeId, at: isPastDue ? now : null });
  if (isPastDue && isNew) await beginTelling(tx, storeId, now);
}
