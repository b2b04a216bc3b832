import {
  amount,
  checkEligible,
  checkLineSum,
  clickId,
  currency,
  Fault,
  flag,
  lineItems,
  metadata,
  optional,
  partialRefundFields,
  readFields,
  required,
  text,
  time,
  type JsonObject,
  type Line,
} from '../contract/fields.ts';
import { hashOfId, type Content, type FieldList } from '../contract/sameness.ts';
import type { Timestamp } from '../contract/timestamp.ts';
import type { Cents } from '../platform/money.ts';

/** A paid order as the merchant told it. What is answered 422 survives as a value: no click, a time that cannot be read. */
export type ConversionReport = {
  readonly orderId: string;
  /** Only where `orderId` is masked, for then it is not what the order is found by. */
  readonly receivedId?: { readonly receivedHash: Buffer };
  readonly clickId: string | null;
  readonly currency: string;
  readonly subtotal: Cents;
  readonly eligible: Cents;
  readonly occurredAt: Timestamp;
  readonly lines: readonly Line[] | null;
  readonly orderName: string | null;
  readonly customerId: string | null;
  readonly discountCode: string | null;
  readonly metadata: JsonObject | null;
  readonly isTest: boolean;
  /** What sameness compares. */
  readonly content: Content;
};

export const conversionFields = {
  order_id: required(text),
  click_id: optional(clickId),
  currency: required(currency),
  order_subtotal_cents: required(amount),
  occurred_at: required(time),
  eligible_amount_cents: optional(amount),
  line_items: optional(lineItems),
  order_name: optional(text),
  customer_id: optional(text),
  discount_code: optional(text),
  metadata: optional(metadata),
  test: optional(flag),
};

/** By name, not by what is read today: what was kept under a list is compared by it for ever. A field more is a list more, below. */
export const conversionLists: readonly FieldList[] = [
  {
    operation: 'conversion',
    version: 1,
    names: [
      'order_id',
      'click_id',
      'currency',
      'order_subtotal_cents',
      'occurred_at',
      'eligible_amount_cents',
      'line_items',
      'order_name',
      'customer_id',
      'discount_code',
      'metadata',
      'test',
    ],
  },
];

export function readConversion(json: JsonObject): ConversionReport | Fault {
  const read = readFields(conversionFields, json);
  if (read instanceof Fault) return read;
  const { values, content } = read;
  const subtotal = values.order_subtotal_cents;
  const eligible = values.eligible_amount_cents ?? subtotal;
  const lines = values.line_items;
  const fault = checkEligible(eligible, subtotal, '/eligible_amount_cents') ?? (lines && checkLineSum(lines, eligible, '/line_items'));
  if (fault) return fault;
  return {
    orderId: values.order_id,
    ...(values.order_id === content['order_id'] ? {} : { receivedId: { receivedHash: hashOfId(content, 'order_id') } }),
    clickId: values.click_id,
    currency: values.currency,
    subtotal,
    eligible,
    occurredAt: values.occurred_at,
    lines,
    orderName: values.order_name,
    customerId: values.customer_id,
    discountCode: values.discount_code,
    metadata: values.metadata,
    isTest: values.test === true,
    content: { ...content, eligible_amount_cents: eligible },
  };
}

/** A full refund or a cancellation. The time may be absent: then it is the time of receipt. */
export type ReversalReport = {
  readonly orderId: string;
  readonly occurredAt: Timestamp | null;
  readonly reason: string | null;
  readonly content: Content;
};

const ownReversalFields = { order_id: required(text), occurred_at: optional(time), reason: optional(text) };
export const reversalFields = { ...ownReversalFields, ...partialRefundFields };

export const reversalLists: readonly FieldList[] = [{ operation: 'reversal', version: 1, names: ['order_id', 'occurred_at', 'reason'] }];

export function readReversal(json: JsonObject): ReversalReport | Fault {
  const read = readFields(reversalFields, json);
  if (read instanceof Fault) return read;
  const { values, content } = read;
  return { orderId: values.order_id, occurredAt: values.occurred_at, reason: values.reason, content };
}
