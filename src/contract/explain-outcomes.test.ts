import { namesOf } from '../core/names-of.ts';
import { expect, test } from 'vitest';
import { explain } from './explain.ts';
import { speechToCreators } from './speech-to-creators.ts';
import { englishToCreators, speechToMerchants, type Reader } from './speech.ts';
import type { Operation } from './reasons.ts';
import type { BudgetWhy, EarnedWhy, RuleWhy, SkippedRuleWhy, TermsWhy, TierWhy, Why } from './why.ts';

const speechTo = { merchant: speechToMerchants, creator: englishToCreators } as const;

// What the terms of a program can make of an order, a lead, a subscription, or a refund. A new outcome does not compile until it is here.

const day = (number: number) => `2026-03-${String(number).padStart(2, '0')}T12:00:00.000Z`;
const part: EarnedWhy = {
  product_id: null,
  of_cents: 10_000,
  quantity: 1,
  basis_points: 1_000,
  flat_cents: null,
  amount_cents: 1_000,
};
const order: Why = {
  occurred_at: day(10),
  clicked_at: day(1),
  attribution_days: 30,
  hold_until: day(30),
  terms_version: 2,
  eligible_cents: 10_000,
  commission_cents: 1_000,
  earned: [part],
};
const withPart = (fields: Partial<EarnedWhy>): Why => ({ ...order, earned: [{ ...part, ...fields }] });

type Outcome = readonly [what: string, operation: Operation, why: Why, said: Readonly<Record<Reader, string>>];
const both = (said: string): Readonly<Record<Reader, string>> => ({ merchant: said, creator: said });

const tier = (fields: Partial<TierWhy>): TierWhy => ({
  number: 2,
  measure: 'approved_commissions',
  period: 'month',
  threshold: 40,
  figure: 41,
  reached_at: day(3),
  ...fields,
});
const measures: Readonly<Record<TierWhy['measure'], string>> = {
  approved_commissions: '41 approved commissions',
  approved_revenue: '0.41 USD of approved revenue',
};
const periods: Readonly<Record<TierWhy['period'], string>> = { month: 'in the month', days_30: 'in 30 days', days_90: 'in 90 days' };
const levels: Readonly<Record<RuleWhy['level'], Readonly<Record<Reader, string>>>> = {
  member: { merchant: 'the creator’s own rate', creator: 'your own rate' },
  group: { merchant: 'the rate of the group Stars', creator: 'the rate of your group' },
  tier: both('tier 2 since 2026-03-03: 41 approved commissions in the month'),
  product: both('the program’s rate for the product'),
  program: both('the program’s rate'),
};
const rule = (level: RuleWhy['level']): RuleWhy => ({ level, group_name: 'Stars', ...(level === 'tier' ? { tier: tier({}) } : {}) });

const failures: Readonly<
  Record<SkippedRuleWhy['failed'], ReadonlyArray<readonly [Partial<SkippedRuleWhy>, Readonly<Record<Reader, string>>]>>
> = {
  products: [[{ conditions: { products: ['shirt-*'] } }, both('for shirt-* (the program’s rate) was skipped: it is for other products.')]],
  new_customers: [
    [{ conditions: { new_customers: true }, facts: { customer: 'known' } }, both('was skipped: the customer has ordered before.')],
    [
      { conditions: { new_customers: true }, facts: { customer: 'unnamed' } },
      { merchant: 'the order has no customer_id', creator: 'the store did not say which customer ordered' },
    ],
  ],
  min_order: [[{ conditions: { min_order_cents: 20_000 }, facts: { order_cents: 10_000 } }, both('the eligible amount is 100.00 USD.')]],
  countries: [
    [
      { conditions: { countries: ['CA'] }, facts: { country: 'US' } },
      { merchant: 'the order is from US.', creator: 'the order is from another country.' },
    ],
    [
      { conditions: { countries: ['CA'] }, facts: { country: null } },
      { merchant: 'the order has no country.', creator: 'the store did not send a country.' },
    ],
  ],
};
const skipped = (failed: SkippedRuleWhy['failed'], fields: Partial<SkippedRuleWhy>): SkippedRuleWhy => ({
  level: 'program',
  product_id: null,
  basis_points: 2_000,
  flat_cents: null,
  failed,
  ...fields,
});

const limits: Readonly<Record<BudgetWhy['limit'], Readonly<Record<Reader, string>>>> = {
  program_month: { merchant: 'budget of 25.00 USD a month, of which 20.00 USD were used', creator: 'budget for the month does not cover' },
  program_total: { merchant: 'budget of 25.00 USD, of which 20.00 USD were used', creator: 'the program’s budget does not cover' },
  creator_month: both('limit of 25.00 USD a month for one creator, of which 20.00 USD were used'),
  creator_total: both('limit of 25.00 USD for one creator, of which 20.00 USD were used'),
};
const budget = (limit: BudgetWhy['limit']): Why => ({
  ...withPart({ amount_cents: 0, budget: { limit, limit_cents: 2_500, used_cents: 2_000, commission_cents: 1_000 } }),
  commission_cents: 0,
});

const choices: Readonly<Record<TermsWhy['because'], Readonly<Record<Reader, string>>>> = {
  accepted: { merchant: 'because the creator accepted it on', creator: 'because you accepted it on' },
  click_before_change: both('because the click on 2026-03-04 12:00 UTC came before version 3 took effect on 2026-03-05.'),
};
const choice = (because: TermsWhy['because']): TermsWhy => ({ because, version: 2, at: day(4), changed_version: 3, changed_from: day(5) });

