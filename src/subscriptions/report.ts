import {
  amount,
  checkEligible,
  clickId,
  currency,
  environment,
  FieldError,
  optional,
  partialRefundFields,
  paymentState,
  readFields,
  required,
  text,
  time,
  unexpectedClickId,
  type JsonObject,
} from '../contract/fields.ts';
import type { Content, FieldList } from '../contract/content-hash.ts';
import type { Timestamp } from '../contract/timestamp.ts';
import type { Cents } from '../core/money.ts';
import type { RecurringOperation } from './event.ts';
import type { Environment, PaymentState, Product } from './relationship.ts';

type Common = {
  readonly eventId: string;
  readonly relationshipId: string;
  readonly environment: Environment;
  /** What a replay is compared with. */
  readonly content: Content;
};

/** Binds a subscription to its click. Without a time, the time of receipt applies. */
export type BindReport = Common & {
  readonly clickId: string;
  readonly product: Product;
  readonly currency: string;
  readonly occurredAt: Timestamp | null;
};

/** An invoice, paid or not. */
export type BillingReport = Common & {
  readonly invoiceId: string;
  readonly paymentState: PaymentState;
  readonly amountPaid: Cents;
  readonly eligible: Cents;
  readonly product: Product;
  readonly currency: string;
  readonly occurredAt: Timestamp;
};

/** A full refund of one invoice. */
export type InvoiceReversalReport = Common & {
  readonly invoiceId: string;
  readonly occurredAt: Timestamp | null;
  readonly reason: string | null;
};

export type EndReport = Common & { readonly occurredAt: Timestamp | null; readonly reason: string | null };

export const bindFields = {
  event_id: required(text),
  relationship_id: required(text),
  click_id: required(clickId),
  product_id: required(text),
  price_id: optional(text),
  currency: required(currency),
  environment: required(environment),
  occurred_at: optional(time),
};

export function readBind(json: JsonObject): BindReport | FieldError {
  const read = readFields(bindFields, json);
  if (read instanceof FieldError) return read;
  const { values, content } = read;
  return {
    ...commonOf(values, content),
    clickId: values.click_id,
    product: { productId: values.product_id, priceId: values.price_id },
    currency: values.currency,
    occurredAt: values.occurred_at,
  };
}

const ownBillingFields = {
  event_id: required(text),
  relationship_id: required(text),
  invoice_id: required(text),
  payment_state: required(paymentState),
  amount_paid_minor_units: required(amount),
  eligible_amount_minor_units: optional(amount),
  product_id: required(text),
  price_id: optional(text),
  currency: required(currency),
  environment: required(environment),
  occurred_at: required(time),
};
export const billingFields = { ...ownBillingFields, click_id: unexpectedClickId };

export function readBilling(json: JsonObject): BillingReport | FieldError {
  const read = readFields(ownBillingFields, json);
  if (read instanceof FieldError) return read;
  const { values, content } = read;
  const amountPaid = values.amount_paid_minor_units;
  const eligible = values.eligible_amount_minor_units ?? amountPaid;
  const problem =
    checkEligible(eligible, amountPaid, '/eligible_amount_minor_units') ?? unexpectedClickId(json['click_id'] ?? null, '/click_id');
  if (problem) return problem;
  return {
    ...commonOf(values, { ...content, eligible_amount_minor_units: eligible }),
    invoiceId: values.invoice_id,
    paymentState: values.payment_state,
    amountPaid,
    eligible,
    product: { productId: values.product_id, priceId: values.price_id },
    currency: values.currency,
    occurredAt: values.occurred_at,
  };
}

const ownReversalFields = {
  event_id: required(text),
  relationship_id: required(text),
  invoice_id: required(text),
  environment: required(environment),
  occurred_at: optional(time),
  reason: optional(text),
};
export const invoiceReversalFields = { ...ownReversalFields, ...partialRefundFields };

export function readInvoiceReversal(json: JsonObject): InvoiceReversalReport | FieldError {
  const read = readFields(invoiceReversalFields, json);
  if (read instanceof FieldError) return read;
  const { values, content } = read;
  return {
    ...commonOf(values, content),
    invoiceId: values.invoice_id,
    occurredAt: values.occurred_at,
    reason: values.reason,
  };
}

export const endFields = {
  event_id: required(text),
  relationship_id: required(text),
  environment: required(environment),
  occurred_at: optional(time),
  reason: optional(text),
};

export function readEnd(json: JsonObject): EndReport | FieldError {
  const read = readFields(endFields, json);
  if (read instanceof FieldError) return read;
  const { values, content } = read;
  return { ...commonOf(values, content), occurredAt: values.occurred_at, reason: values.reason };
}

type CommonValues = { readonly event_id: string; readonly relationship_id: string; readonly environment: Environment };

const commonOf = (values: CommonValues, content: Content): Common => ({
  eventId: values.event_id,
  relationshipId: values.relationship_id,
  environment: values.environment,
  content,
});

/** Lists names, as for orders. A list never changes, because a stored event is compared by its list. */
export const eventLists: Readonly<Record<RecurringOperation, readonly FieldList[]>> = {
  relationship: [
    {
      operation: 'relationship',
      version: 1,
      names: ['event_id', 'relationship_id', 'click_id', 'product_id', 'price_id', 'currency', 'environment', 'occurred_at'],
    },
  ],
  billing_event: [
    {
      operation: 'billing_event',
      version: 1,
      names: [
        'event_id',
        'relationship_id',
        'invoice_id',
        'payment_state',
        'amount_paid_minor_units',
        'eligible_amount_minor_units',
        'product_id',
        'price_id',
        'currency',
        'environment',
        'occurred_at',
      ],
    },
  ],
  invoice_reversal: [
    {
      operation: 'invoice_reversal',
      version: 1,
      names: ['event_id', 'relationship_id', 'invoice_id', 'environment', 'occurred_at', 'reason'],
    },
  ],
  relationship_end: [
    { operation: 'relationship_end', version: 1, names: ['event_id', 'relationship_id', 'environment', 'occurred_at', 'reason'] },
  ],
};
