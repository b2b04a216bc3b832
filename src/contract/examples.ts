import type { Operation, Reason } from './reasons.ts';
import { replyOf, type Outcome } from './reply.ts';

/** One report of each kind that is good as it stands, but for the click and the times: those are its reader's. */
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
  relationship_end: { event_id: 'sub-42-end', relationship_id: 'sub-42', reason: 'cancelled', environment: 'live' },
};

const [transaction, conversion, binding, event] = [
  { transaction_id: 'ord_01m7zww8czek0a45x8ehv3p1rc' },
  { conversion_id: 'com_01m7zww8czek0a45x8ehv3p1rd' },
  { binding_id: 'bind_01m7zww8czek0a45x8ehv3p1re' },
  { event_id: 'evt_01m7zww8czek0a45x8ehv3p1rf' },
];

/** What is named once something was recorded. A test holds each against what is really answered. */
const recorded: Readonly<Record<Operation, NonNullable<Outcome['ids']>>> = {
  conversion: { ...transaction, ...conversion },
  reversal: { ...transaction, ...conversion },
  relationship: { ...binding, ...event },
  billing_event: { ...conversion, ...event },
  invoice_reversal: event,
  relationship_end: event,
};

/** A field that may be missing or wrong. */
const misread: Readonly<Record<Operation, string>> = {
  conversion: '/order_subtotal_cents',
  reversal: '/order_id',
  relationship: '/product_id',
  billing_event: '/amount_paid_minor_units',
  invoice_reversal: '/invoice_id',
  relationship_end: '/relationship_id',
};

/** The body of an answer, by the function that says it on the wire. */
export function exampleReply(reason: Reason, operation: Operation): object {
  const fields: Readonly<Partial<Record<Reason, string>>> = { invalid_payload: misread[operation], unexpected_click_id: '/click_id' };
  const { status } = replyOf({ reason }, operation);
  const ofReason: Readonly<Partial<Record<Reason, Outcome['ids']>>> = {
    test_verified: transaction,
    no_matching_subscription_rule: binding,
  };
  const ids = ofReason[reason] ?? (status === 200 ? recorded[operation] : {});
  return replyOf({ reason, ids, field: fields[reason] ?? '' }, operation).body;
}
