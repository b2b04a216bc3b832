import { discountCodesMax, leadKindLengthMax, metadataBytesMax, linesMax, textLengthMax } from './fields.ts';
import { namesOf } from '../core/names-of.ts';
import { reasonRow, statusOf, type Operation, type Reason, type Retry } from './reasons.ts';
import { contractPrefix, replyOf, type Outcome } from './reply.ts';

/** The path of each operation, below the tracking key. */
export const postbackPaths: Readonly<Record<Operation, string>> = {
  conversion: 'conversions',
  reversal: 'reversals',
  order_refund: 'v2/orders/refunds',
  relationship: 'v2/recurring/relationships',
  billing_event: 'v2/recurring/billing-events',
  invoice_reversal: 'v2/recurring/reversals',
  invoice_refund: 'v2/recurring/invoices/refunds',
  relationship_end: 'v2/recurring/relationships/end',
  lead: 'v2/leads',
  lead_reversal: 'v2/leads/reversals',
};

/** An operation as the OpenAPI document describes it: its body, and every reply. */
export type PostbackDescription = {
  readonly path: string;
  readonly operationId: string;
  readonly summary: string;
  readonly description: string;
  readonly body: object;
  readonly example: object;
  readonly reasons: ReadonlyArray<{
    readonly status: number;
    readonly reason: Reason;
    readonly retry: Retry | null;
    readonly means: string;
    /** Made by the function that makes the reply on the wire. */
    readonly example: object;
  }>;
};

const text = (description: string) => ({ type: 'string', maxLength: textLengthMax, description });
const amount = (description: string) => ({ type: 'integer', minimum: 0, maximum: Number.MAX_SAFE_INTEGER, description });
const time = (description: string) => ({ type: 'string', format: 'date-time', description });

const currency = { type: 'string', description: 'Must be USD' };
const clickId = { type: 'string', maxLength: 200, description: 'The rm_click that the capture script stored for the shopper' };
const clickIdOrPartner = {
  ...clickId,
  description: `${clickId.description}. Required, unless the terms count discount codes or returning customers`,
};
const partnerFields = {
  customer_id: text(
    'Your ID of the customer. Needed for returning customers, rules for new customers, and codes with a limit per customer',
  ),
  discount_code: text('The discount code used'),
  discount_codes: {
    type: 'array',
    maxItems: discountCodesMax,
    items: text('A discount code'),
    description: 'All discount codes used; the first that counts earns. discount_code counts as the first of them',
  },
};
const environment = { type: 'string', enum: ['live', 'test'], description: '`live` for production traffic' };
const eventId = text('Unique ID of the event. Idempotency key');
const relationshipId = text('Your stable ID of the subscription');
const invoiceId = text('Your ID of the invoice');
const reasonField = text('A short reason, such as `refunded` or `cancelled`');
const whenItHappened = time('With an explicit offset, such as 2026-03-01T12:00:00.000Z');
const orReceipt = time('With an explicit offset. Defaults to the time of receipt');

const line = {
  type: 'object',
  required: ['product_id', 'amount_minor_units', 'quantity'],
  properties: {
    product_id: text('The product'),
    amount_minor_units: amount('The total of the line in cents, for its whole quantity'),
    quantity: { type: 'integer', minimum: 1 },
  },
};

const refundId = text('Unique ID of the refund. Idempotency key, in one space for both kinds of refunds');
const refundedAmount = amount('The refunded part of the eligible amount, in cents. Optional with line_items');
const refundedLineItems = {
  type: 'array',
  maxItems: linesMax,
  items: {
    ...line,
    required: ['product_id', 'amount_minor_units'],
    properties: {
      ...line.properties,
      amount_minor_units: amount('The refunded part of the line in cents'),
      quantity: {
        type: 'integer',
        minimum: 0,
        description: 'The number of units that came back. Defaults to 0: only the price was reduced',
      },
    },
  },
};

