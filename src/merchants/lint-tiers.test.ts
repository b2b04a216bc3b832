import { expect, test } from 'vitest';
import { basisPoints } from '../core/money.ts';
import { lintTiers } from './lint-tiers.ts';
import type { OrderRule, SubscriptionRule } from './terms.ts';

const order = (points: number, productId: string | null = null): OrderRule => ({
  productId,
  rate: { is: 'share', basisPoints: basisPoints(points) },
});
const plan = (points: number): SubscriptionRule => ({ ...order(points), priceId: null, maxInvoices: null, maxMonths: 12 });
type Tier = readonly [orderRules: readonly OrderRule[], subscriptionRules?: readonly SubscriptionRule[]];

const warnings = (orderRules: readonly OrderRule[], ...tiers: readonly Tier[]) =>
  lintTiers({
    orderRules,
    subscriptionRules: [plan(1_000)],
    rates: {
      own: [],
      tiers: {
        measure: 'approved_revenue',
        period: 'month',
        timeZone: 'UTC',
        tiers: tiers.map(([rules, subscriptionRules = []], index) => ({
          threshold: BigInt(index + 1),
          orderRules: rules,
          subscriptionRules,
        })),
      },
    },
  }).map(({ field }) => field);

test.each<[what: string, found: readonly string[], expected: readonly string[]]>([
  ['tiers that give more and more', warnings([order(1_000)], [[order(1_500)]], [[order(2_000)]]), []],
  ['a tier that gives less than the program', warnings([order(1_000)], [[order(900)]]), ['tiers.tiers.0.order_rules']],
  [
    'a tier that gives less than the one below',
    warnings([order(1_000)], [[order(1_500)]], [[order(1_200)]]),
    ['tiers.tiers.1.order_rules'],
  ],
  [
    'a tier that gives less for one product',
    warnings([order(1_000), order(2_000, 'mug')], [[order(1_500)]]),
    ['tiers.tiers.0.order_rules'],
  ],
  [
    'a tier without a rule that the one below has',
    warnings([order(1_000)], [[order(1_500)]], [[], [plan(1_500)]]),
    ['tiers.tiers.1.order_rules'],
  ],
  ['a tier that gives less for subscriptions', warnings([order(1_000)], [[], [plan(500)]]), ['tiers.tiers.0.subscription_rules']],
])('finds %s', (_what, found, expected) => {
  expect(found).toEqual(expected);
});
