import { apiMessage } from '../messages/api-message.ts';
import { capitalize, type Speech } from './speech.ts';
import type { Operation, Reason, RefundOperation } from './reasons.ts';
import type { EarnedWhy, Why } from './why.ts';

type Explained = { readonly operation: Operation; readonly reason: Reason; readonly why: Why };
/** Phrases that the sentences of orders and refunds share. */
type Phrases = { readonly describeParts: (parts: readonly EarnedWhy[]) => string; readonly commissionLabel: (why: Why) => string };

const isRefund = (operation: Operation): operation is RefundOperation => operation === 'order_refund' || operation === 'invoice_refund';

/** Sentences for partial refunds. Null if a sentence for orders or subscriptions fits. */
export function explainRefund({ operation, reason, why }: Explained, speech: Speech, phrases: Phrases): string | null {
  if (!isRefund(operation)) return null;
  const { reader, say, money, time } = speech;
  const what = operation === 'order_refund' ? 'other' : 'invoice';
  const { first_recorded_at: first, product_id: product, commission_cents: amount } = why;
  switch (reason) {
    case 'recorded':
      return why.refund_cents === undefined ? say('refund.test_order') : recordedRefund(why, { speech, what, ...phrases });
    case 'duplicate_refund':
      return first === undefined ? null : say('refund.duplicate', { first: time(first) });
    case 'duplicate_refund_conflict':
      return first === undefined ? null : apiMessage('refund.conflict', { first: time(first) });
    case 'refund_exceeds_remaining_amount':
      return exceedingRefund(why, speech, what);
    case 'unknown_line_item':
      return product === undefined ? null : apiMessage('refund.unknown_line_item', { product });
    case 'invoice_in_progress':
      if (reader === 'merchant') return apiMessage('refund.invoice_in_progress', { commission: capitalize(phrases.commissionLabel(why)) });
      return amount === undefined ? null : say('refund.while_invoiced', { amount: money(amount) });
    default:
      return null;
  }
}

/** What the refund is of, as the messages name it. */
type Refunded = 'invoice' | 'other';

function exceedingRefund(
  { refund_cents: refunded, remaining_cents: remaining, product_id: product }: Why,
  { reader, say, money }: Speech,
  what: Refunded,
): string | null {
  if (refunded === undefined || remaining === undefined) return null;
  const facts = { refunded: money(refunded), remaining: money(remaining) };
  return product === undefined || reader === 'creator'
    ? say('refund.exceeds', { ...facts, what })
    : apiMessage('refund.exceeds_line_items', { ...facts, product });
}

type RecordedContext = Phrases & { readonly speech: Speech; readonly what: Refunded };

function recordedRefund(why: Why, { speech, what, describeParts }: RecordedContext): string {
  const { reader, say, money, paragraph } = speech;
  const {
    refund_cents: refunded = 0,
    commission_before_cents: before,
    commission_cents: now,
    earned = [],
    remaining_cents: rest = 0,
    credited,
  } = why;
  const opening = say('refund.part_refunded', { refunded: money(refunded), what });
  if (before === undefined || now === undefined) return paragraph([opening, say('refund.no_commission')]);
  const parts = describeParts(earned);
  if (now === before) return paragraph([opening, say('refund.commission_stays', { now: money(now), parts })]);
  const credit = credited === undefined || reader === 'creator' ? null : creditSentence(credited);
  if (now === 0 && rest === 0) return paragraph([opening, say('refund.commission_ended', { before: money(before) }), credit]);
  const fell =
    now === 0
      ? say('refund.commission_fell_to_zero', { before: money(before), now: money(now) })
      : say('refund.commission_fell', { before: money(before), now: money(now), parts });
  return paragraph([opening, fell, credit]);
}

const creditSentence = (credited: string): string =>
  apiMessage(credited === 'before' ? 'refund.credit_note_reduced_invoice' : 'refund.credit_for_next_invoices');
