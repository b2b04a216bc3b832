import { expect, test } from 'vitest';
import { isReason, reasons, reasonRow, statusOf, type Operation, type Reason } from './reasons.ts';

const all = Object.keys(reasons).filter(isReason);
const operations: readonly Operation[] = [
  'conversion',
  'reversal',
  'relationship',
  'billing_event',
  'invoice_reversal',
  'relationship_end',
];

test('a reason consists of lower-case characters, digits, and underscores', () => {
  for (const reason of all) expect(reason).toMatch(/^[a-z0-9_]+$/);
});

test('every refusal says what to do, and no accepted report does', () => {
  for (const reason of all) expect([reason, reasonRow(reason).retry !== undefined]).toEqual([reason, reasonRow(reason).status !== 200]);
});

test('merchants retry only what is 5xx, and of that never duplicate_event, and active_hold once a day', () => {
  const retried = all.filter((reason) => reasonRow(reason).retry === 'backoff' || reasonRow(reason).retry === 'daily');
  expect(retried).toEqual(['temporarily_unavailable', 'pricing_history_unavailable', 'active_hold', 'invoice_in_progress']);
  expect(reasons.duplicate_event).toMatchObject({ status: 500, retry: 'never' });
  expect(reasons.active_hold).toMatchObject({ status: 500, retry: 'daily' });
});

test('only a 422 burns a recurring event, and a bind without a rule burns nothing', () => {
  const remembered = all.filter((reason) => reasonRow(reason).remembered);
  expect(remembered.map((reason) => reasonRow(reason).status)).toEqual(remembered.map(() => 422));
  expect(reasonRow('no_matching_subscription_rule').remembered).toBeUndefined();
  // These come in no recurring ladder.
  const oneTimeOnly: readonly Reason[] = [
    'missing_referral_click',
    'unknown_referral_click',
    'test_click_required',
    'test_click_not_allowed',
  ];
  const refundsOnly: readonly Reason[] = ['unknown_line_item', 'refund_exceeds_remaining_amount'];
  const leadsOnly: readonly Reason[] = ['lead_precedes_click'];
  const others: readonly Reason[] = [
    ...oneTimeOnly,
    ...refundsOnly,
    ...leadsOnly,
    'referral_click_already_converted',
    'no_matching_subscription_rule',
  ];
  expect(all.filter((reason) => reasonRow(reason).status === 422 && !remembered.includes(reason)).sort()).toEqual([...others].sort());
});

test('an unknown click is 404 in a bind and 422 in a conversion; every other status is the same everywhere', () => {
  expect(statusOf('unknown_referral_click', 'relationship')).toBe(404);
  expect(statusOf('unknown_referral_click', 'conversion')).toBe(422);
  for (const reason of all.filter((one) => one !== 'unknown_referral_click')) {
    expect(new Set([...operations, null].map((operation) => statusOf(reason, operation)))).toEqual(new Set([reasons[reason].status]));
  }
});

// Each ladder of the contract, in its order. (Rows that come a second time, with other facts, are left out.)
const ladders: ReadonlyArray<readonly Reason[]> = [
  [
    'not_found',
    'method_not_allowed',
    'missing_postback_key',
    'invalid_postback_key',
    'store_archived',
    'integration_disabled',
    'payload_too_large',
    'json_required',
    'invalid_payload',
    'unexpected_click_id',
    'duplicate_order',
    'duplicate_order_conflict',
  ],
  ['duplicate_event', 'duplicate_event_conflict', 'unsupported_pricing_currency'],
  [
    'duplicate_order_conflict',
    'missing_referral_click',
    'unsupported_pricing_currency',
    'invalid_occurred_at',
    'unknown_referral_click',
    'test_click_required',
    'test_click_not_allowed',
    'test_link_expired',
    'test_verified',
    'order_precedes_click',
    'attribution_window_expired',
    'referral_click_already_converted',
    'recorded',
  ],
  [
    'duplicate_order',
    'duplicate_order_conflict',
    'invalid_occurred_at',
    'unknown_order',
    'active_hold',
    'paid_conversion_not_auto_reversed',
    'recorded',
  ],
  [
    'unsupported_pricing_currency',
    'invalid_occurred_at',
    'unknown_referral_click',
    'environment_mismatch',
    'test_link_expired',
    'duplicate_relationship_conflict',
    'order_precedes_click',
    'attribution_window_expired',
    'no_matching_subscription_rule',
    'recorded',
  ],
  ['unsupported_pricing_currency', 'invalid_occurred_at', 'unknown_relationship', 'environment_mismatch', 'relationship_ended', 'recorded'],
  [
    'invalid_occurred_at',
    'unknown_relationship',
    'environment_mismatch',
    'unknown_invoice',
    'active_hold',
    'paid_conversion_not_auto_reversed',
    'recorded',
  ],
];

test('the table has the order of every decision table', () => {
  for (const ladder of ladders) expect(all.filter((reason) => ladder.includes(reason))).toEqual(ladder);
});
