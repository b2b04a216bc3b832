import { expect, test } from 'vitest';
import { explainAnotherCreator, explainAttribution, explainOwnCodes } from './explain-attribution.ts';
import { speechToCreators } from './speech-to-creators.ts';
import { explain } from './explain.ts';
import { englishToCreators, speechToMerchants } from './speech.ts';
import type { Operation, Reason } from './reasons.ts';
import { isReason, reasons } from './reasons.ts';
import { attributionRules, codeProblems, type AttributionWhy, type Why } from './why.ts';

const speechTo = { merchant: speechToMerchants, creator: englishToCreators } as const;

const allReasons = Object.keys(reasons).filter(isReason);
const operations: readonly Operation[] = [
  'conversion',
  'reversal',
  'relationship',
  'billing_event',
  'invoice_reversal',
  'relationship_end',
  'order_refund',
  'invoice_refund',
  'lead',
  'lead_reversal',
];
const attributedBy = ['click', 'code', 'customer'] as const;
/** All values that a decision may return. */
const full: Why = {
  occurred_at: '2026-03-10T12:00:00.000Z',
  received_at: '2026-03-10T12:00:01.000Z',
  clicked_at: '2026-03-01T09:30:00.000Z',
  attribution_days: 30,
  age_days_max: 37,
  hold_until: '2026-04-09T12:00:00.000Z',
  terms_version: 2,
  currency: 'EUR',
  eligible_cents: 10_005,
  commission_cents: 1_001,
  earned: [{ product_id: null, of_cents: 10_005, quantity: 1, basis_points: 1_000, flat_cents: null, amount_cents: 1_001 }],
  commission_state: 'billed',
  expires_at: '2026-03-02T09:30:00.000Z',
  first_recorded_at: '2026-03-05T08:00:00.000Z',
};
const codesOfNoCreator = codeProblems.map((because) => ({ discount_code: 'BEN10', because }));
/** Each rule with each creator who earned, and each other creator who was compared. */
const attributions: readonly Why[] = attributionRules.flatMap((rule) =>
  attributedBy.flatMap((by) => [undefined, 'click', 'code', 'customer'].map((other) => attributionOf(rule, by, other))),
);
function attributionOf(rule: AttributionWhy['rule'], by: AttributionWhy['attributed_by'], other: string | undefined): Why {
  const touchOf = (kind: string) => ({
    ...(kind === 'code' ? { discount_code: 'ADA10' } : {}),
    ...(kind === 'customer' ? { customer_since: '2026-02-01T09:30:00.000Z', customer_order: 2 } : {}),
  });
  const compared = attributedBy.find((kind) => kind === other);
  return {
    ...full,
    rule,
    attributed_by: by,
    attributed_to: 'crt_ada',
    ...touchOf(by),
    ...(compared === undefined ? {} : { compared: { by: compared, creator_id: 'crt_ben', commission_cents: 500, ...touchOf(compared) } }),
    rejected_codes: codesOfNoCreator,
  };
}
const whys: readonly Why[] = [
  {},
  full,
  { ...full, held: 'dispute' },
  { ...full, lead_kind: 'sign_up', leads_max: 3 },
  { ...full, lead_kind: 'sign_up', rejected_codes: codesOfNoCreator },
  ...attributions,
];

const all = allReasons.flatMap((reason) => operations.flatMap((operation) => whys.map((why) => ({ reason, operation, why }))));

