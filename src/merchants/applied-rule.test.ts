import { expect, test } from 'vitest';
import { newId } from '../core/ids.ts';
import { basisPoints, cents } from '../core/money.ts';
import { appliedSubscriptionRule, decideOrderRule, needsRateFacts, type RateFacts } from './applied-rule.ts';
import { sameRates, type OrderRule, type OwnRates, type SubscriptionRule, type TierTerms } from './terms.ts';

const now = new Date('2026-03-01T12:00:00.000Z');
const [memberId, other] = [newId<'mem'>(now), newId<'mem'>(now)];
const [vip, basic] = [newId<'grp'>(now), newId<'grp'>(now)];
const rate = (points: number) => ({ is: 'share', basisPoints: basisPoints(points) }) as const;
const rule = (points: number, productId: string | null = null): OrderRule => ({ productId, rate: rate(points) });
const plan = (points: number, productId: string | null = null, priceId: string | null = null): SubscriptionRule => ({
  ...rule(points, productId),
  priceId,
  maxInvoices: null,
  maxMonths: 12,
});
const own = (subject: OwnRates['subject'], orderRules: readonly OrderRule[], subscriptionRules: readonly SubscriptionRule[] = []) => ({
  subject,
  orderRules,
  subscriptionRules,
});
const facts: RateFacts = { memberId, group: { groupId: vip, name: 'VIP' } };
const tier = { number: 2, threshold: 40n, reachedAt: now, figure: 41n, measure: 'approved_commissions', period: 'month' } as const;
const tierOf = (threshold: bigint, points: number) => ({ threshold, orderRules: [rule(points)], subscriptionRules: [plan(points)] });
const tiers: TierTerms = { measure: 'approved_commissions', period: 'month', timeZone: 'UTC', tiers: [tierOf(10n, 6), tierOf(40n, 7)] };

const ofMember = own({ is: 'member', memberId }, [rule(1)], [plan(1)]);
const ofMemberForMug = own({ is: 'member', memberId }, [rule(1, 'mug')], [plan(1, 'mug')]);
const ofGroup = own({ is: 'group', groupId: vip }, [rule(2)], [plan(2)]);
const ofOthers = [own({ is: 'member', memberId: other }, [rule(8)]), own({ is: 'group', groupId: basic }, [rule(9)])];
const [mug, all] = [rule(3, 'mug'), rule(4)];
const anyOrder = { eligible: cents(5_000), isNewCustomer: null, country: null };
const appliedOrderRule = (...[terms, item]: [Parameters<typeof decideOrderRule>[0], Parameters<typeof decideOrderRule>[1]]) =>
  decideOrderRule(terms, item, anyOrder).applied;
const [mugPlan, anyPlan] = [plan(3, 'mug'), plan(4)];

// Earlier levels win: each row also has the rules of the rows below it.
const levels: ReadonlyArray<
  [what: string, own: readonly OwnRates[], program: readonly OrderRule[], product: string, level: string, points: number]
> = [
  ['the rate of the membership', [...ofOthers, ofGroup, ofMember], [mug, all], 'mug', 'member', 1],
  [
    'the group’s rate, where the membership has no rule for the product',
    [...ofOthers, ofGroup, ofMemberForMug],
    [mug, all],
    'cup',
    'group',
    2,
  ],
  ['the group’s rate for all products before the program’s for the product', [...ofOthers, ofGroup], [mug, all], 'mug', 'group', 2],
  ['the program’s rate for the product', ofOthers, [mug, all], 'mug', 'product', 3],
  ['the program’s rate for all products', ofOthers, [all], 'mug', 'program', 4],
];

test.each(levels)('%s applies', (_what, ownRates, orderRules, productId, level, points) => {
  const applied = appliedOrderRule({ orderRules, rates: { own: ownRates, tiers: null }, facts }, { productId });
  expect([applied?.level, applied?.rule.rate]).toEqual([level, rate(points)]);
});

test('no rule applies if only other creators have one', () => {
  expect(appliedOrderRule({ orderRules: [], rates: { own: ofOthers, tiers: null }, facts }, { productId: null })).toBeNull();
});

test('the rates of groups and members do not apply without a creator', () => {
  const terms = { orderRules: [all], rates: { own: [ofMember, ofGroup], tiers: null } };
  expect(appliedOrderRule(terms, { productId: null })?.level).toBe('program');
  expect(appliedOrderRule({ ...terms, facts: { memberId: null, group: null } }, { productId: null })?.level).toBe('program');
});

test.each<[own: readonly OwnRates[], product: string, level: string, points: number]>([
  [[ofGroup, ofMember], 'mug', 'member', 1],
  [[ofGroup, ofMemberForMug], 'cup', 'group', 2],
  [[], 'mug', 'product', 3],
  [[], 'cup', 'program', 4],
])('a subscription is bound by the same precedence: %#', (ownRates, productId, level, points) => {
  const terms = { subscriptionRules: [mugPlan, anyPlan], rates: { own: ownRates, tiers: null }, facts };
  const applied = appliedSubscriptionRule(terms, { productId, priceId: null });
  expect([applied?.level, applied?.rule.rate]).toEqual([level, rate(points)]);
});

test('orders load nothing about their creators if all have the same rates', () => {
  expect([needsRateFacts({ rates: sameRates }), needsRateFacts({ rates: { own: [ofGroup], tiers: null } })]).toEqual([false, true]);
});

test.each([
  ['the group’s rate before the tier’s', [ofGroup], tier, 'group', 2],
  ['the tier’s rate for all products before the program’s for the product', [], tier, 'tier', 7],
  ['the lower tier’s rate, while the higher one is not reached', [], { ...tier, number: 1 }, 'tier', 6],
  ['the program’s rate, if no tier is reached', [], undefined, 'product', 3],
] as const)('%s applies', (_what, ownRates, reached, level, points) => {
  const terms = {
    rates: { own: ownRates, tiers },
    facts: { ...facts, ...(reached && { tier: reached }) },
    orderRules: [mug, all],
    subscriptionRules: [mugPlan, anyPlan],
  };
  const [order, subscription] = [
    appliedOrderRule(terms, { productId: 'mug' }),
    appliedSubscriptionRule(terms, { productId: 'mug', priceId: null }),
  ];
  for (const applied of [order, subscription]) expect(applied).toMatchObject({ level, rule: { rate: rate(points) } });
});
