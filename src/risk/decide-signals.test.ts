import { expect, test } from 'vitest';
import { riskDefaults } from '../holds/risk-settings.ts';
import { cents } from '../core/money.ts';
import { decideCreatorSignals, decidePairSignals, type PairFacts } from './decide-signals.ts';

const limits = riskDefaults.live;
const usual: PairFacts = {
  orders: 40,
  peakHour: 12,
  formerPeakHour: 10,
  largestOrder: cents(20_000),
  medianOrder: cents(6_000),
  formerOrders: 300,
  fastOrders: 1,
  fullCommission: cents(0),
  isOnlyCreator: false,
  storeAgeDays: 400,
  creatorAgeDays: 300,
  unpaid: cents(90_000),
};
const rulesOf = (facts: Partial<PairFacts>) => decidePairSignals({ ...usual, ...facts }, limits).map(({ rule }) => rule);
const young = { isOnlyCreator: true, storeAgeDays: 29, creatorAgeDays: 29 };

test.each<[string, Partial<PairFacts>, readonly string[]]>([
  ['an ordinary day', {}, []],
  ['30 orders in an hour, none before', { peakHour: 30, formerPeakHour: 0 }, ['order_rate']],
  ['29 orders in an hour, none before', { peakHour: 29, formerPeakHour: 0 }, []],
  ['five times as many as ever before', { peakHour: 50 }, []],
  ['more than five times as many', { peakHour: 51 }, ['order_rate']],
  ['a large order, twenty times the median', { largestOrder: cents(120_000) }, []],
  ['a large order, more than that', { largestOrder: cents(120_001) }, ['order_size']],
  ['more than that, and small', { largestOrder: cents(49_999), medianOrder: cents(100) }, []],
  ['a large order of a store with four orders', { largestOrder: cents(900_000), formerOrders: 4 }, []],
  ['ten fast orders of twenty', { fastOrders: 10, orders: 20 }, ['fast_orders']],
  ['ten fast orders of twenty-one', { fastOrders: 10, orders: 21 }, []],
  ['nine fast orders', { fastOrders: 9, orders: 9 }, []],
  ['everything given away without a hold', { fullCommission: cents(1) }, ['full_commission']],
  ['a new store with one new creator', young, ['new_store_one_creator']],
  ['… which owes less than 100 dollars', { ...young, unpaid: cents(9_999) }, []],
  ['… which is 30 days old', { ...young, storeAgeDays: 30 }, []],
  ['… whose creator is 30 days old', { ...young, creatorAgeDays: 30 }, []],
  ['… with another creator', { ...young, isOnlyCreator: false }, []],
])('%s', (_what, facts, rules) => {
  expect(rulesOf(facts)).toEqual(rules);
});

test('a signal names the values that were compared', () => {
  expect(decidePairSignals({ ...usual, peakHour: 60 }, limits)).toEqual([
    {
      rule: 'order_rate',
      evidence: [
        { what: 'Orders in one hour', found: '60', compared: 'at least 30' },
        { what: 'Most orders in one hour of the 30 days before', found: '10', compared: 'more than 5 times as many now' },
      ],
    },
  ]);
});

test.each<[number, boolean, readonly string[]]>([
  [50_000, false, ['large_first_payout']],
  [49_999, false, []],
  [900_000, true, []],
])('a payout of %s cents to a creator who was paid before (%s): %s', (free, wasPaidBefore, rules) => {
  expect(decideCreatorSignals({ free: cents(free), wasPaidBefore }, limits).map(({ rule }) => rule)).toEqual(rules);
});
