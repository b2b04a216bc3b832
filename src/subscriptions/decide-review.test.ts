import { expect, test } from 'vitest';
import { active, basic, ended, held, id, live, now, paid, plan, pro, waiting } from '../../test/support/relationships.ts';
import { cents } from '../core/money.ts';
import { decideReview, type ReviewFacts, type ReviewVerdict, type WaitingInvoice } from './decide-review.ts';
import type { Relationship } from './relationship.ts';

const waits = (place: number, eligible = 4_900, occurredAt = paid.occurredAt): WaitingInvoice => ({
  invoice: {
    ...waiting,
    invoiceId: `in-${place}`,
    payment: { ...paid, number: place, eventId: id<'evt'>(`pe${place}`), eligible: cents(eligible), occurredAt, earns: { is: 'waits' } },
  },
  wasReversedEarly: false,
  commissionId: id<'com'>(`m${place}`),
});
const facts: ReviewFacts = { now, relationship: held, waiting: [waits(4), waits(5)], moreWait: false, isCreatorSuspended: false };

const settled = (word: ReviewVerdict, given: Partial<ReviewFacts> = {}) => {
  const decision = decideReview(word, { ...facts, ...given });
  if (decision.do !== 'settle') throw new Error('not settled');
  return decision;
};
const earned = ({ invoices }: ReturnType<typeof settled>) =>
  invoices.map(({ payment }) =>
    payment.state !== 'paid' ? 'not paid' : payment.earns.is === 'nothing' ? payment.earns.because : payment.earns.is,
  );

test.each(['accept', 'decline'] as const)('cannot %s without an open review', (word) => {
  expect(decideReview(word, { ...facts, relationship: active })).toEqual({ do: 'refuse', because: 'no review is open' });
});

test('accepted: what was billed is bound from now on, the copy of the rule stays, and what waited opens its commissions', () => {
  const decision = settled('accept');
  expect(decision.relationship).toEqual({ ...held, hold: null, bound: pro, firstBound: basic, earningInvoices: 4 });
  expect(earned(decision)).toEqual(['commission', 'commission']);
  expect(decision.commissions.map(({ commissionId, earning, recordedAt }) => [commissionId, earning.amount, recordedAt])).toEqual([
    ['m4', 980n, now],
    ['m5', 980n, now],
  ]);
  expect(decision.postings.map(({ source, amount }) => [source, amount])).toEqual([
    [{ kind: 'billing_event', id: 'pe4' }, 980n],
    [{ kind: 'billing_event', id: 'pe5' }, 980n],
  ]);
});

test('declined: what waited earns nothing for good, and the comparison stays', () => {
  const decision = settled('decline');
  expect(decision.relationship).toEqual({ ...held, hold: null, bound: basic });
  expect(earned(decision)).toEqual(['declined', 'declined']);
  expect([decision.commissions, decision.postings]).toEqual([[], []]);
});

test('what waited takes its places in the limit of invoices when it is accepted, in the order recorded; 0 takes none', () => {
  const relationship: Relationship = { ...held, earningInvoices: 10, paidInvoices: 14 };
  const decision = settled('accept', { relationship, waiting: [waits(11), waits(12, 0), waits(13), waits(14)] });
  expect(earned(decision)).toEqual(['commission', 'commission', 'commission', 'invoice_limit']);
  expect(decision.relationship.earningInvoices).toBe(12);
});

test('the limit of months is judged by when each invoice was, not by when it was accepted', () => {
  const relationship: Relationship = {
    ...held,
    boundAt: new Date('2025-01-31T10:00:00Z'),
    attribution: { ...live, plan: { ...plan, maxMonths: 12 } },
  };
  const [inTime, late] = [new Date('2026-01-31T09:59:59.999Z'), new Date('2026-01-31T10:00:00Z')];
  expect(earned(settled('accept', { relationship, waiting: [waits(4, 4_900, late), waits(5, 4_900, inTime)] }))).toEqual([
    'month_limit',
    'commission',
  ]);
});

test('opens no commission without a rule', () => {
  const relationship: Relationship = { ...held, earningInvoices: 0, attribution: { ...live, plan: null } };
  expect(earned(settled('accept', { relationship }))).toEqual(['zero_commission', 'zero_commission']);
});

test('reviews an ended relationship, which stays ended', () => {
  expect(settled('accept', { relationship: { ...held, lifecycle: ended.lifecycle } })).toMatchObject({
    relationship: { lifecycle: ended.lifecycle, hold: null },
  });
});

test('opens a held commission after an early reversal, or if the creator is suspended now', () => {
  const early = { ...waits(4), wasReversedEarly: true };
  const { commissions } = settled('accept', { waiting: [early, waits(5)], isCreatorSuspended: true });
  expect(commissions.map((commission) => commission.held?.reason)).toEqual(['early_reversal', 'creator_suspended']);
});

test('keeps the review open if more invoices wait than one transaction decides', () => {
  expect(settled('accept', { moreWait: true }).relationship).toMatchObject({ hold: held.hold, bound: pro, earningInvoices: 4 });
});
