import { expect, test } from 'vitest';
import { decideGoal, type GoalFacts } from './decide-goal.ts';

const lost: GoalFacts = { state: 'pending', isHeld: false, isReached: false, isWithdrawn: false, isNotified: false };

test.each<[expected: string, what: string, facts: Partial<GoalFacts>]>([
  ['keep', 'on hold', { isHeld: true }],
  ['restore', 'withdrawn, and reached again', { state: 'rejected', isWithdrawn: true, isReached: true }],
  ['keep', 'withdrawn, and not reached', { state: 'rejected', isWithdrawn: true }],
  ['keep', 'rejected by the store, and reached', { state: 'rejected', isReached: true }],
  ['keep', 'still reached by other orders', { isReached: true }],
  ['keep', 'reversed by a credit note', { state: 'reversed' }],
  ['withdraw', 'pending', {}],
  ['withdraw', 'pending again after the team was notified', { isNotified: true }],
  ['keep', 'approved, and the team was notified', { state: 'approved', isNotified: true }],
  ['tell', 'approved', { state: 'approved' }],
  ['tell', 'billed', { state: 'billed' }],
  ['tell', 'collected', { state: 'collected' }],
  ['tell', 'paid', { state: 'paid' }],
])('%s: %s', (expected, _what, facts) => {
  expect(decideGoal({ ...lost, ...facts })).toBe(expected);
});
