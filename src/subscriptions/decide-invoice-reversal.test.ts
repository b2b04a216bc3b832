import { expect, test } from 'vitest';
import {
  active,
  before,
  burned,
  commission,
  conflict,
  ended,
  held,
  id,
  now,
  open,
  paidInvoice,
  replay,
  reversed,
  testOne,
  waiting,
  wordOf,
} from '../../test/support/relationships.ts';
import { holdReasons } from '../commissions/commission.ts';
import { commissionStates } from '../commissions/commission-states.ts';
import { cents } from '../core/money.ts';
import { dayMs, minuteMs } from '../core/time.ts';
import { decideInvoiceReversal, type InvoiceReversalFacts } from './decide-invoice-reversal.ts';
import type { LockedCommission } from './relationship.ts';
import type { InvoiceReversalReport } from './report.ts';

const good: InvoiceReversalReport = {
  eventId: 'e',
  relationshipId: 'sub-1',
  environment: 'live',
  content: {},
  invoiceId: 'in-1',
  occurredAt: null,
  reason: 'refunded',
};
const facts: InvoiceReversalFacts = {
  now,
  earlier: null,
  relationship: active,
  invoice: paidInvoice,
  commission,
  fresh: { eventId: id<'evt'>('e1') },
};
const heldAndBilled: LockedCommission = { ...commission, state: 'billed', held: 'dispute' };

type Row = readonly [expected: string, guarantee: string, report: Partial<InvoiceReversalReport>, facts: Partial<InvoiceReversalFacts>];

// Each row also violates a later rule.
const rules: readonly Row[] = [
  ['repeat', 'a replay comes before every other rule', { occurredAt: 'unreadable' }, { earlier: replay, relationship: null }],
  ['duplicate_event_conflict', 'other content is a conflict', { occurredAt: 'unreadable' }, { earlier: conflict, relationship: null }],
  ['duplicate_event', 'what was refused with 422 is burned', {}, { earlier: burned }],
  ['invalid_occurred_at', 'an unreadable time', { occurredAt: 'unreadable' }, { relationship: null }],
  ['invalid_occurred_at', 'over 5 minutes ahead', { occurredAt: before(-5 * minuteMs - 1) }, { relationship: null }],
  ['invalid_occurred_at', 'older than 372 days, by a millisecond', { occurredAt: before(372 * dayMs + 1) }, { relationship: null }],
  ['unknown_relationship', 'never bound', { environment: 'test' }, { relationship: null }],
  ['environment_mismatch', 'live against test', {}, { relationship: testOne, invoice: null }],
  ['environment_mismatch', 'test against live', { environment: 'test' }, { invoice: null }],
  ['remember', 'an invoice that was never reported', {}, { invoice: null, commission: heldAndBilled }],
  ['reversed before', 'reversed before', {}, { invoice: { ...paidInvoice, reversal: reversed.reversal }, commission: heldAndBilled }],
  ['active_hold', 'it waits for the review of its relationship', {}, { relationship: held, invoice: waiting, commission: null }],
  ['active_hold', 'a hold comes before the invoice', {}, { commission: heldAndBilled }],
  ['paid_conversion_not_auto_reversed', 'billed', {}, { commission: { ...commission, state: 'billed' } }],
  ['paid_conversion_not_auto_reversed', 'credited by an operator since', {}, { commission: { ...commission, state: 'reversed' } }],
  ['reverse', 'no rule applies', {}, {}],
  ['reverse', 'of a relationship that is held, an invoice from before', {}, { relationship: held }],
  ['reverse', 'of a relationship that ended', {}, { relationship: ended }],
  ['reverse', 'before it was paid', {}, { invoice: open, commission: null }],
  ['reverse', 'what earned nothing', {}, { commission: null }],
  ['reverse', 'limits are inclusive: exactly 372 days old', { occurredAt: before(372 * dayMs) }, {}],
  ['reverse', 'limits are inclusive: exactly 5 minutes ahead', { occurredAt: before(-5 * minuteMs) }, {}],
];

test.each(rules)('%s: %s', (expected, _guarantee, report, given) => {
  expect(wordOf(decideInvoiceReversal({ ...good, ...report }, { ...facts, ...given }))).toBe(expected);
});

test.each(commissionStates.filter((state) => state !== 'reversed'))(
  'a commission that is %s is reversed unless it is invoiced',
  (state) => {
    const decision = decideInvoiceReversal(good, { ...facts, commission: { ...commission, state } });
    expect(decision.do).toBe(['billed', 'collected', 'paid'].includes(state) ? 'refuse' : 'reverse');
  },
);

test.each(holdReasons)('reverses a commission held for %s only if the hold came from an early reversal', (reason) => {
  const decision = decideInvoiceReversal(good, { ...facts, commission: { ...commission, held: reason } });
  expect(decision.do).toBe(reason === 'early_reversal' ? 'reverse' : 'refuse');
});

const reversal = (given: Partial<InvoiceReversalFacts> = {}) => {
  const decision = decideInvoiceReversal(good, { ...facts, ...given });
  if (decision.do !== 'reverse') throw new Error(`not reversed but ${wordOf(decision)}`);
  return decision;
};

test('a reversal swaps the transfer of the payment, with its own source', () => {
  const { postings, invoice, reversed: ofCommission } = reversal();
  expect(postings).toEqual([
    {
      storeId: 's',
      creatorId: 'k',
      source: { kind: 'reversal', id: 'e1' },
      debit: 'to_creators',
      credit: 'expected',
      amount: 980n,
      at: now,
    },
  ]);
  expect(invoice).toEqual({ ...paidInvoice, reversal: { eventId: 'e1', at: now, reason: 'refunded' } });
  expect(ofCommission).toBe(commission);
});

test('posts nothing for a rejected commission or one of 0', () => {
  expect(reversal({ commission: { ...commission, state: 'rejected' } }).postings).toEqual([]);
  expect(reversal({ commission: { ...commission, amount: cents(0) } }).postings).toEqual([]);
  expect(reversal({ commission: null })).toMatchObject({ postings: [], reversed: null });
});
