import { expect, test } from 'vitest';
import { explain } from './explain.ts';
import { englishToCreators, speechToMerchants } from './speech.ts';
import type { Explained } from './explain.ts';
import { speechToCreators } from './speech-to-creators.ts';

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
    'The subscription is bound. Each paid invoice earns 20%, for its first 12 earning invoices.',
    bind('recorded', { basis_points: 2_000, invoices_max: 12 }),
  ],
  ['The subscription is bound. Each paid invoice earns 7.00 USD, for 12 months.', bind('recorded', { flat_cents: 700, months_max: 12 })],
  ['The same postback was accepted on 2026-03-01 12:00 UTC. Nothing was recorded twice.', bind('recorded', { first_recorded_at: at })],
  [
    'No commission rule matched when the subscription was bound, so it will never earn a commission.',
    bind('no_matching_subscription_rule', { earns_nothing: 'zero_commission' }),
  ],
  [
    'The subscription is bound. Each paid invoice earns 20%. The discount code BEN10 belongs to crt_ben. It also had a click of crt_ada on 2026-03-01 12:00 UTC; the program’s terms count a discount code before a click.',
    bind('recorded', {
      basis_points: 2_000,
      rule: 'code_before_click',
      attributed_by: 'code',
      attributed_to: 'crt_ben',
      discount_code: 'BEN10',
      compared: { by: 'click', creator_id: 'crt_ada', clicked_at: at },
    }),
  ],
  [
    'No commission rule matched when the subscription was bound, so it will never earn a commission. The discount code BEN10 belongs to crt_ben.',
    bind('no_matching_subscription_rule', {
      earns_nothing: 'zero_commission',
      rule: 'code',
      attributed_by: 'code',
      attributed_to: 'crt_ben',
      discount_code: 'BEN10',
    }),
  ],
  ['The subscription has no click, and no discount code or customer that counts.', bind('missing_referral_click', {})],
  [
    'The subscription has no click, and the discount code BEN10 does not count: it has a limit per customer, and the report has no customer_id.',
    bind('missing_referral_click', { rejected_codes: [{ discount_code: 'BEN10', because: 'no_customer_id' }] }),
  ],
  ['This is a test. No money is involved.', bind('recorded', { earns_nothing: 'test' })],
  [
    'The invoice earns 9.80 USD: 20% of 49.00 USD is 9.80 USD. The refund hold ends on 2026-03-01.',
    invoice('recorded', { payment_state: 'paid', commission_cents: 980, hold_until: at, earned }),
  ],
  ['The invoice is open. Only a paid invoice earns a commission.', invoice('recorded', { payment_state: 'open' })],
  [
    'The invoice was already paid on 2026-03-01 12:00 UTC. Only its first payment earns a commission.',
    invoice('recorded', { payment_state: 'void', first_paid_at: at }),
  ],
  [
    'The invoice earns nothing until the subscription is reviewed. The subscription is on hold for review: it is bound to basic at monthly, and the invoice is for pro.',
    invoice('recorded', { payment_state: 'paid', ...mismatch }),
  ],
  [
    'The rule applies to the first 12 earning invoices, and that limit is reached, so this one earns nothing.',
    invoice('recorded', { payment_state: 'paid', earns_nothing: 'invoice_limit', invoices_max: 12 }),
  ],
  [
    'The rule applied to invoices before 2026-03-01 12:00 UTC, so this one earns nothing.',
    invoice('recorded', { payment_state: 'paid', earns_nothing: 'month_limit', earns_until: at }),
  ],
  [
    'The subscription ended on 2026-03-01 12:00 UTC. This invoice is from 2026-03-01 12:00 UTC and was not reported before the end.',
    invoice('relationship_ended', { ended_at: at, occurred_at: at }),
  ],
  [
    'This invoice was reported as paid on 2026-03-01 12:00 UTC with a different amount (49.00 USD). The first postback remains valid.',
    invoice('duplicate_event_conflict', { first_recorded_at: at, paid_cents: 4_900 }),
  ],
  [
    'This event_id was sent on 2026-03-01 12:00 UTC with different content. The first postback remains valid.',
    end('duplicate_event_conflict', { first_recorded_at: at }),
  ],
  [
    'This event was rejected on 2026-03-01 12:00 UTC and will never succeed. Stop retrying it.',
    end('duplicate_event', { first_recorded_at: at }),
  ],
  [
    'The invoice was refunded, so its commission of 9.80 USD was reversed.',
    refund('recorded', { commission_cents: 980, invoice_state: 'paid' }),
  ],
  ['The invoice was refunded. It had not earned a commission, and will not earn one.', refund('recorded', { invoice_state: 'open' })],
  ['The invoice was already refunded on 2026-03-01 12:00 UTC. Nothing else changed.', refund('recorded', { reversed_at: at })],
  [
    'The subscription is under review (the product differs from the bound product). Send the refund again once a day until the review is decided.',
    refund('active_hold', { relationship_held: 'product_mismatch' }),
  ],
  [
    'The commission of 9.80 USD is on hold (a dispute is open). Send the refund again once a day until the hold is released.',
    refund('active_hold', { held: 'dispute', commission_cents: 980 }),
  ],
  ['The subscription ended on 2026-03-01 12:00 UTC. New invoices are rejected.', end('recorded', { occurred_at: at })],
  ['The subscription already ended on 2026-03-01 12:00 UTC. The first end remains valid.', end('recorded', { ended_at: at })],
  ['The environment must be live, as for the click or the subscription.', end('environment_mismatch', { environment: 'live' })],
];

test.each(rows)('%s', (sentence, explained) => {
  expect(explain(explained, speechToMerchants)).toBe(sentence);
});

test('creators read no English in a Japanese explanation of a subscription', () => {
  const sentences = rows.map(([, explained]) => explain(explained, speechToCreators('ja')).replaceAll(/USD|UTC|BEN10/g, ''));
  expect(sentences.filter((sentence) => /\p{Script=Latin}/u.test(sentence))).toEqual([]);
});

test('does not show a creator the group of their rate, or that the merchant should send a refund again', () => {
  const why = { basis_points: 2_000, applied_rule: { level: 'group', group_name: 'Stars' } } as const;
  expect(explain(bind('recorded', why), englishToCreators)).toBe(
    'The subscription is bound. Each paid invoice earns 20% (the rate of your group).',
  );
  expect(explain(refund('active_hold', { relationship_held: 'product_mismatch' }), englishToCreators)).toBe(
    'A refund was reported, but the subscription is under review (the product differs from the bound product). The refund is applied after the review.',
  );
});

test('does not show a creator which product a customer changed to', () => {
  const sentence = explain(invoice('recorded', { payment_state: 'paid', ...mismatch }), englishToCreators);
  expect(sentence).toBe(
    'The invoice earns nothing until the subscription is reviewed. The subscription is on hold (the product differs from the bound product).',
  );
});
