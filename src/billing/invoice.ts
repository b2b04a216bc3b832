import type { Id } from '../platform/ids.ts';
import { cents, type Cents } from '../platform/money.ts';

/** `gathering` is what nobody sees: commissions are put on it, until it is issued under its number. */
export const shownInvoiceStates = ['issued', 'charging', 'unknown', 'paid', 'retrying', 'past_due', 'void', 'charged_back'] as const;
export type ShownInvoiceState = (typeof shownInvoiceStates)[number];

export type InvoiceKey = { readonly storeId: Id<'store'>; readonly invoiceId: Id<'inv'> };

/** What never changes from the moment it is issued. */
export type Bill = {
  readonly number: bigint;
  readonly issuedAt: Date;
  readonly linesCount: number;
  readonly linesCents: Cents;
  readonly feeBasisPoints: number;
  readonly feeCents: Cents;
  readonly creditCents: Cents;
  readonly totalCents: Cents;
};

/** What happens to it. */
export type InvoiceLife = {
  readonly state: ShownInvoiceState;
  readonly nextChargeAt: Date | null;
  readonly failures: number;
  readonly firstFailedAt: Date | null;
  readonly isBackupTried: boolean;
  readonly writtenOffCents: Cents;
  readonly paidAt: Date | null;
  readonly collectedAt: Date | null;
  readonly pastDueAt: Date | null;
  readonly chargedBackAt: Date | null;
  readonly voidedAt: Date | null;
};

export type Invoice = InvoiceKey & Bill & InvoiceLife;

/** What credit notes took from an invoice. `before` it was collected, less is owed; `after`, the store has it back later. */
export type CreditedSoFar = {
  readonly beforeLines: Cents;
  readonly beforeFee: Cents;
  /** Credit that was used and was needed no more. */
  readonly beforeCredit: Cents;
  readonly afterLines: Cents;
  readonly afterFee: Cents;
  /** Of the lines after, those of which the creator has no claim any more: neither kept nor borne. */
  readonly afterUnclaimedLines: Cents;
};

/** What is still to be paid for it, as long as it is not paid: never what was issued, but what is left of it. */
export const dueOf = (
  { totalCents }: Pick<Bill, 'totalCents'>,
  { beforeLines, beforeFee, beforeCredit }: Pick<CreditedSoFar, 'beforeLines' | 'beforeFee' | 'beforeCredit'>,
): Cents => cents(totalCents + beforeCredit - beforeLines - beforeFee);

/** `INV-00042`: what people call it. The store's own number, without a gap; credit notes have theirs. */
export const invoiceName = (number: bigint): string => `INV-${number.toString().padStart(5, '0')}`;
export const creditNoteName = (number: bigint): string => `CN-${number.toString().padStart(5, '0')}`;
