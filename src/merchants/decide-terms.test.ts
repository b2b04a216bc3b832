import { expect, test } from 'vitest';
import { plusDays } from '../core/time.ts';
import {
  decideTerms,
  noSubjects,
  versionsMax,
  type RuleDraft,
  type SubscriptionRuleDraft,
  type TermsDraft,
  type TermsFacts,
} from './decide-terms.ts';

const now = new Date('2026-03-01T12:00:00.000Z');
const rule: RuleDraft = { productId: null, basisPoints: 1_000, flatCents: null };
const subscriptionRule: SubscriptionRuleDraft = { ...rule, priceId: null, maxInvoices: null, maxMonths: undefined };
const good: TermsDraft = { effectiveFrom: undefined, pays: 'order', orderRules: [rule], subscriptionRules: [subscriptionRule] };
const fresh: TermsFacts = { now, wasEverPublished: true, versionCount: 3, ...noSubjects };

const orders = (...rules: ReadonlyArray<Partial<RuleDraft>>): Partial<TermsDraft> => ({
  orderRules: rules.map((part) => ({ ...rule, ...part })),
});
const products = (...rules: ReadonlyArray<Partial<RuleDraft>>): Partial<TermsDraft> => ({ ...orders(...rules), pays: 'product' });
const subscriptions = (...rules: ReadonlyArray<Partial<SubscriptionRuleDraft>>): Partial<TermsDraft> => ({
  subscriptionRules: rules.map((part) => ({ ...subscriptionRule, ...part })),
});
const past = new Date(now.getTime() - 1);

// Earlier rules win: each row also violates a rule of a later row.
const cases: ReadonlyArray<[what: string, field: string, draft: Partial<TermsDraft>, facts?: Partial<TermsFacts>]> = [
  ['rejects an invalid time', 'effective_from', { effectiveFrom: 'unreadable', ...orders({ basisPoints: null }) }],
  ['rejects terms in the past for a published program', 'effective_from', { effectiveFrom: past, ...orders({ basisPoints: null }) }],
  [
    'rejects a start more than ten years ahead',
    'effective_from',
    { effectiveFrom: plusDays(now, 3_661), ...orders({ basisPoints: null }) },
  ],
  [
    'rejects a start more than ten years ago',
    'effective_from',
    { effectiveFrom: plusDays(now, -3_661), ...orders({}) },
    { wasEverPublished: false },
  ],
  ['rejects a version without a list of rules', 'order_rules', { orderRules: undefined, subscriptionRules: undefined }],
  ['rejects a product rule if commissions are per order', 'order_rules.0.product_id', orders({ productId: 'mug', basisPoints: null })],
  ['rejects two rules for all products', 'order_rules.1', orders({}, { basisPoints: 10_001 })],
  [
    'rejects two rules for one product',
    'order_rules.2',
    products({ productId: 'a' }, { productId: 'b' }, { productId: 'a', basisPoints: null }),
  ],
  ['rejects a rule with both rates', 'order_rules.0', orders({ basisPoints: 10_001, flatCents: 1 })],
  ['rejects a rule without a rate', 'order_rules.0', orders({ basisPoints: null })],
  ['rejects a share above the whole amount', 'order_rules.0.basis_points', orders({ basisPoints: 10_001 })],
  ['rejects a negative share', 'order_rules.0.basis_points', orders({ basisPoints: -1 })],
  ['rejects an amount above a million dollars', 'order_rules.0.flat_cents', orders({ basisPoints: null, flatCents: 100_000_001 })],
  ['rejects a negative amount', 'order_rules.0.flat_cents', orders({ basisPoints: null, flatCents: -1 })],
  ['rejects two subscription rules for all products', 'subscription_rules.1', subscriptions({}, { maxMonths: 0 })],
  ['rejects two subscription rules for one product', 'subscription_rules.1', subscriptions({ productId: 'p' }, { productId: 'p' })],
  ['rejects two subscription rules for one price', 'subscription_rules.1', subscriptions({ priceId: 'm' }, { priceId: 'm' })],
  [
    'rejects two subscription rules for one product and price',
    'subscription_rules.1',
    subscriptions({ productId: 'p', priceId: 'm' }, { productId: 'p', priceId: 'm' }),
  ],
  ['rejects a limit of zero invoices', 'subscription_rules.0.max_invoices', subscriptions({ maxInvoices: 0, maxMonths: 0 })],
  ['rejects a limit of zero months', 'subscription_rules.0.max_months', subscriptions({ maxMonths: 0, basisPoints: null })],
  ['rejects too many months', 'subscription_rules.0.max_months', subscriptions({ maxMonths: 1_201 })],
  ['rejects a subscription rule without a rate', 'subscription_rules.0', subscriptions({ basisPoints: null })],
];

