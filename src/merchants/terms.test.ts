import { expect, test } from 'vitest';
import { basisPoints } from '../platform/money.ts';
import {
  ruleFor,
  standingVersions,
  subscriptionRuleFor,
  termsInForce,
  type OrderRule,
  type SubscriptionRule,
  type Terms,
} from './terms.ts';

const at = (day: number, ms = 0) => new Date(Date.UTC(2026, 2, day) + ms);
const rate = (points: number) => ({ is: 'share', basisPoints: basisPoints(points) }) as const;

const version = (number: number, effectiveFrom: Date, points = number * 100): Terms => ({
  version: number,
  effectiveFrom,
  madeAt: at(1),
  attributionDays: 10 + number,
  holdDays: 20 + number,
  approval: { by: 'hand' },
  pays: 'order',
  orderRules: [{ productId: null, rate: rate(points) }],
  subscriptionRules: [{ productId: null, priceId: null, rate: rate(points), maxInvoices: null, maxMonths: 12 }],
});

const history = [version(1, at(5)), version(2, at(10)), version(3, at(8)), version(4, at(10)), version(5, at(20))];

const moments: ReadonlyArray<[what: string, moment: Date, version: number]> = [
  ['at the very moment a version begins, it holds', at(5), 1],
  ['a millisecond before the next one, the former holds still', at(8, -1), 1],
  ['the time counts, not the order in which versions were made', at(9), 3],
  ['of two with the same time the later made holds', at(10), 4],
  ['a version that waits for its day does not hold before it', at(20, -1), 4],
  ['the last one holds for ever', at(31), 5],
];

test.each(moments)('%s', (_what, moment, expected) => {
  const inForce = termsInForce(history, moment);
  expect([inForce?.version, inForce?.orderRules.length]).toEqual([expected, 1]);
  expect(termsInForce(history.toReversed(), moment)?.version).toBe(expected);
});

test('before the first version its window and hold are what holds, and nothing is earned', () => {
  expect(termsInForce(history, at(5, -1))).toEqual({ ...version(1, at(5)), orderRules: [], subscriptionRules: [] });
});

test('of two first versions with the same time it is the later made whose window holds before', () => {
  expect(termsInForce([version(1, at(5)), version(2, at(5))], at(1))?.attributionDays).toBe(12);
});

test('without any version nothing is in force', () => {
  expect(termsInForce([], at(5))).toBeNull();
});

test('of versions with the same time only the later made stands', () => {
  expect(standingVersions(history).map((terms) => terms.version)).toEqual([1, 3, 4, 5]);
});

const all: OrderRule = { productId: null, rate: rate(1) };
const mug: OrderRule = { productId: 'mug', rate: rate(2) };

test.each<[rules: readonly OrderRule[], productId: string | null, expected: OrderRule | null]>([
  [[all, mug], 'mug', mug],
  [[mug, all], 'mug', mug],
  [[all, mug], 'Mug', all], // compared exactly
  [[all, mug], 'cup', all],
  [[all, mug], null, all],
  [[mug], 'cup', null],
  [[mug], null, null],
  [[], 'mug', null],
])('a product’s own rule goes before the one for all: %#', (orderRules, productId, expected) => {
  expect(ruleFor({ pays: 'product', orderRules, subscriptionRules: [] }, { productId })).toBe(expected);
});

const forSubscription = (productId: string | null, priceId: string | null): SubscriptionRule => ({
  productId,
  priceId,
  rate: rate(1),
  maxInvoices: null,
  maxMonths: 12,
});
const both = forSubscription('plan', 'monthly');
const product = forSubscription('plan', null);
const price = forSubscription(null, 'monthly');
const every = forSubscription(null, null);

test.each<[rules: readonly SubscriptionRule[], productId: string, priceId: string | null, expected: SubscriptionRule | null]>([
  [[every, price, product, both], 'plan', 'monthly', both],
  [[every, price, product], 'plan', 'monthly', product],
  [[every, price], 'plan', 'monthly', price],
  [[every], 'plan', 'monthly', every],
  [[both, product, price, every], 'plan', 'yearly', product],
  [[both, product, price, every], 'other', 'monthly', price],
  [[both, product, price, every], 'other', 'yearly', every],
  [[both, price], 'plan', null, null], // a rule that names a price does not meet an unnamed one
  [[both, product], 'plan', null, product],
  [[both], 'plan', 'yearly', null],
  [[], 'plan', 'monthly', null],
])('product and price go before product, product before price, price before all: %#', (subscriptionRules, productId, priceId, expected) => {
  const terms = { pays: 'order', orderRules: [], subscriptionRules } as const;
  expect(subscriptionRuleFor(terms, { productId, priceId })).toBe(expected);
  expect(subscriptionRuleFor({ ...terms, subscriptionRules: subscriptionRules.toReversed() }, { productId, priceId })).toBe(expected);
});
