import { apiMessage } from '../messages/api-message.ts';
import { capitalize, money, time, type Reader } from './explain-text.ts';
import type { Operation, Reason, RefundOperation } from './reasons.ts';
import type { EarnedWhy, Why } from './why.ts';

type Explained = { readonly operation: Operation; readonly reason: Reason; readonly why: Why };
/** Phrases that the sentences of orders and refunds share. */
type Phrases = { readonly describePart: (part: EarnedWhy) => string; readonly commissionLabel: (why: Why) => string };

const isRefund = (operation: Operation): operation is RefundOperation => operation === 'order_refund' || operation === 'invoice_refund';

/** Sentences for partial refunds. Null if a sentence for orders or subscriptions fits. */
export function explainRefund({ operation, reason, why }: Explained, reader: Reader, phrases: Phrases): string | null {
  if (!isRefund(operation)) return null;
  const what = apiMessage(operation === 'order_refund' ? 'refund.order' : 'refund.invoice');
  const { first_recorded_at: first, product_id: product } = why;
  switch (reason) {
    case 'recorded':
      return why.refund_cents === undefined ? apiMessage('refund.test_order') : recordedRefund(why, { reader, what, ...phrases });
    case 'duplicate_refund':
      return first === undefined ? null : apiMessage('refund.duplicate', { first: time(first) });
    case 'duplicate_refund_conflict':
      return first === undefined ? null : apiMessage('refund.conflict', { first: time(first) });
    case 'refund_exceeds_remaining_amount':
      return exceedingRefund(why, reader, what);
    case 'unknown_line_item':
      return product === undefined ? null : apiMessage('refund.unknown_line_item', { product });
    case 'invoice_in_progress': {
      const commission = phrases.commissionLabel(why);
      return reader === 'creator'
        ? apiMessage('refund.while_invoiced', { commission })
        : apiMessage('refund.invoice_in_progress', { commission: capitalize(commission) });
    }
    default:
      return null;
  }
}

function exceedingRefund(
  { refund_cents: refunded, remaining_cents: remaining, product_id: product }: Why,
  reader: Reader,
  what: string,
): string | null {
  if (refunded === undefined || remaining === undefined) return null;
  const rest =
    product === undefined || reader === 'creator' ? apiMessage('refund.the', { what }) : apiMessage('refund.line_items_of', { product });
  return apiMessage('refund.exceeds', { refunded: money(refunded), remaining: money(remaining), rest });
}

type RecordedContext = Phrases & { readonly reader: Reader; readonly what: string };

function recordedRefund(why: Why, { reader, what, describePart }: RecordedContext): string {
  const {
    refund_cents: refunded = 0,
    commission_before_cents: before,
    commission_cents: now,
    earned = [],
    remaining_cents: rest = 0,
    credited,
  } = why;
  const opening = apiMessage('refund.part_refunded', { refunded: money(refunded), what });
  if (before === undefined || now === undefined) return `${opening} ${apiMessage('refund.no_commission')}`;
  const parts = earned.map(describePart).join('; ');
  if (now === before) return `${opening} ${apiMessage('refund.commission_stays', { now: money(now), parts })}`;
  const credit = credited === undefined || reader === 'creator' ? '' : ` ${creditSentence(credited)}`;
  if (now === 0 && rest === 0) return `${opening} ${apiMessage('refund.commission_ended', { before: money(before) })}${credit}`;
  const fell =
    now === 0
      ? apiMessage('refund.commission_fell_to_zero', { before: money(before), now: money(now) })
      : apiMessage('refund.commission_fell', { before: money(before), now: money(now), parts });
  return `${opening} ${fell}${credit}`;
}

const creditSentence = (credited: string): string =>
  apiMessage(credited === 'before' ? 'refund.credit_note_reduced_invoice' : 'refund.credit_for_next_invoices');
