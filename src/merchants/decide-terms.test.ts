import { expect, test } from 'vitest';
import { plusDays } from '../platform/time.ts';
import { decideTerms, versionsMax, type RuleDraft, type SubscriptionRuleDraft, type TermsDraft, type TermsFacts } from './decide-terms.ts';

const now = new Date('2026-03-01T12:00:00.000Z');
const rule: RuleDraft = { productId: null, basisPoints: 1_000, flatCents: null };
const subscriptionRule: SubscriptionRuleDraft = { ...rule, priceId: null, maxInvoices: null, maxMonths: undefined };
const good: TermsDraft = { effectiveFrom: undefined, pays: 'order', orderRules: [rule], subscriptionRules: [subscriptionRule] };
const fresh: TermsFacts = { now, wasEverPublished: true, versionCount: 3 };

const orders = (...rules: ReadonlyArray<Partial<RuleDraft>>): Partial<TermsDraft> => ({
  orderRules: rules.map((part) => ({ ...rule, ...part })),
});
const products = (...rules: ReadonlyArray<Partial<RuleDraft>>): Partial<TermsDraft> => ({ ...orders(...rules), pays: 'product' });
const subscriptions = (...rules: ReadonlyArray<Partial<SubscriptionRuleDraft>>): Partial<TermsDraft> => ({
  subscriptionRules: rules.map((part) => ({ ...subscriptionRule, ...part })),
});
const past = new Date(now.getTime() - 1);

// Downwards: what stands above is told first; a row also breaks something of a row below it.
const ladder: ReadonlyArray<[what: string, fault: string, draft: Partial<TermsDraft>, facts?: Partial<TermsFacts>]> = [
  ['a time that cannot be read is refused', 'effective_from', { effectiveFrom: 'unreadable', ...orders({ basisPoints: null }) }],
  ['a published program gets no terms in the past', 'effective_from', { effectiveFrom: past, ...orders({ basisPoints: null }) }],
  ['terms begin within ten years', 'effective_from', { effectiveFrom: plusDays(now, 3_661), ...orders({ basisPoints: null }) }],
  ['terms began within ten years', 'effective_from', { effectiveFrom: plusDays(now, -3_661), ...orders({}) }, { wasEverPublished: false }],
  ['a version says its rules, be it none', 'order_rules', { orderRules: undefined, subscriptionRules: undefined }],
  ['a rule for a product has no place where the order pays', 'order_rules.0.product_id', orders({ productId: 'mug', basisPoints: null })],
  ['two rules for all are refused', 'order_rules.1', orders({}, { basisPoints: 10_001 })],
  [
    'two rules for one product are refused',
    'order_rules.2',
    products({ productId: 'a' }, { productId: 'b' }, { productId: 'a', basisPoints: null }),
  ],
  ['a rule has not both rates', 'order_rules.0', orders({ basisPoints: 10_001, flatCents: 1 })],
  ['a rule has one of the rates', 'order_rules.0', orders({ basisPoints: null })],
  ['a share is at most the whole', 'order_rules.0.basis_points', orders({ basisPoints: 10_001 })],
  ['a share is not negative', 'order_rules.0.basis_points', orders({ basisPoints: -1 })],
  ['an amount is at most a million dollars', 'order_rules.0.flat_cents', orders({ basisPoints: null, flatCents: 100_000_001 })],
  ['an amount is not negative', 'order_rules.0.flat_cents', orders({ basisPoints: null, flatCents: -1 })],
  ['two subscription rules for all are refused', 'subscription_rules.1', subscriptions({}, { maxMonths: 0 })],
  ['two for one product are refused', 'subscription_rules.1', subscriptions({ productId: 'p' }, { productId: 'p' })],
  ['two for one price are refused', 'subscription_rules.1', subscriptions({ priceId: 'm' }, { priceId: 'm' })],
  [
    'two for one product and price are refused',
    'subscription_rules.1',
    subscriptions({ productId: 'p', priceId: 'm' }, { productId: 'p', priceId: 'm' }),
  ],
  ['no invoices is no rule', 'subscription_rules.0.max_invoices', subscriptions({ maxInvoices: 0, maxMonths: 0 })],
  ['no months is no rule', 'subscription_rules.0.max_months', subscriptions({ maxMonths: 0, basisPoints: null })],
  ['months have a bound', 'subscription_rules.0.max_months', subscriptions({ maxMonths: 1_201 })],
  ['a subscription rule has a rate', 'subscription_rules.0', subscriptions({ basisPoints: null })],
];

test.each(ladder)('%s', (_what, fault, draft, facts = {}) => {
  const decision = decideTerms({ ...good, ...draft }, { ...fresh, ...facts });
  expect(decision.do === 'refuse' && decision.why === 'faults' && decision.faults.map(({ field }) => field)).toEqual([fault]);
});

test('the number of versions is limited, before all else', () => {
  const decision = decideTerms({ ...good, effectiveFrom: 'unreadable' }, { ...fresh, versionCount: versionsMax });
  expect(decision).toEqual({ do: 'refuse', why: 'too many versions' });
});

test.each<[what: string, draft: Partial<TermsDraft>, facts: Partial<TermsFacts>, effectiveFrom: Date]>([
  ['where no time is said it is now', {}, {}, now],
  ['now itself is not the past', { effectiveFrom: now }, {}, now],
  ['the future may be planned', { effectiveFrom: plusDays(now, 30) }, {}, plusDays(now, 30)],
  ['before the first publishing the past may be told', { effectiveFrom: past }, { wasEverPublished: false }, past],
])('%s', (_what, draft, facts, effectiveFrom) => {
  expect(decideTerms({ ...good, ...draft }, { ...fresh, ...facts })).toMatchObject({ do: 'add', effectiveFrom });
});

test('the bounds themselves are allowed, and so is a version without rules', () => {
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

test('rules that differ in product or price stand side by side', () => {
  const rules = subscriptions({}, { productId: 'p' }, { priceId: 'm' }, { productId: 'p', priceId: 'm' }, { productId: 'p', priceId: 'y' });
  expect(decideTerms({ ...good, ...rules }, fresh).do).toBe('add');
});

test.each<[what: string, limits: Partial<SubscriptionRuleDraft>, maxInvoices: number | null, maxMonths: number | null]>([
  ['neither given: 12 months', {}, null, 12],
  ['no end, spelled out', { maxMonths: null }, null, null],
  ['months alone', { maxMonths: 6 }, null, 6],
  ['invoices alone: no end by months', { maxInvoices: 3 }, 3, null],
  ['both: both are kept', { maxInvoices: 3, maxMonths: 6 }, 3, 6],
  ['invoices, and no end of months spelled out', { maxInvoices: 3, maxMonths: null }, 3, null],
])('a subscription rule ends as it says: %s', (_what, limits, maxInvoices, maxMonths) => {
  expect(decideTerms({ ...good, ...subscriptions(limits) }, fresh)).toMatchObject({
    do: 'add',
    subscriptionRules: [{ maxInvoices, maxMonths }],
  });
});
