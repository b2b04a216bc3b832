import { expect, test } from 'vitest';
import { cents } from '../platform/money.ts';
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

/** Each breaks one thing, and what the rows below it break too. */
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

test.each(broken.map(([reason], place) => [reason, place] as const))('%s comes before all that is below it', (reason, place) => {
  const facts = broken.slice(place).reduceRight<PayoutFacts>((all, [, part]) => ({ ...all, ...part }), good);
  expect(decidePayout(facts)).toEqual({ do: 'wait', because: reason });
});

test.each<[string, Partial<PayoutFacts>, string]>([
  ['exactly the minimum is paid', { amount: cents(2_500) }, 'ready'],
  ['a method is usable from its moment on', { method: { usableFrom: now, cameBackAt: null } }, 'ready'],
  ['the limit itself needs no second person', { secondPersonAbove: cents(5_000) }, 'ready'],
  ['a cent above the limit does', { secondPersonAbove: cents(4_999) }, 'awaiting_second'],
  ['with a limit of 0 everything does', { secondPersonAbove: cents(0) }, 'awaiting_second'],
])('%s', (_title, part, as) => {
  expect(decidePayout({ ...good, ...part })).toEqual({ do: 'pay', as });
});

const usual: MinimumFacts = { now, asked: null, operators: cents(2_500), creators: null };
const clearing = new Date('2026-12-15T23:59:59.999Z');

test.each<[string, Partial<MinimumFacts>, bigint]>([
  ["the operator's setting", {}, 2_500n],
  ["a creator's own, where it is higher", { creators: cents(9_000) }, 9_000n],
  ['never less than the setting', { creators: cents(100) }, 2_500n],
  ['at least a cent, whatever is set', { operators: cents(0) }, 1n],
  ['on 15 December everything above a dollar', { now: clearing, creators: cents(9_000) }, 101n],
  ['a day before, the setting', { now: new Date('2026-12-14T23:59:59.999Z') }, 2_500n],
  ['what the run was asked for comes before all of it', { now: clearing, asked: cents(700), creators: cents(9_000) }, 700n],
  ['asked for 0, everything', { asked: cents(0) }, 1n],
])('%s', (_title, part, minimum) => {
  expect(payoutMinimum({ ...usual, ...part })).toBe(minimum);
});
