import { apiMessage } from '../messages/api-message.ts';

/** The operations of the postback interface. */
export type Operation =
  | 'conversion'
  | 'reversal'
  | 'order_refund'
  | 'relationship'
  | 'billing_event'
  | 'invoice_reversal'
  | 'invoice_refund'
  | 'relationship_end'
  | 'lead'
  | 'lead_reversal';

export type LeadOperation = Extract<Operation, 'lead' | 'lead_reversal'>;

/** These two share one space of refund IDs per store. */
export type RefundOperation = Extract<Operation, 'order_refund' | 'invoice_refund'>;

export type Status = 200 | 400 | 401 | 403 | 404 | 405 | 409 | 410 | 413 | 422 | 431 | 500 | 503;
export type Retry = 'never' | 'backoff' | 'daily';

type Row = {
  readonly status: Status;
  /** Operations that answer this reason with another status. */
  readonly statusIn?: Readonly<Partial<Record<Operation, Status>>>;
  /** When a merchant's server should send the same request again. Accepted requests have no value. */
  readonly retry?: Retry;
  /** For people: what happened, and what to do. */
  readonly means: string;
  /** A recurring event refused with this reason is remembered: sent again, it is `duplicate_event` forever. */
  readonly remembered?: true;
};

/**
 * Every reason of a reply, in the order in which they are tested; the first match wins. (Age and amounts are tested again once the terms
 * are known, and an invoice's amounts once its subscription is.) docs/wire.md shows this table to merchants, and a test keeps the two
 * equal.
 */
