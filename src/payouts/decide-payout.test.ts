import { expect, test } from 'vitest';
import { cents } from '../core/money.ts';
import { decidePayout, payoutMinimum, type MinimumFacts, type PayoutFacts } from './decide-payout.ts';

const now = new Date('2026-03-15T06:00:00.000Z');
const later = new Date('2026-03-15T06:00:00.001Z');
const good: PayoutFacts = {
  now,
  isSuspended: false,
  isUnderReview: false,
  isAnotherUnfinished: false,
  amount: cents(5_000),
  minimum: cents(2_500),
  method: { usableFrom: now, cameBackAt: null },
  secondPersonAbove: null,
};

/** Each row breaks its rule and every one below it. */
const broken: ReadonlyArray<readonly [string, Partial<PayoutFacts>]> = [
  ['suspended', { isSuspended: true }],
  ['under_review', { isUnderReview: true }],
  ['unfinished_payout', { isAnotherUnfinished: true }],
  ['nothing_available', { amount: cents(0) }],
  ['no_method', { method: null }],
  ['came_back', { method: { usableFrom: later, cameBackAt: now } }],
  ['cool_down', { method: { usableFrom: later, cameBackAt: null } }],
  ['under_minimum', { amount: cents(2_499) }],
];

test.each(broken.map(([reason], place) => [reason, place] as const))('%s takes precedence over every later reason', (reason, place) => {
  const facts = broken.slice(place).reduceRight<PayoutFacts>((all, [, part]) => ({ ...all, ...part }), good);
  expect(decidePayout(facts)).toEqual({ do: 'wait', because: reason });
});

test.each<[string, Partial<PayoutFacts>, string]>([
  ['pays exactly the minimum', { amount: cents(2_500) }, 'ready'],
  ['a method is usable from its start time', { method: { usableFrom: now, cameBackAt: null } }, 'ready'],
  ['an amount at the limit needs no second person', { secondPersonAbove: cents(5_000) }, 'ready'],
  ['a cent above the limit needs a second person', { secondPersonAbove: cents(4_999) }, 'awaiting_second'],
  ['every amount needs a second person if the limit is 0', { secondPersonAbove: cents(0) }, 'awaiting_second'],
])('%s', (_title, part, as) => {
  expect(decidePayout({ ...good, ...part })).toEqual({ do: 'pay', as });
});

const usual: MinimumFacts = { now, requested: null, operators: cents(2_500), creators: null };
const clearing = new Date('2026-12-15T23:59:59.999Z');

test.each<[string, Partial<MinimumFacts>, bigint]>([
  ["uses the operator's setting", {}, 2_500n],
  ["uses a creator's higher minimum", { creators: cents(9_000) }, 9_000n],
  ['never uses less than the setting', { creators: cents(100) }, 2_500n],
  ['uses at least one cent', { operators: cents(0) }, 1n],
  ['pays everything above one dollar on December 15', { now: clearing, creators: cents(9_000) }, 101n],
  ['uses the setting a day before', { now: new Date('2026-12-14T23:59:59.999Z') }, 2_500n],
  ['the minimum of the run takes precedence', { now: clearing, requested: cents(700), creators: cents(9_000) }, 700n],
  ['a minimum of 0 pays everything', { requested: cents(0) }, 1n],
])('%s', (_title, part, minimum) => {
  expect(payoutMinimum({ ...usual, ...part })).toBe(minimum);
});
