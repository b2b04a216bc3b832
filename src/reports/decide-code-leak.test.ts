import { expect, test } from 'vitest';
import { decideCodeLeak, type CodeUse, type LeakDecision } from './decide-code-leak.ts';

const used = (use: Partial<CodeUse>): LeakDecision => decideCodeLeak({ orders: 100, ordersBefore: 90, ownerClicks: 10_000, ...use });

test.each<[what: string, use: Partial<CodeUse>, suspicion: LeakDecision['suspicion'], signals: LeakDecision['signals']]>([
  ['a code within its owner’s audience', {}, 'none', []],
  ['fewer orders than the minimum, however few clicks', { orders: 19, ordersBefore: 1, ownerClicks: 1 }, 'none', []],
  ['the minimum of orders', { orders: 20, ordersBefore: 20, ownerClicks: 39 }, 'possible', ['beyond_audience']],
  ['exactly one order for two clicks', { orders: 20, ordersBefore: 20, ownerClicks: 40 }, 'none', []],
  ['an owner without clicks, whose audience is unknown', { ownerClicks: 0 }, 'none', []],
  ['sudden growth of an owner without clicks', { ordersBefore: 20, ownerClicks: 0 }, 'possible', ['sudden_growth']],
  ['growth just below five times', { ordersBefore: 21 }, 'none', []],
  ['growth of five times', { ordersBefore: 20 }, 'possible', ['sudden_growth']],
  ['a new code, which cannot have grown', { ordersBefore: null, ownerClicks: 100 }, 'possible', ['beyond_audience']],
  ['a code without earlier orders', { ordersBefore: 0 }, 'none', []],
  ['both', { ordersBefore: 10, ownerClicks: 150 }, 'likely', ['beyond_audience', 'sudden_growth']],
])('%s', (_what, use, suspicion, signals) => {
  expect(used(use)).toEqual({ suspicion, signals });
});
