import { expect, test } from 'vitest';
import { termsChanges, settingsChanges, type TermsChange, type TermsRules } from './terms-changes.tsx';

const share = { product_id: null, basis_points: 1_000, flat_cents: null };
const yearly = { ...share, price_id: null, max_invoices: null, max_months: 12 };
const former: TermsRules = { pays: 'order', order_rules: [share], subscription_rules: [yearly], codes: 'off', returning: null, leads: [] };
const changeTexts = (next: Partial<TermsRules>, before: TermsRules = former): readonly string[] =>
  termsChanges(before, { ...before, ...next }).map(({ kind, text }: TermsChange) => `${kind}: ${text}`);

test('the same rules in another order are no change', () => {
  const mug = { ...share, product_id: 'mug' };
  const products: TermsRules = { ...former, pays: 'product', order_rules: [share, mug] };
  expect(changeTexts({})).toEqual([]);
  expect(changeTexts({ order_rules: [mug, share] }, products)).toEqual([]);
});

test.each<[what: string, next: Partial<TermsRules>, words: readonly string[]]>([
  ['another rate', { order_rules: [{ ...share, basis_points: 1_250 }] }, ['changed: 12.5% of each order, previously 10% of each order']],
  [
    'a fixed amount',
    { order_rules: [{ ...share, basis_points: null, flat_cents: 500 }] },
    ['changed: 5.00 USD for each order, previously 10% of each order'],
  ],
  ['orders that earn nothing any more', { order_rules: [] }, ['gone: 10% of each order', 'changed: One-time orders earn nothing']],
  [
    'a product of its own',
    { pays: 'product', order_rules: [share, { ...share, product_id: 'mug', basis_points: 500 }] },
    [
      'changed: One-time orders earn on each product, previously on the order total',
      'changed: 10% of each other product, previously 10% of each order',
      'new: 5% of product mug',
    ],
  ],
  [
    'leads that earn',
    { leads: [{ kind: 'sign_up', flat_cents: 200, max_per_month: 50 }] },
    ['new: 2.00 USD for each sign-up, at most 50 a month'],
  ],
  ['codes that earn', { codes: 'when_no_click' }, ['new: Discount codes earn for orders without a click']],
  [
    'a subscription without an end',
    { subscription_rules: [{ ...yearly, max_months: null }] },
    [
      'changed: 10% of each paid invoice of any subscription, no time limit, previously 10% of each paid invoice of any subscription, for 12 months',
    ],
  ],
  [
    'a price of its own',
    { subscription_rules: [yearly, { ...yearly, product_id: 'plan', price_id: 'monthly' }] },
    ['new: 10% of each paid invoice of product plan at price monthly, for 12 months'],
  ],
])('%s is described in words', (_what, next, words) => expect(changeTexts(next)).toEqual(words));

test('a changed window or approval is listed, and what stays is not', () => {
  const settings = { attribution_days: 30, hold_days: 30, approval: 'manual', auto_approve_days: null } as const;
  expect(settingsChanges(settings, settings)).toEqual([]);
  expect(settingsChanges(settings, { ...settings, attribution_days: 60, approval: 'auto', auto_approve_days: 14 })).toEqual([
    { kind: 'changed', text: 'Attribution window: 60 days; previously attribution window: 30 days' },
    { kind: 'changed', text: 'Auto-approval after 14 days; previously manual approval' },
  ]);
});
