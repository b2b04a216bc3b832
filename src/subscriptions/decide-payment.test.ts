import { expect, test } from 'vitest';
import { active, live, plan, testOne } from '../../test/support/relationships.ts';
import { cents } from '../core/money.ts';
import { decidePayment } from './decide-payment.ts';
import type { Plan } from './relationship.ts';

const boundAt = new Date('2026-01-31T10:00:00.000Z');
type Row = readonly [
  expected: string | bigint,
  guarantee: string,
  given: Partial<Plan>,
  earned: number,
  occurredAt: string,
  eligible: number,
];

// Each row also violates a later rule.
const rules: readonly Row[] = [
  ['month_limit', 'exactly at the end of its months', { maxMonths: 1, maxInvoices: 2 }, 2, '2026-02-28T10:00:00.000Z', 4_900],
  ['month_limit', 'the months end before the invoices do', { maxMonths: 12, maxInvoices: 99 }, 12, '2027-01-31T10:00:00.000Z', 4_900],
  ['invoice_limit', 'the invoices end before the months do', { maxMonths: 12, maxInvoices: 2 }, 2, '2026-02-01T00:00:00.000Z', 4_900],
  ['invoice_limit', 'an invoice of 0 is past the limit too', { maxInvoices: 2 }, 2, '2026-02-01T00:00:00.000Z', 0],
  [980n, 'a millisecond before the end of its months, the day clamped', { maxMonths: 1 }, 0, '2026-02-28T09:59:59.999Z', 4_900],
  [980n, 'the last of its invoices', { maxInvoices: 3 }, 2, '2026-02-01T00:00:00.000Z', 4_900],
  [980n, 'without limits for ever', { maxInvoices: null, maxMonths: null }, 5_000, '2099-01-01T00:00:00.000Z', 4_900],
  [980n, 'an invoice from before the bind', {}, 0, '2025-12-01T00:00:00.000Z', 4_900],
  [1n, 'rounded half up to the cent', {}, 0, '2026-02-01T00:00:00.000Z', 3],
  [0n, 'nothing eligible', {}, 0, '2026-02-01T00:00:00.000Z', 0],
  [500n, 'a flat amount', { rate: { is: 'flat', cents: cents(500) } }, 0, '2026-02-01T00:00:00.000Z', 4_900],
  [499n, 'a flat amount above what is eligible', { rate: { is: 'flat', cents: cents(500) } }, 0, '2026-02-01T00:00:00.000Z', 499],
];

test.each(rules)('%s: %s', (expected, _guarantee, given, earningInvoices, occurredAt, eligible) => {
  const attribution = { ...live, plan: { ...plan, ...given } };
  const payment = { occurredAt: new Date(occurredAt), eligible: cents(eligible) };
  const decision = decidePayment({ attribution, boundAt, earningInvoices }, payment);
  expect(decision.is === 'nothing' ? decision.because : decision.earning.amount).toBe(expected);
});

test('a test relationship and a bind without a rule earn nothing', () => {
  const payment = { occurredAt: boundAt, eligible: cents(4_900) };
  expect(decidePayment(testOne, payment)).toMatchObject({ is: 'nothing', because: 'test' });
  expect(decidePayment({ ...active, attribution: { ...live, plan: null } }, payment)).toMatchObject({ because: 'zero_commission' });
});
