import { expect, test } from 'vitest';
import { newId } from '../core/ids.ts';
import { basisPoints, cents } from '../core/money.ts';
import { asksForNewCustomers, decideOrderRule, type RateFacts } from './applied-rule.ts';
import { failedCondition, matchesPattern, type OrderFacts, type RuleConditions } from './rule-conditions.ts';
import type { OrderRule, OwnRates } from './terms.ts';

const fulfilled: OrderFacts = { eligible: cents(5_000), isNewCustomer: true, country: 'US' };
const all: RuleConditions = { products: ['shirt-*', 'mug'], newCustomers: true, orderMin: cents(5_000), countries: ['CA', 'US'] };

// The first condition that does not hold is named: each row also breaks the rows below it.
const unfulfilled = { eligible: cents(4_999), isNewCustomer: false, country: 'FR' };
test.each<[what: string, productId: string | null, facts: OrderFacts, failed: string | null]>([
  ['another product', 'cup', unfulfilled, 'products'],
  ['a whole order, which is of no product', null, unfulfilled, 'products'],
  ['a customer who ordered before', 'mug', unfulfilled, 'new_customers'],
  ['an order without a customer', 'mug', { ...unfulfilled, isNewCustomer: null }, 'new_customers'],
  ['an order that is too small', 'mug', { ...unfulfilled, isNewCustomer: true }, 'min_order'],
  ['another country', 'mug', { ...fulfilled, country: 'FR' }, 'countries'],
  ['an order without a country', 'mug', { ...fulfilled, country: null }, 'countries'],
  ['an order that fulfills all', 'shirt-red', fulfilled, null],
])('%s: %s', (_what, productId, facts, failed) => {
  expect(failedCondition(all, { ...facts, productId })).toBe(failed);
});

test('absent conditions always hold', () => {
  expect(failedCondition({}, { ...unfulfilled, productId: null })).toBeNull();
});

test.each<[pattern: string, text: string, matches: boolean]>([
  ['mug', 'mug', true],
  ['mug', 'Mug', false],
  ['mug', 'mug-2', false],
  ['shirt-*', 'shirt-red', true],
  ['shirt-*', 'shirt-', true],
  ['shirt-*', 'a shirt-red', false],
  ['*-sale', 'shirt-sale', true],
  ['*-sale', 'shirt-sale-2', false],
  ['a*b*c', 'abc', true],
  ['a*b*c', 'a-bb-c', true],
  ['a*b*c', 'ac', false],
  ['ab*ba', 'aba', false],
  ['*', '', true],
  ['a.c', 'abc', false],
  ['%', 'mug', false],
])('the pattern %s and the product %s match: %s', (pattern, text, matches) => {
  expect(matchesPattern(text, pattern)).toBe(matches);
});

test('a long pattern with many wildcards is compared in time', () => {
  expect(matchesPattern('a'.repeat(500), `${'*a'.repeat(240)}b`)).toBe(false);
});

const now = new Date('2026-03-01T12:00:00.000Z');
const memberId = newId<'mem'>(now);
const groupId = newId<'grp'>(now);
const of: RateFacts = { memberId, group: { groupId, name: 'VIP' } };
const rate = (points: number) => ({ is: 'share', basisPoints: basisPoints(points) }) as const;
const rule = (points: number, conditions?: RuleConditions, productId: string | null = null): OrderRule => ({
  productId,
  rate: rate(points),
  ...(conditions === undefined ? {} : { conditions }),
});
const never: RuleConditions = { countries: ['AQ'] };
const isNew: RuleConditions = { newCustomers: true };
const own = (subject: OwnRates['subject'], ...orderRules: OrderRule[]): OwnRates => ({ subject, orderRules, subscriptionRules: [] });
const ofMember = (...rules: OrderRule[]) => own({ is: 'member', memberId }, ...rules);
const ofGroup = (...rules: OrderRule[]) => own({ is: 'group', groupId }, ...rules);

// The rules of the program are listed against their precedence. Each row also has the rules of the rows below it.
const forAll = [rule(9), rule(8, isNew), rule(7, { orderMin: cents(1) })];
const forList = [...forAll, rule(6, { products: ['m*'] }), rule(5, { products: ['mu*'], newCustomers: true })];
const forMug = [...forList, rule(4, undefined, 'mug'), rule(3, isNew, 'mug')];
const rows: ReadonlyArray<
  [what: string, own: readonly OwnRates[], program: readonly OrderRule[], level: string, points: number, skipped: readonly number[]]
> = [
  ['the membership’s rule whose conditions hold', [ofGroup(rule(2)), ofMember(rule(1, isNew))], forMug, 'member', 1, []],
  ['the group’s rule if the membership’s is skipped', [ofGroup(rule(2)), ofMember(rule(1, never))], forMug, 'group', 2, [1]],
  ['the product’s rule with conditions', [ofGroup(rule(2, never)), ofMember(rule(1, never))], forMug, 'product', 3, [1, 2]],
  ['the product’s rule before a list of products', [], [...forList, rule(4, undefined, 'mug'), rule(3, never, 'mug')], 'product', 4, [3]],
  ['the first list of products that has it', [], forList, 'product', 6, []],
  ['the first rule for all whose conditions hold, as listed', [], [...forAll, rule(6, { products: ['x*'] })], 'program', 8, [6]],
  ['the rule without conditions at last', [], [rule(9), rule(8, never)], 'program', 9, [8]],
];

test.each(rows)('%s applies', (_what, ownRates, orderRules, level, points, skipped) => {
  const decided = decideOrderRule({ orderRules, rates: { tiers: null, own: ownRates }, facts: of }, { productId: 'mug' }, fulfilled);
  expect([decided.applied?.level, decided.applied?.rule.rate]).toEqual([level, rate(points)]);
  expect(decided.skipped.map((one) => one.rule.rate)).toEqual(skipped.map(rate));
});

test('no rule applies if the conditions of all fail, and each is named', () => {
  const { applied, skipped } = decideOrderRule({ orderRules: [rule(1, isNew), rule(2, never)] }, { productId: null }, unfulfilled);
  expect([applied, skipped.map(({ failed }) => failed)]).toEqual([null, ['new_customers', 'countries']]);
});

test('customers are looked up only if a rule of any level asks for new ones', () => {
  const asks = (orderRules: OrderRule[], ...ownRates: OwnRates[]) =>
    asksForNewCustomers({ orderRules, rates: { tiers: null, own: ownRates } });
  expect([asks([rule(1, never)]), asks([rule(1, isNew)]), asks([], ofGroup(rule(1, isNew)))]).toEqual([false, true, true]);
});