type Shape = { readonly required: readonly string[]; readonly properties: Readonly<Record<string, object>> };
type OperationText = {
  readonly summary: string;
  readonly description: string;
  readonly shape: Shape;
  readonly reasons: readonly Reason[];
};

const requestCheckReasons = [
  'json_required',
  'invalid_payload',
  'missing_postback_key',
  'invalid_postback_key',
  'store_archived',
  'integration_disabled',
  'payload_too_large',
  'temporarily_unavailable',
] as const satisfies readonly Reason[];
const refundReasons = [
  'recorded',
  'duplicate_refund',
  'duplicate_refund_conflict',
  'invalid_occurred_at',
  'active_hold',
  'refund_exceeds_remaining_amount',
  'paid_conversion_not_auto_reversed',
  'invoice_in_progress',
] as const satisfies readonly Reason[];
const eventReasons = [
  'duplicate_event',
  'duplicate_event_conflict',
  'environment_mismatch',
  'invalid_occurred_at',
] as const satisfies readonly Reason[];

const operationTexts: Readonly<Record<Operation, OperationText>> = {
  conversion: {
    summary: 'Report a paid order of a creator',
    description:
      'Send it once per order. An identical repeat returns the first response. Different content with the same order_id is a conflict.',
    shape: {
      required: ['order_id', 'currency', 'order_subtotal_cents', 'occurred_at'],
      properties: {
        order_id: text('Your stable ID of the order. Idempotency key'),
        click_id: clickIdOrPartner,
        currency,
        order_subtotal_cents: amount('The order in cents'),
        occurred_at: whenItHappened,
        eligible_amount_cents: amount('The amount that commissions are calculated from. Defaults to the subtotal and cannot exceed it'),
        line_items: {
          type: 'array',
          maxItems: linesMax,
          items: line,
          description: 'Must add up to the eligible amount. Required if the program pays per product',
        },
        order_name: text('The order number that your customers see'),
        ...partnerFields,
        country: {
          type: 'string',
          description:
            'The country of the order as a code of ISO 3166-1, such as US. Needed for rules for countries; other text counts as absent',
        },
        metadata: { type: 'object', description: `Your own data, at most ${metadataBytesMax} bytes as JSON` },
        test: { type: 'boolean', description: '`true` for the verification order only' },
      },
    },
    reasons: [
      'recorded',
      'duplicate_order',
      'test_verified',
      'duplicate_order_conflict',
      'missing_referral_click',
      'unsupported_pricing_currency',
      'invalid_occurred_at',
      'unknown_referral_click',
      'test_click_required',
      'test_click_not_allowed',
      'test_link_expired',
      'order_precedes_click',
      'attribution_window_expired',
      'referral_click_already_converted',
      'pricing_history_unavailable',
    ],
  },
  reversal: {
    summary: 'Report that an order was refunded in full or canceled',
    description: 'For full refunds only. A body with an amount is rejected.',
    shape: {
      required: ['order_id'],
      properties: { order_id: text('The order_id that was sent with the conversion'), occurred_at: orReceipt, reason: reasonField },
    },
    reasons: [
      'recorded',
      'duplicate_order',
      'duplicate_order_conflict',
      'invalid_occurred_at',
      'unknown_order',
      'active_hold',
      'paid_conversion_not_auto_reversed',
    ],
  },
  order_refund: {
    summary: 'Report that a part of an order was refunded',
    description:
      'The commission is computed again on what remains of the eligible amount. Any number of refunds of one order, and of all that remains.',
    shape: {
      required: ['refund_id', 'order_id', 'occurred_at'],
      properties: {
        refund_id: refundId,
        order_id: text('The order_id that was sent with the conversion'),
        amount_cents: refundedAmount,
        line_items: {
          ...refundedLineItems,
          description: 'What was refunded of each product. Required if the program pays per product, unless all that remains is refunded',
        },
        occurred_at: whenItHappened,
        reason: reasonField,
      },
    },
    reasons: [...refundReasons, 'unknown_order', 'unknown_line_item'],
  },
  relationship: {
    summary: 'Bind a subscription to its creator',
    description:
      'Send it once, when the subscription is created. The rule in force is copied, and later changes to the terms do not affect it.',
    shape: {
      required: ['event_id', 'relationship_id', 'product_id', 'currency', 'environment'],
      properties: {
        event_id: eventId,
        relationship_id: relationshipId,
        click_id: clickIdOrPartner,
        product_id: text('The product subscribed to'),
        price_id: text('The price or plan'),
        currency,
        environment,
        occurred_at: orReceipt,
        ...partnerFields,
      },
    },
    reasons: [
      'recorded',
      ...eventReasons,
      'missing_referral_click',
      'unsupported_pricing_currency',
      'unknown_referral_click',
      'test_link_expired',
      'duplicate_relationship_conflict',
      'order_precedes_click',
      'attribution_window_expired',
      'no_matching_subscription_rule',
      'pricing_history_unavailable',
    ],
  },
  billing_event: {
    summary: 'Report an invoice of a bound subscription, paid or not',
    description: 'It must not have a click. Only the first paid event of an invoice earns a commission.',
    shape: {
      required: [
        'event_id',
        'relationship_id',
        'invoice_id',
        'payment_state',
        'amount_paid_minor_units',
        'product_id',
        'currency',
        'environment',
        'occurred_at',
      ],
      properties: {
        event_id: eventId,
        relationship_id: relationshipId,
        invoice_id: invoiceId,
        payment_state: { type: 'string', enum: ['paid', 'failed', 'open', 'void', 'uncollectible'] },
        amount_paid_minor_units: amount('The amount paid, in cents'),
        eligible_amount_minor_units: amount(
          'The amount that commissions are calculated from. Defaults to the amount paid and cannot exceed it',
        ),
        product_id: text('The product on the invoice'),
        price_id: text('The price or plan on the invoice'),
        currency,
        environment,
        occurred_at: whenItHappened,
      },
    },
    reasons: [
      'recorded',
      'unexpected_click_id',
      ...eventReasons,
      'unsupported_pricing_currency',
      'unknown_relationship',
      'relationship_ended',
    ],
  },
  invoice_reversal: {
    summary: 'Report that one invoice of a subscription was refunded in full',
    description: 'For full refunds only. A body with an amount is rejected.',
    shape: {
      required: ['event_id', 'relationship_id', 'invoice_id', 'environment'],
      properties: {
        event_id: eventId,
        relationship_id: relationshipId,
        invoice_id: invoiceId,
        reason: reasonField,
        environment,
        occurred_at: orReceipt,
      },
    },
    reasons: ['recorded', ...eventReasons, 'unknown_relationship', 'unknown_invoice', 'active_hold', 'paid_conversion_not_auto_reversed'],
  },
  invoice_refund: {
    summary: 'Report that a part of one invoice of a subscription was refunded',
    description: 'The commission is computed again on what remains of the eligible amount. Any number of refunds of one invoice.',
    shape: {
      required: ['refund_id', 'relationship_id', 'invoice_id', 'environment'],
      properties: {
        refund_id: refundId,
        relationship_id: relationshipId,
        invoice_id: invoiceId,
        amount_minor_units: refundedAmount,
        line_items: { ...refundedLineItems, description: 'Must add up to the refunded amount' },
        environment,
        occurred_at: orReceipt,
        reason: reasonField,
      },
    },
    reasons: [...refundReasons, 'unknown_relationship', 'environment_mismatch', 'unknown_invoice'],
  },
  relationship_end: {
    summary: 'Report that a subscription ended',
    description: 'Later invoices of it are rejected.',
    shape: {
      required: ['event_id', 'relationship_id', 'environment'],
      properties: { event_id: eventId, relationship_id: relationshipId, reason: reasonField, environment, occurred_at: orReceipt },
    },
    reasons: ['recorded', ...eventReasons, 'unknown_relationship'],
  },
  lead: {
    summary: 'Report a lead of a creator: a sign-up, a trial, or a booked call',
    description:
      'It needs a click or a discount code. The terms say what a lead of its kind earns; a lead of another kind is recorded and earns nothing.',
    shape: {
      required: ['lead_id', 'kind', 'occurred_at'],
      properties: {
        lead_id: text('Your stable ID of the lead. Idempotency key'),
        kind: { type: 'string', maxLength: leadKindLengthMax, description: 'Such as sign_up, trial, or booked_call, as in the terms' },
        click_id: { ...clickId, description: `${clickId.description}. Required, unless the terms count the discount code` },
        discount_code: text('The discount code that the customer gave'),
        customer_id: text('Your ID of the customer. Binds them to the creator if the terms count returning customers'),
        occurred_at: whenItHappened,
        metadata: { type: 'object', description: `Your own data, at most ${metadataBytesMax} bytes as JSON` },
      },
    },
    reasons: [
      'recorded',
      'duplicate_lead',
      'duplicate_lead_conflict',
      'missing_referral_click',
      'invalid_occurred_at',
      'unknown_referral_click',
      'test_click_not_allowed',
      'lead_precedes_click',
      'attribution_window_expired',
      'pricing_history_unavailable',
    ],
  },
  lead_reversal: {
    summary: 'Report that a lead was not real or was canceled',
    description: 'Its commission is reversed. The customer stays bound to the creator.',
    shape: {
      required: ['lead_id'],
      properties: { lead_id: text('The lead_id that was sent with the lead'), occurred_at: orReceipt, reason: text('A short reason') },
    },
    reasons: [
      'recorded',
      'duplicate_lead',
      'duplicate_lead_conflict',
      'invalid_occurred_at',
      'unknown_lead',
      'active_hold',
      'paid_conversion_not_auto_reversed',
    ],
  },
};

