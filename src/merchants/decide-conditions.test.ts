import { expect, test } from 'vitest';
import { conditionsErrorOf, conditionsOf, type ConditionsDraft } from './decide-conditions.ts';

type Rule = Parameters<typeof conditionsErrorOf>[1];
const perProduct: Rule = { productId: null, pays: 'product' };

// Earlier rules win: each row also violates every rule of the rows below it that it can.
test.each<[what: string, error: string, draft: ConditionsDraft, rule?: Partial<Rule>]>([
  ['products of a program that pays per order', 'products', { products: [], minOrderCents: 0 }, { pays: 'order', productId: 'mug' }],
  ['products beside a product', 'products', { products: [], minOrderCents: 0 }, { productId: 'mug' }],
  ['an empty list of products', 'products', { products: [], minOrderCents: 0 }],
  ['a minimum of nothing', 'min_order_cents', { minOrderCents: 0, countries: [] }],
  ['a minimum above a million dollars', 'min_order_cents', { minOrderCents: 100_000_001, countries: [] }],
  ['an empty list of countries', 'countries', { countries: [] }],
  ['a code that is no country', 'countries', { countries: ['US', 'us'] }],
])('rejects %s', (_what, error, draft, rule = {}) => {
  expect(conditionsErrorOf(draft, { ...perProduct, ...rule })?.of).toBe(error);
});

test('gives each rule for products a message of its own', () => {
  const messageOf = (rule: Partial<Rule>) => conditionsErrorOf({ products: [] }, { ...perProduct, ...rule })?.message;
  const messages = [messageOf({ pays: 'order', productId: 'mug' }), messageOf({ productId: 'mug' }), messageOf({})];
  expect(new Set(messages).size).toBe(3);
});

test('accepts all conditions together, and reads null, false, and repetitions as absent', () => {
  const draft: ConditionsDraft = { products: ['a*', 'a*'], newCustomers: true, minOrderCents: 1, countries: ['US', 'CA', 'US'] };
  expect(conditionsErrorOf(draft, perProduct)).toBeNull();
  expect(conditionsOf(draft)).toEqual({ products: ['a*'], newCustomers: true, orderMin: 1n, countries: ['CA', 'US'] });
  expect(conditionsOf({ products: null, newCustomers: false, minOrderCents: null, countries: null })).toBeUndefined();
  expect(conditionsOf(undefined)).toBeUndefined();
});