test.each(cases)('%s', (_what, error, draft, facts = {}) => {
  const decision = decideTerms({ ...good, ...draft }, { ...fresh, ...facts });
  expect(decision.do === 'refuse' && decision.why === 'invalid' && decision.fieldErrors.map(({ field }) => field)).toEqual([error]);
});

test('limits the number of versions before any other check', () => {
  const decision = decideTerms({ ...good, effectiveFrom: 'unreadable' }, { ...fresh, versionCount: versionsMax });
  expect(decision).toEqual({ do: 'refuse', why: 'too many versions' });
});

test.each<[what: string, draft: Partial<TermsDraft>, facts: Partial<TermsFacts>, effectiveFrom: Date]>([
  ['starts immediately if no time is given', {}, {}, now],
  ['accepts the current time', { effectiveFrom: now }, {}, now],
  ['accepts a time in the future', { effectiveFrom: plusDays(now, 30) }, {}, plusDays(now, 30)],
  ['accepts a time in the past before the first publication', { effectiveFrom: past }, { wasEverPublished: false }, past],
])('%s', (_what, draft, facts, effectiveFrom) => {
  expect(decideTerms({ ...good, ...draft }, { ...fresh, ...facts })).toMatchObject({ do: 'add', effectiveFrom });
});

test('accepts the limits themselves and a version without rules', () => {
  const rules = products(
    { productId: 'a', basisPoints: 0 },
    { productId: 'b', basisPoints: 10_000 },
    { productId: null, basisPoints: null, flatCents: 100_000_000 },
  );
  expect(decideTerms({ ...good, ...rules }, fresh)).toMatchObject({
    do: 'add',
    pays: 'product',
    orderRules: [
      { productId: 'a', rate: { is: 'share', basisPoints: 0 } },
      { productId: 'b', rate: { is: 'share', basisPoints: 10_000 } },
      { productId: null, rate: { is: 'flat', cents: 100_000_000n } },
    ],
  });
  expect(decideTerms({ ...good, orderRules: [], subscriptionRules: undefined }, fresh)).toMatchObject({
    do: 'add',
    orderRules: [],
    subscriptionRules: [],
  });
});

test('accepts rules that differ in product or price', () => {
  const rules = subscriptions({}, { productId: 'p' }, { priceId: 'm' }, { productId: 'p', priceId: 'm' }, { productId: 'p', priceId: 'y' });
  expect(decideTerms({ ...good, ...rules }, fresh).do).toBe('add');
});

test.each<[what: string, limits: Partial<SubscriptionRuleDraft>, maxInvoices: number | null, maxMonths: number | null]>([
  ['12 months if neither is given', {}, null, 12],
  ['no end if months are null', { maxMonths: null }, null, null],
  ['months only', { maxMonths: 6 }, null, 6],
  ['invoices only, without an end by months', { maxInvoices: 3 }, 3, null],
  ['both limits', { maxInvoices: 3, maxMonths: 6 }, 3, 6],
  ['invoices, with null months', { maxInvoices: 3, maxMonths: null }, 3, null],
])('stores the end of a subscription rule: %s', (_what, limits, maxInvoices, maxMonths) => {
  expect(decideTerms({ ...good, ...subscriptions(limits) }, fresh)).toMatchObject({
    do: 'add',
    subscriptionRules: [{ maxInvoices, maxMonths }],
  });
});