export const reasons = {
  // Invalid HTTP.
  bad_request: { status: 400, retry: 'never', means: apiMessage('reasons.bad_request') },
  headers_too_large: {
    status: 431,
    retry: 'never',
    means: apiMessage('reasons.headers_too_large'),
  },

  // Request checks, for every operation.
  not_found: { status: 404, retry: 'never', means: apiMessage('reasons.not_found') },
  method_not_allowed: { status: 405, retry: 'never', means: apiMessage('reasons.method_not_allowed') },
  temporarily_unavailable: {
    status: 503,
    retry: 'backoff',
    means: apiMessage('reasons.temporarily_unavailable'),
  },
  missing_postback_key: {
    status: 401,
    retry: 'never',
    means: apiMessage('reasons.missing_postback_key'),
  },
  invalid_postback_key: {
    status: 401,
    retry: 'never',
    means: apiMessage('reasons.invalid_postback_key'),
  },
  store_archived: { status: 403, retry: 'never', means: apiMessage('reasons.store_archived') },
  integration_disabled: {
    status: 403,
    retry: 'never',
    means: apiMessage('reasons.integration_disabled'),
  },
  payload_too_large: { status: 413, retry: 'never', means: apiMessage('reasons.payload_too_large') },
  json_required: {
    status: 400,
    retry: 'never',
    means: apiMessage('reasons.json_required'),
  },
  invalid_payload: { status: 400, retry: 'never', means: apiMessage('reasons.invalid_payload') },
  unexpected_click_id: {
    status: 400,
    retry: 'never',
    means: apiMessage('reasons.unexpected_click_id'),
  },

  // Replays and conflicts.
  duplicate_order: { status: 200, means: apiMessage('reasons.duplicate_order') },
  duplicate_order_conflict: {
    status: 409,
    retry: 'never',
    means: apiMessage('reasons.duplicate_order_conflict'),
  },
  duplicate_refund: { status: 200, means: apiMessage('reasons.duplicate_refund') },
  duplicate_refund_conflict: { status: 409, retry: 'never', means: apiMessage('reasons.duplicate_refund_conflict') },
  duplicate_lead: { status: 200, means: apiMessage('reasons.duplicate_lead') },
  duplicate_lead_conflict: { status: 409, retry: 'never', means: apiMessage('reasons.duplicate_lead_conflict') },
  duplicate_event: { status: 500, retry: 'never', means: apiMessage('reasons.duplicate_event') },
  duplicate_event_conflict: {
    status: 409,
    retry: 'never',
    means: apiMessage('reasons.duplicate_event_conflict'),
  },

  // The report itself.
  missing_referral_click: {
    status: 422,
    retry: 'never',
    means: apiMessage('reasons.missing_referral_click'),
  },
  unsupported_pricing_currency: {
    status: 422,
    retry: 'never',
    remembered: true,
    means: apiMessage('reasons.unsupported_pricing_currency'),
  },
  invalid_occurred_at: {
    status: 422,
    retry: 'never',
    remembered: true,
    means: apiMessage('reasons.invalid_occurred_at'),
  },

  // What the report refers to.
  unknown_referral_click: {
    status: 422,
    statusIn: { relationship: 404 },
    retry: 'never',
    means: apiMessage('reasons.unknown_referral_click'),
  },
  unknown_order: { status: 404, retry: 'never', means: apiMessage('reasons.unknown_order') },
  unknown_lead: { status: 404, retry: 'never', means: apiMessage('reasons.unknown_lead') },
  unknown_relationship: { status: 404, retry: 'never', means: apiMessage('reasons.unknown_relationship') },
  environment_mismatch: { status: 409, retry: 'never', means: apiMessage('reasons.environment_mismatch') },
  unknown_invoice: {
    status: 404,
    retry: 'never',
    means: apiMessage('reasons.unknown_invoice'),
  },

  // Verification.
  test_click_required: {
    status: 422,
    retry: 'never',
    means: apiMessage('reasons.test_click_required'),
  },
  test_click_not_allowed: {
    status: 422,
    retry: 'never',
    means: apiMessage('reasons.test_click_not_allowed'),
  },
  test_link_expired: { status: 410, retry: 'never', means: apiMessage('reasons.test_link_expired') },
  test_verified: { status: 200, means: apiMessage('reasons.test_verified') },

  // The terms, and earlier reports.
  pricing_history_unavailable: {
    status: 503,
    retry: 'backoff',
    means: apiMessage('reasons.pricing_history_unavailable'),
  },
  duplicate_relationship_conflict: {
    status: 409,
    retry: 'never',
    means: apiMessage('reasons.duplicate_relationship_conflict'),
  },
  relationship_ended: { status: 422, retry: 'never', remembered: true, means: apiMessage('reasons.relationship_ended') },
  order_precedes_click: {
    status: 422,
    retry: 'never',
    remembered: true,
    means: apiMessage('reasons.order_precedes_click'),
  },
  lead_precedes_click: { status: 422, retry: 'never', means: apiMessage('reasons.lead_precedes_click') },
  attribution_window_expired: {
    status: 422,
    retry: 'never',
    remembered: true,
    means: apiMessage('reasons.attribution_window_expired'),
  },
  referral_click_already_converted: {
    status: 422,
    retry: 'never',
    means: apiMessage('reasons.referral_click_already_converted'),
  },
  unknown_line_item: { status: 422, retry: 'never', means: apiMessage('reasons.unknown_line_item') },
  refund_exceeds_remaining_amount: { status: 422, retry: 'never', means: apiMessage('reasons.refund_exceeds_remaining_amount') },
  active_hold: {
    status: 500,
    retry: 'daily',
    means: apiMessage('reasons.active_hold'),
  },
  paid_conversion_not_auto_reversed: {
    status: 422,
    retry: 'never',
    remembered: true,
    means: apiMessage('reasons.paid_conversion_not_auto_reversed'),
  },
  invoice_in_progress: { status: 500, retry: 'daily', means: apiMessage('reasons.invoice_in_progress') },
  /** Not remembered as refused although it is a 422: the bind was recorded, and its replay gives this answer again. */
  no_matching_subscription_rule: {
    status: 422,
    retry: 'never',
    means: apiMessage('reasons.no_matching_subscription_rule'),
  },
  recorded: { status: 200, means: apiMessage('reasons.recorded') },
} as const satisfies Readonly<Record<string, Row>>;

export type Reason = keyof typeof reasons;
type Accepted = { [Name in Reason]: (typeof reasons)[Name]['status'] extends 200 ? Name : never }[Reason];
export type Refusal = Exclude<Reason, Accepted>;

export function reasonRow(reason: Reason): Row {
  return reasons[reason];
}

/** `operation` is null if the request was rejected before its operation was known. */
export function statusOf(reason: Reason, operation: Operation | null): Status {
  const { status, statusIn } = reasonRow(reason);
  return (operation === null ? undefined : statusIn?.[operation]) ?? status;
}

export const isReason = (text: string): text is Reason => Object.hasOwn(reasons, text);
