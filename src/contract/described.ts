import { metadataBytesMax, linesMax, textLengthMax } from './fields.ts';
import { rowOf, statusOf, type Operation, type Reason, type Retry } from './reasons.ts';
import { postbackPaths } from './paths.ts';
import { exampleBodies, exampleReply } from './examples.ts';
import { contractPrefix } from './reply.ts';

/** An operation of the contract as the API's description shows it: what may be sent, and every answer that may come. */
export type DescribedPostback = {
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
    /** Said by the same function as on the wire. */
    readonly example: object;
  }>;
};

const text = (description: string) => ({ type: 'string', maxLength: textLengthMax, description });
const amount = (description: string) => ({ type: 'integer', minimum: 0, maximum: Number.MAX_SAFE_INTEGER, description });
const time = (description: string) => ({ type: 'string', format: 'date-time', description });

const currency = { type: 'string', description: 'USD; only orders in USD earn' };
const clickId = { type: 'string', maxLength: 200, description: 'The rm_click that the capture script kept for the shopper' };
const environment = { type: 'string', enum: ['live', 'test'], description: 'live for production traffic' };
const eventId = text('Unique; sending it again is safe');
const relationshipId = text("The subscription's stable id");
const invoiceId = text("The invoice's id");
const reason = text('Short, such as refunded or cancelled');
const whenItHappened = time('With an explicit offset, such as 2026-03-01T12:00:00.000Z');
const orReceipt = time('With an explicit offset; the time of receipt where it is not sent');

const line = {
  type: 'object',
  required: ['product_id', 'amount_minor_units', 'quantity'],
  properties: {
    product_id: text('The product'),
    amount_minor_units: amount("The line's total in cents, for its whole quantity"),
    quantity: { type: 'integer', minimum: 1 },
  },
};

type Shape = { readonly required: readonly string[]; readonly properties: Readonly<Record<string, object>> };
type Told = {
  readonly summary: string;
  readonly description: string;
  readonly shape: Shape;
  readonly reasons: readonly Reason[];
};

const gates = [
  'json_required',
  'invalid_payload',
  'missing_postback_key',
  'invalid_postback_key',
  'store_archived',
  'integration_disabled',
  'payload_too_large',
  'temporarily_unavailable',
] as const satisfies readonly Reason[];
const events = [
  'duplicate_event',
  'duplicate_event_conflict',
  'environment_mismatch',
  'invalid_occurred_at',
] as const satisfies readonly Reason[];

const told: Readonly<Record<Operation, Told>> = {
  conversion: {
    summary: 'Report a paid order that carries a click',
    description: 'Once per order. The same report again gives the first answer; other content under the same order_id is a conflict.',
    shape: {
      required: ['order_id', 'click_id', 'currency', 'order_subtotal_cents', 'occurred_at'],
      properties: {
        order_id: text('Your stable id of the order'),
        click_id: clickId,
        currency,
        order_subtotal_cents: amount('The order in cents'),
        occurred_at: whenItHappened,
        eligible_amount_cents: amount('What a commission is paid on; the subtotal where it is not sent, and never above it'),
        line_items: {
          type: 'array',
          maxItems: linesMax,
          items: line,
          description: 'Sums to the eligible amount; needed where the program pays per product',
        },
        order_name: text('The order number that your customers see'),
        customer_id: text('Your id of the customer, for your own reports'),
        discount_code: text('The discount code used'),
        metadata: { type: 'object', description: `Your own data, at most ${metadataBytesMax} bytes as JSON` },
        test: { type: 'boolean', description: 'true for the verification order only' },
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
    summary: 'Report that an order was refunded in full or cancelled',
    description: 'Only full refunds. A body that carries an amount is refused.',
    shape: { required: ['order_id'], properties: { order_id: text('As it was reported'), occurred_at: orReceipt, reason } },
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
  relationship: {
    summary: 'Bind a subscription to its click',
    description: 'Once, when the subscription is made. The rule in force is copied; nothing later changes it.',
    shape: {
      required: ['event_id', 'relationship_id', 'click_id', 'product_id', 'currency', 'environment'],
      properties: {
        event_id: eventId,
        relationship_id: relationshipId,
        click_id: clickId,
        product_id: text('The product subscribed to'),
        price_id: text('The price or plan'),
        currency,
        environment,
        occurred_at: orReceipt,
      },
    },
    reasons: [
      'recorded',
      ...events,
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
    description: 'It carries no click. Only the first paid event of an invoice earns.',
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
        amount_paid_minor_units: amount('What was paid, in cents'),
        eligible_amount_minor_units: amount('What a commission is paid on; the amount paid where it is not sent, and never above it'),
        product_id: text('The product billed'),
        price_id: text('The price or plan billed'),
        currency,
        environment,
        occurred_at: whenItHappened,
      },
    },
    reasons: ['recorded', 'unexpected_click_id', ...events, 'unsupported_pricing_currency', 'unknown_relationship', 'relationship_ended'],
  },
  invoice_reversal: {
    summary: 'Report that one invoice of a subscription was refunded in full',
    description: 'Only full refunds. A body that carries an amount is refused.',
    shape: {
      required: ['event_id', 'relationship_id', 'invoice_id', 'environment'],
      properties: {
        event_id: eventId,
        relationship_id: relationshipId,
        invoice_id: invoiceId,
        reason,
        environment,
        occurred_at: orReceipt,
      },
    },
    reasons: ['recorded', ...events, 'unknown_relationship', 'unknown_invoice', 'active_hold', 'paid_conversion_not_auto_reversed'],
  },
  relationship_end: {
    summary: 'Report that a subscription ended',
    description: 'Later invoices of it are refused.',
    shape: {
      required: ['event_id', 'relationship_id', 'environment'],
      properties: { event_id: eventId, relationship_id: relationshipId, reason, environment, occurred_at: orReceipt },
    },
    reasons: ['recorded', ...events, 'unknown_relationship'],
  },
};

const operations: readonly Operation[] = [
  'conversion',
  'reversal',
  'relationship',
  'billing_event',
  'invoice_reversal',
  'relationship_end',
];

export function describedPostbacks(): readonly DescribedPostback[] {
  return operations.map((operation) => {
    const { summary, description, shape, reasons } = told[operation];
    return {
      path: `${contractPrefix}postbacks/:trackingKey/${postbackPaths[operation]}`,
      operationId: `report_${operation}`,
      summary,
      description,
      body: { type: 'object', ...shape },
      example: exampleBodies[operation],
      reasons: [...reasons, ...gates].map((name) => ({
        status: statusOf(name, operation),
        reason: name,
        retry: rowOf(name).retry ?? null,
        means: rowOf(name).means,
        example: exampleReply(name, operation),
      })),
    };
  });
}