export function describePostbacks(): readonly PostbackDescription[] {
  return namesOf(postbackPaths).map((operation) => {
    const { summary, description, shape, reasons } = operationTexts[operation];
    return {
      path: `${contractPrefix}postbacks/:trackingKey/${postbackPaths[operation]}`,
      operationId: `report_${operation}`,
      summary,
      description,
      body: { type: 'object', ...shape },
      example: exampleBodies[operation],
      reasons: [...reasons, ...requestCheckReasons].map((name) => ({
        status: statusOf(name, operation),
        reason: name,
        retry: reasonRow(name).retry ?? null,
        means: reasonRow(name).means,
        example: exampleReply(name, operation),
      })),
    };
  });
}

/** A valid body for each operation. A reader replaces the click ID and the times. */
export const exampleBodies: Readonly<Record<Operation, Readonly<Record<string, unknown>>>> = {
  conversion: {
    order_id: 'order-1001',
    click_id: 'rmc_AaH_1lrGeWCnwUHEt3Bp4hcpQdFQcwwpFRs0WTZr40g',
    currency: 'USD',
    order_subtotal_cents: 10_005,
    occurred_at: '2026-03-01T12:00:00.000Z',
    line_items: [{ product_id: 'sku-a', amount_minor_units: 10_005, quantity: 3 }],
  },
  reversal: { order_id: 'order-1001', reason: 'refunded' },
  order_refund: {
    refund_id: 'refund-1001-1',
    order_id: 'order-1001',
    line_items: [{ product_id: 'sku-a', amount_minor_units: 3_335, quantity: 1 }],
    occurred_at: '2026-03-08T12:00:00.000Z',
    reason: 'returned',
  },
  relationship: {
    event_id: 'sub-42-bind',
    relationship_id: 'sub-42',
    click_id: 'rmc_AaH_1lrGeWCnwUHEt3Bp4hcpQdFQcwwpFRs0WTZr40g',
    product_id: 'plan-basic',
    price_id: 'price-monthly',
    currency: 'USD',
    environment: 'live',
  },
  billing_event: {
    event_id: 'in-7-paid',
    relationship_id: 'sub-42',
    invoice_id: 'in-7',
    payment_state: 'paid',
    amount_paid_minor_units: 2_400,
    product_id: 'plan-basic',
    price_id: 'price-monthly',
    currency: 'USD',
    environment: 'live',
    occurred_at: '2026-03-01T12:05:00.000Z',
  },
  invoice_reversal: { event_id: 'in-7-refund', relationship_id: 'sub-42', invoice_id: 'in-7', reason: 'refunded', environment: 'live' },
  invoice_refund: {
    refund_id: 'refund-in-7-1',
    relationship_id: 'sub-42',
    invoice_id: 'in-7',
    amount_minor_units: 1_000,
    environment: 'live',
    reason: 'goodwill',
  },
  relationship_end: { event_id: 'sub-42-end', relationship_id: 'sub-42', reason: 'cancelled', environment: 'live' },
  lead: {
    lead_id: 'lead-77',
    kind: 'sign_up',
    click_id: 'rmc_AaH_1lrGeWCnwUHEt3Bp4hcpQdFQcwwpFRs0WTZr40g',
    customer_id: 'customer-9',
    occurred_at: '2026-03-01T12:00:00.000Z',
  },
  lead_reversal: { lead_id: 'lead-77', reason: 'spam' },
};

