import {
  amount,
  environment,
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
import type { Environment } from './relationship.ts';

/** A refund of a part of a subscription invoice, or of all that is left of it. */
export type InvoiceRefundReport = {
  readonly refundId: string;
  readonly relationshipId: string;
  readonly invoiceId: string;
  readonly environment: Environment;
  readonly amount: Cents;
  readonly lines: readonly Line[] | null;
  /** Null: the time of receipt applies. */
  readonly occurredAt: Timestamp | null;
  readonly reason: string | null;
  readonly content: Content;
};

export const invoiceRefundFields = {
  refund_id: required(text),
  relationship_id: required(text),
  invoice_id: required(text),
  amount_minor_units: optional(amount),
  line_items: optional(refundedLines),
  environment: required(environment),
  occurred_at: optional(time),
  reason: optional(text),
};

export const invoiceRefundLists: readonly FieldList[] = [
  {
    operation: 'invoice_refund',
    version: 1,
    names: ['refund_id', 'relationship_id', 'invoice_id', 'amount_minor_units', 'line_items', 'environment', 'occurred_at', 'reason'],
  },
];

/** An invoice earns as a whole, so its lines only add up to the amount. */
export function readInvoiceRefund(json: JsonObject): InvoiceRefundReport | FieldError {
  const read = readFields(invoiceRefundFields, json);
  if (read instanceof FieldError) return read;
  const { values, content } = read;
  const refunded = refundedAmount(values.amount_minor_units, values.line_items, { amount: 'amount_minor_units', lines: 'line_items' });
  if (refunded instanceof FieldError) return refunded;
  return {
    refundId: values.refund_id,
    relationshipId: values.relationship_id,
    invoiceId: values.invoice_id,
    environment: values.environment,
    amount: refunded,
    lines: values.line_items,
    occurredAt: values.occurred_at,
    reason: values.reason,
    content: { ...content, amount_minor_units: refunded },
  };
}
