import { expect, test } from 'vitest';
import type { EarningPart } from '../commissions/decide-earning.ts';
import type { Id } from '../core/ids.ts';
import { basisPoints, cents } from '../core/money.ts';
import { dayMs, minuteMs } from '../core/time.ts';
import {
  decideRefund,
  refundOutcome,
  type RefundableSale,
  type RefundedCommission,
  type RefundFacts,
  type RefundReport,
} from './decide-refund.ts';

const now = new Date('2026-03-31T12:00:00Z');
const before = (ms: number) => new Date(now.getTime() - ms);
const part = (productId: string | null, of: number): EarningPart => ({
  productId,
  of: cents(of),
  quantity: 1n,
  rate: { is: 'share', basisPoints: basisPoints(1_000) },
  amount: cents(Math.round(of / 10)),
});
const commission: RefundedCommission = {
  commissionId: 'm' as Id<'com'>,
  creatorId: 'k' as Id<'crt'>,
  state: 'approved',
  held: null,
  amount: cents(1_000),
  parts: [part(null, 10_000)],
  isInPayout: false,
  isBorne: false,
  isReversedByRefund: false,
  invoice: null,
};
const sale: RefundableSale = {
  is: 'sale',
  transactionId: 'o' as Id<'ord'>,
  eligible: cents(10_000),
  refunded: cents(0),
  isReversed: false,
  commission,
};
const facts: RefundFacts = { now, storeId: 's' as Id<'store'>, earlier: null, target: sale, fresh: { refundId: 'r' as Id<'rfd'> } };
const good: RefundReport = { amount: cents(2_000), lines: null, occurredAt: before(minuteMs) };
const earlier = (isSame: boolean) => ({
  receivedAt: before(dayMs),
  isSame,
  ids: { transactionId: null, commissionId: null, refundId: 'q' as Id<'rfd'> },
  remaining: cents(7),
});
const of = (changed: Partial<RefundedCommission>, sold: Partial<RefundableSale> = {}): Partial<RefundFacts> => ({
  target: { ...sale, ...sold, commission: { ...commission, ...changed } },
});
const product = [part('a', 6_000), part('b', 4_000)];
const tooMuch = { amount: cents(10_001) };
const line = (productId: string, amount: number) => ({
  amount: cents(amount),
  lines: [{ productId, amount: cents(amount), quantity: 0n }],
});
const billed = (state: RefundedCommission['state'], invoice: NonNullable<RefundedCommission['invoice']>['state']) =>
  of({ state, invoice: { state: invoice } });

type Row = readonly [expected: string, guarantee: string, report: Partial<RefundReport>, facts: Partial<RefundFacts>];

// Each row also violates a later rule.
const rules: readonly Row[] = [
  ['repeat', 'a replay comes before every other rule', { ...tooMuch, occurredAt: 'unreadable' }, { earlier: earlier(true) }],
  ['duplicate_refund_conflict', 'other content', { ...tooMuch, occurredAt: 'unreadable' }, { earlier: earlier(false) }],
  ['invalid_occurred_at', 'an unreadable time', { occurredAt: 'unreadable' }, { target: { is: 'unknown', reason: 'unknown_order' } }],
  ['invalid_occurred_at', 'over 5 minutes ahead', { ...tooMuch, occurredAt: before(-5 * minuteMs - 1) }, {}],
  ['invalid_occurred_at', 'older than 372 days', { ...tooMuch, occurredAt: before(372 * dayMs + 1) }, {}],
  ['environment_mismatch', 'the subscription', tooMuch, { target: { is: 'refused', reason: 'environment_mismatch', why: {} } }],
  ['remember', 'an order that is not reported yet', tooMuch, { target: { is: 'unknown', reason: 'unknown_order' } }],
  ['refund test order', 'a test order', tooMuch, { target: { is: 'test order', transactionId: 'ot' as Id<'ord'> } }],
  ['active_hold', 'on hold', tooMuch, of({ held: 'dispute', state: 'billed', invoice: { state: 'unknown' } })],
  ['paid_conversion_not_auto_reversed', 'credited by an operator', tooMuch, of({ state: 'reversed', invoice: { state: 'paid' } })],
  ['refund_exceeds_remaining_amount', 'more than the eligible amount', tooMuch, billed('paid', 'paid')],
  ['refund_exceeds_remaining_amount', 'more than earlier refunds left', {}, of({ state: 'paid' }, { refunded: cents(8_001) })],
  ['refund_exceeds_remaining_amount', 'after a reversal', {}, of({ state: 'reversed' }, { isReversed: true })],
  ['invalid_payload', 'paid per product, and no lines', {}, of({ parts: product, state: 'paid', isInPayout: true })],
  ['unknown_line_item', 'a line of another order', line('c', 100), of({ parts: product, state: 'paid', isInPayout: true })],
  ['refund_exceeds_remaining_amount', 'more than its line', line('b', 4_001), of({ parts: product, state: 'paid', isInPayout: true })],
  ['paid_conversion_not_auto_reversed', 'paid', {}, billed('paid', 'paid')],
  ['paid_conversion_not_auto_reversed', 'in a payout', {}, of({ state: 'collected', isInPayout: true, invoice: { state: 'paid' } })],
  ['paid_conversion_not_auto_reversed', 'borne', {}, of({ state: 'collected', isBorne: true, invoice: { state: 'unknown' } })],
  ['paid_conversion_not_auto_reversed', 'the payment was taken back', {}, billed('billed', 'charged_back')],
  ['invoice_in_progress', 'on a draft', {}, billed('billed', 'draft')],
  ['invoice_in_progress', 'being charged', {}, billed('billed', 'charging')],
  ['invoice_in_progress', 'the charge has no answer yet', {}, billed('billed', 'unknown')],
  ['invoice_in_progress', 'paid, and not collected yet', {}, billed('billed', 'paid')],
];

