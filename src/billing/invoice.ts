import type { Id } from '../core/ids.ts';
import { cents, type Cents } from '../core/money.ts';
import type { ShownInvoiceState } from './invoice-states.ts';

export type InvoiceKey = { readonly storeId: Id<'store'>; readonly invoiceId: Id<'inv'> };

/** Never changes after the invoice is issued. */
export type IssuedAmounts = {
  readonly number: bigint;
  readonly issuedAt: Date;
  readonly linesCount: number;
  readonly linesCents: Cents;
  readonly feeBasisPoints: number;
  readonly feeCents: Cents;
  readonly creditCents: Cents;
  readonly totalCents: Cents;
};

/** Changes after the invoice is issued. */
export type InvoiceLifecycle = {
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

export type Invoice = InvoiceKey & IssuedAmounts & InvoiceLifecycle;

/** Amounts that credit notes took from an invoice: `before` collection less is owed, `after` it the store gets credit. */
export type CreditedSoFar = {
  readonly beforeLines: Cents;
  readonly beforeFee: Cents;
  /** Used credit that was returned because less was owed. */
  readonly beforeCredit: Cents;
  readonly afterLines: Cents;
  readonly afterFee: Cents;
  /** The part of the lines credited after collection that no creator is owed any more. */
  readonly afterUnclaimedLines: Cents;
};

/** The amount due on an unpaid invoice, after credit notes. */
export const dueOf = (
  { totalCents }: Pick<IssuedAmounts, 'totalCents'>,
  { beforeLines, beforeFee, beforeCredit }: Pick<CreditedSoFar, 'beforeLines' | 'beforeFee' | 'beforeCredit'>,
): Cents => cents(totalCents + beforeCredit - beforeLines - beforeFee);

/** `INV-00042`: numbered per store without gaps. Credit notes have their own numbers. */
export const invoiceName = (number: bigint): string => `INV-${number.toString().padStart(5, '0')}`;
export const creditNoteName = (number: bigint): string => `CN-${number.toString().padStart(5, '0')}`;