test.each(['merchant', 'creator'] as const)('every reason has a complete sentence for a %s', (reader) => {
  for (const explained of all) {
    const sentence = explain(explained, speechTo[reader]);
    expect(sentence, `${explained.reason} ${explained.operation}`).toMatch(/^\w.*[.]$/);
    expect(sentence).not.toMatch(/undefined|null|NaN|Invalid|\[object/);
  }
});

test("creators never see the name of a field, nor what the merchant's server did wrong or should do", () => {
  for (const explained of all) {
    const sentence = explain(explained, englishToCreators);
    expect(sentence, explained.reason).not.toMatch(/order_id|occurred_at|test: true|JSON|body|key|field|support|try once|stop sending/i);
    expect(sentence, `${explained.reason} names another creator or the codes that do not count`).not.toMatch(/crt_|BEN10/);
  }
});

test('the owner of a code that does not count reads why, without the store’s fields and state', () => {
  for (const kind of ['order', 'subscription', 'lead'] as const)
    for (const because of codeProblems) {
      const sentence = explainOwnCodes(
        kind,
        {
          occurred_at: full.occurred_at ?? '',
          rejected_codes: [{ discount_code: 'BEN10', because }],
        },
        englishToCreators,
      );
      expect(sentence).toMatch(
        new RegExp(`^The ${kind} of 2026-03-10 12:00 UTC had your discount code BEN10, which does not count: [^:]+[.]$`),
      );
      expect(sentence).not.toMatch(/customer_id|past due|published|undefined|null/);
    }
});

/** Units, and what stores and creators named. */
const dataInSentences = /USD|UTC|EUR|ADA10|BEN10|sku-[a-c]/g;

test('creators read no English in a Japanese explanation', () => {
  const japanese = speechToCreators('ja');
  const kinds = ['order', 'subscription', 'lead'] as const;
  const sentences = new Set([
    ...all.map((explained) => explain(explained, japanese)),
    ...attributions.map((why) => explainAttribution(why, japanese)),
    ...kinds.flatMap((kind) => whys.map((why) => explainAnotherCreator(kind, why, japanese))),
    ...kinds.flatMap((kind) => explainOwnCodes(kind, { ...full, rejected_codes: codesOfNoCreator }, japanese)),
    ...kinds.flatMap((kind) => explainOwnCodes(kind, { rejected_codes: codesOfNoCreator }, japanese)),
  ]);
  expect([...sentences].filter((sentence) => /\p{Script=Latin}/u.test(sentence.replaceAll(dataInSentences, '')))).toEqual([]);
});

type Case = readonly [reason: Reason, operation: Operation, why: Why, merchant: string, creator: string];
const between = 'This concerns only the merchant’s integration. Nothing changed for you.';
const lines = [
  { product_id: 'sku-a', of_cents: 1_010, quantity: 2, basis_points: 1_250, flat_cents: null, amount_cents: 126 },
  { product_id: 'sku-b', of_cents: 100, quantity: 3, basis_points: null, flat_cents: 250, amount_cents: 100 },
  { product_id: 'sku-c', of_cents: 500, quantity: 1, basis_points: null, flat_cents: null, amount_cents: 0 },
];
const itemised =
  'The order earns 2.26 USD: 12.5% of 10.10 USD for sku-a is 1.26 USD; 2.50 USD × 3 for sku-b, limited to the eligible 1.00 USD; no rule matches for sku-c.';
const cases: readonly Case[] = [
  [
    'recorded',
    'conversion',
    full,
    'The order earns 10.01 USD: 10% of 100.05 USD is 10.01 USD. It was placed within 30 days of the click on 2026-03-01 09:30 UTC. ' +
      'The refund hold ends on 2026-04-09.',
    'The order earns 10.01 USD: 10% of 100.05 USD is 10.01 USD. The refund hold ends on 2026-04-09.',
  ],
  [
    'recorded',
    'conversion',
    { ...full, earned: lines, commission_cents: 226, held: 'creator_suspended', attribution_days: 1 },
    `${itemised} It was placed within 1 day of the click on 2026-03-01 09:30 UTC. It is on hold (the creator is suspended).`,
    `${itemised} It is on hold (the creator is suspended).`,
  ],
  [
    'recorded',
    'reversal',
    full,
    'The order was refunded or canceled, so its commission of 10.01 USD was reversed.',
    'The order was refunded or canceled, so its commission of 10.01 USD was reversed.',
  ],
  [
    'referral_click_already_converted',
    'conversion',
    full,
    'The click of 2026-03-01 09:30 UTC was already used for another order. One click counts for one order.',
    'The visit of 2026-03-01 09:30 UTC already led to another order. One visit counts for one order.',
  ],
  [
    'attribution_window_expired',
    'conversion',
    full,
    'The click was on 2026-03-01 09:30 UTC, and the order was placed on 2026-03-10 12:00 UTC. The program counts orders within 30 days of the click.',
    'The click was on 2026-03-01 09:30 UTC, and the order was placed on 2026-03-10 12:00 UTC. The program counts orders within 30 days of the click.',
  ],
  [
    'active_hold',
    'reversal',
    { ...full, held: 'dispute' },
    'The commission of 10.01 USD is on hold (a dispute is open). Send the refund again once a day until the hold is released.',
    'A refund was reported, but the commission of 10.01 USD is on hold. The refund is applied after the hold is released.',
  ],
  [
    'paid_conversion_not_auto_reversed',
    'reversal',
    full,
    'The commission of 10.01 USD is already billed, so nothing was reversed. Contact support for a credit note.',
    'A refund was reported after the commission of 10.01 USD was invoiced, so nothing was reversed.',
  ],
  [
    'paid_conversion_not_auto_reversed',
    'reversal',
    { ...full, commission_state: 'reversed' },
    'The commission of 10.01 USD was already credited to you by a credit note. There is nothing left to reverse.',
    'A refund was reported after the commission of 10.01 USD was invoiced, so nothing was reversed.',
  ],
  [
    'invalid_occurred_at',
    'conversion',
    { ...full, occurred_at: '2026-03-10T13:00:00.000Z' },
    'occurred_at is 2026-03-10 13:00 UTC, more than 5 minutes after it was received (2026-03-10 12:00 UTC).',
    'The store reported the order on 2026-03-10 12:00 UTC with a time in the future (2026-03-10 13:00 UTC).',
  ],
  [
    'invalid_occurred_at',
    'reversal',
    // 9999-12-31T23:59:59-05:00, by which some databases say "never".
    { occurred_at: '+010000-01-01T04:59:59.000Z', received_at: '2026-03-10T12:00:00.000Z' },
    'occurred_at is +010000-01-01 04:59 UTC, more than 5 minutes after it was received (2026-03-10 12:00 UTC).',
    'The store reported the order on 2026-03-10 12:00 UTC with a time in the future (+010000-01-01 04:59 UTC).',
  ],
  [
    'duplicate_order_conflict',
    'conversion',
    full,
    'This order_id was sent on 2026-03-05 08:00 UTC with different content. The first postback remains valid.',
    between,
  ],
  ['invalid_payload', 'conversion', {}, reasons.invalid_payload.means, between],
];
test.each(cases)('explains %s in a %s to a merchant and to a creator', (reason, operation, why, merchant, creator) => {
  expect(explain({ operation, reason, why }, speechToMerchants)).toBe(merchant);
  expect(explain({ operation, reason, why }, englishToCreators)).toBe(creator);
});
