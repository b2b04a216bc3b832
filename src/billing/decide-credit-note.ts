import type { CommissionState } from '../commissions/commission.ts';
import type { Id } from '../platform/ids.ts';
import { basisPoints, cents, noCents, shareHalfUp, sum, type Cents } from '../platform/money.ts';
import type { Bill, CreditedSoFar, ShownInvoiceState } from './invoice.ts';

export const creditWords = ['ok', 'not_found', 'reversed', 'billed', 'conflict'] as const;
export type CreditWord = (typeof creditWords)[number];

/** A commission as it stands under its lock. Null: it is not on this invoice. */
export type CreditableLine = {
  readonly commissionId: Id<'com'>;
  readonly creatorId: Id<'crt'>;
  readonly amountCents: Cents;
  readonly state: CommissionState;
  readonly isInPayout: boolean;
  /** A credit note has it already: taken back, or borne by the operator. */
  readonly isCredited: boolean;
};

export type LineDecision =
  | { readonly do: 'nothing'; readonly word: CreditWord }
  /** Less is owed. */
  | { readonly do: 'credit before'; readonly word: 'ok' }
  /** The store has it back on its next bills, and the creator has no claim any more. */
  | { readonly do: 'credit after'; readonly word: 'ok' }
  /** The store has it back, and the creator keeps it. */
  | { readonly do: 'bear'; readonly word: 'ok' };

const nothing = (word: CreditWord): LineDecision => ({ do: 'nothing', word });

/** What a credit note does to one line. What a creator was paid, or is being paid, is never taken back. */
export function decideCreditLine(
  line: CreditableLine | null,
  { invoiceState, operatorBears }: { readonly invoiceState: ShownInvoiceState; readonly operatorBears: boolean },
): LineDecision {
  if (line === null) return nothing('not_found');
  if (line.isCredited) return nothing('ok');
  if (line.state === 'reversed') return nothing('reversed');
  // A charge under way is over what was owed when it was made.
  if (invoiceState === 'charging' || invoiceState === 'unknown') return nothing('conflict');
  if (line.isInPayout && operatorBears) return { do: 'bear', word: 'ok' };
  if (line.isInPayout) return nothing('conflict');
  if (line.state === 'billed' && invoiceState !== 'paid') return { do: 'credit before', word: 'ok' };
  if (line.state === 'collected' && invoiceState === 'paid') return { do: 'credit after', word: 'ok' };
  // Its invoice was paid or taken back a moment ago, and this line is still on its way from one to the other.
  return nothing('conflict');
}

type Lines = { readonly linesCents: Cents };
export type NoteAmounts = Lines & { readonly feeCents: Cents; readonly creditCents: Cents };

/** The fee falls with the lines it is a share of: to half-up of what is left, so that all of it is gone with the last line. */
function feeBack({ linesCents, feeCents, feeBasisPoints }: Bill, credited: CreditedSoFar, taken: Cents): Cents {
  const standing = cents(linesCents - credited.beforeLines - credited.afterLines - taken);
  const feeNow = cents(feeCents - credited.beforeFee - credited.afterFee);
  return cents(feeNow - shareHalfUp(standing, basisPoints(feeBasisPoints)));
}

/** Before it is collected: credit that the invoice used and needs no more goes back to the store. */
export function amountsBefore(bill: Bill, credited: CreditedSoFar, taken: readonly Cents[]): NoteAmounts {
  const linesCents = sum(taken);
  const feeCents = feeBack(bill, credited, linesCents);
  const gross = bill.linesCents + bill.feeCents - credited.beforeLines - credited.beforeFee - linesCents - feeCents;
  const used = bill.creditCents - credited.beforeCredit;
  return { linesCents, feeCents, creditCents: used > gross ? cents(used - gross) : noCents };
}

export function amountsAfter(bill: Bill, credited: CreditedSoFar, taken: readonly Cents[]): NoteAmounts {
  const linesCents = sum(taken);
  return { linesCents, feeCents: feeBack(bill, credited, linesCents), creditCents: noCents };
}

/** What a credit note leaves of an invoice that is not paid. */
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
