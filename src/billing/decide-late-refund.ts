import type { SourceKind } from '../commissions/commission.ts';
import type { CommissionState } from '../commissions/commission-states.ts';
import type { EarningPart } from '../commissions/decide-earning.ts';
import { decidePartialRefund, earningWithout, type RefundedItems, type TakenPart } from '../commissions/decide-refund.ts';
import { cents, dollars, noCents, sum, type Cents } from '../core/money.ts';
import type { ApiReason } from '../http/responses.ts';
import { apiMessage } from '../messages/api-message.ts';
import { creditNoteName } from './invoice.ts';
import type { ShownInvoiceState } from './invoice-states.ts';

/** A partial refund of a commission that was in a payout, by the merchant's ID of it. */
export type LateRefund = {
  readonly refundId: string;
  readonly refundHash: Buffer;
  readonly eligible: Cents;
  readonly taken: readonly TakenPart[];
};
/** With its credit note. */
export type CreditedLateRefund = LateRefund & { readonly amountCents: Cents; readonly number: bigint };

/** A commission and its invoice, read under their locks. */
export type LateRefundFacts = {
  readonly sourceKind: SourceKind;
  readonly state: CommissionState;
  readonly isInPayout: boolean;
  readonly amount: Cents;
  /** What earlier refunds left of it, without those that came too late. */
  readonly parts: readonly EarningPart[];
  /** Null: it is on no invoice that was issued. */
  readonly invoiceState: ShownInvoiceState | null;
  /** An operator credited all that was left of it. */
  readonly isCredited: boolean;
  /** Earlier refunds that came too late. */
  readonly late: readonly CreditedLateRefund[];
};

export type LateRefundRequest = RefundedItems & { readonly refundHash: Buffer };

export type LateRefundDecision =
  | {
      readonly do: 'credit';
      /** By how much the refund would have reduced the commission. */
      readonly amount: Cents;
      readonly taken: readonly TakenPart[];
      /** What is left of the commission and of its order for later refunds. */
      readonly rest: Cents;
      readonly restEligible: Cents;
    }
  | { readonly do: 'refuse'; readonly reason: ApiReason; readonly message: string; readonly field: string | null };

/** The rules for a partial refund of a commission that is in a payout, in their order; the first match wins. */
export function decideLateRefund(request: LateRefundRequest, facts: LateRefundFacts): LateRefundDecision {
  const { state, isInPayout, invoiceState, late } = facts;
  if (facts.sourceKind === 'lead' || facts.sourceKind === 'bonus') return conflict(apiMessage('late_refund.no_order'));
  if (facts.isCredited || state === 'reversed') return conflict(apiMessage('late_refund.credited'));
  const earlier = late.find(({ refundHash }) => refundHash.equals(request.refundHash));
  if (earlier) return conflict(apiMessage('late_refund.same_refund', { note: creditNoteName(earlier.number) }));
  if (invoiceState === 'charging' || invoiceState === 'unknown')
    return conflict(apiMessage('credit_notes_api.invoice_being_charged_and_result'));
  // After a failed payout, refunds of it are still refused, because the store was credited for earlier ones.
  const isLate = isInPayout || (late.length > 0 && state !== 'billed');
  if (invoiceState === null || !isLate) return conflict(apiMessage('late_refund.not_in_payout'));
  return decidePart(request, facts);
}

function decidePart(request: LateRefundRequest, { amount, parts, late }: LateRefundFacts): LateRefundDecision {
  const left = late.reduce((earning, { taken }) => earningWithout(earning.parts, taken), { amount, parts });
  const refund = decidePartialRefund(left.parts, request);
  switch (refund.is) {
    case 'lines required':
      return invalid('line_items', apiMessage('late_refund.lines_required'));
    case 'unknown line':
      return invalid('line_items', apiMessage('refund.no_line_item', { product: refund.productId }));
    case 'exceeded':
      return invalid(request.lines === null ? 'amount_cents' : 'line_items', moreThanRemains(refund.productId, refund.remaining));
    case 'possible': {
      const restEligible = sum(refund.earning.parts.map(({ of }) => of));
      const before = cents(amount - sum(late.map(({ amountCents }) => amountCents)));
      const rest = restEligible === noCents ? noCents : refund.earning.amount;
      const part = cents(before - rest);
      if (part === noCents) return conflict(apiMessage('late_refund.takes_nothing'));
      return { do: 'credit', amount: part, taken: refund.taken, rest, restEligible };
    }
  }
}

const moreThanRemains = (product: string | null, remaining: Cents): string =>
  apiMessage('refund.more_than_remains', {
    rest: product === null ? apiMessage('refund.eligible_amount') : apiMessage('refund.line_items_of', { product }),
    remaining: dollars(remaining),
  });

const conflict = (message: string): LateRefundDecision => ({ do: 'refuse', reason: 'conflict', message, field: null });
const invalid = (field: string, message: string): LateRefundDecision => ({ do: 'refuse', reason: 'unprocessable', message, field });
