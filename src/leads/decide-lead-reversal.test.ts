import { expect, test } from 'vitest';
import type { Id } from '../core/ids.ts';
import { cents } from '../core/money.ts';
import { dayMs, minuteMs } from '../core/time.ts';
import { decideLeadReversal, type LeadReversalFacts, type ReversibleLead } from './decide-lead-reversal.ts';
import type { LeadReversalReport } from './lead-report.ts';

const now = new Date('2026-03-31T12:00:00Z');
const before = (ms: number) => new Date(now.getTime() - ms);
const lead: ReversibleLead = {
  leadId: 'l' as Id<'lead'>,
  commissionId: 'm' as Id<'com'>,
  creatorId: 'k' as Id<'crt'>,
  state: 'pending',
  held: null,
  amount: cents(200),
};
const facts: LeadReversalFacts = { now, storeId: 's' as Id<'store'>, earlier: null, lead, fresh: { reversalId: 'r' as Id<'rev'> } };
const good: LeadReversalReport = { leadId: '1', occurredAt: before(minuteMs), reason: null, content: {} };
const of = (changed: Partial<ReversibleLead>): Partial<LeadReversalFacts> => ({ lead: { ...lead, ...changed } });
const earlier = (isSame: boolean) => ({ receivedAt: before(dayMs), isSame });
const unreadable = { occurredAt: 'unreadable' } as const;

type Row = readonly [expected: string, guarantee: string, report: Partial<LeadReversalReport>, facts: Partial<LeadReversalFacts>];

// Each row also violates a later rule.
const rules: readonly Row[] = [
  ['repeat', 'a replay', unreadable, { earlier: earlier(true), ...of({ state: 'reversed' }) }],
  ['duplicate_lead_conflict', 'other content', unreadable, { earlier: earlier(false) }],
  ['invalid_occurred_at', 'an unreadable time', unreadable, { lead: null }],
  ['invalid_occurred_at', 'over 5 minutes ahead', { occurredAt: before(-5 * minuteMs - 1) }, { lead: null }],
  ['invalid_occurred_at', 'older than 372 days', { occurredAt: before(372 * dayMs + 1) }, { lead: null }],
  ['remember', 'a lead that is not reported yet', {}, { lead: null }],
  ['active_hold', 'on hold', {}, of({ held: 'dispute', state: 'billed' })],
  ['paid_conversion_not_auto_reversed', 'invoiced', {}, of({ held: 'early_reversal', state: 'billed' })],
  ['paid_conversion_not_auto_reversed', 'credited by an operator', {}, of({ state: 'reversed' })],
  ['reverse', 'an early reversal that is sent again', {}, of({ held: 'early_reversal' })],
];

test.each(rules)('%s: %s', (expected, _guarantee, report, given) => {
  const decision = decideLeadReversal({ ...good, ...report }, { ...facts, ...given });
  expect(decision.do === 'refuse' ? decision.reason : decision.do).toBe(expected);
});

test('a reversal takes the commission back once: a rejection has done it before', () => {
  expect(decideLeadReversal(good, facts)).toMatchObject({ postings: [{ amount: 200n, source: { kind: 'reversal' } }] });
  expect(decideLeadReversal(good, { ...facts, ...of({ state: 'rejected' }) })).toMatchObject({ do: 'reverse', postings: [] });
});