const [transaction, conversion, binding, event, refund, lead] = [
  { transaction_id: 'ord_01m7zww8czek0a45x8ehv3p1rc' },
  { conversion_id: 'com_01m7zww8czek0a45x8ehv3p1rd' },
  { binding_id: 'bind_01m7zww8czek0a45x8ehv3p1re' },
  { event_id: 'evt_01m7zww8czek0a45x8ehv3p1rf' },
  { refund_id: 'rfd_01m7zww8czek0a45x8ehv3p1rg' },
  { lead_id: 'lead_01m7zww8czek0a45x8ehv3p1rh' },
];

/** The identifiers of a recorded report. test/postbacks/examples.test.ts compares them with real replies. */
const recorded: Readonly<Record<Operation, NonNullable<Outcome['ids']>>> = {
  conversion: { ...transaction, ...conversion },
  reversal: { ...transaction, ...conversion },
  order_refund: { ...transaction, ...conversion, ...refund, remaining_cents: 6_670 },
  relationship: { ...binding, ...event },
  billing_event: { ...conversion, ...event },
  invoice_reversal: event,
  invoice_refund: { ...conversion, ...refund, remaining_cents: 1_400 },
  relationship_end: event,
  lead: { ...conversion, ...lead },
  lead_reversal: { ...conversion, ...lead },
};

/** The field that the example of a 400 names. */
const invalidFields: Readonly<Record<Operation, string>> = {
  conversion: '/order_subtotal_cents',
  reversal: '/order_id',
  order_refund: '/amount_cents',
  relationship: '/product_id',
  billing_event: '/amount_paid_minor_units',
  invoice_reversal: '/invoice_id',
  invoice_refund: '/amount_minor_units',
  relationship_end: '/relationship_id',
  lead: '/kind',
  lead_reversal: '/lead_id',
};

/** The body of a reply, made by the function that makes it on the wire. */
export function exampleReply(reason: Reason, operation: Operation): object {
  const fields: Readonly<Partial<Record<Reason, string>>> = { invalid_payload: invalidFields[operation], unexpected_click_id: '/click_id' };
  const { status } = replyOf({ reason }, operation);
  const ofReason: Readonly<Partial<Record<Reason, Outcome['ids']>>> = {
    test_verified: transaction,
    no_matching_subscription_rule: binding,
    refund_exceeds_remaining_amount: { remaining_cents: 500 },
  };
  const ids = ofReason[reason] ?? (status === 200 ? recorded[operation] : {});
  return replyOf({ reason, ids, field: fields[reason] ?? '' }, operation).body;
}
