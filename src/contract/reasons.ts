/** The operations of the postback interface. */
export type Operation =
  | 'conversion'
  | 'reversal'
  | 'order_refund'
  | 'relationship'
  | 'billing_event'
  | 'invoice_reversal'
  | 'invoice_refund'
  | 'relationship_end';

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
  bad_request: { status: 400, retry: 'never', means: 'The request is not valid HTTP. Check the client that sends it.' },
  headers_too_large: {
    status: 431,
    retry: 'never',
    means: 'The request line and headers are larger than 16 KiB. Send fewer or shorter headers.',
  },

  // Request checks, for every operation.
  not_found: { status: 404, retry: 'never', means: 'This URL does not exist. Check it for typos and a trailing slash.' },
  method_not_allowed: { status: 405, retry: 'never', means: 'Postbacks must use the POST method.' },
  temporarily_unavailable: {
    status: 503,
    retry: 'backoff',
    means: 'The service is temporarily unavailable. Send the same body again in a few seconds.',
  },
  missing_postback_key: {
    status: 401,
    retry: 'never',
    means: 'The request has no postback key. Send it as "Authorization: Bearer …" or in X-Service-Postback-Key.',
  },
  invalid_postback_key: {
    status: 401,
    retry: 'never',
    means: 'The postback key does not match the tracking key in the URL. Check both, and whether the key was revoked.',
  },
  store_archived: { status: 403, retry: 'never', means: 'The store is archived. Unarchive it in the dashboard to accept postbacks again.' },
  integration_disabled: {
    status: 403,
    retry: 'never',
    means: 'The integration of this store is disabled. Enable it in the dashboard to accept postbacks again.',
  },
  payload_too_large: { status: 413, retry: 'never', means: 'The body is larger than 16 KiB (16,384 bytes). Send a smaller one.' },
  json_required: {
    status: 400,
    retry: 'never',
    means: 'The body must be JSON in UTF-8 with the Content-Type application/json, without compression or a byte-order mark.',
  },
  invalid_payload: { status: 400, retry: 'never', means: 'A field is missing or has an invalid type, length, or value. See field.' },
  unexpected_click_id: {
    status: 400,
    retry: 'never',
    means: 'A billing event must not have a click_id. The click was sent once, when the subscription was bound.',
  },

  // Replays and conflicts.
  duplicate_order: { status: 200, means: 'The same postback was already accepted. Nothing was recorded twice.' },
  duplicate_order_conflict: {
    status: 409,
    retry: 'never',
    means: 'This order_id was already sent with different content. The first postback remains valid.',
  },
  duplicate_refund: { status: 200, means: 'The same refund was already accepted. Nothing was recorded twice.' },
  duplicate_refund_conflict: {
    status: 409,
    retry: 'never',
    means: 'This refund_id was already sent with different content. The first refund remains valid.',
  },
  duplicate_event: { status: 500, retry: 'never', means: 'This event was already rejected and will never succeed. Stop retrying it.' },
  duplicate_event_conflict: {
    status: 409,
    retry: 'never',
    means: 'This event_id or invoice was already sent with different content. The first postback remains valid.',
  },

  // The report itself.
  missing_referral_click: {
    status: 422,
    retry: 'never',
    means: 'The order has no click_id. Report only orders that came from a creator link.',
  },
  unsupported_pricing_currency: { status: 422, retry: 'never', remembered: true, means: 'Only amounts in USD earn commissions.' },
  invalid_occurred_at: {
    status: 422,
    retry: 'never',
    remembered: true,
    means: 'occurred_at is not a valid time such as 2026-03-01T12:00:00.000Z, is more than 5 minutes in the future, or is too old.',
  },

  // What the report refers to.
  unknown_referral_click: {
    status: 422,
    statusIn: { relationship: 404 },
    retry: 'never',
    means: 'The click_id was not created by this service, or belongs to another store.',
  },
  unknown_order: { status: 404, retry: 'never', means: 'No order with this order_id was recorded. Check the ID.' },
  unknown_relationship: { status: 404, retry: 'never', means: 'No subscription with this relationship_id was bound. Bind it first.' },
  environment_mismatch: { status: 409, retry: 'never', means: 'The environment does not match that of the click or the subscription.' },
  unknown_invoice: {
    status: 404,
    retry: 'never',
    means: 'No invoice with this invoice_id was reported for this subscription. Check the ID.',
  },

  // Verification.
  test_click_required: {
    status: 422,
    retry: 'never',
    means: 'A test order needs a click from a test link, and this click is from a creator link.',
  },
  test_click_not_allowed: {
    status: 422,
    retry: 'never',
    means: 'A click from a test link can only be used for a test order. Send test: true.',
  },
  test_link_expired: { status: 410, retry: 'never', means: 'The test link is older than 24 hours. Create a new one in the dashboard.' },
  test_verified: { status: 200, means: 'The test order was received. Tracking is on.' },

  // The terms, and earlier reports.
  pricing_history_unavailable: {
    status: 503,
    retry: 'backoff',
    means: 'The terms at that time are temporarily unavailable, and nothing was recorded. Send the same body again in a few seconds.',
  },
  duplicate_relationship_conflict: {
    status: 409,
    retry: 'never',
    means: 'This subscription was already bound to a different click, product, price, or environment. The first bind remains valid.',
  },
  relationship_ended: { status: 422, retry: 'never', remembered: true, means: 'The subscription ended before this invoice was reported.' },
  order_precedes_click: {
    status: 422,
    retry: 'never',
    remembered: true,
    means: 'The order was placed more than 5 minutes before its click.',
  },
  attribution_window_expired: {
    status: 422,
    retry: 'never',
    remembered: true,
    means: 'The order was placed after the attribution window of its click had ended.',
  },
  referral_click_already_converted: {
    status: 422,
    retry: 'never',
    means: 'This click was already used for another order. One click counts for one order.',
  },
  unknown_line_item: {
    status: 422,
    retry: 'never',
    means: 'The order has no line item with this product_id. Send the product IDs of the conversion.',
  },
  refund_exceeds_remaining_amount: {
    status: 422,
    retry: 'never',
    means: 'The refund is higher than what remains of the eligible amount, so nothing was refunded. See remaining_cents.',
  },
  active_hold: {
    status: 500,
    retry: 'daily',
    means: 'The commission is on hold for a dispute or review. Send the refund again once a day until the hold is released.',
  },
  paid_conversion_not_auto_reversed: {
    status: 422,
    retry: 'never',
    remembered: true,
    means: 'The commission was already invoiced, so nothing was reversed. Contact support for a credit note.',
  },
  invoice_in_progress: {
    status: 500,
    retry: 'daily',
    means:
      'The commission is on an invoice that is being issued, charged, or settled. Send the refund again once a day until that is finished.',
  },
  /** Not remembered as refused although it is a 422: the bind was recorded, and its replay gives this answer again. */
  no_matching_subscription_rule: {
    status: 422,
    retry: 'never',
    means: 'No commission rule matches this product. The subscription is bound and will never earn a commission.',
  },
  recorded: { status: 200, means: 'The postback was recorded.' },
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
