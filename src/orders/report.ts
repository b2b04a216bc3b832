import {
  amount,
  checkEligible,
  checkLineSum,
  clickId,
  country,
  currency,
  discountCodes,
  namedCodes,
  FieldError,
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
import { hashId, type Content, type FieldList } from '../contract/content-hash.ts';
import type { Timestamp } from '../contract/timestamp.ts';
import type { Cents } from '../core/money.ts';

/** A paid order as the merchant reported it. Values that lead to 422 survive parsing: no click, an unreadable time. */
export type ConversionReport = {
  readonly orderId: string;
  /** Only if `orderId` is masked, because the order is then found by the hash of the received ID. */
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
  readonly discountCodes: readonly string[] | 'unreadable' | null;
  readonly country: string | null;
  readonly metadata: JsonObject | null;
  readonly isTest: boolean;
  /** What a replay is compared with. */
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
  discount_codes: optional(discountCodes),
  country: optional(country),
  metadata: optional(metadata),
  test: optional(flag),
};

/** Lists names, because a stored report is compared by its list forever. A new field needs a new list below. */
const namesOfVersion1 = [
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
];

export const conversionLists: readonly FieldList[] = [
  { operation: 'conversion', version: 1, names: namesOfVersion1 },
  { operation: 'conversion', version: 2, names: [...namesOfVersion1, 'discount_codes'] },
  { operation: 'conversion', version: 3, names: [...namesOfVersion1, 'discount_codes', 'country'] },
];

export function readConversion(json: JsonObject): ConversionReport | FieldError {
  const read = readFields(conversionFields, json);
  if (read instanceof FieldError) return read;
  const { values, content } = read;
  const subtotal = values.order_subtotal_cents;
  const eligible = values.eligible_amount_cents ?? subtotal;
  const lines = values.line_items;
  const error = checkEligible(eligible, subtotal, '/eligible_amount_cents') ?? (lines && checkLineSum(lines, eligible, '/line_items'));
  if (error) return error;
  return {
    orderId: values.order_id,
    ...(values.order_id === content['order_id'] ? {} : { receivedId: { receivedHash: hashId(content, 'order_id') } }),
    clickId: values.click_id,
    currency: values.currency,
    subtotal,
    eligible,
    occurredAt: values.occurred_at,
    lines,
    orderName: values.order_name,
    customerId: values.customer_id,
    discountCode: values.discount_code,
    discountCodes: Array.isArray(values.discount_codes) ? namedCodes(values.discount_codes) : values.discount_codes,
    country: values.country,
    metadata: values.metadata,
    isTest: values.test === true,
    content: { ...content, eligible_amount_cents: eligible },
  };
}

/** A full refund or a cancellation. Without a time, the time of receipt applies. */
export type ReversalReport = {
  readonly orderId: string;
  readonly occurredAt: Timestamp | null;
  readonly reason: string | null;
  readonly content: Content;
};

const ownReversalFields = { order_id: required(text), occurred_at: optional(time), reason: optional(text) };
export const reversalFields = { ...ownReversalFields, ...partialRefundFields };

export const reversalLists: readonly FieldList[] = [{ operation: 'reversal', version: 1, names: ['order_id', 'occurred_at', 'reason'] }];

export function readReversal(json: JsonObject): ReversalReport | FieldError {
  const read = readFields(reversalFields, json);
  if (read instanceof FieldError) return read;
  const { values, content } = read;
  return { orderId: values.order_id, occurredAt: values.occurred_at, reason: values.reason, content };
}
