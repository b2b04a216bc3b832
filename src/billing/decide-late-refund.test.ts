import { expect, test } from 'vitest';
import type { EarningPart } from '../commissions/decide-earning.ts';
import { basisPoints, cents, sum } from '../core/money.ts';
import { decideLateRefund, type CreditedLateRefund, type LateRefundFacts, type LateRefundRequest } from './decide-late-refund.ts';

const part = (productId: string | null, of: number, points = 1_000): EarningPart => ({
  productId,
  of: cents(of),
  quantity: 1n,
  rate: { is: 'share', basisPoints: basisPoints(points) },
  amount: cents(Math.round((of * points) / 10_000)),
});
const [same, another] = [Buffer.from('same'), Buffer.from('another')];
const good: LateRefundRequest = { amount: cents(2_000), lines: null, refundHash: same };
const paid: LateRefundFacts = {
  sourceKind: 'order',
  state: 'paid',
  isInPayout: true,
  amount: cents(1_000),
  parts: [part(null, 10_000)],
  invoiceState: 'paid',
  isCredited: false,
  late: [],
};
const credited = (refundHash: Buffer, of: number): CreditedLateRefund => ({
  refundId: 'r',
  refundHash,
  eligible: cents(of),
  taken: [{ part: 0, amount: cents(of), quantity: 0n }],
  amountCents: cents(Math.round(of / 10)),
  number: 7n,
});
const tooMuch = { amount: cents(10_001) };
const products = [part('a', 6_000), part('b', 4_000)];
const line = (productId: string, amount: number) => ({
  amount: cents(amount),
  lines: [{ productId, amount: cents(amount), quantity: 0n }],
});
const notInPayout = { state: 'collected', isInPayout: false } as const;

type Row = readonly [refused: string, message: string, request: Partial<LateRefundRequest>, facts: Partial<LateRefundFacts>];

// In the order of the rules: each row also violates every later rule that it can.
const rules: readonly Row[] = [
  ['conflict', 'Leads and bonuses have no order', tooMuch, { sourceKind: 'lead', isCredited: true }],
  ['conflict', 'Leads and bonuses have no order', tooMuch, { sourceKind: 'bonus', state: 'reversed' }],
  ['conflict', 'The whole commission was credited', tooMuch, { isCredited: true, late: [credited(same, 100)] }],
  ['conflict', 'The whole commission was credited', tooMuch, { state: 'reversed', late: [credited(same, 100)] }],
  ['conflict', 'already credited with CN-00007', tooMuch, { late: [credited(same, 100)], invoiceState: 'charging' }],
  ['conflict', 'is being charged', tooMuch, { ...notInPayout, invoiceState: 'charging' }],
  ['conflict', 'is being charged', tooMuch, { ...notInPayout, invoiceState: 'unknown' }],
  ['conflict', 'is not in a payout', tooMuch, { ...notInPayout }],
  ['conflict', 'is not in a payout', tooMuch, { invoiceState: null }],
  ['conflict', 'is not in a payout', tooMuch, { state: 'billed', isInPayout: false, late: [credited(another, 100)] }],
  ['amount_cents', 'more than what remains of the eligible amount, which is 100.00 USD', tooMuch, {}],
  ['amount_cents', 'which is 10.00 USD', { amount: cents(1_001) }, { late: [credited(another, 9_000)] }],
  ['line_items', 'the program paid for each product', {}, { parts: products }],
  ['line_items', 'no line item with the product_id c', line('c', 6_001), { parts: products }],
  ['line_items', 'the line items of b, which is 40.00 USD', line('b', 4_001), { parts: products }],
  ['conflict', 'would have taken nothing', { amount: cents(4) }, {}],
];

test.each(rules)('refuses with %s: %s', (refused, message, request, facts) => {
  const decision = decideLateRefund({ ...good, ...request }, { ...paid, ...facts });
  expect(decision.do === 'refuse' ? (decision.field ?? decision.reason) : decision.do).toBe(refused);
  expect(decision).toMatchObject({ message: expect.stringContaining(message) });
});

test.each<[what: string, request: Partial<LateRefundRequest>, facts: Partial<LateRefundFacts>, credit: readonly [number, number, number]]>([
  ['a part of an order', {}, {}, [200, 800, 8_000]],
  ['all of it', { amount: cents(10_000) }, {}, [1_000, 0, 0]],
  ['a product', line('a', 1_500), { parts: products }, [150, 850, 8_500]],
  ['all products without lines', { amount: cents(10_000) }, { parts: products }, [1_000, 0, 0]],
  ['the rest after an earlier late refund', { amount: cents(3_335) }, { late: [credited(another, 6_665)] }, [333, 0, 0]],
  ['another part after a failed payout', {}, { ...notInPayout, late: [credited(another, 5_000)] }, [200, 300, 3_000]],
])('credits %s', (_what, request, facts, [amount, rest, restEligible]) => {
  expect(decideLateRefund({ ...good, ...request }, { ...paid, ...facts })).toMatchObject({
    do: 'credit',
    amount: cents(amount),
    rest: cents(rest),
    restEligible: cents(restEligible),
  });
});

test('several late refunds take as much as one of their sum', () => {
  const late: CreditedLateRefund[] = [];
  for (const [index, amount] of [3_333, 3_333, 3_334].entries()) {
    const request = { amount: cents(amount), lines: null, refundHash: Buffer.from(String(index)) };
    const decision = decideLateRefund(request, { ...paid, late });
    if (decision.do === 'credit')
      late.push({
        ...request,
        refundId: String(index),
        eligible: request.amount,
        taken: decision.taken,
        amountCents: decision.amount,
        number: 1n,
      });
  }
  expect([late.length, sum(late.map(({ amountCents }) => amountCents))]).toEqual([3, cents(1_000)]);
});
