/** The operations of the postback interface. */
export type Operation = 'conversion' | 'reversal' | 'relationship' | 'billing_event' | 'invoice_reversal' | 'relationship_end';

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
  bad_request: { status: 400, retry: 'never', means: 'This is not a well-formed HTTP request.' },
  headers_too_large: { status: 431, retry: 'never', means: 'The request line and headers together are larger than 16 KiB.' },

  // Request checks, for every operation.
  not_found: { status: 404, retry: 'never', means: 'There is no such address; look for a typing error or a trailing slash.' },
  method_not_allowed: { status: 405, retry: 'never', means: 'Postbacks are sent with POST.' },
  temporarily_unavailable: {
    status: 503,
    retry: 'backoff',
    means: 'We could not take the report just now; send the same body again in a moment.',
  },
  missing_postback_key: {
    status: 401,
    retry: 'never',
    means: 'No postback key was sent; send it as "Authorization: Bearer …" or as X-Service-Postback-Key.',
  },
  invalid_postback_key: { status: 401, retry: 'never', means: 'The postback key does not belong to the tracking key in the address.' },
  store_archived: { status: 403, retry: 'never', means: 'The store is archived; unarchive it in the dashboard to report orders again.' },
  integration_disabled: {
    status: 403,
    retry: 'never',
    means: 'The integration of this store is switched off; switch it on in the dashboard.',
  },
  payload_too_large: { status: 413, retry: 'never', means: 'The body is larger than 16 KiB (16,384 bytes).' },
  json_required: {
    status: 400,
    retry: 'never',
    means: 'The body must be JSON in UTF-8, sent as application/json without compression and without a byte-order mark.',
  },
  invalid_payload: { status: 400, retry: 'never', means: 'A field is missing, or has the wrong type, length or range; see field.' },
  unexpected_click_id: {
    status: 400,
    retry: 'never',
    means: 'A billing event carries no click; the click was given once, when the subscription was bound.',
  },

  // Replays and conflicts.
  duplicate_order: { status: 200, means: 'The same report was accepted before; nothing was recorded twice.' },
  duplicate_order_conflict: {
    status: 409,
    retry: 'never',
    means: 'This order_id was reported before with other content; the first report stands.',
  },
  duplicate_event: { status: 500, retry: 'never', means: 'This event was refused before and never succeeds; stop sending it.' },
  duplicate_event_conflict: {
    status: 409,
    retry: 'never',
    means: 'This event_id or invoice was reported before with other content; the first report stands.',
  },

  // The report itself.
  missing_referral_click: {
    status: 422,
    retry: 'never',
    means: 'The order carries no click; only orders that came through a creator are reported.',
  },
  unsupported_pricing_currency: { status: 422, retry: 'never', remembered: true, means: 'Only orders in USD earn.' },
  invalid_occurred_at: {
    status: 422,
    retry: 'never',
    remembered: true,
    means: 'occurred_at is not a time such as 2026-03-01T12:00:00.000Z, lies more than 5 minutes ahead, or is too old.',
  },

  // What the report refers to.
  unknown_referral_click: {
    status: 422,
    statusIn: { relationship: 404 },
    retry: 'never',
    means: 'This click was not made by us, or it belongs to another store.',
  },
  unknown_order: { status: 404, retry: 'never', means: 'No order with this order_id was reported.' },
  unknown_relationship: { status: 404, retry: 'never', means: 'No subscription with this relationship_id was bound.' },
  environment_mismatch: { status: 409, retry: 'never', means: 'The environment is not that of the click or the subscription.' },
  unknown_invoice: { status: 404, retry: 'never', means: 'No invoice with this invoice_id was reported for this subscription.' },

  // Verification.
  test_click_required: {
    status: 422,
    retry: 'never',
    means: 'A test order needs the click of a test link; this one is an ordinary click.',
  },
  test_click_not_allowed: { status: 422, retry: 'never', means: 'The click of a test link backs test orders only; send test: true.' },
  test_link_expired: { status: 410, retry: 'never', means: 'The test link is older than 24 hours; make a new one in the dashboard.' },
  test_verified: { status: 200, means: 'The test order arrived; tracking is on.' },

  // The terms, and earlier reports.
  pricing_history_unavailable: {
    status: 503,
    retry: 'backoff',
    means: 'The terms of that time cannot be read just now, and nothing was kept; send the same body again in a moment.',
  },
  duplicate_relationship_conflict: {
    status: 409,
    retry: 'never',
    means: 'This subscription was bound before with another click, product, price or environment; the first bind stands.',
  },
  relationship_ended: { status: 422, retry: 'never', remembered: true, means: 'The subscription ended before this invoice.' },
  order_precedes_click: { status: 422, retry: 'never', remembered: true, means: 'The order lies more than 5 minutes before its click.' },
  attribution_window_expired: {
    status: 422,
    retry: 'never',
    remembered: true,
    means: 'The order came later after its click than the attribution window of the program allows.',
  },
  referral_click_already_converted: { status: 422, retry: 'never', means: 'One click backs one order, and this click backs another.' },
  active_hold: {
    status: 500,
    retry: 'daily',
    means: 'The order is under a dispute or review; the refund succeeds once that is decided. Try once a day.',
  },
  paid_conversion_not_auto_reversed: {
    status: 422,
    retry: 'never',
    remembered: true,
    means: 'The commission was billed already and nothing was reversed; contact support for a credit note.',
  },
  /** Not remembered as refused although it is a 422: the bind was recorded, and its replay gives this answer again. */
  no_matching_subscription_rule: {
    status: 422,
    retry: 'never',
    means: 'No commission rule fits this product; the subscription is bound without commission, for good.',
  },
  recorded: { status: 200, means: 'The report was recorded.' },
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
