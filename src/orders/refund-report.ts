import {
  amount,
  FieldError,
  optional,
  readFields,
  refundedAmount,
  refundedLines,
  required,
  text,
  time,
  type JsonObject,
  type Line,
} from '../contract/fields.ts';
import type { Content, FieldList } from '../contract/content-hash.ts';
import type { Timestamp } from '../contract/timestamp.ts';
import type { Cents } from '../core/money.ts';

/** A refund of a part of an order, or of all that is left of it. */
export type OrderRefundReport = {
  readonly refundId: string;
  readonly orderId: string;
  readonly amount: Cents;
  readonly lines: readonly Line[] | null;
  readonly occurredAt: Timestamp;
  readonly reason: string | null;
  readonly content: Content;
};

export const orderRefundFields = {
  refund_id: required(text),
  order_id: required(text),
  amount_cents: optional(amount),
  line_items: optional(refundedLines),
  occurred_at: required(time),
  reason: optional(text),
};

export const orderRefundLists: readonly FieldList[] = [
  { operation: 'order_refund', version: 1, names: ['refund_id', 'order_id', 'amount_cents', 'line_items', 'occurred_at', 'reason'] },
];

export function readOrderRefund(json: JsonObject): OrderRefundReport | FieldError {
  const read = readFields(orderRefundFields, json);
  if (read instanceof FieldError) return read;
  const { values, content } = read;
  const refunded = refundedAmount(values.amount_cents, values.line_items, { amount: 'amount_cents', lines: 'line_items' });
  if (refunded instanceof FieldError) return refunded;
  return {
    refundId: values.refund_id,
    orderId: values.order_id,
    amount: refunded,
    lines: values.line_items,
    occurredAt: values.occurred_at,
    reason: values.reason,
    content: { ...content, amount_cents: refunded },
  };
}
