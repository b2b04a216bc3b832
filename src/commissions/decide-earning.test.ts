import fc from 'fast-check';
import { expect, test } from 'vitest';
import { basisPoints, cents } from '../core/money.ts';
import { clicksOnly, sameRates, type OrderRule, type Rate, type TermsRules } from '../merchants/terms.ts';
import { decideEarning, type OrderLine } from './decide-earning.ts';

const share = (points: number): Rate => ({ is: 'share', basisPoints: basisPoints(points) });
const flat = (amount: number): Rate => ({ is: 'flat', cents: cents(amount) });
const rule = (productId: string | null, rate: Rate): OrderRule => ({ productId, rate });
const line = (productId: string, amount: number, quantity = 1): OrderLine => ({
  productId,
  amount: cents(amount),
  quantity: BigInt(quantity),
});

const perOrder = (...orderRules: OrderRule[]): TermsRules => ({
  pays: 'order',
  orderRules,
  subscriptionRules: [],
  attribution: clicksOnly,
  rates: sameRates,
});
const perProduct = (...orderRules: OrderRule[]): TermsRules => ({ ...perOrder(...orderRules), pays: 'product' });

test.each<[guarantee: string, terms: TermsRules, eligible: number, lines: OrderLine[], earned: number]>([
  [
    'a percentage is rounded half up once per order',
    perOrder(rule(null, share(1_000))),
    10_005,
    [line('a', 5_005), line('b', 5_000)],
    1_001,
  ],
  ['a flat amount counts once per order', perOrder(rule(null, flat(500))), 10_000, [line('a', 10_000, 7)], 500],
  ['a flat amount is never above the eligible amount', perOrder(rule(null, flat(500))), 499, [], 499],
  ['without a rule an order earns nothing', perOrder(), 10_000, [], 0],
  ['nothing eligible earns nothing', perOrder(rule(null, flat(500))), 0, [], 0],
  ['a percentage is rounded once per line', perProduct(rule(null, share(1_000))), 10_010, [line('a', 5_005), line('b', 5_005)], 1_002],
  ['a flat amount counts per unit of a line', perProduct(rule('a', flat(250))), 3_000, [line('a', 3_000, 3)], 750],
  ['a flat amount is never above its own line', perProduct(rule('a', flat(250))), 10_000, [line('a', 500, 3), line('b', 9_500)], 500],
  [
    "the product's own rule comes before the one for all",
    perProduct(rule(null, share(1_000)), rule('a', share(500))),
    20_000,
    [line('a', 10_000), line('b', 10_000)],
    1_500,
  ],
  ['a line without a rule earns nothing', perProduct(rule('a', share(500))), 20_000, [line('a', 10_000), line('b', 10_000)], 500],
  ['a huge quantity does not overflow', perProduct(rule('a', flat(1_000_000))), 900, [line('a', 900, Number.MAX_SAFE_INTEGER)], 900],
])('%s', (_guarantee, terms, eligible, lines, earned) => {
  expect(decideEarning(terms, { eligible: cents(eligible), lines }).amount).toBe(BigInt(earned));
});

test('a commission lies between 0 and the eligible amount, whatever the rules are', () => {
  const rate = fc.oneof(fc.integer({ min: 0, max: 10_000 }).map(share), fc.integer({ min: 0, max: 1_000_000 }).map(flat));
  const lines = fc.array(fc.tuple(fc.constantFrom('a', 'b', 'c'), fc.nat(1_000_000), fc.integer({ min: 1, max: 1_000 })), {
    maxLength: 20,
  });
  fc.assert(
    fc.property(rate, rate, lines, fc.constantFrom('order' as const, 'product' as const), (forAll, forA, drawn, pays) => {
      const order = drawn.map(([productId, amount, quantity]) => line(productId, amount, quantity));
      const eligible = cents(order.reduce((total, { amount }) => total + amount, 0n));
      const orderRules = pays === 'order' ? [rule(null, forAll)] : [rule(null, forAll), rule('a', forA)];
      const { amount, parts } = decideEarning({ pays, orderRules }, { eligible, lines: order });
      expect(amount >= 0n && amount <= eligible).toBe(true);
      for (const part of parts) expect(part.amount <= part.of).toBe(true);
    }),
  );
});
