import { expect, test } from 'vitest';
import { basisPoints } from '../core/money.ts';
import {
  clicksOnly,
  sameRates,
  ruleFor,
  applicableVersions,
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
  attribution: clicksOnly,
  rates: sameRates,
});

const history = [version(1, at(5)), version(2, at(10)), version(3, at(8)), version(4, at(10)), version(5, at(20))];

const moments: ReadonlyArray<[what: string, moment: Date, version: number]> = [
  ['a version applies from its start time', at(5), 1],
  ['the former version applies until a millisecond before the next one', at(8, -1), 1],
  ['the start time counts, not the order of creation', at(9), 3],
  ['of two versions with the same start time, the later-created one applies', at(10), 4],
  ['a scheduled version does not apply before its start time', at(20, -1), 4],
  ['the last version has no end', at(31), 5],
];

test.each(moments)('%s', (_what, moment, expected) => {
  const inForce = termsInForce(history, moment);
  expect([inForce?.version, inForce?.orderRules.length]).toEqual([expected, 1]);
  expect(termsInForce(history.toReversed(), moment)?.version).toBe(expected);
});

test('before the first version, its window and hold apply without any rules', () => {
  expect(termsInForce(history, at(5, -1))).toEqual({ ...version(1, at(5)), orderRules: [], subscriptionRules: [] });
});

test('of two first versions with the same start time, the window of the later-created one applies before them', () => {
  expect(termsInForce([version(1, at(5)), version(2, at(5))], at(1))?.attributionDays).toBe(12);
});

test('no terms apply without a version', () => {
  expect(termsInForce([], at(5))).toBeNull();
});

test('of versions with the same start time, only the later-created one remains', () => {
  expect(applicableVersions(history).map((terms) => terms.version)).toEqual([1, 3, 4, 5]);
});

const all: OrderRule = { productId: null, rate: rate(1) };
const mug: OrderRule = { productId: 'mug', rate: rate(2) };

test.each<[rules: readonly OrderRule[], productId: string | null, expected: OrderRule | null]>([
  [[all, mug], 'mug', mug],
  [[mug, all], 'mug', mug],
  [[all, mug], 'Mug', all], // case-sensitive
  [[all, mug], 'cup', all],
  [[all, mug], null, all],
  [[mug], 'cup', null],
  [[mug], null, null],
  [[], 'mug', null],
])('prefers the rule of a product to the rule for all: %#', (orderRules, productId, expected) => {
  expect(ruleFor({ orderRules }, { productId })).toBe(expected);
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
  [[both, price], 'plan', null, null], // a rule with a price does not match an order without one
  [[both, product], 'plan', null, product],
  [[both], 'plan', 'yearly', null],
  [[], 'plan', 'monthly', null],
])('prefers product and price, then product, then price, then all: %#', (subscriptionRules, productId, priceId, expected) => {
  const terms = { pays: 'order', orderRules: [], subscriptionRules } as const;
  expect(subscriptionRuleFor(terms, { productId, priceId })).toBe(expected);
  expect(subscriptionRuleFor({ ...terms, subscriptionRules: subscriptionRules.toReversed() }, { productId, priceId })).toBe(expected);
});
