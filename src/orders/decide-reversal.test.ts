import { expect, test } from 'vitest';
import { holdReasons } from '../commissions/commission.ts';
import { commissionStates } from '../commissions/commission-states.ts';
import type { Id } from '../core/ids.ts';
import { cents } from '../core/money.ts';
import { dayMs, minuteMs } from '../core/time.ts';
import { decideReversal, type ReversalFacts, type ReversibleOrder } from './decide-reversal.ts';
import type { ReversalReport } from './report.ts';

const now = new Date('2026-03-31T12:00:00Z');
const before = (ms: number) => new Date(now.getTime() - ms);
const order: ReversibleOrder = {
  transactionId: 'o' as Id<'ord'>,
  commissionId: 'm' as Id<'com'>,
  creatorId: 'k' as Id<'crt'>,
  state: 'pending',
  held: null,
  isInvoiced: false,
  amount: cents(1_001),
};
const good: ReversalReport = { orderId: 'A-1', occurredAt: null, reason: 'refunded', content: {} };
const facts: ReversalFacts = {
  now,
  storeId: 's' as Id<'store'>,
  earlier: null,
  order,
  testOrder: null,
  fresh: { reversalId: 'r' as Id<'rev'> },
};
const testOrder = { transactionId: 'ot' as Id<'ord'> };
const earlier = (isSame: boolean) => ({ receivedAt: before(dayMs), isSame });
const heldAndBilled: ReversibleOrder = { ...order, state: 'billed', held: 'dispute' };

type Row = readonly [expected: string, guarantee: string, report: Partial<ReversalReport>, facts: Partial<ReversalFacts>];

// Each row also violates a later rule.
const rules: readonly Row[] = [
  ['repeat', 'a replay comes before every other rule', { occurredAt: 'unreadable' }, { earlier: earlier(true), order: heldAndBilled }],
  [
    'duplicate_order_conflict',
    'other content is a conflict',
    { occurredAt: 'unreadable' },
    { earlier: earlier(false), order: heldAndBilled },
  ],
  ['invalid_occurred_at', 'an unreadable time', { occurredAt: 'unreadable' }, { order: null }],
  ['invalid_occurred_at', 'over 5 minutes ahead', { occurredAt: before(-5 * minuteMs - 1) }, { order: null }],
  ['invalid_occurred_at', 'older than 372 days, by a millisecond', { occurredAt: before(372 * dayMs + 1) }, { order: null }],
  ['reverse test order', 'a test order only', {}, { order: null, testOrder }],
  ['remember', 'unknown', {}, { order: null }],
  ['active_hold', 'a hold comes before the invoice', {}, { order: heldAndBilled, testOrder }],
  ['paid_conversion_not_auto_reversed', 'billed', {}, { order: { ...order, state: 'billed' } }],
  ['paid_conversion_not_auto_reversed', 'credited by an operator since', {}, { order: { ...order, state: 'reversed', isInvoiced: true } }],
  ['confirm', 'partial refunds took all of it', {}, { order: { ...order, state: 'reversed' } }],
  ['reverse', 'no rule applies', {}, { testOrder }],
  ['reverse', 'limits are inclusive: exactly 372 days old', { occurredAt: before(372 * dayMs) }, {}],
  ['reverse', 'limits are inclusive: exactly 5 minutes ahead', { occurredAt: before(-5 * minuteMs) }, {}],
];

test.each(rules)('%s: %s', (expected, _guarantee, report, given) => {
  const decision = decideReversal({ ...good, ...report }, { ...facts, ...given });
  expect(decision.do === 'refuse' ? decision.reason : decision.do).toBe(expected);
});

test.each(commissionStates.filter((state) => state !== 'reversed'))(
  'a commission that is %s is reversed unless it is invoiced',
  (state) => {
    const decision = decideReversal(good, { ...facts, order: { ...order, state } });
    expect(decision.do).toBe(['billed', 'collected', 'paid'].includes(state) ? 'refuse' : 'reverse');
  },
);

test.each(holdReasons)('an order held for %s is reversed only where the hold came from an early reversal', (held) => {
  const decision = decideReversal(good, { ...facts, order: { ...order, held } });
  expect(decision.do).toBe(held === 'early_reversal' ? 'reverse' : 'refuse');
});

const postingsOf = (given: ReversibleOrder) => {
  const decision = decideReversal(good, { ...facts, order: given });
  return decision.do === 'reverse' ? decision.postings : null;
};

test('a reversal swaps the transfer of the order, under a source of its own', () => {
  expect(postingsOf(order)).toEqual([
    {
      storeId: 's',
      creatorId: 'k',
      source: { kind: 'reversal', id: 'r' },
      debit: 'to_creators',
      credit: 'expected',
      amount: 1_001n,
      at: now,
    },
  ]);
});

test('what was rejected was undone then, and a commission of 0 never moved money: nothing is posted', () => {
  expect(postingsOf({ ...order, state: 'rejected' })).toEqual([]);
  expect(postingsOf({ ...order, amount: cents(0) })).toEqual([]);
});
