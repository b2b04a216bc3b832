import {
  amount,
  checkEligible,
  clickId,
  currency,
  discountCodes,
  discountCodesMax,
  namedCodes,
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
  type Values,
} from '../contract/fields.ts';
import type { Content, FieldList } from '../contract/content-hash.ts';
import type { Timestamp } from '../contract/timestamp.ts';
import type { Cents } from '../core/money.ts';
import { apiMessage } from '../messages/api-message.ts';
import type { RecurringOperation } from './event.ts';
import type { Environment, PaymentState, Product } from './relationship.ts';

type Common = {
  readonly eventId: string;
  readonly relationshipId: string;
  readonly environment: Environment;
  /** What a replay is compared with. */
  readonly content: Content;
};

/** Binds a subscription to its creator. Without a time, the time of receipt applies. */
export type BindReport = Common & {
  readonly clickId: string | null;
  /** Null: the store counts only clicks, and ignores these fields. */
  readonly partners: PartnersOfBind | null;
  readonly product: Product;
  readonly currency: string;
  readonly occurredAt: Timestamp | null;
};

/** What may earn a subscription besides its click, as for an order. */
export type PartnersOfBind = {
  readonly discountCode: string | null;
  readonly discountCodes: readonly string[] | null;
  readonly customerId: string | null;
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

const fieldsWithClick = {
  event_id: required(text),
  relationship_id: required(text),
  click_id: required(clickId),
  product_id: required(text),
  price_id: optional(text),
  currency: required(currency),
  environment: required(environment),
  occurred_at: optional(time),
};

const partnerFields = { discount_code: optional(text), discount_codes: optional(discountCodes), customer_id: optional(text) };
export const bindFields = { ...fieldsWithClick, click_id: optional(clickId), ...partnerFields };

/** Only such a report can bind by anything else than its click. */
export const namesPartnerFields = (json: JsonObject): boolean => Object.keys(partnerFields).some((name) => (json[name] ?? null) !== null);

/** `countsBeyondClicks`: the store counts discount codes or returning customers. All other stores ignore these fields. */
export function readBind(json: JsonObject, countsBeyondClicks: boolean): BindReport | FieldError {
  if (countsBeyondClicks) return readBindBeyondClick(json);
  const read = readFields(fieldsWithClick, json);
  return read instanceof FieldError ? read : { ...bindOf(read.values, read.content), partners: null };
}

function readBindBeyondClick(json: JsonObject): BindReport | FieldError {
  const read = readFields(bindFields, json);
  if (read instanceof FieldError) return read;
  const { values, content } = read;
  const { discount_code: discountCode, discount_codes: codes, customer_id: customerId } = values;
  if (codes === 'unreadable') return new FieldError('/discount_codes', apiMessage('bind.discount_codes', { most: discountCodesMax }));
  const noClick = fieldsWithClick.click_id(values.click_id, '/click_id');
  // A test subscription has the click of a test link.
  if (noClick instanceof FieldError && (!namesPartnerFields(json) || values.environment === 'test')) return noClick;
  return { ...bindOf(values, content), partners: { discountCode, discountCodes: codes && namedCodes(codes), customerId } };
}

type BindValues = Omit<Values<typeof bindFields>, keyof typeof partnerFields>;

const bindOf = (values: BindValues, content: Content): Omit<BindReport, 'partners'> => ({
  ...commonOf(values, content),
  clickId: values.click_id,
  product: { productId: values.product_id, priceId: values.price_id },
  currency: values.currency,
  occurredAt: values.occurred_at,
});

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

const bindNamesOfVersion1 = ['event_id', 'relationship_id', 'click_id', 'product_id', 'price_id', 'currency', 'environment', 'occurred_at'];

/**
 * Lists names, as for orders. A list never changes, because a stored event is compared by its list. A new event is stored by the last
 * list, but a bind of a store that counts only clicks by the first, because such a store ignores the other fields.
 */
export const eventLists: Readonly<Record<RecurringOperation, readonly FieldList[]>> = {
  relationship: [
    { operation: 'relationship', version: 1, names: bindNamesOfVersion1 },
    { operation: 'relationship', version: 2, names: [...bindNamesOfVersion1, ...Object.keys(partnerFields)] },
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

/** What decides who earns a subscription: another event with the same values repeats the bind. */
export const touchList: FieldList = { operation: 'relationship', version: 1, names: ['click_id', ...Object.keys(partnerFields)] };
