import type { CommissionState } from '../commissions/commission-states.ts';
import type { Id } from '../core/ids.ts';
import { basisPoints, cents, noCents, shareHalfUp, sum, type Cents } from '../core/money.ts';
import type { IssuedAmounts, CreditedSoFar } from './invoice.ts';
import type { ShownInvoiceState } from './invoice-states.ts';

export const creditWords = ['ok', 'not_found', 'reversed', 'billed', 'conflict'] as const;
export type CreditWord = (typeof creditWords)[number];

/** A commission, read under its lock. Null: it is not on this invoice. */
export type CreditableLine = {
  readonly commissionId: Id<'com'>;
  readonly creatorId: Id<'crt'>;
  readonly amountCents: Cents;
  readonly state: CommissionState;
  readonly isInPayout: boolean;
  /** The operator bears a part of it, for refunds that came too late. `amountCents` is the rest. */
  readonly isPartlyBorne: boolean;
  /** A credit note has credited it already, or the operator bears it. */
  readonly isCredited: boolean;
};

export type LineDecision =
  | { readonly do: 'nothing'; readonly word: CreditWord }
  /** The store owes less. */
  | { readonly do: 'credit before'; readonly word: 'ok' }
  /** The store gets credit on its next invoices, and the creator is no longer owed the commission. */
  | { readonly do: 'credit after'; readonly word: 'ok' }
  /** The store gets credit, and the creator keeps the commission. */
  | { readonly do: 'bear'; readonly word: 'ok' };

const nothing = (word: CreditWord): LineDecision => ({ do: 'nothing', word });

/** Decides how a line is credited. A commission that is in a payout is never reversed. */
export function decideCreditLine(
  line: CreditableLine | null,
  { invoiceState, operatorBears }: { readonly invoiceState: ShownInvoiceState; readonly operatorBears: boolean },
): LineDecision {
  if (line === null) return nothing('not_found');
  if (line.isCredited) return nothing('ok');
  if (line.state === 'reversed') return nothing('reversed');
  // An unfinished charge is for the amount that was due when it was created.
  if (invoiceState === 'charging' || invoiceState === 'unknown') return nothing('conflict');
  // After a failed payout as well: the store was credited, and the creator keeps what the operator bears.
  if (line.isPartlyBorne) return operatorBears && line.state !== 'billed' ? { do: 'bear', word: 'ok' } : nothing('conflict');
  if (line.isInPayout && operatorBears) return { do: 'bear', word: 'ok' };
  if (line.isInPayout) return nothing('conflict');
  if (line.state === 'billed' && invoiceState !== 'paid') return { do: 'credit before', word: 'ok' };
  if (line.state === 'collected' && invoiceState === 'paid') return { do: 'credit after', word: 'ok' };
  // The invoice was just paid or reversed, and a job has not processed this line yet.
  return nothing('conflict');
}

type Lines = { readonly linesCents: Cents };
export type NoteAmounts = Lines & { readonly feeCents: Cents; readonly creditCents: Cents };

/** Rounds the fee of the remaining lines half up, so that the last line returns all of it. */
function feeBack({ linesCents, feeCents, feeBasisPoints }: IssuedAmounts, credited: CreditedSoFar, taken: Cents): Cents {
  const remaining = cents(linesCents - credited.beforeLines - credited.afterLines - taken);
  const feeNow = cents(feeCents - credited.beforeFee - credited.afterFee);
  return cents(feeNow - shareHalfUp(remaining, basisPoints(feeBasisPoints)));
}

/** Before collection, the invoice returns the used credit that it no longer needs. */
export function amountsBefore(issued: IssuedAmounts, credited: CreditedSoFar, taken: readonly Cents[]): NoteAmounts {
  const linesCents = sum(taken);
  const feeCents = feeBack(issued, credited, linesCents);
  const gross = issued.linesCents + issued.feeCents - credited.beforeLines - credited.beforeFee - linesCents - feeCents;
  const used = issued.creditCents - credited.beforeCredit;
  return { linesCents, feeCents, creditCents: used > gross ? cents(used - gross) : noCents };
}

export function amountsAfter(issued: IssuedAmounts, credited: CreditedSoFar, taken: readonly Cents[]): NoteAmounts {
  const linesCents = sum(taken);
  return { linesCents, feeCents: feeBack(issued, credited, linesCents), creditCents: noCents };
}

/** The state of an unpaid invoice after a credit note. */
export type Rest = 'void' | 'paid' | 'written off' | 'still owed';

export function decideRest({
  due,
  isWhollyCredited,
  chargeMin,
}: {
  readonly due: Cents;
  readonly isWhollyCredited: boolean;
  readonly chargeMin: Cents;
}): Rest {
  if (isWhollyCredited) return 'void';
  if (due === noCents) return 'paid';
  if (due < chargeMin) return 'written off';
  return 'still owed';
}