test.each(rules)('%s: %s', (expected, _guarantee, report, given) => {
  const decision = decideRefund({ ...good, ...report }, { ...facts, ...given });
  expect(decision.do === 'refuse' ? decision.reason : decision.do).toBe(expected);
});

type Effect = readonly [guarantee: string, facts: Partial<RefundFacts>, amount: number, effect: string];
const effects: readonly Effect[] = [
  ['adjusts a commission before its invoice', of({}), 2_000, 'less 200, posted 200'],
  ['posts nothing for a rejected commission', of({ state: 'rejected' }), 2_000, 'less 200, posted 0'],
  ['takes all that is left', of({}), 10_000, 'less 1000, whole, posted 1000'],
  ['credits an unpaid invoice', billed('billed', 'past_due'), 2_000, 'less 200, credit before, posted 0'],
  ['credits a paid invoice', billed('collected', 'paid'), 2_000, 'less 200, credit after, posted 0'],
  ['reverses a billed commission of which no cent is left', billed('billed', 'issued'), 9_996, 'less 1000, whole, credit before, posted 0'],
  ['keeps a commission of 0 before its invoice', of({}), 9_996, 'less 1000, posted 1000'],
  [
    'needs no credit if the commission stays',
    { target: { ...sale, commission: { ...commission, parts: [{ ...part(null, 10_000), rate: null }], amount: cents(0) } } },
    2_000,
    'less 0, posted 0',
  ],
  ['has no effect on an invoice that earned nothing', { target: { ...sale, commission: null } }, 2_000, 'none'],
  [
    'has no effect after a refund took the whole commission',
    of({ state: 'reversed', isReversedByRefund: true }, { refunded: cents(4_000) }),
    2_000,
    'none',
  ],
  ['ends the hold of an early refund', of({ held: 'early_reversal' }), 2_000, 'less 200, posted 200'],
];

test.each(effects)('%s', (_guarantee, given, amount, expected) => {
  const decision = decideRefund({ ...good, amount: cents(amount) }, { ...facts, ...given });
  if (decision.do !== 'refund') throw new Error(`decided ${JSON.stringify(decision)}`);
  const { effect } = decision;
  const shown =
    effect === null
      ? 'none'
      : [
          `less ${effect.difference}`,
          ...(effect.isWhole ? ['whole'] : []),
          ...(effect.credit === null ? [] : [`credit ${effect.credit}`]),
          `posted ${effect.postings.reduce((total, posting) => total + posting.amount, 0n)}`,
        ].join(', ');
  expect(shown).toBe(expected);
});

test('a refusal for the amount names what remains', () => {
  const decision = decideRefund({ ...good, amount: cents(8_000) }, { ...facts, ...of({}, { refunded: cents(2_500) }) });
  expect(refundOutcome(decision).outcome).toMatchObject({ reason: 'refund_exceeds_remaining_amount', ids: { remaining_cents: 7_500 } });
});
