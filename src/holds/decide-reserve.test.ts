import { expect, test } from 'vitest';
import { plusDays } from '../core/time.ts';
import { decideReserve, type ReserveFacts, type ReserveRules } from './decide-reserve.ts';

const charged = new Date('2026-03-01T12:00:00.000Z');
const facts = (over: Partial<NonNullable<ReserveFacts>> = {}): ReserveFacts => ({
  firstChargedAt: charged,
  paidInvoices: 1,
  releasedAt: null,
  ...over,
});
const days = (count: number, untilInvoices: number | null = null): ReserveRules => ({ days: count, untilInvoices });
const over = { is: 'over' };

test.each([
  ['no rules, no charge', null, days(0), charged, over],
  ['no rules, a first charge just now', facts(), days(0), charged, over],
  ['no charge yet', null, days(30), charged, { is: 'not_started', days: 30 }],
  ['the day of the first charge', facts(), days(30), charged, { is: 'running', at: plusDays(charged, 30) }],
  [
    'a millisecond before its end',
    facts(),
    days(30),
    new Date(plusDays(charged, 30).getTime() - 1),
    { is: 'running', at: plusDays(charged, 30) },
  ],
  ['its end', facts(), days(30), plusDays(charged, 30), over],
  ['released early', facts({ releasedAt: charged }), days(30), charged, over],
  ['its days over, one invoice too few', facts({ paidInvoices: 2 }), days(30, 3), plusDays(charged, 99), { is: 'running', at: null }],
  ['its days over, enough invoices', facts({ paidInvoices: 3 }), days(30, 3), plusDays(charged, 30), over],
  ['enough invoices, its days not over', facts({ paidInvoices: 9 }), days(30, 3), charged, { is: 'running', at: plusDays(charged, 30) }],
  ['invoices alone', facts({ paidInvoices: 3 }), days(0, 3), charged, over],
])('decides the reserve period of a store with %s', (_what, known, rules, now, expected) => {
  expect(decideReserve(known, rules, now)).toEqual(expected);
});
