import { expect, test } from 'vitest';
import { explain } from './explain.ts';
import type { Explained } from './explain.ts';

const at = '2026-03-01T12:00:00.000Z';
const mismatch = {
  relationship_held: 'product_mismatch',
  bound_product_id: 'basic',
  bound_price_id: 'monthly',
  billed_product_id: 'pro',
} as const;
const earned = [{ product_id: null, of_cents: 4_900, quantity: 1, basis_points: 2_000, flat_cents: null, amount_cents: 980 }];

type Row = readonly [sentence: string, explained: Explained];
const bind = (reason: Explained['reason'], why: Explained['why']): Explained => ({ operation: 'relationship', reason, why });
const invoice = (reason: Explained['reason'], why: Explained['why']): Explained => ({ operation: 'billing_event', reason, why });
const refund = (reason: Explained['reason'], why: Explained['why']): Explained => ({ operation: 'invoice_reversal', reason, why });
const end = (reason: Explained['reason'], why: Explained['why']): Explained => ({ operation: 'relationship_end', reason, why });

const rows: readonly Row[] = [
  [
    'The subscription is bound; each paid invoice earns 20 %, for its first 12 earning invoices.',
    bind('recorded', { basis_points: 2_000, invoices_max: 12 }),
  ],
  ['The subscription is bound; each paid invoice earns 7.00 USD, for 12 months.', bind('recorded', { flat_cents: 700, months_max: 12 })],
  ['The same was reported and accepted on 2026-03-01 12:00 UTC; nothing was recorded twice.', bind('recorded', { first_recorded_at: at })],
  [
    'No commission rule fitted when the subscription was bound, so it earns nothing, for good.',
    bind('no_matching_subscription_rule', { earns_nothing: 'zero_commission' }),
  ],
  ['This is a test; no money is involved.', bind('recorded', { earns_nothing: 'test' })],
  [
    'The invoice earns 9.80 USD: 20 % of 49.00 USD is 9.80 USD. The refund hold ends on 2026-03-01.',
    invoice('recorded', { payment_state: 'paid', commission_cents: 980, hold_until: at, earned }),
  ],
  ['The invoice is open; only a paid one earns.', invoice('recorded', { payment_state: 'open' })],
  [
    'The invoice was paid on 2026-03-01 12:00 UTC already; only its first payment counts.',
    invoice('recorded', { payment_state: 'void', first_paid_at: at }),
  ],
  [
    'The invoice earns nothing until the subscription is reviewed. The subscription is held for review: bound is basic at monthly, billed was pro.',
    invoice('recorded', { payment_state: 'paid', ...mismatch }),
  ],
  [
    'The rule pays for the first 12 earning invoices, and these are paid, so this one earns nothing.',
    invoice('recorded', { payment_state: 'paid', earns_nothing: 'invoice_limit', invoices_max: 12 }),
  ],
  [
    'The rule paid for invoices before 2026-03-01 12:00 UTC, so this one earns nothing.',
    invoice('recorded', { payment_state: 'paid', earns_nothing: 'month_limit', earns_until: at }),
  ],
  [
    'The subscription ended on 2026-03-01 12:00 UTC; this invoice is from 2026-03-01 12:00 UTC and was not reported before.',
    invoice('relationship_ended', { ended_at: at, occurred_at: at }),
  ],
  [
    'This invoice was reported as paid on 2026-03-01 12:00 UTC with other amounts (49.00 USD); the first report stands.',
    invoice('duplicate_event_conflict', { first_recorded_at: at, paid_cents: 4_900 }),
  ],
  [
    'This event_id was reported on 2026-03-01 12:00 UTC with other content; the first report stands.',
    end('duplicate_event_conflict', { first_recorded_at: at }),
  ],
  [
    'This event was refused on 2026-03-01 12:00 UTC and never succeeds; stop sending it.',
    end('duplicate_event', { first_recorded_at: at }),
  ],
  ['The invoice was refunded, so its commission of 9.80 USD ended.', refund('recorded', { commission_cents: 980, invoice_state: 'paid' })],
  ['The invoice was refunded; it had earned nothing, and earns nothing any more.', refund('recorded', { invoice_state: 'open' })],
  ['The invoice was refunded before, on 2026-03-01 12:00 UTC; nothing further happened.', refund('recorded', { reversed_at: at })],
  [
    'The subscription is being reviewed (the product is not the one that was bound); the refund succeeds once that is decided.',
    refund('active_hold', { relationship_held: 'product_mismatch' }),
  ],
  [
    'The commission of 9.80 USD is held (a dispute is open); the refund succeeds once that is decided.',
    refund('active_hold', { held: 'dispute', commission_cents: 980 }),
  ],
  ['The subscription ended on 2026-03-01 12:00 UTC; new invoices are refused from now on.', end('recorded', { occurred_at: at })],
  ['The subscription had ended before, on 2026-03-01 12:00 UTC; the first end stands.', end('recorded', { ended_at: at })],
  ['It was sent for another environment than live, which is what it refers to.', end('environment_mismatch', { environment: 'live' })],
];

test.each(rows)('%s', (sentence, explained) => {
  expect(explain(explained, 'merchant')).toBe(sentence);
});

test('does not show a creator which product a customer changed to', () => {
  const sentence = explain(invoice('recorded', { payment_state: 'paid', ...mismatch }), 'creator');
  expect(sentence).toBe(
    'The invoice earns nothing until the subscription is reviewed. The subscription is held (the product is not the one that was bound).',
  );
});