const refunded: Why = { ...order, refund_cents: 2_500, remaining_cents: 7_500, commission_before_cents: 1_000, commission_cents: 750 };
const credits: ReadonlyArray<readonly [string, string]> = [
  ['before', 'A credit note reduced its invoice.'],
  ['after', 'The difference is credit for your next invoices.'],
];
const lead: Why = { ...order, lead_kind: 'trial', earned: [] };

const outcomes: readonly Outcome[] = [
  ...namesOf(levels).map((level): Outcome => [`a rule of the ${level}`, 'conversion', withPart({ rule: rule(level) }), levels[level]]),
  ...namesOf(measures).flatMap((measure) =>
    namesOf(periods).map((period): Outcome => [
      `a tier by ${measure} in ${period}`,
      'conversion',
      withPart({ rule: { level: 'tier', tier: tier({ measure, period }) } }),
      both(`tier 2 since 2026-03-03: ${measures[measure]} ${periods[period]}`),
    ]),
  ),
  ...namesOf(failures).flatMap((failed) =>
    failures[failed].map(([fields, said], index): Outcome => [
      `a rule that was skipped for ${failed} ${index}`,
      'conversion',
      withPart({ skipped: [skipped(failed, fields)] }),
      said,
    ]),
  ),
  [
    'a rule with all conditions',
    'conversion',
    withPart({
      rule: { level: 'program', conditions: { products: ['a*'], new_customers: true, min_order_cents: 5_000, countries: ['CA', 'US'] } },
    }),
    both('(the program’s rate, for a*, for new customers, for orders of at least 50.00 USD, for orders from CA, US)'),
  ],
  ...namesOf(limits).map((limit): Outcome => [`the limit ${limit}`, 'conversion', budget(limit), limits[limit]]),
  ...namesOf(choices).flatMap((because): readonly Outcome[] => [
    [`terms of an order, ${because}`, 'conversion', withPart({ terms: choice(because) }), choices[because]],
    [`terms of a lead, ${because}`, 'lead', { ...lead, earned: [{ ...part, terms: choice(because) }] }, choices[because]],
    [
      `terms of a subscription, ${because}`,
      'relationship',
      { basis_points: 2_000, applied_rule: { level: 'program', terms: choice(because) } },
      choices[because],
    ],
  ]),
  ['a lead that is paid', 'lead', lead, both('This lead (trial) earns 10.00 USD.')],
  ['a lead that the terms do not pay', 'lead', { ...lead, commission_cents: 0 }, both('pay nothing for leads of the kind trial')],
  ['a lead above the limit', 'lead', { ...lead, commission_cents: 0, leads_max: 3 }, both('at most 3 leads of the kind trial in a month')],
  [
    'the reversal of a lead',
    'lead_reversal',
    { commission_cents: 1_000 },
    both('The lead was reversed, so its commission of 10.00 USD ended.'),
  ],
  ['a refund', 'order_refund', refunded, both('Its commission fell from 10.00 USD to 7.50 USD:')],
  ['a refund of an invoice', 'invoice_refund', refunded, both('25.00 USD of the invoice was refunded.')],
  ['a refund of a flat rate', 'order_refund', { ...refunded, commission_cents: 1_000 }, both('Its commission stays at 10.00 USD:')],
  [
    'a refund of all that remains',
    'order_refund',
    { ...refunded, commission_cents: 0, remaining_cents: 0 },
    both('Nothing of it remains, so its commission of 10.00 USD ended.'),
  ],
  ...credits.map(([credited, said]): Outcome => [
    `a refund that is credited ${credited} the payment`,
    'order_refund',
    { ...refunded, credited },
    { merchant: said, creator: 'Its commission fell' },
  ]),
];

test.each(outcomes)('%s is explained to the merchant and to the creator', (_what, operation, why, said) => {
  for (const reader of ['merchant', 'creator'] as const) {
    const sentence = explain({ operation, reason: 'recorded', why }, speechTo[reader]);
    expect(sentence).toContain(said[reader]);
    expect(sentence).toMatch(/[.]$/);
    expect(sentence).not.toMatch(/undefined|null|NaN|\[object| {2}/);
  }
});

test('creators read no English in a Japanese explanation of an outcome', () => {
  const sentences = outcomes.map(([, operation, why]) => explain({ operation, reason: 'recorded', why }, speechToCreators('ja')));
  const dataInSentences = /USD|UTC|shirt-\*|a\*|CA|US/g;
  expect(sentences.filter((sentence) => /\p{Script=Latin}/u.test(sentence.replaceAll(dataInSentences, '')))).toEqual([]);
});

test('creators never read the name of a group, a budget for all, where a customer lives, or a credit of the store', () => {
  const sentences = outcomes.map(([, operation, why]) => explain({ operation, reason: 'recorded', why }, englishToCreators)).join('\n');
  expect(sentences).not.toMatch(/Stars|customer_id|from US\.|credit/);
  for (const limit of ['program_month', 'program_total'] as const)
    expect(explain({ operation: 'conversion', reason: 'recorded', why: budget(limit) }, englishToCreators)).not.toMatch(/25[.]00|20[.]00/);
});
